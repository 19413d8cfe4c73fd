#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/common_config.hpp"
#include "shallow_water/scheme.hpp"
#include "shallow_water/test_case.hpp"

namespace shallow_water {

struct Config {
    std::string case_name = "bowl";
    std::int64_t size = 48;  // cells along each axis
    std::int64_t tiles = 2;  // along each axis
    std::int64_t steps = 600;
    int stages = 3;               // of a step
    std::int64_t look_every = 8;  // steps between two checks of the end time
    example::CommonConfig common;

    [[nodiscard]] TestCase test_case() const { return TestCase(case_named(case_name), size); }
    [[nodiscard]] std::vector<Stage> method() const {
        if (stages == 2) return {{0, 1}, {1. / 2, 1. / 2}};
        return {{0, 1}, {3. / 4, 1. / 4}, {1. / 3, 2. / 3}};
    }
    [[nodiscard]] std::string problem() const {
        const std::string n = std::to_string(size);
        const std::string t = std::to_string(tiles);
        return test_case().description() + " (" + case_name + "), " + n + " x " + n + " cells in " +
               t + " x " + t + " tiles, up to " + std::to_string(steps) + " steps of " +
               std::to_string(stages) + " stages";
    }
};

[[nodiscard]] Config config_from(int argc, char** argv);

}  // namespace shallow_water
