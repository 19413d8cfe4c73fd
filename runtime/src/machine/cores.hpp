#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// The cores of a machine as plain values. Only cores.cpp knows hwloc.
namespace refrain::machine {

struct Core {
    std::vector<unsigned>
        processors;            // its hardware threads, as the system numbers them; ascending
    unsigned memory_node = 0;  // the nearest, as the system numbers it

    friend bool operator==(const Core&, const Core&) = default;
};

/// In hwloc's order: those that follow one another share the most caches and memory.
struct Cores {
    std::vector<Core> all;
    std::string problem = {};  // if they are not known: why, and the way out; else empty
};

/// Of this machine; or of one that `synthetic` describes in hwloc's words, "package:2 core:4 pu:2". The
/// processors that the process may not use are among them.
///
/// Complexity:  three milliseconds on two cores, half of them for plug-ins that hwloc opens.
/// Threads:     any.
[[nodiscard]] Cores find_cores(const char* synthetic = nullptr);

/// Of this machine; found once per process.
[[nodiscard]] const Cores& cores_of_this_machine();

[[nodiscard]] std::size_t count_processors(const std::vector<Core>& cores);

}  // namespace refrain::machine
