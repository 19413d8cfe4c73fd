#include "streams/measurement.hpp"

#include "commands/mining_run.hpp"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

#include "streams/generators.hpp"
#include "streams/witness.hpp"

namespace streams::measurement_test {
namespace {

using autotrace::TraceId;

Stream stream_of(const std::string& name, std::uint64_t operations) {
    for (const Generator& generator : generators())
        if (name == generator.name) return generator.stream(operations);
    ADD_FAILURE() << "there is no stream " << name;
    return {};
}

const Recogniser& recogniser_named(const std::string& name) {
    const auto& all = recognisers();
    return *std::find_if(all.begin(), all.end(), [&](const auto& r) { return name == r.name; });
}

std::vector<Line> letters(const std::string& text) {
    std::vector<Line> lines;
    for (const char letter : text) {
        const auto token = static_cast<std::uint64_t>(letter);
        lines.push_back(letter == '?'   ? Line{Line::Kind::wait, {}}
                        : letter == '!' ? Line{Line::Kind::untraceable, {}}
                                        : Line{Line::Kind::operation, {0, token}});
    }
    return lines;
}

void issue(Witness& witness, std::initializer_list<std::size_t> operations) {
    for (const std::size_t operation : operations) witness.issue(operation);
}

void launch_all(Witness& witness, const std::vector<Line>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) witness.launching(i);
}

TEST(Witness, counts_replayed_operations_and_how_long_they_were_held) {
    const std::vector<Line> lines = letters("ab?ababc");
    Witness witness(lines);
    launch_all(witness, lines);
    witness.begin_trace(TraceId{1}, 2);
    issue(witness, {0, 1});
    witness.end_trace(TraceId{1});
    witness.begin_trace(TraceId{1}, 2);
    issue(witness, {3, 4});
    witness.end_trace(TraceId{1});
    issue(witness, {5, 6, 7});
    witness.expect_end();
    EXPECT_EQ(witness.replayed(),
              (std::vector<bool>{false, false, true, true, false, false, false}));
    EXPECT_EQ(witness.held_max(), 6u);
    EXPECT_EQ(witness.held_mean(), 3);
    EXPECT_EQ(witness.traces(), 1u);
    EXPECT_EQ(witness.replays(), 1u);
}

/// Launches all of `text`, executes its first two operations as trace 1, and expects `misdeed` to
/// throw.
void expect_refusal(const std::string& text, const std::function<void(Witness&)>& misdeed) {
    const std::vector<Line> lines = letters(text);
    Witness witness(lines);
    launch_all(witness, lines);
    witness.begin_trace(TraceId{1}, 2);
    issue(witness, {0, 1});
    witness.end_trace(TraceId{1});
    EXPECT_THROW(misdeed(witness), Broken);
}

TEST(Witness, rejects_operations_out_of_order_repeated_or_missing) {
    expect_refusal("abab", [](Witness& w) { w.issue(3); });
    expect_refusal("abab", [](Witness& w) { w.issue(1); });
    expect_refusal("abab", [](Witness& w) { w.expect_end(); });
    const std::vector<Line> lines = letters("ab");
    Witness witness(lines);
    witness.launching(0);
    witness.issue(0);
    EXPECT_THROW(witness.issue(1), Broken) << "not launched yet";
}

TEST(Witness, rejects_executions_that_differ_from_the_first) {
    expect_refusal("abac", [](Witness& w) {
        w.begin_trace(TraceId{1}, 2);
        issue(w, {2, 3});
    });
    expect_refusal("abab", [](Witness& w) { w.begin_trace(TraceId{1}, 3); });
    expect_refusal("ababc", [](Witness& w) {
        w.begin_trace(TraceId{1}, 2);
        issue(w, {2, 3, 4});
    });
    expect_refusal("abab", [](Witness& w) {
        w.begin_trace(TraceId{1}, 2);
        w.issue(2);
        w.end_trace(TraceId{1});
    });
    expect_refusal("ab!", [](Witness& w) {
        w.begin_trace(TraceId{2}, 1);
        w.issue(2);
    });
}

TEST(Witness, rejects_begins_and_ends_that_do_not_match) {
    expect_refusal("abab", [](Witness& w) {
        w.begin_trace(TraceId{1}, 2);
        w.begin_trace(TraceId{2}, 2);
    });
    expect_refusal("abab", [](Witness& w) { w.end_trace(TraceId{1}); });
    expect_refusal("abab", [](Witness& w) { w.begin_trace(TraceId{0}, 2); });
    expect_refusal("ab", [](Witness& w) {
        w.begin_trace(TraceId{1}, 2);
        w.expect_end();
    });
}

TEST(Witness, accepts_a_trace_that_is_left_early_but_not_in_its_first_execution) {
    const std::vector<Line> lines = letters("abcabd");
    Witness witness(lines);
    launch_all(witness, lines);
    witness.begin_trace(TraceId{1}, 3);
    issue(witness, {0, 1, 2});
    witness.end_trace(TraceId{1});
    witness.begin_trace(TraceId{1}, 3);
    issue(witness, {3, 4});
    witness.leave_trace(TraceId{1});
    issue(witness, {5});
    witness.expect_end();
    EXPECT_EQ(witness.replayed(), (std::vector<bool>{false, false, false, true, true, false}));
    expect_refusal("abab", [](Witness& w) {
        w.begin_trace(TraceId{2}, 2);
        w.issue(2);
        w.leave_trace(TraceId{2});
    });
    expect_refusal("abab", [](Witness& w) { w.leave_trace(TraceId{1}); });
}

TEST(Witness, rejects_forgotten_traces) {
    expect_refusal("abab", [](Witness& w) {
        w.forget_trace(TraceId{1});
        w.begin_trace(TraceId{1}, 2);
    });
    expect_refusal("abab", [](Witness& w) {
        w.forget_trace(TraceId{1});
        w.forget_trace(TraceId{1});
    });
    expect_refusal("abab", [](Witness& w) { w.forget_trace(TraceId{7}); });
}

TEST(Witness, counts_as_replayed_an_operation_whose_precedent_repeated_in_a_long_context) {
    const std::vector<Line> lines = letters(
        "abcde"
        "abcde"
        "abcde"
        "abcde");
    Witness witness(lines);
    launch_all(witness, lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto known = static_cast<std::uint32_t>(i < 5 ? 0 : i - 4);
        if (i >= 5) witness.repeats(i - 5, std::min(known, Witness::context_asked));
        witness.issue(i);
    }
    witness.expect_end();
    std::vector<bool> expected(14, false);  // 9 is the first with a context of 5; 14 repeats it
    expected.resize(20, true);
    EXPECT_EQ(witness.replayed(), expected);
    EXPECT_EQ(witness.repeats(), 15u);
    EXPECT_EQ(witness.traces(), 0u);
    EXPECT_EQ(witness.held_max(), 19u);
}

/// Launches all of `text`, issues all operations but the last, and expects its precedent to be
/// rejected.
void expect_refusal_of_repeat(const std::string& text, std::size_t precedent,
                              std::uint32_t context) {
    const std::vector<Line> lines = letters(text);
    Witness witness(lines);
    launch_all(witness, lines);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i)
        if (lines[i].kind != Line::Kind::wait) witness.issue(i);
    EXPECT_THROW(witness.repeats(precedent, context), Broken) << text;
}

TEST(Witness, rejects_false_precedents) {
    expect_refusal_of_repeat("abcabd", 2, 1);
    expect_refusal_of_repeat("abcadc", 2, 2);
    expect_refusal_of_repeat("abcdbc", 2, 3);
    expect_refusal_of_repeat("abcabc", 2, 4);  // only three operations exist
    expect_refusal_of_repeat("abcabc", 2, 0);
    expect_refusal_of_repeat("abcabc", 5, 1);  // itself
    expect_refusal_of_repeat("abcabc", 17, 1);
    expect_refusal_of_repeat("ab!ab!", 2, 1);  // without a token
    expect_refusal_of_repeat("ab?ab", 2, 1);
}

TEST(Witness, rejects_a_context_that_spans_an_untraceable_operation) {
    expect_refusal_of_repeat("ab!cabc", 3, 3);
    expect_refusal_of_repeat("abcab!c", 2, 3);
    const std::vector<Line> lines = letters("ab?cabc");
    Witness witness(lines);
    launch_all(witness, lines);
    issue(witness, {0, 1, 3, 4, 5});
    EXPECT_NO_THROW(witness.repeats(3, 3)) << "a wait is no operation";
}

TEST(Witness, rejects_a_precedent_inside_a_trace) {
    expect_refusal("abab", [](Witness& w) {
        w.begin_trace(TraceId{1}, 2);
        w.repeats(0, 1);
    });
}

TEST(Measurement, the_inline_recogniser_replays_a_loop_from_the_third_iteration_on) {
    const Recogniser& inline_one = recogniser_named("inline");
    for (const std::uint64_t period : {1, 3, 10, 100, 1000, 4000}) {
        const Outcome loop =
            measure(inline_one, {}, stream_of("period_" + std::to_string(period), 20'000), 1);
        EXPECT_LE(*loop.first_replay, 2 * period + 16) << period;
        EXPECT_DOUBLE_EQ(loop.coverage * 20'000,
                         20'000.0 - static_cast<double>(*loop.first_replay));
        EXPECT_EQ(loop.held_max, 0u);
        // Only the very first operation uses data without an earlier use.
        EXPECT_EQ(loop.repeats, 20'000 - period - 1);
        EXPECT_EQ(loop.background_ns.front(), 0);
    }
}

TEST(Measurement, the_inline_recogniser_replays_nothing_without_repeats) {
    const Outcome none =
        measure(recogniser_named("inline"), {}, stream_of("no_repeats", 100'000), 1);
    EXPECT_EQ(none.repeats, 0u);
    EXPECT_EQ(none.first_replay, std::nullopt);
}

TEST(Measurement, untraceable_operations_interrupt_the_inline_recogniser_and_waits_do_not) {
    std::string waits, interruptions;
    for (int i = 0; i < 100; ++i) {
        waits += "abcd?efgh";
        interruptions += "abcd!efgh!";
    }
    const Recogniser& inline_one = recogniser_named("inline");
    const Outcome outcome = measure(inline_one, {}, {"waits", "", letters(waits), false}, 1);
    EXPECT_EQ(*outcome.first_replay, 20u);
    EXPECT_EQ(measure(inline_one, {}, {"!", "", letters(interruptions), false}, 1).coverage, 0)
        << "any five operations span an interruption";
}

TEST(Measurement, the_inline_recogniser_takes_a_mebibyte_plus_its_descriptions) {
    const Recogniser& inline_one = recogniser_named("inline");
    const Outcome loop = measure(inline_one, {}, stream_of("period_10", 20'000), 1);
    EXPECT_GE(loop.memory_bytes, std::size_t{15} << 16);
    EXPECT_LE(loop.memory_bytes, std::size_t{1} << 20) << "a loop adds few descriptions";
    const Outcome none = measure(inline_one, {}, stream_of("no_repeats", 20'000), 1);
    EXPECT_GE(none.memory_bytes, (15u << 16) + 20'000 * 4 * 8);
    EXPECT_LE(none.memory_bytes, (15u << 16) + 20'000 * 4 * 8 + 10'000);
}

TEST(Measurement, the_mined_recogniser_replays_a_loop_to_the_end_and_nothing_without_repeats) {
    const Recogniser& mined = recognisers().front();
    const Outcome loop = measure(mined, {}, stream_of("period_100", 20'000), 1);
    EXPECT_EQ(loop.coverage_last_quarter, 1);
    ASSERT_TRUE(loop.first_replay && loop.steady_from);
    EXPECT_LT(*loop.first_replay, 2000u);
    EXPECT_GE(*loop.steady_from + 5000 / 100, *loop.first_replay);
    const Outcome none = measure(mined, {}, stream_of("no_repeats", 20'000), 1);
    EXPECT_EQ(none.coverage, 0);
    EXPECT_EQ(none.first_replay, std::nullopt);
    EXPECT_EQ(none.steady_from, std::nullopt);
    EXPECT_EQ(none.held_mean, 0);
}

TEST(Measurement, a_longer_history_finds_a_longer_loop) {
    const Recogniser& mined = recognisers().front();
    const Stream stream = stream_of("period_10000", 200'000);
    Choices choices;
    EXPECT_EQ(measure(mined, choices, stream, 1).coverage, 0);
    choices.history_tokens = 32'768;
    EXPECT_GT(measure(mined, choices, stream, 1).coverage_last_quarter, 0.99);
}

/// With results applied at once, as in the command `refrain mine`, both must find the same.
TEST(Measurement, agrees_with_the_command_mine) {
    for (const char* name : {"period_10", "check_every_10", "branch_2", "triangular_loop"}) {
        const Stream stream = stream_of(name, 20'000);
        std::ostringstream text;
        for (const Line& line : stream.lines)
            line.kind == Line::Kind::wait
                ? text << "?\n"
                : text << line.token.high * 1'000'000 + line.token.low << '\n';
        std::istringstream input(text.str());
        refrain::commands::OperationReader reader(input, name);
        autotrace::Options options;
        options.synchronous_mining = true;
        const auto expected = refrain::commands::run_mining(reader, options, [](std::uint64_t) {});

        const Recogniser at_once{
            "at once", "", false,
            [](const Choices&, Host& host, autotrace::MiningExecutor&) -> std::unique_ptr<Tracer> {
                autotrace::Options same;
                same.synchronous_mining = true;
                return make_auto_tracer(same, host, nullptr);
            }};
        const Outcome found = measure(at_once, {}, stream, 1);
        EXPECT_DOUBLE_EQ(found.coverage, expected.coverage) << name;
        EXPECT_EQ(found.traces, expected.traces.size()) << name;
        EXPECT_DOUBLE_EQ(found.held_mean, expected.statistics.held_back_mean()) << name;
        EXPECT_EQ(found.first_replay, expected.statistics.first_replay) << name;
    }
}

TEST(Measurement, memory_is_the_peak_of_the_recogniser) {
    const Recogniser greedy{
        "greedy", "", false,
        [](const Choices&, Host& host, autotrace::MiningExecutor&) -> std::unique_ptr<Tracer> {
            struct Greedy final : Tracer {
                explicit Greedy(Host& h) : host(h) {}
                void launch(std::span<const Line> lines, std::size_t first) override {
                    for (std::size_t i = 0; i < lines.size(); ++i) {
                        host.issue(first + i);
                        kept.emplace_back(1024);
                    }
                }
                Host& host;
                std::vector<std::vector<char>> kept;
            };
            return std::make_unique<Greedy>(host);
        }};
    const Stream stream = stream_of("period_10", 1000);
    const Outcome first = measure(greedy, {}, stream, 1);
    EXPECT_GE(first.memory_bytes, 1000u * 1024);
    EXPECT_LE(first.memory_bytes, 1000u * 1200);
    EXPECT_EQ(measure(greedy, {}, stream, 3).memory_bytes, first.memory_bytes);
    EXPECT_EQ(first.coverage, 0);
}

}  // namespace
}  // namespace streams::measurement_test
