#include "page/failure_book.hpp"

#include <algorithm>
#include <utility>

namespace refrain::page {

void FailureBook::threw(FailedLaunch launch) {
    threw_tasks_ += launch.threw;
    if (launches_.size() == launches_max) {
        ++other_launches_;
        return;
    }
    by_operation_.emplace(launch.operation, launches_.size());
    launches_.push_back(std::move(launch));
}

void FailureBook::skipped(std::uint64_t cause, SiteId at, std::uint64_t tasks) {
    skipped_tasks_ += tasks;
    const auto known = by_operation_.find(cause);
    if (known == by_operation_.end()) return;
    std::vector<FailedLaunch::Skipped>& skipped = launches_[known->second].skipped;
    const auto same = std::find_if(skipped.begin(), skipped.end(),
                                   [&](const auto& each) { return each.site == at; });
    if (same == skipped.end())
        skipped.push_back({at, tasks});
    else
        same->tasks += tasks;
}

}  // namespace refrain::page
