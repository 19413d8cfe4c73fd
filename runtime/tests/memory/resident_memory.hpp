#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

/// Samples the memory of this process.
namespace memory_test {

/// Bytes of its own memory that it has touched, wherever the system keeps them: pages of programs and libraries
/// come and go with what else the machine does.
inline std::uint64_t resident_bytes() {
    std::ifstream file("/proc/self/status");
    std::uint64_t kibibytes = 0;
    int found = 0;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("RssAnon:") && !line.starts_with("VmSwap:")) continue;
        kibibytes += std::stoull(line.substr(line.find(':') + 1));
        ++found;
    }
    if (found != 2) throw std::runtime_error("/proc/self/status does not say what is resident");
    return 1024 * kibibytes;
}

/// Calls step(i) for i < steps; samples memory about ninety times, evenly, from step `warm_up` on.
template <class Step>
std::vector<std::uint64_t> sample(std::uint64_t steps, std::uint64_t warm_up, Step&& step) {
    constexpr std::uint64_t samples = 90;
    const std::uint64_t interval = std::max<std::uint64_t>(1, (steps - warm_up) / samples);
    std::vector<std::uint64_t> bytes;
    for (std::uint64_t i = 0; i < steps; ++i) {
        step(i);
        if (i >= warm_up && (i - warm_up) % interval == 0) bytes.push_back(resident_bytes());
    }
    return bytes;
}

/// Prints a summary of the samples. Returns whether all are within one per cent of the first, or
/// above it by at most `room` bytes: for bounded buffers that may still fill up.
inline bool is_flat(const std::vector<std::uint64_t>& bytes, std::uint64_t room = 0) {
    const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
    const auto first = static_cast<double>(bytes.front());
    const double below = 100 * (static_cast<double>(*least) / first - 1);
    const double above = 100 * (static_cast<double>(*most) / first - 1);
    const double above_max = std::max(1.0, 100 * static_cast<double>(room) / first);
    std::printf("resident memory after warm-up %.2f MiB %+.2f %% %+.2f %%\n", first / (1 << 20),
                below, above);
    const bool flat = below >= -1 && above <= above_max;
    if (!flat) std::printf("NOT FLAT: allowed are -1 %% and %+.2f %%\n", above_max);
    return flat;
}

}  // namespace memory_test
