#pragma once

#include "analysis/access_history.hpp"
#include "analysis/pattern_table.hpp"
#include "analysis/table_bytes.hpp"
#include "base/hash.hpp"
#include "base/prefetch.hpp"
#include "graph/lane_plan.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace refrain::runtime {

/// The plans of the launches in lanes (graph/lane_plan.hpp), by what they wait for. Plans stay until all are
/// forgotten, when no launch is in lanes. With `bytes_max` of them no further launch goes into lanes before
/// that.
///
/// Hot path: sources in the same place, as those of a memo are, probably have the plan that they had in an
///           earlier turn; one comparison per source.
/// Threads:  the launching thread only.
class LanePlans {
  public:
    LanePlans(const analysis::PatternTable& patterns, unsigned lanes, std::size_t bytes_max)
        : patterns_(patterns), lanes_(lanes), bytes_max_(bytes_max) {}

    [[nodiscard]] bool is_full() const { return bytes_ >= bytes_max_; }
    /// The plan of a launch of `points` points.
    /// Errors: std::bad_alloc.
    [[nodiscard]] const graph::LanePlan& of(std::span<const analysis::Source> sources,
                                            std::uint32_t points) {
        const auto place = reinterpret_cast<std::uintptr_t>(sources.data()) / base::line_bytes;
        std::uint32_t& number = guesses_[place % guesses_.size()];
        if (number >= known_.size() || !known_[number]->is_of(sources, points)) [[unlikely]]
            number = find_or_make(sources, points);
        return known_[number]->plan;
    }
    /// No launch is in lanes, and those that come are of a loop of `length`: forgets the plans of another, and
    /// all if there are too many. Returns whether it did. So a program of many loops that never go into lanes
    /// keeps the plans of one.
    bool begin_loop(std::uint64_t length) {
        if (length == loop_ && !is_full()) return false;
        loop_ = length;
        clear();
        return true;
    }
    void clear() {
        analysis::free_all(numbers_);
        analysis::free_all(known_);
        bytes_ = 0;
    }
    [[nodiscard]] std::size_t bytes() const { return bytes_ + analysis::held_bytes(known_); }

  private:
    struct Known {
        std::vector<analysis::Source> sources;
        std::uint32_t points;
        graph::LanePlan plan;

        [[nodiscard]] bool is_of(std::span<const analysis::Source> others,
                                 std::uint32_t count) const {
            return points == count && std::ranges::equal(sources, others);
        }
    };
    [[nodiscard, gnu::noinline]] std::uint32_t find_or_make(
        std::span<const analysis::Source> sources, std::uint32_t points) {
        base::Hasher hasher;
        hasher.add(points);
        for (const analysis::Source& source : sources) {
            hasher.add(std::uint64_t{source.distance} << 1 | (source.carries_data ? 1 : 0));
            hasher.add(static_cast<std::uint64_t>(source.pattern));
        }
        const std::uint64_t hash = hasher.finish().low;
        const auto [begin, end] = numbers_.equal_range(hash);
        for (auto at = begin; at != end; ++at)
            if (known_[at->second]->is_of(sources, points)) return at->second;
        std::vector<graph::LaneSource> parts;
        for (const analysis::Source& source : sources)
            parts.push_back({source.distance, &patterns_.get(source.pattern), source.carries_data});
        const auto number = static_cast<std::uint32_t>(known_.size());
        known_.push_back(std::make_unique<Known>(
            Known{{sources.begin(), sources.end()}, points, {parts, lanes_, points}}));
        numbers_.emplace(hash, number);
        const Known& made = *known_.back();
        bytes_ += sizeof(Known) + 2 * analysis::bytes_per_block +
                  analysis::held_bytes(made.sources) + made.plan.held_bytes() +
                  analysis::bytes_per_entry<decltype(numbers_)>;
        return number;
    }

    const analysis::PatternTable& patterns_;
    unsigned lanes_;
    std::size_t bytes_max_;
    std::vector<std::unique_ptr<Known>> known_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_;
    std::size_t bytes_ = 0;
    std::uint64_t loop_ = 0;                    // its length
    std::array<std::uint32_t, 256> guesses_{};  // by place; any number does
};

}  // namespace refrain::runtime
