#include "autotrace/replayer.hpp"

#include <gtest/gtest.h>
#include <random>

#include "replay_oracle.hpp"

namespace refrain::autotrace::testing::replayer_test {
namespace {

/// A replayer with the parts it needs, and the oracle with the same input.
class Pair {
  public:
    explicit Pair(const Options& options)
        : options_(options),
          history_(options_),
          held_(2 * options_.trace_length_max + 1, host, window_),
          candidates_(options_, host, statistics),
          replayer_(options_, candidates_, held_, statistics),
          oracle(options_) {}

    void operation(std::uint64_t symbol) {
        const Token token{0, symbol};
        host.tokens.emplace(++handle_, token);
        ++statistics.operations;
        ++statistics.traceable;
        history_.append(token);
        held_.push(handle_);
        replayer_.advance(token);
        oracle.operation(token, handle_);
    }

    /// Makes the newest `length` tokens a candidate.
    void adopt(std::uint32_t length) {
        const FoundRepeat repeat{.begin = history_.end() - length,
                                 .length = length,
                                 .occurrences = 2,
                                 .key = {.low = ++keys_},
                                 .after_break = false};
        std::vector<Token> tokens;
        for (std::uint32_t i = 0; i < length; ++i) tokens.push_back(history_[repeat.begin + i]);
        const Position begin = replayer_.match_begin();
        if (candidates_.adopt({&repeat, 1}, history_, replayer_.plan())) {
            replayer_.restart(history_, begin);
            oracle.add_candidate(tokens, 2);
            oracle.restart();
        }
    }

    void flush() {
        replayer_.flush();
        history_.append_break();
        held_.skip_position();
        oracle.flush();
        oracle.append_break();
    }

    [[nodiscard]] std::size_t held() const { return held_.size(); }
    [[nodiscard]] std::size_t end() const { return history_.end().value(); }

    RecordingHost host;
    Statistics statistics;

  private:
    const Options options_;
    detail::HeldWindow window_;
    History history_;
    HeldOperations held_;
    Candidates candidates_;
    Replayer replayer_;
    OperationHandle handle_ = 0;
    std::uint64_t keys_ = 0;

  public:
    ReplayOracle oracle;
};

Options small_options() {
    Options options;
    options.trace_length_min = 1;
    options.trace_length_max = 40;
    options.history_tokens = 4096;
    options.history_bytes_max = std::size_t{1} << 30;
    return options;
}

/// Random symbols with loops between them.
class Stream {
  public:
    Stream(unsigned seed, unsigned alphabet) : random_(seed), alphabet_(alphabet) {}

    std::uint64_t next() {
        if (left_ == 0) {
            left_ = 1 + random_() % 60;
            looping_ = random_() % 3 != 0;
            if (looping_ && (body_.empty() || random_() % 3 == 0)) {
                body_.resize(1 + random_() % 9);
                for (std::uint64_t& symbol : body_) symbol = random_() % alphabet_;
            }
        }
        --left_;
        return looping_ ? body_[left_ % body_.size()] : random_() % alphabet_;
    }
    std::uint64_t pick(std::uint64_t bound) { return random_() % bound; }

  private:
    std::mt19937 random_;
    unsigned alphabet_;
    std::uint64_t left_ = 0;
    bool looping_ = false;
    std::vector<std::uint64_t> body_;
};

void compare_on_random_stream(unsigned seed) {
    Options options = small_options();
    options.visits_max = seed % 3 == 0 ? 2 : 10;
    options.replay_bonus = seed % 5 == 0 ? 1.75 : 1.1;
    Pair pair(options);
    Stream stream(seed, 1 + seed % 4);
    for (int i = 0; i < 1200; ++i) {
        pair.operation(stream.next());
        if (stream.pick(25) == 0) {
            const auto length = static_cast<std::uint32_t>(1 + stream.pick(40));
            if (length < pair.end()) pair.adopt(length);
        }
        if (stream.pick(150) == 0) pair.flush();
        ASSERT_LE(pair.held(), 2 * options.trace_length_max) << "seed " << seed;
        ASSERT_EQ(pair.host.events.size(), pair.oracle.events.size())
            << "seed " << seed << ", operation " << i;
        ASSERT_TRUE(pair.host.events == pair.oracle.events)
            << "seed " << seed << ", operation " << i;
    }
    pair.flush();
    EXPECT_TRUE(pair.host.events == pair.oracle.events) << "seed " << seed;
    EXPECT_GT(pair.statistics.replays, 0U) << "seed " << seed << " replays nothing";
}

TEST(Replayer, decides_like_the_oracle) {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        ASSERT_NO_FATAL_FAILURE(compare_on_random_stream(seed));
    }
}

TEST(Replayer, counts_recorded_and_replayed_operations) {
    Pair pair(small_options());
    for (int i = 0; i < 6; ++i) pair.operation(i % 6);
    pair.adopt(6);
    for (int i = 0; i < 18; ++i) pair.operation(i % 6);
    pair.flush();
    EXPECT_EQ(pair.statistics.traces, 1U);
    EXPECT_EQ(pair.statistics.recorded, 6U);
    EXPECT_EQ(pair.statistics.replays, 2U);
    EXPECT_EQ(pair.statistics.replayed, 12U);
    EXPECT_EQ(pair.statistics.first_replay, 12U);
    EXPECT_EQ(pair.statistics.held_back_sum, 3U * (5 + 4 + 3 + 2 + 1));
}

TEST(Replayer, prefers_a_longer_trace_over_the_short_ones_it_contains) {
    Pair pair(small_options());
    for (const int symbol : {1, 2, 3, 4, 5}) pair.operation(symbol);
    pair.adopt(2);  // 4 5
    pair.adopt(5);  // 1 2 3 4 5
    for (int round = 0; round < 3; ++round) {
        for (const int symbol : {1, 2, 3, 4, 5}) pair.operation(symbol);
    }
    pair.flush();
    EXPECT_EQ(pair.statistics.traces, 1U);
    EXPECT_EQ(pair.statistics.recorded + pair.statistics.replayed, 15U);
}

TEST(Replayer, falls_back_to_the_short_trace_when_the_long_match_ends) {
    Pair pair(small_options());
    for (const int symbol : {1, 2, 3, 4, 5}) pair.operation(symbol);
    pair.adopt(5);
    for (const int symbol : {1, 2}) pair.operation(symbol);
    pair.adopt(2);
    for (const int symbol : {1, 2, 3, 9}) pair.operation(symbol);
    EXPECT_EQ(pair.statistics.recorded, 2U);  // 1 2, after 9 ended 1 2 3 4 5
    EXPECT_EQ(pair.held(), 0U);
}

}  // namespace
}  // namespace refrain::autotrace::testing::replayer_test
