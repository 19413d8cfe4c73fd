/// Failures, shutdown and reductions in the middle of replayed fragments.
#include "runtime/watched_program.hpp"

namespace refrain::inline_failures_test {
namespace {

class InlineFailures : public InlineScenario {};
INSTANTIATE_TEST_SUITE_P(, InlineFailures, ::testing::ValuesIn(all_conditions), conditions_name);

constexpr std::size_t body = 6;

/// The failing task looks like the others, so it is replayed too.
TEST_P(InlineFailures, a_task_that_throws_at_any_position_leaves_the_next_iteration_intact) {
    for (std::size_t position = 0; position < body; ++position) {
        SCOPED_TRACE(position);
        WatchedProgram program(GetParam());
        auto arrays = program.arrays(3);
        const auto victim = program.array();
        const auto iteration_with = [&](bool fails) {
            for (std::size_t op = 0; op < body; ++op) {
                program.step(op, arrays);
                if (op != position) continue;
                program.runtime().launch(
                    "break",
                    [](View<const Value, 1>, View<Value, 1> v, bool throws) {
                        if (throws) throw std::runtime_error("broken");
                        v[0] = 1;
                    },
                    read(arrays[0].region()), write(victim.region()), fails);
                program.mix(arrays[1], victim);
            }
        };
        program.fill(victim, 0);
        expect_share(program.repeat(40, [&](int) { iteration_with(false); }), 1);
        const std::uint64_t before = program.launched() - program.replayed();
        iteration_with(true);
        EXPECT_THROW(program.runtime().wait_all(), TaskError);
        iteration_with(false);  // writes the victim again
        program.runtime().wait_all();
        expect_share(static_cast<double>(before),
                     static_cast<double>(program.launched() - program.replayed()));
        program.expect_values(arrays);
    }
}

/// The loop begins, ends and is interrupted while contributions are pending, and their operator
/// changes.
TEST_P(InlineFailures, repeats_may_begin_end_or_break_between_reductions_with_different_operators) {
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(3);
    const auto reduce_round = [&](bool maximum) {
        for (int i = 0; i < 3; ++i) {
            if (maximum)
                program.fold<Maximum>(arrays[0], 5);
            else
                program.fold<Sum>(arrays[0], 5);
        }
        program.mix(arrays[0], arrays[1]);
    };
    program.fold<Sum>(arrays[0], 1);  // pending when the loop begins
    expect_share(program.repeat(40, [&](int) { reduce_round(false); }), 1);
    program.fold<Sum>(arrays[0], 2);  // interrupts the loop
    program.mix(arrays[1], arrays[2]);
    program.fold<Maximum>(arrays[0], ~Value{0} / 2);
    expect_share(program.repeat(40, [&](int) { reduce_round(true); }), 1);
    for (int i = 0; i < 40; ++i) reduce_round(i % 3 == 0);
    program.fold<Sum>(arrays[0], 3);
    program.fold<Maximum>(arrays[0], 4);
    program.expect_values(arrays);
}

/// Contributions accumulate unread; every tenth time they are read.
TEST_P(InlineFailures, contributions_may_be_read_rarely) {
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(2);
    const double share = program.repeat(400, [&](int i) {
        program.fold<Sum>(arrays[0], static_cast<Value>(i));
        program.mix(arrays[1], arrays[1 - 1], 2);
        if (i % 10 == 9) program.mix(arrays[0], arrays[1]);
    });
    expect_share(share, 0.99);
    program.expect_values(arrays);
}

/// The program ends at each of the first operations of a loop: while they are compared, while memos
/// are recorded, and while operations are replayed.
TEST_P(InlineFailures, shutdown_exceptions_and_early_returns_are_safe_while_matching_or_recording) {
    for (int operations = 1; operations < 40; ++operations)
        for (const bool throws : {false, true}) {
            std::atomic<int> ran{0};
            const auto program = [&] {
                Runtime runtime(GetParam().options());
                const auto x = runtime.create_region<int>(extents(4), "x");
                const auto y = runtime.create_region<int>(extents(4), "y");
                runtime.fill(x, 0);
                runtime.fill(y, 0);
                for (int i = 0; i < operations; ++i)
                    runtime.launch(
                        "step",
                        [&ran](View<const int, 1> from, View<int, 1> to) {
                            to[0] += from[0];
                            ++ran;
                        },
                        read(i % 3 == 0 ? x : y), read_write(i % 3 == 0 ? y : x));
                if (throws) throw std::logic_error("the program's own");
            };
            if (throws)
                EXPECT_THROW(program(), std::logic_error);
            else
                program();
            EXPECT_EQ(ran, operations);
        }
}

}  // namespace
}  // namespace refrain::inline_failures_test
