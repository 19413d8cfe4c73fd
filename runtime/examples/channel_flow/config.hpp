#pragma once

#include <cstdint>
#include <string>

#include "channel_flow/channel.hpp"
#include "common/command_line.hpp"
#include "common/common_config.hpp"

namespace channel_flow {

struct Config {
    std::int64_t size = 64;  // points along the channel and across it
    std::int64_t tiles = 2;  // along the channel and across it
    std::int64_t steps = 3000;
    std::int64_t pressure_iterations = 50;
    std::int64_t check_every = 10;  // steps
    double tolerance = 1e-3;
    example::CommonConfig common;

    [[nodiscard]] Channel channel() const { return Channel(size, size); }
    /// The flow has settled when no velocity changes by more than this per step.
    [[nodiscard]] double largest_change_allowed() const {
        return tolerance * Channel::force * channel().dt;
    }
    [[nodiscard]] std::string problem() const {
        const std::string n = std::to_string(size);
        const std::string t = std::to_string(tiles);
        return n + " x " + n + " points in " + t + " x " + t + " tiles, up to " +
               std::to_string(steps) + " steps of " + std::to_string(pressure_iterations) +
               " pressure iterations";
    }
};

/// The pressure on a wall equals that of the adjacent row, which must be in the same tile.
///
/// Only for CommandLine::check_with().
inline void check(const Config& config) {
    example::check_tiles(config.size, config.tiles, "points", 2);
}

[[nodiscard]] Config config_from(int argc, char** argv);

}  // namespace channel_flow
