/// Random programs in every mode against the sequential oracle. `tools/fuzz` runs more seeds.
#include "base/asymmetric_fence.hpp"

#include <gtest/gtest.h>
#include <string>

#include "property/check.hpp"
#include "tries.hpp"

namespace refrain::property::random_programs_test {
namespace {

constexpr std::uint64_t programs = is_sanitized ? 60 : 200;

/// Long programs are few, and files take longer than programs. Where the runtime chooses its analysis, it runs what other modes
/// run: sanitizers see in a few programs how it changes from one to the other.
std::uint64_t programs_in(const Mode& mode) {
    if (mode.kind != Kind::usual || mode.watched) return programs / 20;
    return is_sanitized && mode.analysis == Analysis::automatic ? programs / 4 : programs;
}

class RandomPrograms : public ::testing::TestWithParam<Mode> {};

TEST_P(RandomPrograms, match_the_sequential_oracle) {
    const Mode& mode = GetParam();
    const std::uint64_t count = programs_in(mode);
    Campaign campaign{.first_seed = 1, .count = count};
    const auto failing = find_failure(mode, campaign);
    if (failing) FAIL() << explain(*failing, mode);
    EXPECT_EQ(campaign.checked, count);
    // The modes with tracing must actually replay.
    if (mode.tracing == Tracing::none || mode.analysis == Analysis::states)
        EXPECT_EQ(campaign.replayed, 0U);
    else
        EXPECT_GT(campaign.replayed, campaign.operations / 10);
    // The modes of rows must reach what they are made for.
    if (mode.kind == Kind::rows && mode.is_direct()) {
        EXPECT_GT(campaign.direct,
                  campaign.operations / 50);  // few of some programs, most of others
        EXPECT_EQ(campaign.in_rows > 0, mode.verify == 0);
    } else if (mode.takes_turns() && mode.tracing != Tracing::none) {
        EXPECT_GT(campaign.direct, 0U);
        EXPECT_EQ(campaign.in_rows > 0, mode.verify == 0);
    } else if (mode.kind == Kind::long_turns &&
               (mode.is_direct() || base::has_asymmetric_fence())) {
        EXPECT_GT(campaign.in_rows, 0U);  // how many depends on the programs, and in lanes on time
    } else if (mode.kind == Kind::rows && base::has_asymmetric_fence()) {
        EXPECT_GT(campaign.in_lanes, campaign.operations / 8);
        EXPECT_EQ(campaign.in_rows > 0, mode.verify == 0);
    }
}

std::string test_name(const ::testing::TestParamInfo<Mode>& info) {
    std::string name = info.param.name;
    for (char& letter : name)
        if (letter == '-') letter = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(InMode, RandomPrograms,
                         ::testing::ValuesIn(all_modes().begin(), all_modes().end()), test_name);

}  // namespace
}  // namespace refrain::property::random_programs_test
