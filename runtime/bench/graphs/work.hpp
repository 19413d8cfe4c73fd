#pragma once

#include "graphs/kernel.hpp"
#include "graphs/ledger.hpp"
#include "graphs/outputs.hpp"
#include "graphs/task_graph.hpp"

namespace graphs {

/// What every task of a run does.
struct Work {
    const TaskGraph* graph = nullptr;
    std::int64_t iterations = 0;  // of the kernel
    Ledger* ledger = nullptr;     // null: nothing is checked, and outputs are not written
};

/// A task: checks that its inputs are the outputs of its predecessors in the pattern, runs the
/// kernel, and writes its output. Without a ledger and iterations it is empty.
///
/// `input_of(column)` is where the output of a column of the step before begins; `output` is where
/// its own is.
template <class InputOf>
void execute(const Work& work, int step, int column, InputOf&& input_of, Output* output) {
    if (work.ledger == nullptr) return compute(work.iterations);
    for (const int c : work.graph->inputs(step, column)) {
        const Output* const input = input_of(c);
        const Output expected{step - 1, c};
        for (int i = 0; i < outputs_per_column; ++i)
            if (input[i] != expected) work.ledger->got_wrong(step, column, expected, input[i]);
    }
    compute(work.iterations);
    if (work.graph->has_outputs())
        for (int i = 0; i < outputs_per_column; ++i) output[i] = {step, column};
    work.ledger->ran(step, column);
}

/// The same where outputs are kept in rows.
inline void execute(const Work& work, int step, int column, OutputRows& rows) {
    execute(
        work, step, column, [&](int c) { return rows.at(step - 1, c); }, rows.at(step, column));
}

}  // namespace graphs
