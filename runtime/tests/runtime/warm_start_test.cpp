/// What one run saves another begins with: what is served of it, that it is right, and that no file
/// does any harm.
#include "runtime/saved_file.hpp"
#include "runtime/watched_program.hpp"
#include "trace/saved_history.hpp"

namespace refrain::warm_start_test {
namespace {

using trace::SavedHistory;

using Scenario = void (*)(WatchedProgram&);

void jacobi(WatchedProgram& program, int rounds) {
    auto arrays = program.arrays(2);
    for (int i = 0; i < rounds; ++i) {
        program.stencil(arrays[0], arrays[1]);
        std::swap(arrays[0], arrays[1]);
    }
    program.expect_values(arrays);
}
void jacobi_for_60_rounds(WatchedProgram& program) {
    jacobi(program, 60);
}
void jacobi_for_3000_rounds(WatchedProgram& program) {
    jacobi(program, 3000);
}

/// A body of many operations, a check now and then whose value the program looks at, and reductions.
void channel(WatchedProgram& program) {
    const auto arrays = program.arrays(4);
    for (int i = 0; i < 60; ++i) {
        for (std::size_t op = 0; op < 13; ++op) program.step(op, arrays);
        program.stencil(arrays[1], arrays[2]);
        program.fold<Sum>(arrays[3], 2);
        if (i % 10 != 9) continue;
        auto residual = program.sum(arrays[1]);
        program.add(residual, WatchedProgram::expected_sum(arrays[1]), arrays[2]);
        EXPECT_EQ(residual.get(), WatchedProgram::expected_sum(arrays[1]));
    }
    program.expect_values(arrays);
}

void temporaries(WatchedProgram& program) {
    const auto arrays = program.arrays(2);
    for (int i = 0; i < 60; ++i) {
        const Array fresh = program.array();
        program.copy(arrays[0], fresh);
        program.mix(fresh, arrays[1]);
        program.mix(arrays[1], arrays[0]);
    }
    program.expect_values(arrays);
}

void two_libraries(WatchedProgram& program) {
    const auto a = program.arrays(3);
    const auto b = program.arrays(2);
    for (std::size_t i = 0; i < 400; ++i) {
        program.step(i % 7, a);
        program.step(i % 11, b);
    }
    program.expect_values(a);
    program.expect_values(b);
}

void tiles_of_a_matrix(WatchedProgram& program) {
    const auto matrix = program.array();
    program.fill(matrix, 1);
    constexpr std::int64_t pieces = 6;
    for (int round = 0; round < 10; ++round)
        for (std::int64_t k = 0; k < pieces; ++k) {
            program.update_tile(matrix, pieces, k, k);
            for (std::int64_t i = k + 1; i < pieces; ++i) program.update_tile(matrix, pieces, i, k);
        }
    program.expect_values(matrix);
}

/// Enough of them for the region to be divided: what was found along one chain is served where there
/// is one per cell.
void many_tiles(WatchedProgram& program) {
    const auto matrix = program.array(640);
    program.fill(matrix, 1);
    constexpr std::int64_t pieces = 64;
    for (int round = 0; round < 20; ++round)
        for (std::int64_t i = 0; i < pieces; ++i) program.update_tile(matrix, pieces, i, i);
    if (program.runtime().options().window >= 1024) {
        EXPECT_EQ(program.runtime().statistics().analysis.divided_regions, 1U);
    }
    for (int round = 0; round < 5; ++round)
        for (std::int64_t i = 1; i < pieces; ++i) program.update_tile(matrix, pieces, i, i - 1);
    program.expect_values(matrix);
}

void waits_and_fences(WatchedProgram& program) {
    const auto arrays = program.arrays(2);
    for (std::size_t i = 0; i < 50; ++i) {
        program.step(i, arrays);
        if (i % 7 == 0) program.runtime().fence();
        if (i % 11 == 0) program.expect_values(arrays);
    }
    program.expect_values(arrays);
}

class WarmStart : public InlineScenario {
  protected:
    [[nodiscard]] Options options() const {
        Options options = GetParam().options();
        options.traces = file_.path();
        options.log = LogLevel::off;
        return options;
    }
    /// The counters at the end.
    Statistics run(Scenario scenario) { return run(scenario, options()); }
    static Statistics run(Scenario scenario, const Options& options) {
        WatchedProgram program(options);
        scenario(program);
        return program.runtime().statistics();
    }
    static void expect_nothing_walked(const Statistics& s) {
        if (GetParam().token_bits < 32) return;
        EXPECT_EQ(s.traces.analysed + s.traces.recorded, 0U);
        EXPECT_EQ(s.traces.walked_in_replay, 0U);
        EXPECT_EQ(s.autotrace.first_replay, 1U);
        EXPECT_GT(s.autotrace.rehearsed, 0U);
        EXPECT_GT(s.autotrace.replayed_from_earlier_runs, 0U);
    }
    void expect_warm(Scenario scenario) {
        const Statistics cold = run(scenario);
        EXPECT_GT(cold.traces.analysed, 0U);
        EXPECT_EQ(cold.autotrace.rehearsed, 0U);
        ASSERT_TRUE(file_.exists());
        const std::string saved = file_.content();
        expect_nothing_walked(run(scenario));
        if (GetParam().token_bits >= 32) {
            EXPECT_EQ(file_.content(), saved) << "nothing new was learned";
        }
        expect_nothing_walked(run(scenario));
    }

    SavedFile file_;
};
INSTANTIATE_TEST_SUITE_P(, WarmStart, ::testing::ValuesIn(all_conditions), conditions_name);

TEST_P(WarmStart, jacobi_walks_nothing) {
    expect_warm(jacobi_for_60_rounds);
}
TEST_P(WarmStart, a_folded_loop_walks_nothing) {
    expect_warm(jacobi_for_3000_rounds);
}
TEST_P(WarmStart, a_channel_walks_nothing) {
    expect_warm(channel);
}
TEST_P(WarmStart, temporaries_walk_nothing) {
    expect_warm(temporaries);
}
TEST_P(WarmStart, two_libraries_walk_nothing) {
    expect_warm(two_libraries);
}
TEST_P(WarmStart, tiles_walk_nothing) {
    expect_warm(tiles_of_a_matrix);
}
TEST_P(WarmStart, many_tiles_walk_nothing) {
    expect_warm(many_tiles);
}
TEST_P(WarmStart, waits_and_fences_walk_nothing) {
    expect_warm(waits_and_fences);
}

TEST_P(WarmStart, a_longer_run_of_the_same_loop_walks_nothing_but_what_is_behind_it) {
    run([](WatchedProgram& program) { jacobi(program, 60); });
    const Statistics s = run([](WatchedProgram& program) { jacobi(program, 500); });
    if (GetParam().token_bits >= 32) {
        EXPECT_EQ(s.traces.analysed + s.traces.recorded, 0U);
    }
}

TEST_P(WarmStart, a_run_that_goes_another_way_adds_to_the_file) {
    run(jacobi_for_60_rounds);
    const Statistics other = run(channel);
    EXPECT_GT(other.traces.analysed, 0U);
    expect_nothing_walked(run(channel));
    expect_nothing_walked(run(jacobi_for_60_rounds));
}

/// The same code, another number of elements.
TEST_P(WarmStart, another_size_of_the_same_program_is_right_and_has_no_use_for_the_file) {
    run([](WatchedProgram& program) { jacobi(program, 20); });
    const auto larger = [](WatchedProgram& program) {
        const Array a = program.array(240);
        const Array b = program.array(240);
        program.fill(a, 1);
        program.fill(b, 2);
        for (int i = 0; i < 20; ++i) {
            program.mix(a, b);
            program.mix(b, a);
        }
        program.expect_values(a);
        program.expect_values(b);
    };
    EXPECT_GT(run(larger).traces.analysed, 0U);
    expect_nothing_walked(run(larger));
}

/// What was used before the run cannot be waited for: the file's loop had gone on for long.
TEST_P(WarmStart, a_run_that_begins_in_the_middle_of_the_loop_waits_for_nothing_before_it) {
    run(temporaries);
    run([](WatchedProgram& program) {
        const Array a = program.array();
        const Array b = program.array();
        const Array c = program.array();
        program.fill(a, 1);
        for (int i = 0; i < 20; ++i) {
            program.copy(a, b);
            program.copy(b, c);
            program.mix(c, a);
        }
        program.expect_values({a, b, c});
    });
    run(temporaries);
}

TEST_P(WarmStart, an_empty_program_leaves_the_file_as_it_is) {
    run([](WatchedProgram&) {});
    EXPECT_FALSE(file_.exists());
    run(jacobi_for_60_rounds);
    const std::string saved = file_.content();
    run([](WatchedProgram&) {});
    EXPECT_EQ(file_.content(), saved);
}

/// The program ends by an exception, a task has failed: what was launched was launched.
TEST_P(WarmStart, a_run_that_fails_saves_what_it_launched) {
    try {
        WatchedProgram program(options());
        const auto arrays = program.arrays(2);
        for (std::size_t i = 0; i < 40; ++i) program.step(i % 4, arrays);
        program.runtime().launch("fails", [] { throw std::runtime_error("on purpose"); });
        throw std::runtime_error("the program, too");
    } catch (const std::runtime_error&) {
        EXPECT_TRUE(file_.exists());
    }
    expect_nothing_walked(run([](WatchedProgram& program) {
        const auto arrays = program.arrays(2);
        for (std::size_t i = 0; i < 40; ++i) program.step(i % 4, arrays);
        program.expect_values(arrays);
    }));
}

TEST_P(WarmStart, tables_made_anew_forget_the_file_too) {
    run(channel);
    Options small = options();
    small.analysis_bytes = 4096;
    EXPECT_EQ(run(channel, small).autotrace.rehearsed, 0U) << "it does not fit";
    run(channel);
}

TEST_P(WarmStart, budgets_hold_for_what_is_loaded) {
    run(channel);
    Options small = options();
    small.trace_bytes = 4096;
    run(channel, small);  // looks at the bytes of memos
    small = options();
    small.history = 16;
    run(channel, small);
}

TEST_P(WarmStart, a_manual_trace_is_a_gap) {
    const auto scenario = [](WatchedProgram& program) {
        const auto arrays = program.arrays(2);
        for (std::size_t i = 0; i < 40; ++i) {
            for (std::size_t op = 0; op < 6; ++op) program.step(op, arrays);
            if (i % 10 != 9) continue;
            program.runtime().begin_trace(1);
            program.step(7, arrays);
            program.runtime().end_trace(1);
        }
        program.expect_values(arrays);
    };
    const auto run_it = [&] {
        WatchedProgram program(options());
        scenario(program);
        return program.runtime().statistics();
    };
    const Statistics cold = run_it();
    const Statistics warm = run_it();
    if (GetParam().token_bits >= 32) {
        EXPECT_LT(warm.traces.analysed + warm.traces.recorded,
                  cold.traces.analysed + cold.traces.recorded);
    }
}

/// Any byte, one at a time, of files that this program wrote; and cut off anywhere.
TEST_P(WarmStart, a_damaged_file_is_ignored) {
    const Scenario scenario = [](WatchedProgram& program) { jacobi(program, 6); };
    run(scenario);
    const std::string saved = file_.content();
    for (std::size_t at = 0; at < saved.size(); at += 1 + saved.size() / 40) {
        std::string damaged = saved;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        file_.set_content(damaged);
        EXPECT_EQ(run(scenario).autotrace.rehearsed, 0U) << "byte " << at;
        EXPECT_EQ(file_.content(), saved) << "it is written anew";
        file_.set_content(saved.substr(0, at));
        EXPECT_EQ(run(scenario).autotrace.rehearsed, 0U) << "cut off at " << at;
    }
    expect_nothing_walked(run(scenario));
}

/// Operations in another order, with other links, shapes and tasks, as no program launches them.
SavedHistory nonsense(SavedHistory history, std::mt19937_64& random) {
    const auto below = [&](std::size_t bound) {
        return random() % std::max<std::size_t>(bound, 1);
    };
    for (SavedHistory::Operation& operation : history.operations) {
        if (below(4) == 0) operation.task = static_cast<std::uint32_t>(below(history.tasks.size()));
        for (SavedHistory::Requirement& r : operation.requirements) {
            const std::size_t change = below(6);
            if (change == 0) r.link = (2 + below(40)) << 16;
            // Operations may come in another order: to a requirement that each of them has.
            if (r.link >= 2 << 16) r.link &= ~std::uint64_t{0xffff};
            if (change == 1) r.link = 0;
            if (change == 2) {
                r.privilege = static_cast<Privilege>(below(4));
                r.reduction = r.privilege == Privilege::reduce ? 1 : 0;
            }
        }
    }
    for (std::uint32_t& operation : history.sequence) {
        const std::size_t change = below(10);
        if (change == 0) operation = static_cast<std::uint32_t>(below(history.operations.size()));
        if (change == 1) operation = SavedHistory::gap;
    }
    return history;
}

TEST_P(WarmStart, a_sealed_file_of_nonsense_does_no_harm) {
    run(channel);
    const SavedHistory saved = decoded(file_.content());
    std::mt19937_64 random(11);
    int taken_over = 0;
    for (int i = 0; i < 60; ++i) {
        file_.set_content(encoded(nonsense(saved, random)));
        const Statistics s = run(channel);
        taken_over += s.autotrace.rehearsed != 0 ? 1 : 0;
    }
    EXPECT_GT(taken_over, 0);
}

}  // namespace
}  // namespace refrain::warm_start_test
