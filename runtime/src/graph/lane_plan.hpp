#pragma once

#include "graph/edge_pattern.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace refrain::graph {

/// A launch that another one in lanes waits for.
struct LaneSource {
    std::uint32_t distance;  // launches ago
    const EdgePattern* pattern;
    bool carries_data;
};

/// What the points of a launch in lanes (lanes.hpp) wait for, by lane. Launches that wait for as many launches
/// ago through the same patterns have the same plan, so a loop makes its plans in its first turn, and each
/// launch only names its own.
///
/// A lane runs its launches in order, so of several launches that it waits for in one other lane only the
/// newest counts, and it need not wait for itself:
///
///     points 0..3 of n after  3..4 of n - 1  and  4..7 of n - 5, two lanes
///     lane 0   points 3       lane 1 done >= n - 1       (point 0 would wait for n - 5; so does point 3)
///
/// Complexity:  construction O(pairs), and O(lanes) memory per lane at most.
/// Threads:     any thread may read.
class LanePlan {
  public:
    struct Wait {
        std::uint32_t lane;
        std::uint32_t distance;

        /// Whether launch `number` need not wait once that lane has done launch `done`. Adds the distance
        /// instead of subtracting it: what was launched before lanes opened may be further back than launch 1.
        [[nodiscard]] bool is_met(std::uint64_t done, std::uint64_t number) const {
            return done + distance >= number;
        }
    };
    /// A lane's part of the launch. Bit i stands for point i.
    struct Part {
        std::uint64_t points = 0;
        std::uint64_t waiting = 0;  // those of them that wait for other lanes
        std::uint64_t early = 0;    // the first half of the others, rounded down
        std::vector<Wait> waits;    // at most one per other lane

        /// Calls use(lane) for the lanes whose counters launch `number` must read: seen(lane), the last that
        /// was read, is too low.
        template <class Seen, class Use>
        void for_each_lacking(std::uint64_t number, const Seen& seen, Use&& use) const {
            for (const Wait& wait : waits)
                if (!wait.is_met(seen(wait.lane), number)) use(wait.lane);
        }
    };

    /// `points` is from 1 to 64. If there are fewer points than lanes, some lanes have none.
    LanePlan(std::span<const LaneSource> sources, unsigned lanes, std::uint32_t points);

    [[nodiscard]] const Part& part(unsigned lane) const { return parts_[lane]; }
    /// Whether some lane waits for others.
    [[nodiscard]] bool waits() const { return waits_; }
    [[nodiscard]] std::span<const LaneSource> sources() const { return sources_; }
    /// Memory beyond the object itself.
    [[nodiscard]] std::size_t held_bytes() const {
        std::size_t bytes =
            parts_.capacity() * sizeof(Part) + sources_.capacity() * sizeof(LaneSource);
        for (const Part& part : parts_) bytes += part.waits.capacity() * sizeof(Wait);
        return bytes;
    }

    /// The first of the points of a lane.
    [[nodiscard]] static std::uint32_t first_point(unsigned lane, unsigned lanes,
                                                   std::uint32_t points) {
        return static_cast<std::uint32_t>(std::uint64_t{lane} * points / lanes);
    }
    [[nodiscard]] static unsigned lane_of(std::uint32_t point, unsigned lanes,
                                          std::uint32_t points) {
        return static_cast<unsigned>(((std::uint64_t{point} + 1) * lanes - 1) / points);
    }

  private:
    void wait(std::uint32_t target, unsigned lane, std::uint32_t distance);

    std::uint32_t points_;
    bool waits_ = false;
    std::vector<Part> parts_;  // by lane
    std::vector<LaneSource> sources_;
};

}  // namespace refrain::graph
