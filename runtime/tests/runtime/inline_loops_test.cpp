/// Loops of many kinds: how much of them is replayed, and that results are right.
#include "runtime/watched_program.hpp"

namespace refrain::inline_loops_test {
namespace {

class InlineLoops : public InlineScenario {};
INSTANTIATE_TEST_SUITE_P(, InlineLoops, ::testing::ValuesIn(all_conditions), conditions_name);

TEST_P(InlineLoops, a_future_may_be_read_at_any_position_of_the_body) {
    constexpr std::size_t body = 6;
    for (std::size_t position = 0; position < body; ++position) {
        SCOPED_TRACE(position);
        WatchedProgram program(GetParam());
        const auto arrays = program.arrays(3);
        const double share = program.repeat(60, [&](int) {
            for (std::size_t i = 0; i < body; ++i) {
                program.step(i, arrays);
                if (i != position) continue;
                auto sum = program.sum(arrays[0]);
                EXPECT_EQ(sum.get(), WatchedProgram::expected_sum(arrays[0]));
            }
        });
        expect_share(share, 1);
        program.expect_values(arrays);
    }
}

TEST_P(InlineLoops, convergence_checks_may_have_a_coprime_period) {
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(3);
    const double share = program.repeat(300, [&](int i) {
        for (std::size_t op = 0; op < 10; ++op) program.step(op, arrays);
        if (i % 7 != 6) return;
        auto residual = program.sum(arrays[1]);
        program.add(residual, WatchedProgram::expected_sum(arrays[1]), arrays[2]);
        EXPECT_EQ(residual.get(), WatchedProgram::expected_sum(arrays[1]));
    });
    expect_share(share, 0.99);
    program.expect_values(arrays);
}

TEST_P(InlineLoops, nested_loops_are_replayed) {
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(4);
    const double share = program.repeat(60, [&](int) {
        program.step(0, arrays);
        for (std::size_t j = 0; j < 5; ++j) {
            program.step(1, arrays);
            for (std::size_t k = 0; k < 3; ++k) program.step(2 + k % 2, arrays);
        }
    });
    expect_share(share, 0.99);
    program.expect_values(arrays);
}

/// A loop that changes in every round: one tile fewer each time, as in a factorisation.
TEST_P(InlineLoops, triangular_loops_are_replayed) {
    WatchedProgram program(GetParam());
    const auto matrix = program.array();
    program.fill(matrix, 1);
    constexpr std::int64_t pieces = 6;
    const double share = program.repeat(60, [&](int) {
        for (std::int64_t k = 0; k < pieces; ++k) {
            program.update_tile(matrix, pieces, k, k);
            for (std::int64_t i = k + 1; i < pieces; ++i) program.update_tile(matrix, pieces, i, k);
            for (std::int64_t i = k + 1; i < pieces; ++i)
                for (std::int64_t j = k + 1; j <= i; ++j)
                    program.update_tile(matrix, pieces, i, j == i ? k : j);
        }
    });
    if (GetParam().window >= 1024) expect_share(share, 0.99);
    program.expect_values(matrix);
}

TEST_P(InlineLoops, loops_of_depth_4_are_replayed) {
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(3);
    const double share = program.repeat(40, [&](int) {
        for (int b = 0; b < 2; ++b) {
            program.step(0, arrays);
            for (int c = 0; c < 3; ++c) {
                program.step(1, arrays);
                for (int d = 0; d < 2; ++d) program.step(2, arrays);
            }
            program.stencil(arrays[0], arrays[1]);
        }
    });
    expect_share(share, 0.99);
    program.expect_values(arrays);
}

/// A random body of this length, for repeated use.
std::vector<std::size_t> drawn_body(std::size_t length) {
    std::mt19937_64 random(17);
    std::vector<std::size_t> body(length);
    for (std::size_t& which : body) which = random() % 60;
    return body;
}

TEST_P(InlineLoops, long_loops_may_have_one_foreign_operation_in_a_thousand) {
    for (const std::size_t length : {100, 400}) {
        SCOPED_TRACE(length);
        const auto body = drawn_body(length);
        WatchedProgram program(GetParam());
        const auto arrays = program.arrays(3);
        std::mt19937_64 random(3);
        std::vector<Array> foreign;
        const double share = program.repeat(static_cast<int>(40'000 / length), [&](int) {
            for (const std::size_t which : body) {
                program.step(which, arrays);
                if (random() % 1000 != 0) continue;
                const auto elements = static_cast<std::int64_t>(1 + foreign.size());
                program.fill(foreign.emplace_back(program.array(elements)), 3);
            }
        });
        expect_share(share, 0.99);
        EXPECT_GT(foreign.size(), 20U);
        program.expect_values(arrays);
    }
}

TEST_P(InlineLoops, long_loops_may_have_random_two_way_branches) {
    for (const std::size_t length : {100, 400}) {
        SCOPED_TRACE(length);
        const auto body = drawn_body(length);
        WatchedProgram program(GetParam());
        const auto arrays = program.arrays(3);
        std::mt19937_64 random(4);
        const double share = program.repeat(static_cast<int>(40'000 / length), [&](int) {
            for (const std::size_t which : body) program.step(which, arrays);
            const bool left = random() % 2 == 0;
            for (std::size_t i = 0; i < (left ? 3U : 5U); ++i)
                program.step(left ? i : 7 + i, arrays);
        });
        expect_share(share, 0.99);
        program.expect_values(arrays);
    }
}

TEST_P(InlineLoops, a_body_longer_than_every_buffer_is_analysed_and_a_shorter_one_replayed) {
    const auto body = drawn_body(6000);
    for (const std::uint64_t history : {4096, 16384}) {
        Options options = GetParam().options();
        options.tracing.history = history;
        WatchedProgram program(options);
        const auto arrays = program.arrays(3);
        // One turn more than a short loop needs: after 512 operations of the first one, the recogniser
        // is left alone until the second has begun.
        const double share = program.repeat(5, [&](int) {
            for (const std::size_t which : body) program.step(which, arrays);
        });
        if (history > body.size()) expect_share(share, 0.99);
        program.expect_values(arrays);
    }
}

/// Runs a word of letters, and returns the replayed share of its last quarter.
double share_of_word(const Conditions& conditions, const std::vector<std::size_t>& word) {
    WatchedProgram program(conditions);
    const auto arrays = program.arrays(3);
    const double share = program.repeat(static_cast<int>(word.size()), [&](int i) {
        program.step(word[static_cast<std::size_t>(i)], arrays);
    });
    program.expect_values(arrays);
    return share;
}

TEST_P(InlineLoops, operations_that_never_repeat_are_never_replayed) {
    WatchedProgram program(GetParam());
    std::vector<Array> all;
    for (std::int64_t i = 0; i < 3000; ++i)
        program.fill(all.emplace_back(program.array(1 + i)), static_cast<Value>(i));
    EXPECT_EQ(program.replayed(), 0U);
    program.expect_values(all[1234]);
}

TEST_P(InlineLoops, the_thue_morse_word_is_replayed) {
    std::vector<std::size_t> word;
    for (unsigned i = 0; i < 2048; ++i)
        word.push_back(static_cast<std::size_t>(std::popcount(i)) % 2);
    expect_share(share_of_word(GetParam(), word), 0.95);
}

TEST_P(InlineLoops, the_fibonacci_word_is_replayed) {
    std::vector<std::size_t> word{0};
    std::vector<std::size_t> before{1};
    while (word.size() < 2000) {
        std::vector<std::size_t> next = word;
        next.insert(next.end(), before.begin(), before.end());
        before = std::exchange(word, next);
    }
    expect_share(share_of_word(GetParam(), word), 0.95);
}

/// Every word of 10 letters once, so no repeat is longer than 9.
TEST_P(InlineLoops, a_de_bruijn_word_is_replayed) {
    std::vector<std::size_t> word(10, 0);
    std::vector<bool> seen(1024);
    std::size_t state = 0;
    for (bool stuck = false; !stuck;) {
        const std::size_t with_one = (state << 1 | 1) & 1023;
        const std::size_t next = seen[with_one] ? with_one ^ 1 : with_one;
        stuck = seen[next];
        seen[next] = true;
        word.push_back(next & 1);
        state = next;
    }
    EXPECT_GT(word.size(), 1000U);
    expect_share(share_of_word(GetParam(), word), 0.8);
}

TEST_P(InlineLoops, periods_1_2_and_a_a_b_are_replayed) {
    for (const std::vector<std::size_t>& period :
         {std::vector<std::size_t>{0}, {0, 1}, {0, 0, 1}}) {
        std::vector<std::size_t> word;
        for (std::size_t i = 0; i < 300; ++i) word.push_back(period[i % period.size()]);
        expect_share(share_of_word(GetParam(), word), 1);
    }
}

TEST_P(InlineLoops, are_replayed_from_the_third_iteration_on) {
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(3);
    constexpr std::size_t period = 8;
    for (std::size_t i = 0; i < 4 * period + 16; ++i) program.step(i % period, arrays);
    const std::uint64_t before = program.replayed();
    for (std::size_t i = 16; i < 4 * period + 16; ++i) program.step(i % period, arrays);
    expect_share(static_cast<double>(program.replayed() - before), 4 * period);
    program.expect_values(arrays);
}

TEST_P(InlineLoops, a_random_two_way_branch_is_replayed) {
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(3);
    std::mt19937_64 random(5);
    const double share = program.repeat(400, [&](int) {
        const bool left = random() % 2 == 0;
        for (std::size_t i = 0; i < (left ? 3U : 5U); ++i) program.step(left ? i : 7 + i, arrays);
        program.stencil(arrays[0], arrays[1]);
    });
    expect_share(share, 0.99);
    program.expect_values(arrays);
}

TEST_P(InlineLoops, an_early_exit_may_happen_at_any_position) {
    constexpr std::size_t body = 9;
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(3);
    const double share = program.repeat(90, [&](int i) {
        const bool leaves = i % 5 == 4;
        const auto position = static_cast<std::size_t>(i / 5) % body;
        for (std::size_t op = 0; op < (leaves ? position : body); ++op) program.step(op, arrays);
    });
    expect_share(share, 0.9);
    program.expect_values(arrays);
}

TEST_P(InlineLoops, a_switch_of_64_ways_is_replayed) {
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(4);
    std::mt19937_64 random(6);
    const double share = program.repeat(3000, [&](int) {
        for (std::size_t op = 0; op < 8; ++op) program.step(op, arrays);
        program.step(random() % 64, arrays);
    });
    expect_share(share, 0.98);
    program.expect_values(arrays);
}

/// Each way uses its own regions, so descriptions also depend on earlier ways.
TEST_P(InlineLoops, a_switch_of_64_ways_may_have_its_own_regions) {
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(4);
    const auto others = program.arrays(4);
    std::mt19937_64 random(6);
    const double share = program.repeat(3000, [&](int) {
        for (std::size_t op = 0; op < 6; ++op) program.step(op, arrays);
        const std::size_t way = random() % 64;
        program.step(way, others);
        program.step(way / 2, others);
    });
    expect_share(share, 0.37);
    program.expect_values(arrays);
    program.expect_values(others);
}

TEST_P(InlineLoops, changing_scalars_fill_values_and_control_flow_do_not_prevent_replay) {
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(3);
    const auto iteration = [&](int i) {
        const auto value = static_cast<Value>(i);
        program.fill(arrays[0], value);
        program.mix(arrays[0], arrays[1], 4, value * value);
        program.mix(arrays[1], arrays[2], 2, 3 * value);
        if (i > 100 && i % 3 == 0) program.fill(arrays[1], value);
    };
    expect_share(program.repeat(100, iteration), 1);
    expect_share(program.repeat(60, [&](int i) { iteration(101 + i); }), 1);
    program.expect_values(arrays);
}

TEST_P(InlineLoops, of_tasks_without_regions_are_replayed) {
    std::atomic<int> ran{0};
    WatchedProgram program(GetParam());
    const double share = program.repeat(100, [&](int) {
        program.runtime().launch("nothing", [&ran] { ++ran; });
        program.runtime().launch("nothing, twice", extents(2), [&ran](Point<1>) { ++ran; });
        program.runtime().fence();
    });
    expect_share(share, 1);
    program.runtime().wait_all();
    EXPECT_EQ(ran, 300);
}

/// Host accesses do not appear in the stream; a manual trace interrupts it.
TEST_P(InlineLoops, untraceable_operations_may_interrupt_a_loop) {
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(3);
    const double share = program.repeat(120, [&](int i) {
        for (std::size_t op = 0; op < 12; ++op) {
            program.step(op, arrays);
            if (i % 10 == 3 && op == 5) {
                program.runtime().write(arrays[0].region()).elements()[0] = 42;
                arrays[0].expected() = values_of(program.runtime(), arrays[0].region());
            }
            if (i % 10 != 7 || op != 8) continue;
            program.runtime().begin_trace(1);
            program.step(40, arrays);
            program.runtime().end_trace(1);
        }
    });
    expect_share(share, 0.95);
    program.expect_values(arrays);
}

}  // namespace
}  // namespace refrain::inline_loops_test
