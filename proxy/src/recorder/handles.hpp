#pragma once

#include "events/event.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

/// Small numbers for what MPI and the program name by values that change from run to run.
namespace refrain::proxy {

/// Gives out the smallest number that is free, so that loops use the same numbers again.
class Numbers {
  public:
    explicit Numbers(std::int64_t first = 0) : first_(first) {}

    [[nodiscard]] std::int64_t take() {
        while (full_ < taken_.size() && taken_[full_] == ~std::uint64_t{0}) ++full_;
        if (full_ == taken_.size()) taken_.push_back(0);
        std::uint64_t& word = taken_[full_];
        const int bit = std::countr_one(word);
        word |= word + 1;  // sets the lowest bit that is not
        return first_ + static_cast<std::int64_t>(64 * full_) + bit;
    }
    void give_back(std::int64_t number) {
        const auto place = static_cast<std::size_t>(number - first_);
        taken_[place / 64] &= ~(std::uint64_t{1} << place % 64);
        full_ = std::min(full_, place / 64);
    }

  private:
    std::int64_t first_;
    std::vector<std::uint64_t> taken_;  // a bit per number, from first_ on
    std::size_t full_ = 0;              // the words before this one have no free number
};

/// Numbers of several threads. What one thread made and another gives up is not given out again: when it is given up, only
/// chance says.
class ThreadNumbers {
  public:
    explicit ThreadNumbers(std::int64_t first = 0) : first_(first) {}

    [[nodiscard]] std::int64_t take(std::uint32_t thread) {
        while (own_.size() <= thread)
            own_.emplace_back(first_ + first_number_of(static_cast<std::uint32_t>(own_.size())));
        return own_[thread].take();
    }
    void give_back(std::int64_t number, std::uint32_t thread) {
        if (thread_of(number) == thread) own_[thread].give_back(number);
    }

  private:
    std::int64_t first_;
    std::vector<Numbers> own_;  // by thread
};

/// Entries with small numbers, found by their number or by a key, which several may share. Allocates only while
/// it grows: calls of MPI add and remove entries all the time.
///
/// An `Entry` has `number`, -1 if it is not in use, and `key`. A pointer to one holds until the next `add`.
template <class Entry>
class NumberedTable {
  public:
    explicit NumberedTable(std::int64_t first = 0) : first_(first), numbers_(first) {}

    [[nodiscard]] Entry& add(std::uintptr_t key) {
        const std::int64_t number = numbers_.take();
        const std::size_t index = index_of(number);
        if (index >= entries_.size()) {
            entries_.resize(index + 1);
            next_.resize(index + 1);
            if (entries_.size() > heads_.size()) grow();
        }
        entries_[index] = Entry{};
        entries_[index].number = number;
        entries_[index].key = key;
        insert(number);
        ++size_;
        return entries_[index];
    }
    /// Null if the number is not in use.
    [[nodiscard]] Entry* by_number(std::int64_t number) {
        if (number < first_ || index_of(number) >= entries_.size()) return nullptr;
        Entry& entry = entries_[index_of(number)];
        return entry.number < 0 ? nullptr : &entry;
    }
    /// The entry of this key that `prefers(a, b)` puts before all others; null if there is none.
    template <class Prefers>
    [[nodiscard]] Entry* find(std::uintptr_t key, const Prefers& prefers) {
        Entry* best = nullptr;
        for (std::int64_t at = heads_[bucket_of(key)]; at >= 0; at = next_[index_of(at)]) {
            Entry& entry = entries_[index_of(at)];
            if (entry.key == key && (best == nullptr || prefers(entry, *best))) best = &entry;
        }
        return best;
    }
    /// The entry with the smallest number that fits; looks at all.
    template <class Fits>
    [[nodiscard]] Entry* first(const Fits& fits) {
        for (Entry& entry : entries_)
            if (entry.number >= 0 && fits(entry)) return &entry;
        return nullptr;
    }
    /// The entry must be in use.
    void remove(std::int64_t number) {
        retire(number);
        numbers_.give_back(number);
    }
    /// Likewise, and nothing gets this number again.
    void retire(std::int64_t number) {
        const std::size_t index = index_of(number);
        std::int64_t* at = &heads_[bucket_of(entries_[index].key)];
        while (*at != number) at = &next_[index_of(*at)];
        *at = next_[index];
        entries_[index].number = -1;
        --size_;
    }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    [[nodiscard]] std::size_t index_of(std::int64_t number) const {
        return static_cast<std::size_t>(number - first_);
    }
    [[nodiscard]] std::size_t bucket_of(std::uintptr_t key) const {
        return static_cast<std::size_t>(std::uint64_t{key} * 0x9e3779b97f4a7c15U >> 32) &
               (heads_.size() - 1);
    }
    void insert(std::int64_t number) {
        const std::size_t index = index_of(number);
        std::int64_t& head = heads_[bucket_of(entries_[index].key)];
        next_[index] = head;
        head = number;
    }
    [[gnu::noinline]] void grow() {
        heads_.assign(2 * heads_.size(), -1);
        for (const Entry& entry : entries_)
            if (entry.number >= 0) insert(entry.number);
    }

    std::int64_t first_;
    Numbers numbers_;
    std::vector<Entry> entries_;      // by number
    std::vector<std::int64_t> next_;  // by number: the next entry of the same bucket, or -1
    std::vector<std::int64_t> heads_ =
        std::vector<std::int64_t>(16, -1);  // by hash of the key; a power of two
    std::size_t size_ = 0;
};

/// The requests that are not completed yet.
///
/// MPI gives several live requests one value (small Isends are complete at once, and all alike), so
/// that a request is known by the address of its variable and its value; one that the program has
/// copied or moved is found by its value alone, that of the smallest number first, unless it says which one it copied. From the first such one on, values are
/// indexed.
///
/// Those that were begun where nothing is recorded have names of their own, below `unrecorded_first`, so that the others
/// are numbered as if these were not there.
class Requests {
  public:
    using Value = std::uintptr_t;
    using Address = std::uintptr_t;
    struct Request {
        std::int64_t number = -1;
        std::uintptr_t key = 0;  // of value and address together
        Value value = 0;
        Address address = 0;
        std::int64_t slots[2] = {-1, -1};  // of its buffers
        std::uint64_t wildcard = 0;        // of Recorder::open_wildcard; 0: none
        bool receives = false;
        bool collective = false;  // of which a status says nothing
        bool persistent = false;  // stays when it is complete
        bool active = true;
        bool recorded = true;     // that it was begun, or started
        bool unnumbered = false;  // it was made where nothing is recorded
    };
    static constexpr std::int64_t unrecorded_first = -10;

    /// Which thread makes and completes requests from here on. It finds its own first, and then those of others.
    void use(std::uint32_t thread) {
        thread_ = thread;
        while (live_.size() <= thread)
            live_.emplace_back(first_number_of(static_cast<std::uint32_t>(live_.size())));
    }

    /// The result of each function holds until the next request is added.
    Request& add(Value value, Address address, bool recorded = true);
    /// Null if no such request is live.
    [[nodiscard]] Request* find(Value value, Address address);
    /// The program says that it has copied a request from one variable to another.
    void copied(Value value, Address from, Address to);
    /// Its number in the recording, or its name if it has none.
    [[nodiscard]] static std::int64_t name_of(const Request& request) {
        return request.unnumbered ? unrecorded_first - request.number : request.number;
    }
    [[nodiscard]] Request* by_name(std::int64_t name) {
        if (name <= unrecorded_first) return unrecorded_.by_number(unrecorded_first - name);
        return thread_of(name) < live_.size() ? live_[thread_of(name)].by_number(name) : nullptr;
    }
    void remove(std::int64_t name);
    [[nodiscard]] std::size_t size() const {
        std::size_t all = 0;
        for (const NumberedTable<Request>& own : live_) all += own.size();
        return all;
    }

  private:
    [[nodiscard]] static std::uintptr_t key_of(Value value, Address address) {
        return value + 3 * address;
    }

    [[nodiscard]] static Request* find_exact(NumberedTable<Request>& table, Value value,
                                             Address address);
    [[nodiscard]] Request* find_exact(Value value, Address address);
    [[nodiscard, gnu::noinline]] Request* find_moved(Value value);

    std::uint32_t thread_ = 0;
    std::vector<NumberedTable<Request>> live_{1};  // by thread
    NumberedTable<Request> unrecorded_;
    std::set<std::pair<Value, std::int64_t>>
        by_value_;  // names of all live ones, if requests are moved
    bool indexed_ = false;
    std::unordered_map<Address, std::int64_t> copies_;  // names, by the variable that has a copy
};

/// Memory that calls use, as slots: live memory has a slot of its own for each address.
class Slots {
  public:
    /// The slot of an address, which is in use until it is released as often as it was acquired.
    [[nodiscard]] std::int64_t acquire(std::uintptr_t address);
    void release(std::int64_t slot);
    /// Which thread uses memory from here on: each has slots of its own.
    void use(std::uint32_t thread) {
        thread_ = thread;
        while (live_.size() <= thread)
            live_.emplace_back(first_number_of(static_cast<std::uint32_t>(live_.size())));
    }

  private:
    struct Use {
        std::int64_t number = -1;
        std::uintptr_t key = 0;
        std::uint32_t users = 0;
    };
    std::uint32_t thread_ = 0;
    std::vector<NumberedTable<Use>> live_{1};  // by thread
};

}  // namespace refrain::proxy
