#include "reacting_flow/config.hpp"

#include "common/command_line.hpp"

namespace reacting_flow {
namespace {

void add_problem(example::CommandLine& line, Config& config) {
    line.add_choice("--case", config.case_name, {"flame", "wave"},
                    "flame: fuel burns among eddies; wave: inert, with a known solution");
    line.add_number("--size", config.size, {8, 4096}, "points along each axis");
    line.add_number("--species", config.species, {Mechanism::species_min, 1000},
                    "species in the mixture");
    line.add_number("--tiles", config.tiles, {1, 64}, "tiles along each axis");
    line.add_number("--steps", config.steps, example::any_steps, "time steps");
}

}  // namespace

Config config_from(int argc, char** argv) {
    Config config;
    example::CommandLine line{
        "Computes a flow with many reacting species, and hands its data to a legacy code"
        " at intervals."};
    add_problem(line, config);
    line.check_with([&] { example::check_tiles(config.size, config.tiles, "points"); });
    line.parse(config.common, argc, argv);
    return config;
}

}  // namespace reacting_flow
