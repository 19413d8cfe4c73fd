/// Compares what an analysis finds, step by step, with the oracle: by closure, and edge by edge.
#pragma once

#include "analysis/dependence_oracle.hpp"

#include <iterator>
#include <sstream>
#include <string>

namespace refrain::analysis::testing {

inline std::string list(const Edges& edges) {
    std::ostringstream out;
    for (const Edge& edge : edges) out << edge << "; ";
    return out.str();
}

inline Edges without(const Edges& all, const Edges& others) {
    Edges left;
    for (const Edge& edge : all)
        if (std::none_of(others.begin(), others.end(), [&](const Edge& other) {
                return edge.source == other.source && edge.source_point == other.source_point &&
                       edge.target_point == other.target_point;
            }))
            left.push_back(edge);
    return left;
}
inline Edges with_data(const Edges& all) {
    Edges data;
    std::copy_if(all.begin(), all.end(), std::back_inserter(data),
                 [](const Edge& edge) { return edge.carries_data; });
    return data;
}

/// Launches all steps of a program, compares each with the oracle and returns the first difference;
/// empty if there is none. `analyser.launch_next()` returns what the next step waits for.
template <class Analyser>
std::string difference_from_oracle(Analyser& analyser, const AccessProgram& program,
                                   std::uint32_t window) {
    const DependenceOracle oracle(program, window);
    Precedence precedence;
    for (std::size_t step = 0; step < program.steps.size(); ++step) {
        const Edges found = analyser.launch_next();
        const std::string at = " at step " + std::to_string(step) + ": ";
        const Edges conflicts = oracle.conflicts(step);
        precedence.add(program.steps[step].points(), found);
        for (const Edge& conflict : conflicts)
            if (!precedence.holds(conflict)) return "missing" + at + list({conflict});
        if (const Edges extra = without(found, conflicts); !extra.empty())
            return "no conflict" + at + list(extra);
        if (with_data(found) != oracle.flows(step))
            return "data" + at + list(with_data(found)) + "instead of " + list(oracle.flows(step));
        if (found != oracle.direct_conflicts(step))
            return "not direct" + at + list(found) + "instead of " +
                   list(oracle.direct_conflicts(step));
    }
    return "";
}

}  // namespace refrain::analysis::testing
