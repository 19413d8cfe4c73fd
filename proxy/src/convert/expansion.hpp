#pragma once

#include "merge/recording.hpp"

#include <cstdint>
#include <map>
#include <utility>

namespace refrain::proxy {

/// What writes a recording call by call takes no rank with more: no disk has room for it.
inline constexpr std::uint64_t expanded_calls_max = 100000000000;

/// How long a rank computes between two events, on average.
class WorkTimes {
  public:
    WorkTimes(const Recording& recording, std::uint32_t rank) {
        for (const Recording::MergedWork& each : recording.work)
            for (const Recording::RankWork& mine : each.ranks)
                if (mine.rank == rank && mine.count != 0)
                    seconds_[{each.before, each.after}] =
                        mine.seconds / static_cast<double>(mine.count);
    }
    /// 0 if it is not known.
    [[nodiscard]] double seconds(std::uint32_t before, std::uint32_t after) const {
        const auto found = seconds_.find({before, after});
        return found == seconds_.end() ? 0 : found->second;
    }

  private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> seconds_;
};

}  // namespace refrain::proxy
