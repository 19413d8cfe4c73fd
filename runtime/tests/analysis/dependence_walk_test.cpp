#include "analysis/dependence_walk.hpp"

#include "analysis/session.hpp"

#include <gtest/gtest.h>

namespace refrain::analysis::testing::dependence_walk_test {
namespace {

constexpr Elements whole = span(0, 8);
constexpr Elements left = span(0, 4);
constexpr Elements right = span(4, 8);
constexpr std::size_t A = 0, B = 1, C = 2, D = 3;

Session session(std::uint32_t window = 1024) {
    return Session(std::vector<Extents>(4, Extents{1, 8}), window);
}

TEST(DependenceWalk, a_reader_waits_for_the_writer_and_a_writer_for_the_readers) {
    Session s = session();
    EXPECT_EQ(s.launch({writes(A, {whole})}), nothing());
    EXPECT_EQ(s.launch({reads(A, {whole})}), for_data_of({0}));
    EXPECT_EQ(s.launch({reads(A, {whole})}), for_data_of({0}));
    EXPECT_EQ(s.launch({writes(A, {whole})}), for_their_end({1, 2}));
}

TEST(DependenceWalk, disjoint_elements_of_a_region_are_independent) {
    Session s = session();
    EXPECT_EQ(s.launch({writes(A, {left})}), nothing());
    EXPECT_EQ(s.launch({writes(A, {right})}), nothing());
    EXPECT_EQ(s.launch({updates(A, {left})}), for_data_of({0}));
    EXPECT_EQ(s.launch({reads(A, {span(3, 5)})}), for_data_of({1, 2}));
}

TEST(DependenceWalk, points_wait_for_the_points_whose_elements_they_touch) {
    Session s = session();
    const std::vector<Elements> tiles = {span(0, 2), span(2, 4), span(4, 6), span(6, 8)};
    const std::vector<Elements> halos = {span(0, 3), span(1, 5), span(3, 7), span(5, 8)};
    s.launch({writes(A, tiles)});
    EXPECT_EQ(s.launch({reads(A, halos), writes(B, tiles)}), (Edges{{0, 0, 0, true},
                                                                    {0, 0, 1, true},
                                                                    {0, 1, 0, true},
                                                                    {0, 1, 1, true},
                                                                    {0, 1, 2, true},
                                                                    {0, 2, 1, true},
                                                                    {0, 2, 2, true},
                                                                    {0, 2, 3, true},
                                                                    {0, 3, 2, true},
                                                                    {0, 3, 3, true}}));
}

TEST(DependenceWalk, reductions_with_one_operator_are_independent_and_others_are_ordered) {
    Session s = session();
    s.launch({writes(A, {whole})});
    EXPECT_EQ(s.launch({reduces(A, {whole}, 1)}), for_data_of({0}));
    EXPECT_EQ(s.launch({reduces(A, {left}, 1)}), for_data_of({0}));
    EXPECT_EQ(s.launch({reduces(A, {whole}, 1)}), for_data_of({0}));
    EXPECT_EQ(s.launch({reduces(A, {left}, 2)}), for_data_of({0, 1, 2, 3}));
    EXPECT_EQ(s.launch({reads(A, {right})}), for_data_of({0, 1, 3}));
}

TEST(DependenceWalk, a_write_waits_for_readers_but_not_for_the_writers_before_them) {
    Session s = session();
    s.launch({writes(A, {whole})});
    s.launch({reads(A, {left})});
    EXPECT_EQ(s.launch({writes(A, {left})}), for_their_end({1}));
    EXPECT_EQ(s.launch({writes(A, {whole})}), both(for_their_end({0}), for_their_end({2})));
}

TEST(DependenceWalk, a_launch_does_not_wait_for_itself) {
    Session s = session();
    EXPECT_EQ(s.launch({reads(A, {left}), writes(A, {right}), updates(A, {whole})}), nothing());
    EXPECT_EQ(s.launch({updates(A, {whole}), reads(A, {whole})}), for_data_of({0}));
}

// Each of these fails under a looser rule for memoising dependences.

TEST(DependenceWalk, a_link_names_the_requirement_as_well_as_the_operation) {
    Session s = session();
    s.launch({writes(A, {whole}), reads(B, {whole})});
    EXPECT_EQ(s.launch({reads(B, {whole})}), nothing());
    s.launch({writes(C, {whole}), reads(D, {whole})});
    EXPECT_EQ(s.launch({reads(C, {whole})}), for_data_of({2}));
}

TEST(DependenceWalk, an_access_to_other_elements_does_not_end_the_walk) {
    Session s = session();
    s.launch({reads(D, {left})});
    EXPECT_EQ(s.launch({updates(D, {right})}), nothing());
    EXPECT_EQ(s.launch({updates(D, {right})}), for_data_of({1}));
    EXPECT_EQ(s.launch({writes(D, {left})}), for_their_end({0}));
}

TEST(DependenceWalk, a_partial_write_covers_only_its_elements) {
    Session s = session();
    s.launch({writes(A, {whole})});
    s.launch({writes(A, {left})});
    EXPECT_EQ(s.launch({reads(A, {whole})}), for_data_of({0, 1}));
}

TEST(DependenceWalk, a_read_waits_for_an_old_reduction_behind_newer_ones) {
    Session s = session();
    s.launch({reduces(A, {whole})});
    s.launch({reads(B, {whole})});
    for (int i = 0; i < 10; ++i) s.launch({reduces(A, {left})});
    const Edges found = s.launch({reads(A, {right})});
    EXPECT_EQ(found, for_data_of({0}));
}

TEST(DependenceWalk, an_operation_a_window_ago_is_not_waited_for) {
    for (const std::uint32_t window : {2U, 4U, 16U}) {
        Session s = session(window);
        s.launch({writes(A, {whole})});
        for (std::uint32_t i = 1; i + 1 < window; ++i) s.launch({reads(B, {whole})});
        EXPECT_EQ(s.launch({reads(A, {left})}), for_data_of({0})) << "the last that must wait";
        EXPECT_EQ(s.launch({reads(A, {right})}), nothing()) << "one later";
    }
}

TEST(DependenceWalk, a_reused_region_record_keeps_nothing_of_the_old_region) {
    Session s = session();
    s.launch({writes(C, {whole})});
    s.renew(C);
    EXPECT_EQ(s.launch({writes(C, {whole})}), nothing());
    EXPECT_EQ(s.launch({writes(C, {whole})}), for_their_end({1}));
}

TEST(DependenceWalk, equal_launches_may_wait_for_different_operations) {
    Session s = session();
    EXPECT_EQ(s.launch({updates(A, {whole})}), nothing());
    EXPECT_EQ(s.launch({updates(A, {whole})}), for_data_of({0}));
    EXPECT_EQ(s.launch({updates(A, {whole})}), for_data_of({1}));
}

TEST(DependenceWalk, conflicts_are_found_per_point_not_per_launch) {
    Session s = session();
    for (int i = 0; i < 3; ++i) s.launch({writes(C, {right, left})});
    EXPECT_EQ(s.launch({writes(C, {left, right})}), (Edges{{2, 0, 1, false}, {2, 1, 0, false}}));
}

TEST(DependenceWalk, a_read_waits_for_the_writer_of_its_own_region) {
    Session s = session();
    s.launch({writes(A, {whole})});
    s.launch({writes(B, {whole})});
    EXPECT_EQ(s.launch({reads(A, {whole})}), for_data_of({0}));
    EXPECT_EQ(s.launch({reads(B, {whole})}), for_data_of({1}));
}

TEST(DependenceWalk, each_of_several_equal_writes_waits_for_the_previous_one) {
    Session s = session();
    s.launch({writes(D, {whole})});
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_EQ(s.launch({writes(D, {whole})}), for_their_end({i}));
}

TEST(DependenceWalk, requirements_on_one_region_differ_from_those_on_two) {
    Session s = session();
    s.launch({updates(A, {whole}), reduces(A, {whole})});
    EXPECT_EQ(s.launch({updates(B, {whole}), reduces(A, {whole})}), for_data_of({0}));
    EXPECT_EQ(s.launch({reads(B, {whole})}), for_data_of({1}));
    EXPECT_EQ(s.launch({reads(A, {whole})}), for_data_of({0, 1}));
}

TEST(DependenceWalk, all_accesses_of_a_launch_conflict_before_any_of_them_covers) {
    for (const bool write_first : {false, true}) {
        Session s = session();
        const Use read_by_1 = reads(A, {0, whole});
        const Use write_by_0 = writes(A, {whole, 0});
        if (write_first)
            s.launch({write_by_0, read_by_1});
        else
            s.launch({read_by_1, write_by_0});
        EXPECT_EQ(s.launch({writes(A, {whole})}), (Edges{{0, 0, 0, false}, {0, 1, 0, false}}));
    }
}

// Failure travels along edges that carry data and along no others.

TEST(DependenceWalk, a_true_dependence_is_kept_although_a_path_over_readers_exists) {
    Session s = session();
    s.launch({writes(A, {whole})});
    s.launch({reads(A, {whole})});
    EXPECT_EQ(s.launch({updates(A, {whole})}), both(for_data_of({0}), for_their_end({1})));
}

TEST(DependenceWalk, a_reduction_keeps_its_true_dependence_although_it_waits_for_readers) {
    Session s = session();
    s.launch({writes(A, {whole})});
    s.launch({reads(A, {whole})});
    EXPECT_EQ(s.launch({reduces(A, {whole})}), both(for_data_of({0}), for_their_end({1})));
}

TEST(DependenceWalk, no_data_flows_from_overwritten_elements) {
    Session s = session();
    s.launch({writes(A, {left})});
    s.launch({writes(A, {right})});
    EXPECT_EQ(s.launch({reads(A, {whole})}), for_data_of({0, 1}));
    s.launch({writes(A, {left})});
    EXPECT_EQ(s.launch({reads(A, {whole})}), for_data_of({1, 3}))
        << "the sources of the previous reader are inherited, except for the left half";
}

TEST(DependenceWalk, an_edge_that_carries_data_for_one_requirement_carries_data) {
    Session s = session();
    s.launch({writes(A, {whole}), reads(B, {whole})});
    EXPECT_EQ(s.launch({writes(B, {whole}), reads(A, {whole})}), for_data_of({0}));
    EXPECT_EQ(s.launch({writes(A, {whole}), writes(B, {whole})}), for_their_end({1}));
}

TEST(DependenceWalk, an_access_knows_the_oldest_operation_visited) {
    Session s = session();
    s.launch({writes(A, {whole})});
    s.launch({writes(A, {left})});
    s.launch({reads(A, {left})});
    s.launch({reads(A, {whole})});
    EXPECT_EQ(s.access(2, 0).oldest_seen, OperationNumber{2});
    EXPECT_EQ(s.access(3, 0).oldest_seen, OperationNumber{1});
    EXPECT_TRUE(s.access(0, 0).saw_beginning);
    for (const std::size_t step : {1U, 2U, 3U}) EXPECT_FALSE(s.access(step, 0).saw_beginning);
}

}  // namespace
}  // namespace refrain::analysis::testing::dependence_walk_test
