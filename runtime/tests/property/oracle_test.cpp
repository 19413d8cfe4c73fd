#include "property/oracle.hpp"

#include <gtest/gtest.h>

namespace refrain::property::oracle_test {
namespace {

/// Programs of a few statements on regions of five elements, written by hand.
class FiveElements : public ::testing::Test {
  protected:
    FiveElements() {
        program_.spaces = {{{{0, 0, 0}, {5, 1, 1}}, 1}};
        say({CreateRegion{.region = 0}});
        say({CreateRegion{.region = 1}});
        CreatePartition halves{.partition = 0, .kind = PartitionKind::tiles};
        halves.counts = {2, 1, 1};  // [0,3) [3,5)
        say({halves});
    }

    Seen say(const Statement& statement) {
        program_.statements.push_back(statement);
        return oracle_.execute(statement);
    }
    static Launch single(std::vector<Requirement> requirements) {
        Launch launch;
        launch.requirements = std::move(requirements);
        return launch;
    }
    static Requirement all(int region, Privilege privilege, Operator op = Operator::sum) {
        return {.region = region, .privilege = privilege, .op = op};
    }
    static Requirement half(int region, Privilege privilege, std::int64_t colour) {
        return {.region = region, .partition = 0, .privilege = privilege, .colour = {colour, 0, 0}};
    }
    static Launch failing(Launch launch) {
        launch.throws_at = 0;
        return launch;
    }
    bool ran(const Launch& launch) { return say({launch}).ran.at(0); }

    Program program_;
    Oracle oracle_{program_};
};

TEST_F(FiveElements, a_fill_is_seen_by_the_host) {
    say({Fill{.region = 0, .value = 7}});
    EXPECT_EQ(say({HostRead{0}}).values, (std::vector<std::uint64_t>{7, 7, 7, 7, 7}));
}

TEST_F(FiveElements, a_write_of_one_half_does_not_change_the_other) {
    say({Fill{.region = 0, .value = 7}});
    say({single({half(0, Privilege::write, 1)})});
    const auto values = say({HostRead{0}}).values;
    EXPECT_EQ(std::vector(values.begin(), values.begin() + 3),
              (std::vector<std::uint64_t>{7, 7, 7}));
    EXPECT_NE(values[3], 7U);
    EXPECT_NE(values[4], 7U);
}

TEST_F(FiveElements, a_sum_adds_what_its_task_computes) {
    say({Fill{.region = 0, .value = 7}});
    const Launch sum = single({all(0, Privilege::reduce)});
    say({sum});
    const std::uint64_t key = key_of_task(sum, {});
    const auto values = say({HostRead{0}}).values;
    for (int e = 0; e < 5; ++e) {
        const std::uint64_t hash = value_at(key, 0, e);
        const std::uint64_t added = is_touched(hash) ? bits_from({}, hash) : 0;
        EXPECT_EQ(values[static_cast<std::size_t>(e)], 7 + added) << "element " << e;
    }
}

TEST_F(FiveElements, what_is_written_depends_on_what_is_read) {
    const Launch copy = single({all(0, Privilege::read), all(1, Privilege::write)});
    say({Fill{.region = 0, .value = 7}});
    say({copy});
    const auto first = say({HostRead{1}}).values;
    say({copy});
    EXPECT_EQ(say({HostRead{1}}).values, first);
    say({Fill{.region = 0, .value = 8}});
    say({copy});
    EXPECT_NE(say({HostRead{1}}).values, first);
}

TEST_F(FiveElements, a_reader_of_elements_of_a_failed_writer_is_skipped) {
    say({Fill{.region = 0, .value = 7}});
    say({failing(single({half(0, Privilege::write, 0)}))});
    EXPECT_FALSE(ran(single({half(0, Privilege::read, 0)})));
    EXPECT_TRUE(ran(single({half(0, Privilege::read, 1)})));
    EXPECT_NE(say({HostRead{0}}).causes, 0U);
}

TEST_F(FiveElements, a_skipped_task_taints_the_elements_it_would_have_written) {
    say({Fill{.region = 0, .value = 7}});
    say({Fill{.region = 1, .value = 7}});
    say({failing(single({half(0, Privilege::read_write, 0)}))});
    EXPECT_FALSE(ran(single({all(0, Privilege::read), half(1, Privilege::write, 1)})));
    EXPECT_FALSE(ran(single({half(1, Privilege::read, 1)})));
    EXPECT_TRUE(ran(single({half(1, Privilege::read, 0)})));
}

TEST_F(FiveElements, a_write_clears_the_taint) {
    say({Fill{.region = 0, .value = 7}});
    say({failing(single({all(0, Privilege::read_write)}))});
    say({single({half(0, Privilege::write, 0)})});
    EXPECT_TRUE(ran(single({half(0, Privilege::read, 0)})));
    EXPECT_FALSE(ran(single({half(0, Privilege::read, 1)})));
    say({HostWrite{.region = 0, .seed = 1}});
    EXPECT_EQ(say({HostRead{0}}).causes, 0U);
}

TEST_F(FiveElements, after_a_failed_sum_further_sums_run_and_others_are_skipped) {
    say({Fill{.region = 0, .value = 7}});
    say({failing(single({all(0, Privilege::reduce, Operator::sum)}))});
    EXPECT_TRUE(ran(single({all(0, Privilege::reduce, Operator::sum)})));
    EXPECT_FALSE(ran(single({all(0, Privilege::reduce, Operator::maximum)})));
    EXPECT_FALSE(ran(single({all(0, Privilege::read)})));
}

TEST_F(FiveElements, after_a_failed_sum_further_ordered_sums_are_skipped) {
    program_.reductions = Reductions::ordered;
    Oracle ordered(program_);
    for (const Statement& statement : program_.statements) ordered.execute(statement);
    ordered.execute({Fill{.region = 0, .value = 7}});
    const Launch sum = single({all(0, Privilege::reduce, Operator::sum)});
    ordered.execute({failing(sum)});
    EXPECT_FALSE(ordered.execute({sum}).ran.at(0));
}

TEST_F(FiveElements, futures_carry_values_and_failures) {
    say({Fill{.region = 0, .value = 7}});
    Launch first = single({all(0, Privilege::read)});
    first.result = 0;
    say({first});
    EXPECT_EQ(say({GetFuture{0, 0}}).values.size(), 1U);
    Launch second = failing(single({}));
    second.futures = {0};
    second.result = 1;
    say({second});
    EXPECT_NE(say({GetFuture{1, 0}}).causes, 0U);
    Launch third = single({});
    third.futures = {1};
    EXPECT_FALSE(ran(third));
}

TEST_F(FiveElements, every_point_of_a_launch_uses_its_own_colour) {
    Launch both;
    both.index = true;
    both.domain = {{0, 0, 0}, {2, 1, 1}};
    both.requirements = {{.region = 0, .partition = 0, .privilege = Privilege::write}};
    EXPECT_EQ(oracle_.subset(both, both.requirements[0], {0, 0, 0}), 0b00111U);
    EXPECT_EQ(oracle_.subset(both, both.requirements[0], {1, 0, 0}), 0b11000U);
    both.requirements[0].projection = Projection::half;
    EXPECT_EQ(oracle_.subset(both, both.requirements[0], {1, 0, 0}), 0b00111U);
}

}  // namespace
}  // namespace refrain::property::oracle_test
