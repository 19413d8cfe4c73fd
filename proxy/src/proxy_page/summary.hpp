#pragma once

#include "merge/recording.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace refrain::proxy {

/// What a recording shows at a glance.
struct Summary {
    struct FunctionUse {
        std::string name;
        std::uint64_t calls = 0;
        double seconds = 0;  // within the calls, over all ranks
    };
    /// Calls of a function that the program makes in one place.
    struct PlaceUse {
        std::string place, function;
        std::uint64_t calls = 0;
    };
    /// Messages that one rank sent to another, as the separate counter saw them.
    struct Pair {
        std::uint32_t from = 0, to = 0;
        std::uint64_t calls = 0, bytes = 0;
    };
    struct RankTime {
        double wall = 0, work = 0;
    };
    /// Messages that were received, by size: up to 2^n bytes.
    struct SizeClass {
        std::uint64_t bytes_max = 0, messages = 0;
    };

    std::uint64_t calls = 0;
    std::vector<FunctionUse> functions;  // the most frequent first
    std::vector<PlaceUse> places;        // likewise; empty if places were not recorded
    std::vector<Pair> pairs;
    std::vector<RankTime> ranks;
    std::vector<SizeClass> sizes;
    std::vector<std::string> words;   // what the program does
    std::vector<std::string> limits;  // what a proxy cannot promise, or why there is none
};

[[nodiscard]] Summary summarise(const Recording& recording);

/// The page of a recording, and of its proxy's if there is one, as one HTML file that loads nothing.
[[nodiscard]] std::string report_page(const Recording& recording, const Recording* proxy,
                                      const std::string& title);

}  // namespace refrain::proxy
