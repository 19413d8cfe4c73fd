#include "graphs/ledger.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

#include "graphs/work.hpp"

namespace graphs::ledger_test {
namespace {

const Shape shape{Pattern::stencil_1d, 4, 20};

/// Runs the tasks of a graph one after the other, but for `left_out`.
void run_all(const TaskGraph& graph, Ledger& ledger, OutputRows& rows, int left_out_step = -1) {
    const Work work{&graph, 0, &ledger};
    for (int step = 0; step < graph.shape().steps; ++step)
        for (int c = 0; c < graph.shape().width; ++c)
            if (step != left_out_step || c != 2) execute(work, step, c, rows);
}

TEST(Ledger, a_run_in_order_is_right) {
    const TaskGraph graph(shape);
    Ledger ledger;
    OutputRows rows(shape.width);
    run_all(graph, ledger, rows);
    EXPECT_NO_THROW(ledger.verify(graph));
    run_all(graph, ledger, rows);  // verify has forgotten the first run
    EXPECT_NO_THROW(ledger.verify(graph));
}

TEST(Ledger, a_task_that_did_not_run_is_missed_by_those_who_read_it) {
    const TaskGraph graph(shape);
    Ledger ledger;
    OutputRows rows(shape.width);
    run_all(graph, ledger, rows, 7);
    try {
        ledger.verify(graph);
        FAIL() << "nothing was found";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(),
                     "the task (step 8, column 1) should get the output of (step 7, column 2), but "
                     "got that of (step 5, column 2)");
    }
}

TEST(Ledger, a_last_task_that_did_not_run_is_missed) {
    const TaskGraph graph(shape);
    Ledger ledger;
    OutputRows rows(shape.width);
    run_all(graph, ledger, rows, shape.steps - 1);
    EXPECT_THROW(ledger.verify(graph), std::runtime_error);
}

TEST(Ledger, one_task_twice_for_another_is_found) {
    const TaskGraph graph({Pattern::trivial, 2, 1});
    Ledger ledger;
    ledger.ran(0, 0);
    ledger.ran(0, 0);
    EXPECT_THROW(ledger.verify(graph), std::runtime_error);
}

TEST(Ledger, threads_add_up_and_a_new_ledger_knows_nothing_of_old_ones) {
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
