#include "autotrace/miner.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>

#include "streams.hpp"

namespace refrain::autotrace::testing::miner_test {
namespace {

/// Mines a stream as one slice.
struct Mined {
    Mined(const std::vector<std::uint64_t>& stream, Options options,
          const std::set<std::size_t>& breaks_after = {})
        : history(fitted(options, stream.size())) {
        for (std::size_t i = 0; i < stream.size(); ++i) {
            history.append(Token{0, stream[i]});
            if (breaks_after.contains(i)) history.append_break();
        }
        history.list_breaks(0, breaks);
        Miner(options).mine(history, {0, history.end(), breaks}, found);
    }

    static Options fitted(Options options, std::size_t tokens) {
        options.history_tokens = std::max(options.history_tokens, 2 * tokens);
        return options;
    }
    [[nodiscard]] std::vector<std::uint64_t> content(const FoundRepeat& repeat) const {
        std::vector<std::uint64_t> tokens;
        for (std::uint32_t i = 0; i < repeat.length; ++i) {
            tokens.push_back(history[repeat.begin + i].low);
        }
        return tokens;
    }

    History history;
    std::vector<Position> breaks;
    std::vector<FoundRepeat> found;
};

Options lengths(std::size_t least, std::size_t most, std::size_t loop_length = 0) {
    Options options;
    options.trace_length_min = least;
    options.trace_length_max = most;
    options.loop_length = loop_length;
    return options;
}

TEST(Miner, proposes_the_body_of_a_loop_once) {
    for (std::uint64_t period = 5; period <= 120; ++period) {
        const Mined mined(loop(period, 256), lengths(5, 1000));
        ASSERT_EQ(mined.found.size(), 1U) << "period " << period;
        EXPECT_EQ(mined.found[0].length, period);
    }
}

TEST(Miner, proposes_several_iterations_of_a_short_loop) {
    const Mined mined(loop(3, 256), lengths(5, 1000, 64));
    ASSERT_EQ(mined.found.size(), 2U);
    EXPECT_EQ(mined.found[0].length, 6U);
    EXPECT_EQ(mined.found[1].length, 66U);
}

TEST(Miner, gives_all_rotations_of_a_loop_one_key) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> keys;
    for (std::uint64_t shift = 0; shift < 10; ++shift) {
        std::vector<std::uint64_t> stream = loop(10, 266);
        stream.erase(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(shift));
        const Mined mined(stream, lengths(5, 1000));
        ASSERT_EQ(mined.found.size(), 1U);
        keys.emplace(mined.found[0].key.low, mined.found[0].key.high);
    }
    EXPECT_EQ(keys.size(), 1U);
}

TEST(Miner, proposes_a_loop_from_its_first_operation_on) {
    std::vector<std::uint64_t> stream = no_repeats(37);
    for (std::uint64_t& token : stream) token += 1000;
    for (const std::uint64_t token : loop(10, 200)) stream.push_back(token);
    const Mined mined(stream, lengths(5, 1000));
    ASSERT_EQ(mined.found.size(), 1U);
    EXPECT_EQ(mined.found[0].begin, 37);
    EXPECT_FALSE(mined.found[0].after_break);
}

TEST(Miner, proposes_no_repeat_across_a_break) {
    const Mined mined(loop(10, 200), lengths(5, 1000), {49, 99, 149});
    ASSERT_FALSE(mined.found.empty());
    EXPECT_TRUE(mined.found[0].after_break || mined.found[0].begin == 0);
    for (const FoundRepeat& repeat : mined.found) {
        for (const Position at : mined.breaks) {
            EXPECT_FALSE(repeat.begin <= at && at < repeat.begin + repeat.length);
        }
    }
}

TEST(Miner, cuts_long_repeats_into_pieces_within_the_limits) {
    for (std::size_t most = 5; most <= 40; ++most) {
        for (const std::uint64_t period : {1, 2, 4, 7, 23, 41, 90}) {
            const Mined mined(loop(period, 400), lengths(5, most));
            ASSERT_FALSE(mined.found.empty()) << "at most " << most << ", period " << period;
            std::size_t sum = 0;
            for (const FoundRepeat& repeat : mined.found) {
                EXPECT_GE(repeat.length, 5U);
                EXPECT_LE(repeat.length, most);
                sum += repeat.length;
            }
            EXPECT_EQ(sum % period, 0U) << "pieces make up whole iterations, at most " << most;
        }
    }
}

TEST(Miner, proposes_only_what_occurs_at_least_twice) {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const std::vector<std::uint64_t> stream = seed % 2 == 0
                                                      ? random_symbols(300, 1 + seed % 5, seed)
                                                      : random_branches(30, 3, 5 + seed % 11, seed);
        const Mined mined(stream, lengths(3, 60));
        std::map<std::vector<std::uint64_t>, base::Hash128> keys;
        for (const FoundRepeat& repeat : mined.found) {
            const std::vector<std::uint64_t> content = mined.content(repeat);
            std::size_t count = 0;
            for (auto at = stream.begin();;) {
                at = std::search(at, stream.end(), content.begin(), content.end());
                if (at == stream.end()) break;
                ++count;
                at += static_cast<std::ptrdiff_t>(content.size());
            }
            EXPECT_GE(count, 2U) << "seed " << seed;
            EXPECT_GE(repeat.occurrences, 2U);
        }
    }
}

TEST(Miner, proposes_nothing_if_nothing_repeats) {
    EXPECT_TRUE(Mined(no_repeats(500), lengths(5, 1000)).found.empty());
    std::vector<std::uint64_t> often = no_repeats(500);
    for (std::size_t i = 0; i < often.size(); i += 4) often[i] = 1'000'000;  // one in four is equal
    EXPECT_TRUE(Mined(often, lengths(5, 1000)).found.empty());
}

}  // namespace
}  // namespace refrain::autotrace::testing::miner_test
