#pragma once

#include "graph/task_cost.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace refrain::graph {

/// What launches have in common whose points are expected to cost the same.
///
///     for (auto task : {tiny, heavy}) rt.launch("both", task, write(x));      two: by function
///     rt.launch("first", task, write(x));  rt.launch("second", task, write(x));  two: by site
///     smooth(fine);  smooth(coarse);      one launch site, 2^20 and 2^17 elements: two, by size
struct CostKey {
    std::uintptr_t type = 0;      // of the launch
    std::uintptr_t function = 0;  // the address, if the callable is a pointer; else 0
    std::uintptr_t file = 0;      // of the launch site
    std::uint32_t line = 0;       // likewise
    std::uint32_t size_class = 0;

    /// Sizes within a factor of two share a class.
    [[nodiscard]] static constexpr std::uint32_t size_class_of(std::uint64_t elements_per_point) {
        return static_cast<std::uint32_t>(std::bit_width(elements_per_point));
    }
    friend bool operator==(const CostKey&, const CostKey&) = default;
};

/// The costs of a runtime's tasks, by key. There are as many as the program has launch sites, times
/// the functions and size classes that occur there. Beyond `entries_max`, keys share costs.
///
/// Threads:  the launching thread; costs have stable addresses, and any thread may use them.
class CostTable {
  public:
    static constexpr std::size_t entries_max = 1U << 14;

    [[nodiscard]] TaskCost& of(const CostKey& key) {
        const std::uint64_t hash = hash_of(key);
        if (costs_.size() >= entries_max) {
            const auto known = costs_.find(key);
            return known != costs_.end() ? known->second : costs_[CostKey{.type = hash % 256}];
        }
        return costs_[key];
    }
    [[nodiscard]] std::size_t size() const { return costs_.size(); }

  private:
    [[nodiscard]] static std::uint64_t hash_of(const CostKey& key) {
        std::uint64_t hash = key.type;
        for (const std::uint64_t word : {std::uint64_t{key.function}, std::uint64_t{key.file},
                                         std::uint64_t{key.line} << 32 | key.size_class}) {
            hash = (hash ^ word) * 0x9fb21c651e98df25U;
            hash ^= hash >> 29;
        }
        return hash;
    }
    struct Hash {
        std::size_t operator()(const CostKey& key) const { return hash_of(key); }
    };
    std::unordered_map<CostKey, TaskCost, Hash> costs_;
};

}  // namespace refrain::graph
