#pragma once

#include "graphs/kernel.hpp"
#include "graphs/ledger.hpp"
#include "graphs/outputs.hpp"
#include "graphs/task_graph.hpp"

namespace graphs {

/// The work of every task of a run.
struct Work {
    const TaskGraph* graph = nullptr;
    std::int64_t iterations = 0;  // of the kernel
    Ledger* ledger = nullptr;     // null: no checks, no outputs
};

/// Runs a task: checks that its inputs are the outputs of its predecessors in the pattern, runs the
/// kernel, and writes its output. Without a ledger and iterations the task is empty.
///
/// `input_of(column)` points to the output of a column of the previous step; `output` points to the
/// task's own.
template <class InputOf>
void execute(const Work& work, int step, int column, InputOf&& input_of, Output* output) {
    if (work.ledger == nullptr) return compute(work.iterations);
    for (const int c : work.graph->inputs(step, column)) {
        const Output* const input = input_of(c);
        const Output expected{step - 1, c};
        for (int i = 0; i < outputs_per_column; ++i)
            if (input[i] != expected)
                work.ledger->report_wrong_input(step, column, expected, input[i]);
    }
    compute(work.iterations);
    if (work.graph->has_outputs())
        for (int i = 0; i < outputs_per_column; ++i) output[i] = {step, column};
    work.ledger->ran(step, column);
}

/// The same for outputs in rows.
inline void execute(const Work& work, int step, int column, OutputRows& rows) {
    execute(
        work, step, column, [&](int c) { return rows.at(step - 1, c); }, rows.at(step, column));
}

}  // namespace graphs
