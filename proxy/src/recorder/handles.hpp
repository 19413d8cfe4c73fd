#pragma once

#include "events/event.hpp"
#include "recorder/per_thread.hpp"

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
        std::uint64_t& word = taken_[full_];
        const std::int64_t number =
            first_ + static_cast<std::int64_t>(64 * full_) + std::countr_one(word);
        word |= word + 1;  // sets the lowest bit that is not
        if (word == ~std::uint64_t{0}) find_free();
        return number;
    }
    void give_back(std::int64_t number) {
        const auto place = static_cast<std::size_t>(number - first_);
        taken_[place / 64] &= ~(std::uint64_t{1} << place % 64);
        full_ = std::min(full_, place / 64);
    }

  private:
    [[gnu::noinline]] void find_free() {
        while (full_ < taken_.size() && taken_[full_] == ~std::uint64_t{0}) ++full_;
        if (full_ == taken_.size()) taken_.push_back(0);
    }

    std::int64_t first_;
    std::vector<std::uint64_t> taken_{0};  // a bit per number, from first_ on
    std::size_t full_ = 0;                 // the words before this one are full, it is not
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

/// What an entry of a NumberedTable begins with.
struct NumberedEntry {
    std::int64_t number = -1;  // -1: not in use
    std::uintptr_t key = 0;
    std::uint32_t next = 0;  // the place, from 1, of the next entry of the same bucket; 0: none
};

/// Entries with small numbers, found by their number or by a key, which several may share. Allocates only while
/// it grows: calls of MPI add and remove entries all the time.
///
/// An `Entry` is a NumberedEntry. A pointer to one holds until the next `add`.
template <class Entry>
class NumberedTable {
  public:
    explicit NumberedTable(std::int64_t first = 0) : first_(first) {}

    [[nodiscard]] Entry& add(std::uintptr_t key) {
        const auto index = static_cast<std::size_t>(indices_.take());
        if (index > mask_) grow();
        Entry& entry = entries_[index];
        entry = Entry{};
        entry.number = first_ + static_cast<std::int64_t>(index);
        entry.key = key;
        insert(entry, index);
        ++size_;
        return entry;
    }
    /// Null if the number is not in use.
    [[nodiscard]] Entry* by_number(std::int64_t number) {
        if (!owns(number)) return nullptr;
        Entry& entry = entries_[index_of(number)];
        return entry.number < 0 ? nullptr : &entry;
    }
    /// Of the entries of this key that fit, the one with the smallest number; null if there is none.
    template <class Fits>
    [[nodiscard]] Entry* find(std::uintptr_t key, const Fits& fits) {
        Entry* best = nullptr;
        for (std::uint32_t at = heads_[bucket_of(key)]; at != 0;) {
            Entry& entry = entries_[at - 1];
            at = entry.next;
            if (entry.key == key && fits(entry) && (best == nullptr || entry.number < best->number))
                best = &entry;
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
    /// Whether this table gave out the number.
    [[nodiscard]] bool owns(std::int64_t number) const { return index_of(number) <= mask_; }
    /// The entry is one of this table.
    void remove(Entry& entry) {
        const std::size_t index = index_of(entry.number);
        indices_.give_back(static_cast<std::int64_t>(index));
        take_out(entry, index);
    }
    /// Likewise, and nothing gets its number again.
    void retire(Entry& entry) { take_out(entry, index_of(entry.number)); }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    [[nodiscard]] std::size_t index_of(std::int64_t number) const {
        return static_cast<std::size_t>(number - first_);  // huge, of a number below the first
    }
    [[nodiscard]] std::size_t bucket_of(std::uintptr_t key) const {
        return static_cast<std::size_t>(std::uint64_t{key} * 0x9e3779b97f4a7c15U >> 32) & mask_;
    }
    void insert(Entry& entry, std::size_t index) {
        std::uint32_t& head = heads_[bucket_of(entry.key)];
        entry.next = head;
        head = static_cast<std::uint32_t>(index) + 1;
    }
    void take_out(Entry& entry, std::size_t index) {
        const auto place = static_cast<std::uint32_t>(index) + 1;
        std::uint32_t* at = &heads_[bucket_of(entry.key)];
        while (*at != place) at = &entries_[*at - 1].next;
        *at = entry.next;
        entry.number = -1;
        --size_;
    }
    [[gnu::noinline]] void grow() {
        entries_.resize(2 * entries_.size());
        heads_.assign(entries_.size(), 0);
        mask_ = entries_.size() - 1;
        for (std::size_t index = 0; index < entries_.size(); ++index)
            if (entries_[index].number >= 0) insert(entries_[index], index);
    }

    static constexpr std::size_t size_at_first = 16;  // a power of two

    std::int64_t first_;
    Numbers indices_;
    std::size_t mask_ = size_at_first - 1;
    std::vector<Entry> entries_ = std::vector<Entry>(size_at_first);  // by number
    std::vector<std::uint32_t> heads_ =
        std::vector<std::uint32_t>(size_at_first);  // by hash of the key: places, from 1
    std::size_t size_ = 0;
};

/// A table for each thread. Calls mostly ask for what their own thread made.
template <class Entry>
class ThreadTables {
  public:
    using Table = NumberedTable<Entry>;

    void use(std::uint32_t thread) {
        tables_.use(thread, [](std::uint32_t one) { return Table(first_number_of(one)); });
    }
    [[nodiscard]] Table& own() { return tables_.own(); }
    [[nodiscard]] PerThread<Table>& all() { return tables_; }
    [[nodiscard]] const PerThread<Table>& all() const { return tables_; }

    /// Null if the number is not in use.
    [[nodiscard]] Entry* by_number(std::int64_t number) {
        if (Entry* const found = own().by_number(number)) return found;
        return tables_.several() ? of_other(number) : nullptr;
    }
    /// The entry is in use.
    void remove(Entry& entry) {
        if (own().owns(entry.number))
            own().remove(entry);
        else
            tables_[thread_of(entry.number)].retire(entry);
    }

  private:
    [[nodiscard, gnu::noinline]] Entry* of_other(std::int64_t number) {
        if (number < 0 || thread_of(number) >= tables_.size()) return nullptr;
        return tables_[thread_of(number)].by_number(number);
    }

    PerThread<Table> tables_;
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
    struct Request : NumberedEntry {  // its key is of value and address together
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
    void use(std::uint32_t thread) { live_.use(thread); }

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
        return live_.by_number(name);
    }
    void remove(Request& request) {
        if (indexed_ || request.unnumbered)
            remove_carefully(request);
        else
            live_.remove(request);
    }
    [[nodiscard]] std::size_t size() const {
        std::size_t all = 0;
        for (const NumberedTable<Request>& own : live_.all()) all += own.size();
        return all;
    }

  private:
    [[nodiscard]] static std::uintptr_t key_of(Value value, Address address) {
        return value + 3 * address;
    }

    [[nodiscard]] static Request* find_exact(NumberedTable<Request>& table, Value value,
                                             Address address);
    [[nodiscard, gnu::noinline]] Request* find_elsewhere(Value value, Address address);
    [[nodiscard]] Request* find_moved(Value value);
    [[gnu::noinline]] void remove_carefully(Request& request);

    ThreadTables<Request> live_;
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
    [[nodiscard]] std::int64_t acquire(std::uintptr_t address) {
        Use* use = live_.own().find(address, [](const Use&) { return true; });
        if (use == nullptr) use = &live_.own().add(address);
        ++use->users;
        return use->number;
    }
    void release(std::int64_t slot) {
        Use* const use = live_.by_number(slot);
        if (use != nullptr && --use->users == 0) live_.remove(*use);
    }
    /// Which thread uses memory from here on: each has slots of its own.
    void use(std::uint32_t thread) { live_.use(thread); }

  private:
    struct Use : NumberedEntry {
        std::uint32_t users = 0;
    };
    ThreadTables<Use> live_;
};

}  // namespace refrain::proxy
