#pragma once

#include "page/fragment.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace refrain::page {

/// What is known of the operations that were served from precedents as many operations ago: of a
/// loop with iterations of this length. As a fragment, one iteration.
struct LoopRecord : Fragment {
    std::uint64_t distance = 0;         // of an operation and its precedent
    std::uint64_t served = 0;           // operations
    std::uint64_t first_operation = 0;  // of those
    std::uint64_t last_operation = 0;

    /// Otherwise as much as ran in one piece, the last time.
    [[nodiscard]] bool has_whole_iteration() const { return length == distance; }
};

/// The loops of a run in which operations are served from precedents.
///
///     served from       7 7 7 7 7 7 7 7 7 . 71 71 7 7 7 ...
///     iteration of 7    |-----------| written down once
///     iteration of 71                       |---| did not last so long: begun anew next time
///
/// Bounded: where there are more than `loops_max`, the half that served fewer operations is counted
/// together; and operations beyond `operations_max` are not listed.
///
/// Threads:  the launching thread only.
class LoopBook {
  public:
    static constexpr std::size_t loops_max = 1024;
    static constexpr std::size_t operations_max = std::size_t{1} << 17;
    static constexpr std::size_t edges_max = std::size_t{1} << 19;

    /// An operation was served from one that was launched `distance` before. `sources()` is called if
    /// they are wanted.
    template <class Sources>
    void operation(std::uint64_t distance, std::uint64_t number, std::uint32_t points, SiteId site,
                   Sources&& sources) {
        const bool goes_on = current_ != nullptr && current_->distance == distance &&
                             number == current_->last_operation + 1;
        if (!goes_on) [[unlikely]]
            begin_run(distance, number);
        ++current_->served;
        current_->last_operation = number;
        if (!current_->has_whole_iteration()) [[unlikely]]
            current_->append(site, points, sources(), room_);
    }

    [[nodiscard]] const std::vector<LoopRecord>& loops() const { return loops_; }
    /// Operations of loops that have no record any more, and how often one was dropped.
    [[nodiscard]] std::uint64_t others_served() const { return others_served_; }
    [[nodiscard]] std::uint64_t other_count() const { return other_count_; }

  private:
    void begin_run(std::uint64_t distance, std::uint64_t number);
    LoopRecord& find(std::uint64_t distance, std::uint64_t number);
    void thin_out();

    std::vector<LoopRecord> loops_;
    std::unordered_map<std::uint64_t, std::size_t> by_distance_;
    LoopRecord* current_ = nullptr;
    FragmentRoom room_{operations_max, edges_max};
    std::uint64_t others_served_ = 0;
    std::uint64_t other_count_ = 0;
};

}  // namespace refrain::page
