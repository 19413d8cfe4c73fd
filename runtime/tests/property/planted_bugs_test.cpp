/// Tests of the fuzzer: planted bugs must be found and shrunk.
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <optional>

#include "property/check.hpp"
#include "property/generator.hpp"
#include "property/legality.hpp"
#include "property/shrink.hpp"
#include "property/task_order.hpp"
#include "tries.hpp"

namespace refrain::property::planted_bugs_test {
namespace {

const Mode& mode() {
    return *find_mode("untraced-1");
}

using Expectation = std::function<std::vector<Seen>(const Program&)>;

/// Whether a run differs from the expectation.
bool differs(const Program& program, const Expectation& expectation) {
    return !difference(program, expectation(program), execute(program, mode())).empty();
}

/// The first program of the seeds that differs, shrunk.
std::optional<Program> find_and_shrink(const Expectation& expectation, std::uint64_t seeds) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const Program program = generate(seed, limits_for(mode()));
        if (!differs(program, expectation)) continue;
        return shrink(program, [&](const Program& p) { return differs(p, expectation); });
    }
    return std::nullopt;
}

int count_launches(const Program& program) {
    int launches = 0;
    for (const Statement& statement : program.statements)
        launches += std::holds_alternative<Launch>(statement.what) ? 1 : 0;
    return launches;
}

/// An oracle that loses the dependence of a reader through a halo on the previous launch: the
/// reader sees older values.
class ForgetfulOracle : public Oracle {
  public:
    using Oracle::Oracle;

    Seen execute(const Statement& statement) override {
        if (const auto* create = std::get_if<CreatePartition>(&statement.what))
            kinds_[create->partition] = create->kind;
        if (!std::holds_alternative<Launch>(statement.what) || statement.refused)
            return Oracle::execute(statement);
        const std::map<int, RegionState> before = regions;
        Seen seen = Oracle::execute(statement);
        before_last_launch_ = before;
        return seen;
    }

  protected:
    [[nodiscard]] const std::vector<std::uint64_t>& values_for(
        const Requirement& requirement) const override {
        const auto kind = kinds_.find(requirement.partition);
        const auto old = before_last_launch_.find(requirement.region);
        if (requirement.privilege == Privilege::read && kind != kinds_.end() &&
            kind->second == PartitionKind::halo && old != before_last_launch_.end())
            return old->second.bits;
        return Oracle::values_for(requirement);
    }

  private:
    std::map<int, PartitionKind> kinds_;
    std::map<int, RegionState> before_last_launch_;
};

template <class SomeOracle>
std::vector<Seen> expect_by(const Program& program) {
    SomeOracle oracle(program);
    std::vector<Seen> all;
    for (const Statement& statement : program.statements) all.push_back(oracle.execute(statement));
    return all;
}

TEST(PlantedBug, a_lost_dependence_is_found_and_shrunk) {
    const auto small = find_and_shrink(expect_by<ForgetfulOracle>, 500);
    ASSERT_TRUE(small.has_value()) << "no program found the bug";
    EXPECT_LE(small->statements.size(), 9U) << print(*small);
    EXPECT_NE(print(*small).find("halo"), std::string::npos) << print(*small);
    EXPECT_FALSE(differs(*small, expect_by<Oracle>)) << print(*small);
}

TEST(PlantedBug, a_failure_that_does_not_propagate_is_found_and_shrunk) {
    // An oracle that ignores failed reductions.
    const Expectation forgiving = [](const Program& program) {
        std::vector<Seen> all;
        Oracle oracle(program);
        for (const Statement& statement : program.statements) {
            for (auto& [number, region] : oracle.regions) region.tainted_by = {};
            all.push_back(oracle.execute(statement));
        }
        return all;
    };
    const auto small = find_and_shrink(forgiving, 2000);
    ASSERT_TRUE(small.has_value()) << "no program found the bug";
    EXPECT_LE(small->statements.size(), 5U) << print(*small);
    EXPECT_NE(print(*small).find("throws"), std::string::npos) << print(*small);
}

class PlantedEdges : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, PlantedEdges, ::testing::Values("graph-untraced", "inline-graph"),
                         [](const auto& parameter) {
                             return std::string(parameter.param[0] == 'g' ? "untraced"
                                                                          : "looking_back");
                         });

TEST_P(PlantedEdges, missing_and_extra_ones_are_found) {
    const Mode& graph = *find_mode(GetParam());
    int missing = 0;
    int extra = 0;
    for (std::uint64_t seed = 0; seed < tries(32); ++seed) {
        const Program program = generate(seed, limits_for(graph));
        const Execution run = execute(program, graph);
        ASSERT_EQ(order_difference(program, run), "") << "seed " << seed;
        for (std::size_t i = 0; i < run.dependences.size(); i += 7) {
            Execution without = run;
            without.dependences.erase(without.dependences.begin() + static_cast<std::ptrdiff_t>(i));
            missing += order_difference(program, without).find("must wait") != std::string::npos;
        }
        for (std::uint64_t operation = 2; operation < 20; ++operation) {
            Execution with = run;
            with.dependences.push_back({operation - 1, 0, operation, 0, true});
            extra += order_difference(program, with).find("without need") != std::string::npos;
        }
    }
    EXPECT_GT(missing, 20);
    EXPECT_GT(extra, 20);
}

TEST(Shrink, leaves_nothing_that_could_be_removed) {
    const Program program = generate(11);
    const auto has_two_launches = [](const Program& p) { return count_launches(p) >= 2; };
    ASSERT_TRUE(has_two_launches(program));
    const Program small = shrink(program, has_two_launches);
    EXPECT_EQ(count_launches(small), 2);
    EXPECT_EQ(small.statements.size(), 2U) << print(small);
}

}  // namespace
}  // namespace refrain::property::planted_bugs_test
