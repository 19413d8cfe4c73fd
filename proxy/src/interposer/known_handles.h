/// What the interposer knows of handles, by their values.
#pragma once

#include "interposer/this_mpi.h"
#include "recorder/handles.hpp"
#include "recorder/key_map.hpp"

#include <cstdint>
#include <vector>

namespace refrain::proxy {

struct CommEntry {
    std::int64_t number = unknown_handle;
    std::int64_t me = 0;
    std::int64_t size = 0;  // of the own group
    std::int64_t reach =
        0;  // ranks that a collective reaches: those of the other group, if there is one
    bool between_groups = false;
    std::int64_t degree_in = -1, degree_out = -1;  // neighbours, as soon as somebody asked
};

/// A window, or a file: buffers that calls on it use until a later call says that they are free.
struct HeldEntry {
    struct Held {
        std::int64_t target = 0;  // the rank at which a window is accessed
        std::int64_t slot = 0;
    };

    std::int64_t number = unknown_handle;
    std::int64_t me = 0, size = 0;  // of a window's communicator
    std::vector<std::int64_t> own;  // the window's memory
    std::vector<Held> held;
    std::vector<int> world;  // of a dynamic window: its ranks, as ranks of MPI_COMM_WORLD
};

struct TypeEntry {
    bool measured = false;
    MPI_Aint extent = 0, true_lb = 0, true_ub = 0;
};

/// Handles of one kind by value. What is made has a number of its own, also where an MPI gives the same value
/// twice (MPI_Comm_group of one communicator): then the latest is meant.
class HandleMap {
  public:
    explicit HandleMap(std::int64_t first) : numbers_(first) {}

    void predefine(std::uintptr_t key, std::int64_t number) {
        if (predefined_.find(key) == nullptr) predefined_[key] = number;
    }
    [[nodiscard]] std::int64_t find(std::uintptr_t key) const {
        if (const std::int64_t* const found = predefined_.find(key)) return *found;
        const auto* const found = known_.find(key);
        return found == nullptr ? unknown_handle : found->back();
    }
    [[nodiscard]] std::int64_t add(std::uintptr_t key, std::uint32_t thread) {
        if (const std::int64_t* const found = predefined_.find(key)) return *found;
        return known_[key].emplace_back(numbers_.take(thread));
    }
    /// Returns its number, which is not given out again before it is given back; unknown_handle if it is not known.
    [[nodiscard]] std::int64_t take_out(std::uintptr_t key) {
        auto* const found = known_.find(key);
        if (found == nullptr) return unknown_handle;
        const std::int64_t number = found->back();
        found->pop_back();
        if (found->empty()) known_.erase(key);
        return number;
    }
    void put_back(std::uintptr_t key, std::int64_t number) {
        if (number != unknown_handle) known_[key].push_back(number);
    }
    void give_back(std::int64_t number, std::uint32_t thread) {
        if (number != unknown_handle) numbers_.give_back(number, thread);
    }
    void remove(std::uintptr_t key, std::uint32_t thread) { give_back(take_out(key), thread); }

  private:
    KeyMap<std::int64_t> predefined_;
    KeyMap<std::vector<std::int64_t>> known_;
    ThreadNumbers numbers_;
};

}  // namespace refrain::proxy
