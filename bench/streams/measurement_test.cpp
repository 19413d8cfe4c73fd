#include "streams/measurement.hpp"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

#include "cli/mining_run.hpp"
#include "streams/generators.hpp"
#include "streams/witness.hpp"

namespace streams {
namespace {

Stream stream_of(const std::string& name, std::uint64_t operations) {
    for (const Generator& generator : generators())
        if (name == generator.name) return generator.stream(operations);
    ADD_FAILURE() << "there is no stream " << name;
    return {};
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

TEST(Witness, sees_what_is_replayed_and_how_long_it_was_held) {
    const std::vector<Line> lines = letters("ab?ababc");
    Witness witness(lines);
    launch_all(witness, lines);
    witness.begin_trace(1, 2);
    issue(witness, {0, 1});
    witness.end_trace(1);
    witness.begin_trace(1, 2);
    issue(witness, {3, 4});
    witness.end_trace(1);
    issue(witness, {5, 6, 7});
    witness.expect_end();
    EXPECT_EQ(witness.replayed(),
              (std::vector<bool>{false, false, true, true, false, false, false}));
    EXPECT_EQ(witness.held_max(), 6u);
    EXPECT_EQ(witness.held_mean(), 3);
    EXPECT_EQ(witness.traces(), 1u);
    EXPECT_EQ(witness.replays(), 1u);
}

/// After all of `text` was launched, and its first two operations were executed as trace 1.
void expect_refusal(const std::string& text, const std::function<void(Witness&)>& misdeed) {
    const std::vector<Line> lines = letters(text);
    Witness witness(lines);
    launch_all(witness, lines);
    witness.begin_trace(1, 2);
    issue(witness, {0, 1});
    witness.end_trace(1);
    EXPECT_THROW(misdeed(witness), Broken);
}

TEST(Witness, refuses_operations_out_of_order_twice_or_not_at_all) {
    expect_refusal("abab", [](Witness& w) { w.issue(3); });
    expect_refusal("abab", [](Witness& w) { w.issue(1); });
    expect_refusal("abab", [](Witness& w) { w.expect_end(); });
    const std::vector<Line> lines = letters("ab");
    Witness witness(lines);
    witness.launching(0);
    witness.issue(0);
    EXPECT_THROW(witness.issue(1), Broken) << "not launched yet";
}

TEST(Witness, refuses_traces_that_are_not_what_they_were) {
    expect_refusal("abac", [](Witness& w) {
        w.begin_trace(1, 2);
        issue(w, {2, 3});
    });
    expect_refusal("abab", [](Witness& w) { w.begin_trace(1, 3); });
    expect_refusal("ababc", [](Witness& w) {
        w.begin_trace(1, 2);
        issue(w, {2, 3, 4});
    });
    expect_refusal("abab", [](Witness& w) {
        w.begin_trace(1, 2);
        w.issue(2);
        w.end_trace(1);
    });
    expect_refusal("ab!", [](Witness& w) {
        w.begin_trace(2, 1);
        w.issue(2);
    });
}

TEST(Witness, refuses_begins_and_ends_that_do_not_match) {
    expect_refusal("abab", [](Witness& w) {
        w.begin_trace(1, 2);
        w.begin_trace(2, 2);
    });
    expect_refusal("abab", [](Witness& w) { w.end_trace(1); });
    expect_refusal("abab", [](Witness& w) { w.begin_trace(0, 2); });
    expect_refusal("ab", [](Witness& w) {
        w.begin_trace(1, 2);
        w.expect_end();
    });
}

TEST(Witness, refuses_traces_that_were_forgotten) {
    expect_refusal("abab", [](Witness& w) {
        w.forget_trace(1);
        w.begin_trace(1, 2);
    });
    expect_refusal("abab", [](Witness& w) {
        w.forget_trace(1);
        w.forget_trace(1);
    });
    expect_refusal("abab", [](Witness& w) { w.forget_trace(7); });
}

TEST(Measurement, a_loop_is_replayed_to_the_end_and_what_never_repeats_is_not) {
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

/// With results taken in at once, as the command `refrain mine` does, both must see the same.
TEST(Measurement, agrees_with_the_command_mine) {
    for (const char* name : {"period_10", "check_every_10", "branch_2", "triangular_loop"}) {
        const Stream stream = stream_of(name, 20'000);
        std::ostringstream text;
        for (const Line& line : stream.lines)
            line.kind == Line::Kind::wait
                ? text << "?\n"
                : text << line.token.high * 1'000'000 + line.token.low << '\n';
        std::istringstream input(text.str());
        refrain::cli::OperationReader reader(input, name);
        autotrace::Options options;
        options.synchronous_mining = true;
        const auto expected = refrain::cli::run_mining(reader, options, [](std::uint64_t) {});

        const Recogniser at_once{"at once", "",
                                 [](const Choices&, autotrace::TraceHost& host,
                                    autotrace::MiningExecutor&) -> std::unique_ptr<Tracer> {
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

TEST(Measurement, memory_is_what_the_recogniser_has_and_gives_back) {
    const Recogniser greedy{"greedy", "",
                            [](const Choices&, autotrace::TraceHost& host,
                               autotrace::MiningExecutor&) -> std::unique_ptr<Tracer> {
                                struct Greedy final : Tracer {
                                    explicit Greedy(autotrace::TraceHost& h) : host(h) {}
                                    void launch(std::span<const Line> lines,
                                                std::size_t first) override {
                                        for (std::size_t i = 0; i < lines.size(); ++i) {
                                            host.issue(first + i);
                                            kept.emplace_back(1024);
                                        }
                                    }
                                    autotrace::TraceHost& host;
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
}  // namespace streams
