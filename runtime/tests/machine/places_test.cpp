#include "machine/places.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "machine/ownership.hpp"

namespace refrain::machine::places_test {
namespace {

using Processors = std::vector<unsigned>;

/// Two sockets with a memory each; each four cores of two hardware threads.
constexpr const char* two_sockets = "package:2 numa:1 core:4 pu:2";

class Places : public ::testing::Test {
  protected:
    void SetUp() override {
        const Cores found = find_cores(two_sockets);
        if (!found.problem.empty()) GTEST_SKIP() << found.problem;
        cores_ = found.all;
    }
    std::vector<Core> cores_;
};

/// The memory nodes of the first `workers` workers, a digit each.
std::string nodes_of(const std::vector<Core>& cores, std::size_t workers) {
    std::string nodes;
    for (std::size_t worker = 0; worker < workers; ++worker)
        nodes += std::to_string(core_of_worker(cores, worker).memory_node);
    return nodes;
}

TEST_F(Places, of_two_sockets_fill_one_before_the_other) {
    ASSERT_EQ(cores_.size(), 8U);
    EXPECT_EQ(count_processors(cores_), 16U);
    EXPECT_EQ(core_of_worker(cores_, 1), (Core{{2, 3}, 0}));
    EXPECT_EQ(core_of_worker(cores_, 7), (Core{{14, 15}, 1}));
    EXPECT_EQ(nodes_of(cores_, 8), "00001111");
}

TEST_F(Places, begin_at_the_core_of_the_launching_thread) {
    const std::vector<Core> cores = starting_at(cores_, 5);
    EXPECT_EQ(core_of_worker(cores, 0).processors, (Processors{4, 5}));
    EXPECT_EQ(core_of_worker(cores, 1).processors, (Processors{6, 7}));
    EXPECT_EQ(nodes_of(cores, 8), "00111100") << "round the end";
    EXPECT_EQ(starting_at(cores_, 99), cores_) << "an unknown processor";
}

TEST_F(Places, lie_within_the_mask_of_the_process) {
    const std::vector<Core> cores = restrict_to(cores_, {1, 6, 7, 8, 99});
    EXPECT_EQ(cores, (std::vector<Core>{{{1}, 0}, {{6, 7}, 0}, {{8}, 1}}));
    EXPECT_TRUE(restrict_to(cores_, {}).empty());
}

TEST_F(Places, of_more_workers_than_cores_are_shared_in_turn) {
    EXPECT_EQ(core_of_worker(cores_, 8), cores_[0]);
    EXPECT_EQ(core_of_worker(cores_, 21), cores_[5]);
    EXPECT_EQ(nodes_of(cores_, 16), "0000111100001111");
}

TEST_F(Places, follow_the_order_of_sockets_not_of_the_systems_numbers) {
    const Cores interleaved = find_cores("package:2 numa:1 core:2 pu:1(indexes=0,2,1,3)");
    EXPECT_EQ(interleaved.all, (std::vector<Core>{{{0}, 0}, {{2}, 0}, {{1}, 1}, {{3}, 1}}));
}

TEST_F(Places, are_refused_of_a_description_that_means_nothing) {
    const Cores found = find_cores("two big sockets");
    EXPECT_TRUE(found.all.empty());
    EXPECT_NE(found.problem.find("'two big sockets'"), std::string::npos) << found.problem;
}

TEST_F(Places, an_owner_has_a_worker_for_each_core_and_a_processor_for_each_worker) {
    EXPECT_EQ(reason_not_owner(cores_, 8), "");
    EXPECT_EQ(reason_not_owner(cores_, 16), "");
    EXPECT_EQ(reason_not_owner(cores_, 7), "7 workers leave some of the 8 cores to other programs");
    EXPECT_EQ(reason_not_owner(cores_, 17), "17 workers share 16 processors");
}

TEST(Ownership, is_that_of_a_process_that_was_given_no_part) {
    const Surroundings all{.allowed = 16, .processors = 16};
    EXPECT_EQ(reason_not_owner(all, 16), "");
    EXPECT_EQ(reason_not_owner(all, 1), "there is one worker, the launching thread");
    EXPECT_EQ(reason_not_owner({.allowed = 8, .processors = 16}, 8),
              "the process may run on 8 of 16 processors");
    EXPECT_EQ(reason_not_owner({.launcher = "PMI_RANK", .allowed = 16, .processors = 16}, 16),
              "a launcher has started the process (PMI_RANK is set)");
    EXPECT_EQ(reason_not_owner({.has_quota = true, .allowed = 16, .processors = 16}, 16),
              "a control group bounds the process's time");
}

TEST(Ownership, is_not_that_of_a_process_of_an_mpi_program_or_a_job) {
    for (const std::string_view set : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"})
        EXPECT_EQ(launcher_variable([&](const char* name) { return set == name ? "0" : nullptr; }),
                  set);
    EXPECT_EQ(launcher_variable([](const char*) -> const char* { return nullptr; }), "");
}

TEST(Ownership, knows_the_processors_that_the_process_may_use) {
    EXPECT_FALSE(allowed_processors().empty());
}

}  // namespace
}  // namespace refrain::machine::places_test
