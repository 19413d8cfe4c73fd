#include "streams/generators.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace streams::generators_test {
namespace {

constexpr std::uint64_t length = 50'000;

using Name = std::pair<std::uint64_t, std::uint64_t>;

/// The tokens of a generated stream.
std::vector<Name> tokens_of(const std::string& name, std::uint64_t operations = length) {
    for (const Generator& generator : generators()) {
        if (name != generator.name) continue;
        std::vector<Name> tokens;
        for (const Line& line : generator.make(operations))
            if (line.kind == Line::Kind::operation)
                tokens.emplace_back(line.token.high, line.token.low);
        return tokens;
    }
    ADD_FAILURE() << "there is no stream " << name;
    return {};
}

/// The smallest period of the tokens; their number if there is none.
std::size_t period_of(const std::vector<Name>& tokens) {
    for (std::size_t period = 1; period < tokens.size(); ++period)
        if (std::equal(tokens.begin() + static_cast<std::ptrdiff_t>(period), tokens.end(),
                       tokens.begin()))
            return period;
    return tokens.size();
}

TEST(Generators, each_stream_has_the_requested_number_of_operations) {
    for (const Generator& generator : generators()) {
        EXPECT_EQ(operations_of(generator.make(12'345)), 12'345u) << generator.name;
        EXPECT_EQ(operations_of(generator.make(1)), 1u) << generator.name;
    }
}

TEST(Generators, each_stream_is_deterministic_and_has_a_unique_name) {
    std::set<std::string> names;
    for (const Generator& generator : generators()) {
        EXPECT_TRUE(names.insert(generator.name).second) << generator.name;
        EXPECT_EQ(tokens_of(generator.name, 5000), tokens_of(generator.name, 5000));
    }
}

TEST(Generators, loops_have_the_period_in_their_names) {
    for (const std::size_t period : {1, 3, 10, 100, 1000, 4000, 10'000, 20'000})
        EXPECT_EQ(period_of(tokens_of("period_" + std::to_string(period))), period);
    EXPECT_EQ(period_of(tokens_of("check_every_10")), 203u);
    EXPECT_EQ(period_of(tokens_of("nested_loops")), 56u);
    EXPECT_EQ(period_of(tokens_of("rotated_names")), 60u);
    EXPECT_EQ(period_of(tokens_of("phases")), 200u * 30 + 130 * 47);
    EXPECT_EQ(period_of(tokens_of("triangular_loop")), 60u * 3 + 4 * (59 * 60 / 2));
}

TEST(Generators, streams_that_are_no_loops_have_no_period) {
    for (const char* name : {"branch_2", "branch_64", "foreign_operations", "fresh_names",
                             "no_repeats", "thue_morse", "fibonacci", "de_bruijn"})
        EXPECT_GT(period_of(tokens_of(name, 5000)), 2500u) << name;
}

TEST(Generators, checks_wait_for_their_result) {
    for (const Generator& generator : generators()) {
        const std::vector<Line> lines = generator.make(20'300);
        const auto waits = std::count_if(lines.begin(), lines.end(), [](const Line& line) {
            return line.kind == Line::Kind::wait;
        });
        EXPECT_EQ(waits, generator.name == std::string("check_every_10")    ? 100
                         : generator.name == std::string("check_every_100") ? 10
                                                                            : 0);
    }
}

TEST(Generators, branches_are_all_taken_about_equally_often) {
    std::map<std::uint64_t, std::size_t> taken;
    const auto tokens = tokens_of("branch_64");
    for (std::size_t i = 10; i < tokens.size(); i += 20) ++taken[tokens[i].first];
    EXPECT_EQ(taken.size(), 64u);
    for (const auto& [branch, count] : taken) EXPECT_NEAR(static_cast<double>(count), 39, 26);
}

TEST(Generators, one_operation_in_a_thousand_is_foreign_and_unique) {
    std::set<Name> foreign;
    std::size_t count = 0;
    for (const Name& token : tokens_of("foreign_operations")) {
        if (token.first < 1000) continue;
        foreign.insert(token);
        ++count;
    }
    EXPECT_EQ(foreign.size(), count);
    EXPECT_NEAR(static_cast<double>(count), 50, 25);
}

TEST(Generators, in_a_stream_without_repeats_all_operations_differ) {
    const auto tokens = tokens_of("no_repeats");
    EXPECT_EQ(std::set<Name>(tokens.begin(), tokens.end()).size(), tokens.size());
}

TEST(Generators, a_de_bruijn_stream_has_no_window_of_its_order_twice) {
    const auto tokens = tokens_of("de_bruijn", 4000);  // order 12
    std::set<std::vector<Name>> windows;
    for (std::size_t i = 0; i + 12 <= tokens.size(); ++i)
        EXPECT_TRUE(windows
                        .insert({tokens.begin() + static_cast<std::ptrdiff_t>(i),
                                 tokens.begin() + static_cast<std::ptrdiff_t>(i + 12)})
                        .second);
}

}  // namespace
}  // namespace streams::generators_test
