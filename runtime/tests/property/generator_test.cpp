#include "property/generator.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "property/legality.hpp"

namespace refrain::property::generator_test {
namespace {

constexpr std::uint64_t seeds = 300;

TEST(Generator, gives_the_same_program_for_the_same_seed) {
    for (const std::uint64_t seed : {0U, 1U, 77U, 123456U})
        EXPECT_EQ(print(generate(seed)), print(generate(seed)));
    EXPECT_NE(print(generate(1)), print(generate(2)));
}

TEST(Generator, makes_legal_programs) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const Program program = generate(seed);
        Program fixed = repaired(program);
        fixed.statements.resize(program.statements.size());  // what closes open ends
        EXPECT_EQ(print(fixed), print(program)) << "seed " << seed;
    }
}

/// Everything that a program of these seeds uses, in words.
std::set<std::string> used_features() {
    std::set<std::string> used;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        for (const Statement& statement : generate(seed).statements) {
            used.insert("statement " + std::to_string(statement.what.index()));
            if (statement.refused) used.insert("refused " + std::to_string(statement.what.index()));
            if (const auto* create = std::get_if<CreatePartition>(&statement.what))
                used.insert("partition " + std::to_string(static_cast<int>(create->kind)));
            const auto* launch = std::get_if<Launch>(&statement.what);
            if (launch == nullptr) continue;
            used.insert(launch->throws_at >= 0 ? "throws" : "returns");
            used.insert(std::to_string(launch->requirements.size()) + " requirements");
            std::set<int> regions;
            for (const Requirement& r : launch->requirements) {
                used.insert("privilege " + std::to_string(static_cast<int>(r.privilege)));
                used.insert("operator " + std::to_string(static_cast<int>(r.op)));
                used.insert("projection " + std::to_string(static_cast<int>(r.projection)));
                if (!regions.insert(r.region).second) used.insert("one region twice");
            }
            if (!launch->futures.empty()) used.insert("future arguments");
        }
    }
    return used;
}

TEST(Generator, uses_every_feature_of_programs) {
    const std::set<std::string> used = used_features();
    for (std::size_t i = 0; i < std::variant_size_v<Statement::What>; ++i)
        EXPECT_TRUE(used.contains("statement " + std::to_string(i))) << "statement " << i;
    for (int i = 0; i <= static_cast<int>(PartitionKind::preimage); ++i)
        EXPECT_TRUE(used.contains("partition " + std::to_string(i))) << "partition " << i;
    for (int i = 0; i < 4; ++i)
        EXPECT_TRUE(used.contains("privilege " + std::to_string(i))) << "privilege " << i;
    for (int i = 0; i < operator_count; ++i)
        EXPECT_TRUE(used.contains("operator " + std::to_string(i))) << "operator " << i;
    for (int i = 0; i < projection_count; ++i)
        EXPECT_TRUE(used.contains("projection " + std::to_string(i))) << "projection " << i;
    for (int i = 0; i <= 4; ++i)
        EXPECT_TRUE(used.contains(std::to_string(i) + " requirements")) << i << " requirements";
    const auto launch = std::to_string(Statement::What(Launch{}).index());
    const auto get = std::to_string(Statement::What(GetFuture{}).index());
    for (const std::string& feature :
         {std::string("throws"), std::string("one region twice"), std::string("future arguments"),
          "refused " + launch, "refused " + get})
        EXPECT_TRUE(used.contains(feature)) << feature;
}

/// What only some modes do, in words.
std::set<std::string> features_of(const GeneratorLimits& limits) {
    std::set<std::string> used;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Program program = generate(seed, limits);
        std::map<int, CreateRegion> made;
        for (const Statement& statement : program.statements) {
            if (const auto* create = std::get_if<CreateRegion>(&statement.what)) {
                const Space& target = program.spaces[static_cast<std::size_t>(create->pointee)];
                used.insert("type " + std::to_string(static_cast<int>(create->type)));
                if (create->type == ElementType::pointer)
                    used.insert("pointers of rank " + std::to_string(target.rank));
                made[create->region] = *create;
            }
            if (const auto* create = std::get_if<CreatePartition>(&statement.what))
                if (create->kind == PartitionKind::image)
                    used.insert("image of type " +
                                std::to_string(static_cast<int>(made[create->pointers].type)));
            const auto* launch = std::get_if<Launch>(&statement.what);
            if (launch == nullptr || statement.refused) continue;
            if (point_count(*launch) > 64) used.insert("many points");
            if (launch->requirements.size() > 8) used.insert("many regions");
            if (launch->futures.size() > 2) used.insert("many futures");
            if (launch->throws_in_fold) used.insert("a fold throws");
        }
    }
    return used;
}

TEST(Generator, uses_broad_launches_and_all_pointers_where_asked) {
    const auto used =
        features_of({.statements = 50, .broad = true, .pointers = true, .throwing_folds = true});
    const auto image_of_short =
        "image of type " + std::to_string(static_cast<int>(ElementType::short_pointer));
    for (const std::string& feature :
         {std::string("many points"), std::string("many regions"), std::string("many futures"),
          std::string("a fold throws"), std::string("pointers of rank 2"),
          std::string("pointers of rank 3"), image_of_short})
        EXPECT_TRUE(used.contains(feature)) << feature;
    const auto block = "type " + std::to_string(static_cast<int>(ElementType::block));
    EXPECT_FALSE(used.contains(block));
    EXPECT_TRUE(features_of({.statements = 20, .blocks = true}).contains(block));
}

TEST(Generator, changes_the_sizes_of_regions_where_asked) {
    std::size_t most = 0;  // sizes of the regions that one launch of a program uses in its turns
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        std::map<int, int> space;
        std::map<int, std::set<int>> spaces_at;  // by launch site
        for (const Statement& statement :
             generate(seed, {.statements = 300, .resizes = true}).statements) {
            if (const auto* create = std::get_if<CreateRegion>(&statement.what))
                space[create->region] = create->space;
            const auto* launch = std::get_if<Launch>(&statement.what);
            if (launch == nullptr || launch->requirements.empty()) continue;
            std::set<int>& spaces = spaces_at[launch->site];
            spaces.insert(space[launch->requirements.front().region]);
            most = std::max(most, spaces.size());
        }
    }
    EXPECT_GE(most, 3U);
}

/// What a description must tell apart by more than when a region was used last.
TEST(Generator, often_uses_one_region_twice_in_a_launch) {
    int several = 0;
    int twice = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        for (const Statement& statement : generate(seed).statements) {
            const auto* launch = std::get_if<Launch>(&statement.what);
            if (launch == nullptr || launch->requirements.size() < 2) continue;
            std::set<int> regions;
            for (const Requirement& r : launch->requirements) regions.insert(r.region);
            ++several;
            if (regions.size() < launch->requirements.size()) ++twice;
        }
    }
    EXPECT_GT(twice, several / 4) << "of " << several;
}

/// What checks that are remembered must tell apart: which of many arguments share a region.
TEST(Generator, uses_one_region_many_times_in_a_launch) {
    std::map<std::size_t, int> launches;  // by the most uses of one region
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        for (const Statement& statement : generate(seed).statements) {
            const auto* launch = std::get_if<Launch>(&statement.what);
            if (launch == nullptr || statement.refused) continue;
            std::map<int, std::size_t> uses;
            std::size_t most = 0;
            for (const Requirement& r : launch->requirements)
                most = std::max(most, ++uses[r.region]);
            ++launches[most];
        }
    }
    for (const std::size_t most : {3U, 5U, 7U, 15U})
        EXPECT_GT(launches[most], 0) << most << " uses of one region";
}

TEST(Legality, repair_drops_statements_that_became_meaningless) {
    Program program;
    program.spaces = {{{{0, 0, 0}, {5, 1, 1}}, 1}};
    Launch read;
    read.requirements = {{.region = 0, .privilege = Privilege::read}};
    program.statements = {
        {read}, {CreateRegion{.region = 0}}, {read}, {Fill{.region = 0}}, {read}, {BeginTrace{1}}};
    const Program fixed = repaired(program);
    ASSERT_EQ(fixed.statements.size(), 5U);
    EXPECT_TRUE(std::holds_alternative<Fill>(fixed.statements[1].what));
    EXPECT_TRUE(std::holds_alternative<EndTrace>(fixed.statements[4].what));
}

TEST(Legality, tells_refused_from_undefined_statements) {
    Program program;
    program.spaces = {{{{0, 0, 0}, {5, 1, 1}}, 1}};
    Oracle oracle(program);
    oracle.execute({CreateRegion{.region = 0}});
    Launch writes;
    writes.index = true;
    writes.domain = {{0, 0, 0}, {2, 1, 1}};
    writes.requirements = {{.region = 0, .privilege = Privilege::write}};
    EXPECT_EQ(judge(oracle, {writes}), Legality::refused);  // both points write everything
    writes.domain.hi[0] = 1;
    EXPECT_EQ(judge(oracle, {writes}), Legality::legal);
    EXPECT_EQ(judge(oracle, {HostRead{0}}), Legality::refused);  // nothing has written it
    EXPECT_EQ(judge(oracle, {HostRead{1}}), Legality::undefined);
}

}  // namespace
}  // namespace refrain::property::generator_test
