#include "graphs/ledger.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

#include "graphs/work.hpp"

namespace graphs::ledger_test {
namespace {

const Shape shape{Pattern::stencil_1d, 4, 20};

/// Runs the tasks of a graph in order, except those of step `left_out_step`.
void run_all(const TaskGraph& graph, Ledger& ledger, OutputRows& rows, int left_out_step = -1) {
    const Work work{&graph, 0, &ledger};
    for (int step = 0; step < graph.shape().steps; ++step)
        for (int c = 0; c < graph.shape().width; ++c)
            if (step != left_out_step || c != 2) execute(work, step, c, rows);
}

TEST(Ledger, a_sequential_run_passes) {
    const TaskGraph graph(shape);
    Ledger ledger;
    OutputRows rows(shape.width);
    run_all(graph, ledger, rows);
    EXPECT_NO_THROW(ledger.verify(graph));
    run_all(graph, ledger, rows);  // verify has reset the ledger
    EXPECT_NO_THROW(ledger.verify(graph));
}

TEST(Ledger, a_skipped_task_is_reported_by_its_readers) {
    const TaskGraph graph(shape);
    Ledger ledger;
    OutputRows rows(shape.width);
    run_all(graph, ledger, rows, 7);
    try {
        ledger.verify(graph);
        FAIL() << "no error was found";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(),
                     "the task (step 8, column 1) expected the output of (step 7, column 2), but "
                     "got that of (step 5, column 2)");
    }
}

TEST(Ledger, a_skipped_last_task_is_reported) {
    const TaskGraph graph(shape);
    Ledger ledger;
    OutputRows rows(shape.width);
    run_all(graph, ledger, rows, shape.steps - 1);
    EXPECT_THROW(ledger.verify(graph), std::runtime_error);
}

TEST(Ledger, a_task_that_runs_twice_instead_of_another_is_reported) {
    const TaskGraph graph({Pattern::trivial, 2, 1});
    Ledger ledger;
    ledger.ran(0, 0);
    ledger.ran(0, 0);
    EXPECT_THROW(ledger.verify(graph), std::runtime_error);
}

TEST(Ledger, totals_of_two_processes_add_up_to_a_run) {
    const TaskGraph graph({Pattern::trivial, 2, 100});
    Ledger first;
    Ledger second;
    for (int step = 0; step < 100; ++step) {
        first.ran(step, 0);
        second.ran(step, 1);
    }
    first.add(second.take());
    EXPECT_NO_THROW(first.verify(graph));
    EXPECT_EQ(second.take().count, 0U);
}

TEST(Ledger, threads_are_summed_and_a_new_ledger_starts_empty) {
    const TaskGraph graph({Pattern::trivial, 2, 500});
    for (int round = 0; round < 3; ++round) {
        Ledger ledger;
        const auto run_column = [&](int column) {
            for (int step = 0; step < 500; ++step) ledger.ran(step, column);
        };
        std::thread other(run_column, 1);
        run_column(0);
        other.join();
        EXPECT_NO_THROW(ledger.verify(graph));
        EXPECT_THROW(ledger.verify(graph), std::runtime_error);
    }
}

}  // namespace
}  // namespace graphs::ledger_test
