/// Programs of dependent launches, and their expected outcomes by the plainest code: one launch
/// after the other.
#pragma once

#include "graph/edge_pattern.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace refrain::graph::testing {

using Pair = EdgePattern::Pair;
using Random = std::mt19937_64;

struct Dependence {
    std::size_t launch;       // an earlier one
    std::vector<Pair> pairs;  // source points of that launch, target points of this one
    bool carries_data = true;
};

struct Launch {
    std::uint32_t points = 1;
    std::vector<Dependence> waits_for;
    std::vector<bool> throws;  // by point; empty: no point throws
};

enum class Outcome : std::uint8_t { none, succeeded, threw, skipped };

[[nodiscard]] inline bool failed(Outcome outcome) {
    return outcome == Outcome::threw || outcome == Outcome::skipped;
}

using Program = std::vector<Launch>;
using Outcomes = std::vector<std::vector<Outcome>>;  // by launch and point

/// Sequential semantics: a point is skipped if a point whose data it needs has failed, else it
/// throws if told to, else it succeeds.
inline Outcomes run_sequentially(const Program& program) {
    Outcomes outcomes;
    for (const Launch& launch : program) {
        std::vector<Outcome> own(launch.points, Outcome::succeeded);
        for (std::uint32_t point = 0; point < launch.points; ++point)
            if (!launch.throws.empty() && launch.throws[point]) own[point] = Outcome::threw;
        for (const Dependence& dependence : launch.waits_for)
            for (const Pair& pair : dependence.pairs)
                if (dependence.carries_data && failed(outcomes[dependence.launch][pair.source]))
                    own[pair.target] = Outcome::skipped;
        outcomes.push_back(std::move(own));
    }
    return outcomes;
}

// Patterns of edges between two launches.

inline std::vector<Pair> each_to_its_own(std::uint32_t points) {
    std::vector<Pair> pairs;
    for (std::uint32_t p = 0; p < points; ++p) pairs.push_back({p, p});
    return pairs;
}
inline std::vector<Pair> neighbours(std::uint32_t sources, std::uint32_t targets) {
    std::vector<Pair> pairs;
    for (std::uint32_t t = 0; t < targets; ++t)
        for (std::uint32_t s = t == 0 ? 0 : t - 1; s < sources && s <= t + 1; ++s)
            pairs.push_back({s, t});
    return pairs;
}
inline std::vector<Pair> all_to_all(std::uint32_t sources, std::uint32_t targets) {
    std::vector<Pair> pairs;
    for (std::uint32_t s = 0; s < sources; ++s)
        for (std::uint32_t t = 0; t < targets; ++t) pairs.push_back({s, t});
    return pairs;
}
/// All pairs but one per target, so that each target counts every other source.
inline std::vector<Pair> almost_all_to_all(std::uint32_t sources, std::uint32_t targets) {
    std::vector<Pair> pairs = all_to_all(sources, targets);
    std::erase_if(pairs, [&](const Pair& pair) { return pair.source == pair.target % sources; });
    return pairs;
}
inline std::vector<Pair> random_pairs(Random& random, std::uint32_t sources, std::uint32_t targets,
                                      unsigned one_in) {
    std::vector<Pair> pairs;
    for (const Pair& pair : all_to_all(sources, targets))
        if (random() % one_in == 0) pairs.push_back(pair);
    return pairs;
}

/// Up to `launches_max` launches of up to `points_max` points with patterns of every kind. One in
/// `throws_one_in` points throws (0: none); one in `wide_one_in` launches may have several points.
inline Program random_program(Random& random, std::size_t launches_max, std::uint32_t points_max,
                              unsigned throws_one_in, unsigned wide_one_in = 1) {
    Program program(2 + random() % (launches_max - 1));
    for (std::size_t i = 0; i < program.size(); ++i) {
        Launch& launch = program[i];
        if (random() % wide_one_in == 0)
            launch.points = 1 + static_cast<std::uint32_t>(random() % points_max);
        for (std::uint32_t p = 0; throws_one_in != 0 && p < launch.points; ++p)
            launch.throws.push_back(random() % throws_one_in == 0);
        for (std::size_t edges = i == 0 ? 0 : random() % 4; edges > 0; --edges) {
            const std::size_t source = i - 1 - random() % std::min<std::size_t>(i, 4);
            const std::uint32_t sources = program[source].points;
            const unsigned kind = random() % 4;
            launch.waits_for.push_back(
                {source,
                 kind == 0   ? all_to_all(sources, launch.points)
                 : kind == 1 ? neighbours(sources, launch.points)
                             : random_pairs(random, sources, launch.points, kind == 2 ? 3 : 8),
                 random() % 2 == 0});
        }
    }
    return program;
}

}  // namespace refrain::graph::testing
