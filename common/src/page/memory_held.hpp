#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace refrain::page {

/// What memory was held at one moment: by each table of the runtime, and by the regions of each name.
struct MemoryHeld {
    struct Part {
        std::string name;
        std::uint64_t bytes = 0;
        std::uint64_t count = 0;  // regions of this name; 0 for a table
    };
    std::uint64_t operations = 0;  // counted until then
    double seconds = 0;            // since the run began
    std::vector<Part> tables;
    std::vector<Part> regions;

    [[nodiscard]] std::uint64_t bytes() const {
        std::uint64_t sum = 0;
        for (const Part& part : tables) sum += part.bytes;
        for (const Part& part : regions) sum += part.bytes;
        return sum;
    }
};

}  // namespace refrain::page
