#pragma once

#include "page/fragment.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace refrain::page {

/// A loop: the operations whose precedents were launched `distance` operations before them. The
/// fragment is one iteration.
struct LoopRecord : Fragment {
    std::uint64_t distance = 0;         // from a precedent to its operation: the loop's length
    std::uint64_t served = 0;           // operations
    std::uint64_t first_operation = 0;  // numbers of the first and the last of these
    std::uint64_t last_operation = 0;

    /// If not, the fragment is what ran without interruption the last time.
    [[nodiscard]] bool has_whole_iteration() const { return length == distance; }
};

/// The loops of a run in which operations are served from precedents.
///
///     served from       7 7 7 7 7 7 7 7 7 . 71 71 7 7 7 ...
///     iteration of 7    |-----------| recorded once
///     iteration of 71                       |---| interrupted: recorded again the next time
///
/// Bounded: when there are more than `loops_max` loops, the half that served fewer operations loses
/// its records and is only counted. Operations beyond `operations_max` are not listed.
///
/// Threads:  the launching thread only.
class LoopBook {
  public:
    static constexpr std::size_t loops_max = 1024;
    static constexpr std::size_t operations_max = std::size_t{1} << 17;
    static constexpr std::size_t edges_max = std::size_t{1} << 19;

    /// Operation `number` was served from the one launched `distance` operations before it.
    /// `listed()`, a Listed or its sources, is called only if the operation is listed.
    template <class Details>
    void operation(std::uint64_t distance, std::uint64_t number, std::uint32_t points, SiteId site,
                   Details&& listed) {
        const bool continues_run = current_ != nullptr && current_->distance == distance &&
                                   number == current_->last_operation + 1;
        if (!continues_run) [[unlikely]]
            begin_run(distance, number);
        ++current_->served;
        current_->last_operation = number;
        if (!current_->has_whole_iteration()) [[unlikely]]
            current_->append(site, points, listed(), room_);
    }

    /// Whether the latest operation was of the loop of that length, of which a whole iteration is listed.
    [[nodiscard]] bool has_listed(std::uint64_t distance) const {
        return current_ != nullptr && current_->distance == distance &&
               current_->has_whole_iteration();
    }
    /// So many more operations of the same loop, one after the other. Its iteration is listed, or there are none.
    void passed(std::uint64_t operations) {
        if (operations == 0) return;
        current_->served += operations;
        current_->last_operation += operations;
    }

    [[nodiscard]] const std::vector<LoopRecord>& loops() const { return loops_; }
    /// Operations of the loops that lost their records, and how many records were dropped.
    [[nodiscard]] std::uint64_t others_served() const { return others_served_; }
    [[nodiscard]] std::uint64_t other_count() const { return other_count_; }

  private:
    void begin_run(std::uint64_t distance, std::uint64_t number);
    LoopRecord& find(std::uint64_t distance, std::uint64_t number);
    void drop_half();

    std::vector<LoopRecord> loops_;
    std::unordered_map<std::uint64_t, std::size_t> by_distance_;
    LoopRecord* current_ = nullptr;
    FragmentRoom room_{operations_max, edges_max};
    std::uint64_t others_served_ = 0;
    std::uint64_t other_count_ = 0;
};

}  // namespace refrain::page
