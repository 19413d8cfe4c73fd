#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

/// Small numbers for what MPI and the program name by values that change from run to run.
namespace refrain::proxy {

/// Gives out the smallest number that is free, so that loops use the same numbers again.
class Numbers {
  public:
    explicit Numbers(std::int64_t first = 0) : next_(first) {}

    [[nodiscard]] std::int64_t take() {
        if (free_.empty()) return next_++;
        const std::int64_t number = *free_.begin();
        free_.erase(free_.begin());
        return number;
    }
    void give_back(std::int64_t number) { free_.insert(number); }

  private:
    std::int64_t next_;
    std::set<std::int64_t> free_;
};

/// The requests that are not completed yet.
///
/// MPI gives several live requests one value (small Isends are complete at once, and all alike), so
/// that a request is known by the address of its variable and its value; one that the program has
/// copied or moved is found by its value alone, the oldest first.
class Requests {
  public:
    using Value = std::uintptr_t;
    using Address = std::uintptr_t;
    struct Request {
        std::int64_t number = 0;
        Value value = 0;
        Address address = 0;
        std::int64_t slot = -1;      // of its buffer
        std::uint64_t wildcard = 0;  // of Recorder::open_wildcard; 0: none
        bool receives = false;
    };

    Request& add(Value value, Address address);
    /// Null if no such request is live.
    [[nodiscard]] Request* find(Value value, Address address);
    [[nodiscard]] Request* by_number(std::int64_t number);
    void remove(std::int64_t number);
    [[nodiscard]] std::size_t size() const { return live_.size(); }

  private:
    Numbers numbers_;
    std::unordered_map<std::int64_t, Request> live_;
    std::unordered_multimap<Value, std::int64_t> by_value_;
};

/// Memory that calls use, as slots: live memory has a slot of its own for each address.
class Slots {
  public:
    /// The slot of an address, which is in use until it is released as often as it was acquired.
    [[nodiscard]] std::int64_t acquire(std::uintptr_t address);
    void release(std::int64_t slot);

  private:
    struct Use {
        std::int64_t slot = 0;
        std::uint32_t users = 0;
    };
    Numbers numbers_;
    std::unordered_map<std::uintptr_t, Use> live_;
    std::unordered_map<std::int64_t, std::uintptr_t> address_;
};

}  // namespace refrain::proxy
