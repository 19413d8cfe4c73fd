#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "convert/trace_content.hpp"

namespace refrain::proxy {

/// What had to be invented, or left out, over all ranks.
struct Invented {
    std::map<std::string, std::uint64_t> skipped;   // functions without a record; how often called
    std::set<std::string> waits, sends, exchanges;  // functions that became others
    std::uint64_t unfinished = 0, cancelled = 0;
};

/// A line for each kind, as `generate` prints it.
[[nodiscard]] std::vector<std::string> in_words(const TraceContent& content,
                                                const Invented& invented);

}  // namespace refrain::proxy
