#include "page/loop_book.hpp"

#include <algorithm>

namespace refrain::page {

void LoopBook::begin_run(std::uint64_t distance, std::uint64_t number) {
    current_ = &find(distance, number);
    if (!current_->has_whole_iteration()) current_->clear(room_);
}

LoopRecord& LoopBook::find(std::uint64_t distance, std::uint64_t number) {
    const auto known = by_distance_.find(distance);
    if (known != by_distance_.end()) return loops_[known->second];
    if (loops_.size() == loops_max) drop_half();
    loops_.reserve(loops_max);  // records do not move while they are current
    by_distance_.emplace(distance, loops_.size());
    LoopRecord& loop = loops_.emplace_back();
    loop.distance = distance;
    loop.first_operation = number;
    return loop;
}

void LoopBook::drop_half() {
    const auto half = loops_.begin() + loops_max / 2;
    std::nth_element(loops_.begin(), half, loops_.end(),
                     [](const LoopRecord& a, const LoopRecord& b) { return a.served > b.served; });
    for (auto loop = half; loop != loops_.end(); ++loop) {
        others_served_ += loop->served;
        ++other_count_;
        loop->clear(room_);
    }
    loops_.erase(half, loops_.end());
    by_distance_.clear();
    for (std::size_t i = 0; i < loops_.size(); ++i) by_distance_.emplace(loops_[i].distance, i);
}

}  // namespace refrain::page
