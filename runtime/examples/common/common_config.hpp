/// The options that all examples share.
#pragma once

#include "refrain/options.hpp"

#include <string>
#include <vector>

#include "common/mode.hpp"

namespace example {

struct CommonConfig {
    std::vector<Mode> modes{all_modes.begin(), all_modes.end()};
    bool check = false;   // compare each result with the serial program's
    int repetitions = 7;  // runs per mode; the median counts
    std::string json_path;
    std::string svg_path;
    std::string picture_path;  // of the result; ends in .png or .svg
    refrain::Options runtime;  // from --refrain:... and the environment
};

}  // namespace example
