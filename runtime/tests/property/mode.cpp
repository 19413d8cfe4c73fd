#include "property/mode.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unistd.h>
#include <vector>

#include "property/random.hpp"

namespace refrain::property {
namespace {

using enum Tracing;

constexpr Recogniser looking = Recogniser::inline_;

constexpr Analysis by_states = Analysis::states;
constexpr Analysis chosen = Analysis::automatic;  // as programs have it, unless they say otherwise

constexpr std::array modes = {
    Mode{.name = "untraced-1"},
    Mode{.name = "untraced-2", .workers = 2},
    Mode{.name = "untraced-4", .workers = 4},
    Mode{.name = "manual-1", .tracing = manual},
    Mode{.name = "manual-2", .tracing = manual, .workers = 2},
    Mode{.name = "manual-4", .tracing = manual, .workers = 4},
    Mode{.name = "manual-verify", .tracing = manual, .workers = 2, .verify = 1},
    Mode{.name = "auto-sync-1", .tracing = automatic, .synchronous_mining = true},
    Mode{.name = "auto-sync-2", .tracing = automatic, .workers = 2, .synchronous_mining = true},
    Mode{.name = "auto-async-1", .tracing = automatic},
    Mode{.name = "auto-async-2", .tracing = automatic, .workers = 2},
    Mode{.name = "auto-async-4", .tracing = automatic, .workers = 4},
    Mode{.name = "auto-collide", .tracing = automatic, .workers = 2, .token_bits = 4},
    Mode{.name = "auto-collide-sync",
         .tracing = automatic,
         .synchronous_mining = true,
         .token_bits = 4},
    Mode{.name = "auto-verify", .tracing = automatic, .workers = 2, .verify = 1},
    Mode{.name = "inline-1", .tracing = automatic, .recogniser = looking},
    Mode{.name = "inline-2", .tracing = automatic, .workers = 2, .recogniser = looking},
    Mode{.name = "inline-4", .tracing = automatic, .workers = 4, .recogniser = looking},
    Mode{.name = "inline-collide",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .token_bits = 4,
         .verify = 1},
    Mode{.name = "inline-both", .tracing = both, .workers = 2, .recogniser = looking},
    Mode{.name = "inline-deterministic",
         .tracing = automatic,
         .workers = 4,
         .recogniser = looking,
         .deterministic_reductions = true},
    Mode{.name = "inline-graph",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .graph = true},
    Mode{.name = "inline-graph-both",
         .tracing = both,
         .workers = 2,
         .recogniser = looking,
         .token_bits = 4,
         .graph = true},
    Mode{.name = "both-2", .tracing = both, .workers = 2},
    Mode{.name = "both-collide", .tracing = both, .workers = 4, .token_bits = 4, .verify = 3},
    Mode{.name = "deterministic-untraced", .workers = 4, .deterministic_reductions = true},
    Mode{.name = "deterministic-auto",
         .tracing = automatic,
         .workers = 4,
         .deterministic_reductions = true},
    Mode{.name = "graph-untraced", .workers = 2, .graph = true},
    Mode{.name = "graph-manual", .tracing = manual, .workers = 2, .graph = true},
    Mode{.name = "graph-auto", .tracing = automatic, .synchronous_mining = true, .graph = true},
    Mode{.name = "graph-collide", .tracing = both, .workers = 2, .token_bits = 4, .graph = true},
    Mode{.name = "untraced-8", .workers = 8},
    Mode{.name = "inline-8", .tracing = automatic, .workers = 8, .recogniser = looking},
    Mode{.name = "inline-watched",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .watched = true},
    Mode{.name = "inline-two",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .two_at_once = true},
    Mode{.name = "inline-long",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .kind = Kind::long_loops},
    Mode{.name = "inline-long-graph",
         .tracing = automatic,
         .recogniser = looking,
         .graph = true,
         .kind = Kind::long_loops},
    Mode{.name = "inline-edges",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .kind = Kind::edges},
    Mode{.name = "inline-edges-graph",
         .tracing = automatic,
         .recogniser = looking,
         .graph = true,
         .kind = Kind::edges},
    Mode{.name = "inline-resizes",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .kind = Kind::resizes},
    Mode{.name = "inline-broad",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .kind = Kind::broad},
    Mode{.name = "inline-blocks",
         .tracing = automatic,
         .workers = 4,
         .recogniser = looking,
         .kind = Kind::blocks},
    Mode{.name = "inline-starved",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .kind = Kind::starved},
    Mode{.name = "inline-lanes-2",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .lanes = LaneUse::all},
    Mode{.name = "inline-lanes-long",
         .tracing = automatic,
         .workers = 4,
         .recogniser = looking,
         .kind = Kind::long_loops,
         .lanes = LaneUse::all,
         .typed = true},
    Mode{.name = "inline-lanes-rows",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .kind = Kind::rows,
         .lanes = LaneUse::all,
         .typed = true},
    Mode{.name = "inline-lanes-rows-4",
         .tracing = automatic,
         .workers = 4,
         .recogniser = looking,
         .kind = Kind::rows,
         .lanes = LaneUse::all,
         .typed = true},
    Mode{.name = "inline-lanes-verify",
         .tracing = automatic,
         .workers = 3,
         .recogniser = looking,
         .verify = 2,
         .kind = Kind::rows,
         .lanes = LaneUse::all},
    Mode{.name = "inline-direct",
         .tracing = automatic,
         .recogniser = looking,
         .kind = Kind::rows,
         .lanes = LaneUse::all,
         .typed = true},
    Mode{.name = "inline-direct-long",
         .tracing = automatic,
         .recogniser = looking,
         .verify = 3,
         .kind = Kind::long_loops,
         .lanes = LaneUse::all},
    Mode{.name = "inline-direct-turns",
         .tracing = automatic,
         .recogniser = looking,
         .kind = Kind::long_turns,
         .lanes = LaneUse::all,
         .typed = true},
    Mode{.name = "inline-direct-untyped",
         .tracing = automatic,
         .recogniser = looking,
         .kind = Kind::rows,
         .lanes = LaneUse::all,
         .untyped = true},
    Mode{.name = "inline-direct-untyped-turns",
         .tracing = automatic,
         .recogniser = looking,
         .deterministic_reductions = true,
         .kind = Kind::long_turns,
         .lanes = LaneUse::all,
         .untyped = true},
    Mode{.name = "inline-lanes-turns",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .kind = Kind::long_turns,
         .lanes = LaneUse::all,
         .typed = true},
    Mode{.name = "inline-alone",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .kind = Kind::rows,
         .lanes = LaneUse::turns,
         .typed = true},
    Mode{.name = "inline-alone-long",
         .tracing = automatic,
         .workers = 4,
         .recogniser = looking,
         .verify = 3,
         .kind = Kind::long_loops,
         .lanes = LaneUse::turns},
    Mode{.name = "inline-alone-turns",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .kind = Kind::long_turns,
         .lanes = LaneUse::turns,
         .typed = true},
    // Whether it runs alone in turns is tested by AloneSwitch; here, that results are right.
    Mode{.name = "untraced-alone", .workers = 2, .lanes = LaneUse::turns},
    Mode{.name = "inline-direct-reported",
         .tracing = automatic,
         .recogniser = looking,
         .reported = true,
         .kind = Kind::rows,
         .lanes = LaneUse::all,
         .typed = true},
    Mode{.name = "inline-lanes-reported",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .reported = true,
         .kind = Kind::rows,
         .lanes = LaneUse::all,
         .typed = true},
    Mode{.name = "inline-alone-reported",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .reported = true,
         .kind = Kind::long_turns,
         .lanes = LaneUse::turns,
         .typed = true},
    Mode{.name = "inline-typed",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .typed = true},
    Mode{.name = "states-broad", .workers = 2, .analysis = by_states, .kind = Kind::broad},
    Mode{.name = "states-resizes", .workers = 2, .analysis = by_states, .kind = Kind::resizes},
    Mode{.name = "states-1", .analysis = by_states},
    Mode{.name = "states-2", .workers = 2, .analysis = by_states},
    Mode{.name = "states-4", .workers = 4, .analysis = by_states},
    Mode{.name = "states-marked", .tracing = both, .workers = 2, .analysis = by_states},
    Mode{.name = "states-deterministic",
         .workers = 4,
         .deterministic_reductions = true,
         .analysis = by_states},
    Mode{.name = "chosen-untraced", .workers = 2, .analysis = chosen},
    Mode{.name = "chosen-marked", .tracing = manual, .workers = 2, .verify = 1, .analysis = chosen},
    Mode{.name = "chosen-1", .tracing = automatic, .recogniser = looking, .analysis = chosen},
    Mode{.name = "chosen-4",
         .tracing = automatic,
         .workers = 4,
         .recogniser = looking,
         .verify = 3,
         .analysis = chosen},
    Mode{.name = "chosen-both",
         .tracing = both,
         .workers = 2,
         .recogniser = looking,
         .deterministic_reductions = true,
         .analysis = chosen},
    Mode{.name = "chosen-two",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .analysis = chosen,
         .two_at_once = true},
    Mode{.name = "chosen-long",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .analysis = chosen,
         .kind = Kind::long_loops,
         .typed = true},
    Mode{.name = "chosen-resizes",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .analysis = chosen,
         .kind = Kind::resizes},
    Mode{.name = "chosen-broad",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .analysis = chosen,
         .kind = Kind::broad},
    Mode{.name = "chosen-rows",
         .tracing = automatic,
         .workers = 2,
         .recogniser = looking,
         .analysis = chosen,
         .kind = Kind::rows,
         .lanes = LaneUse::all,
         .typed = true},
    Mode{.name = "graph-states", .workers = 2, .graph = true, .analysis = by_states},
};

}  // namespace

std::span<const Mode> all_modes() {
    return modes;
}

const Mode* find_mode(std::string_view name) {
    const auto* mode =
        std::find_if(modes.begin(), modes.end(), [&](const Mode& m) { return name == m.name; });
    return mode == modes.end() ? nullptr : mode;
}

Options options_for(const Mode& mode, std::uint64_t seed) {
    Random random(seed ^ 0x0b7104500U);
    Options options;
    options.workers = mode.workers;
    options.window = mode.graph ? 4096 : random.among<std::uint64_t>({2, 8, 16, 32, 64, 1024});
    options.tracing.automatic = mode.tracing == automatic || mode.tracing == both;
    options.tracing.recogniser = mode.recogniser;
    options.tracing.mining.synchronous = mode.synchronous_mining;
    options.lanes = mode.lanes;
    if (mode.lanes == LaneUse::all || mode.takes_turns())
        options.window = random.among<std::uint64_t>({128, 1024});
    options.checks.token_bits = mode.token_bits;
    options.checks.verify = mode.verify;
    options.deterministic_reductions = mode.deterministic_reductions;
    options.observe.record_graph = mode.graph;
    options.analysis = mode.analysis;
    options.tracing.min_length = random.among<std::uint64_t>({1, 2, 2, 3, 5});
    options.tracing.max_length =
        options.tracing.min_length + random.among<std::uint64_t>({0, 2, 10, 50, 5000});
    options.tracing.history = random.among<std::uint64_t>({16, 32, 64, 256, 8192});
    options.tracing.mining.multi_scale_factor = random.among<std::uint64_t>({4, 8, 16});
    if (random.once_in(2))
        options.tracing.mining.delay = random.among<std::uint64_t>({0, 1, 5, 20});
    options.batching =
        random.among<Batching>({Batching::all, Batching::all, Batching::tiny, Batching::none});
    if ((mode.is_direct() && options.batching == Batching::all) || mode.takes_turns())
        options.batching = Batching::tiny;  // with others none are
    options.limits.trace_variants = random.among<std::uint64_t>({1, 2, 8});
    if (random.once_in(3))
        options.limits.trace_bytes = random.among<std::uint64_t>({1024, 4096, 20000});
    if (random.once_in(3))
        options.limits.candidate_bytes = random.among<std::uint64_t>({1024, 8192});
    options.tracing.mining.hold_back = random.once_in(3);
    // A reset of the tables waits for all tasks, so the recorded graph would lack dependences.
    if (!mode.graph && random.once_in(8)) options.limits.analysis_bytes = 1024;
    options.observe.log = LogLevel::off;
    options.tracing.patience = random.among<std::uint64_t>({1, 16, 64, 512});
    if (mode.kind == Kind::starved)
        options.limits.region_bytes = random.among<std::uint64_t>({256, 512, 1024, 2048});
    if (mode.kind == Kind::rows && !random.once_in(8)) {
        options.limits = {};  // with little memory or a large window, few launches go into lanes
        options.window = random.among<std::uint64_t>({128, 128, 128, 256});
    }
    if (mode.kind == Kind::long_turns) {
        options.limits = {};
        options.window = mode.is_direct() ? random.among<std::uint64_t>({8, 32, 64, 128}) : 128;
    }
    if (mode.watched || mode.reported) {
        options.observe.explain = options.observe.force = true;
        const auto files = files_of_watched_runs();
        if (mode.watched || random.once_in(2)) options.observe.report = files[0];
        if (mode.watched || random.once_in(3)) options.observe.timeline = files[1];
        if (mode.watched) options.observe.log_stream = files[2];
    }
    return options;
}

std::array<std::string, 3> files_of_watched_runs() {
    const std::string stem = (std::filesystem::temp_directory_path() / "refrain-fuzz-").string() +
                             std::to_string(getpid());
    return {stem + ".html", stem + ".json", stem + ".stream"};
}

GeneratorLimits limits_for(const Mode& mode) {
    GeneratorLimits limits;
    limits.statements = mode.graph ? 150 : mode.tracing == none ? 300 : 600;
    if (mode.deterministic_reductions) limits.reductions = Reductions::ordered;
    limits.long_loops = mode.kind == Kind::long_loops;
    if (limits.long_loops) limits.statements = mode.graph ? 1200 : 4000;
    limits.exact_edges = mode.kind == Kind::edges;
    if (limits.exact_edges) limits.statements = mode.graph ? 600 : 1500;
    limits.resizes = mode.kind == Kind::resizes;
    limits.long_turns = mode.kind == Kind::long_turns;
    limits.rows = mode.kind == Kind::rows || limits.long_turns;
    if (limits.rows) limits.statements = 8000;
    limits.broad = limits.pointers = limits.throwing_folds = mode.kind == Kind::broad;
    if (limits.broad) limits.statements = 120;
    limits.blocks = mode.kind == Kind::blocks;
    if (limits.blocks) limits.statements = 80;
    if (mode.kind == Kind::starved) {
        limits.tasks_only = true;
        limits.misuse = limits.failures = false;
        limits.statements = 150;
    }
    return limits;
}

}  // namespace refrain::property
