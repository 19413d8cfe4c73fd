/// Damages the logs that watched runs of random programs write.
#pragma once

#include <cstdint>

namespace refrain::property {

struct LogCampaign {
    std::uint64_t first_seed = 0;
    std::uint64_t count = 0;  // logs; 0: until the time is up
    double seconds = 10;
};

/// Reads each log as it is, and damaged in many ways, with all that reads logs. Prints the first
/// failure, with the command that repeats it. Returns whether there was none.
[[nodiscard]] bool fuzz_logs(const LogCampaign& campaign);

}  // namespace refrain::property
