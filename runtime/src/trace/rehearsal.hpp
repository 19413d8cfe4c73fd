#pragma once

#include "trace/description.hpp"
#include "trace/saved_history.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::trace {

/// Launches what an earlier run launched once more, without running it: to a recogniser and to the
/// analysis the operations look as if this run had launched them before it began.
///
///     file      ... | write(A)  read(A)  write(B) ... |
///     numbers            1025     1026     1027            gap: a window is left out
///     this run                                           | 1  2  3 ...
///
/// Why whatever a file says is harmless. A memo says of a description, in a context of
/// descriptions, what it waits for; whether anybody ever launched these is of no account
/// (operation_memo.hpp). Here that is found by walks over accesses that have the shapes and links
/// of the descriptions, with this run's tables and window: a function of the file's words, as it is of
/// those that are launched. The file itself says nothing about sources, reaches or patterns. And a
/// context counts operations of this run only: between the file and the run there is a gap, which
/// equals nothing. So an operation of this run is served if it and the `reach` operations before it
/// *in this run* are described like those of the file, and what it waits for is at most `reach` ago:
/// never anything before operation 1.
///
/// What was launched in a gap, or before the first operation, nobody knows. A link that leads there
/// leads to an operation that is not remembered, less than a window ago: a walk that comes there
/// counts as having looked at the whole window (DependenceWalk::ends). No context that long leads
/// to it: contexts do not span gaps, and if as much of the file lies between, the operation that the
/// link leads to is a window ago by then and needs no edge.
///
/// A program would have one region where two of the file's links lead to one requirement; here each
/// link has a record of its own. So a file in which two later operations are both the next one to use
/// a region is no program's, and matches none.
///
/// Threads:  the launching thread only.
class Rehearsal {
  public:
    /// `tasks` and `footprints`: what those of `history` are in this run.
    Rehearsal(const SavedHistory& history, std::vector<const void*> tasks,
              std::vector<analysis::FootprintId> footprints, std::uint32_t window)
        : history_(history),
          tasks_(std::move(tasks)),
          footprints_(std::move(footprints)),
          window_(window),
          number_(window) {}

    /// Of the operation that is launched next.
    [[nodiscard]] OperationNumber number() const { return number_ + 1; }
    /// What is not known was launched. The number of the next operation.
    OperationNumber gap() {
        number_ += window_;
        return number();
    }
    /// Launches an operation of the history. Valid until the next one is.
    [[nodiscard]] OperationSignature launch(std::uint32_t operation) {
        const SavedHistory::Operation& saved = history_.operations[operation];
        ++number_;
        const std::size_t count = saved.requirements.size();
        shapes_.resize(count);
        links_.resize(count);
        regions_.assign(count, nullptr);
        for (std::size_t i = 0; i < count; ++i) {
            const SavedHistory::Requirement& r = saved.requirements[i];
            shapes_[i] = {footprints_[r.footprint], r.privilege, r.reduction};
            regions_[i] = region(r.link, links_[i]);
        }
        const void* task = saved.task == SavedHistory::no_task ? nullptr : tasks_[saved.task];
        return {task, &site_, saved.points, shapes_, regions_};
    }

  private:
    RegionHistory* region(std::uint64_t link, RegionHistory& fresh) {
        const std::uint64_t distance = Describer::distance_of(link);
        const auto requirement = static_cast<std::uint32_t>(Describer::requirement_of(link));
        fresh = {};
        if (link == Describer::old_or_new || distance >= window_) return &fresh;
        if (distance == 0) return regions_[requirement];
        fresh.last = {number_ - distance, requirement};
        return &fresh;
    }

    const SavedHistory& history_;
    std::vector<const void*> tasks_;                 // by number in the history
    std::vector<analysis::FootprintId> footprints_;  // likewise
    std::uint32_t window_;
    OperationNumber number_;  // of the newest operation
    LaunchSite site_;
    std::vector<RequirementShape> shapes_;
    std::vector<RegionHistory> links_;  // a region each, as the analysis sees it
    std::vector<RegionHistory*> regions_;
};

}  // namespace refrain::trace
