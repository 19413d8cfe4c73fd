#include "regions/taint.hpp"

#include "refrain/reduction.hpp"

#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace refrain::regions::taint_test {
namespace {

data::BoxSet span(std::int64_t from, std::int64_t to) {
    return data::BoxSet(data::Box{{from, 0, 0}, {to, 1, 1}});
}

/// One region of elements 0 to 16, and operations on it.
class TaintedRegions : public ::testing::Test {
  protected:
    ~TaintedRegions() override { release(&region_); }

    [[nodiscard]] RegionAccess access(Privilege privilege, std::vector<data::BoxSet> subsets,
                                      const data::ReductionFunctions* reduction = nullptr) {
        return {.region = region_,
                .privilege = privilege,
                .footprint = footprints_.get(footprints_.intern(std::move(subsets))),
                .unordered_reduction = reduction};
    }
    /// The analysis hears of the next operation.
    graph::OperationNumber issue(Privilege privilege, std::vector<data::BoxSet> subsets) {
        const std::array shapes{
            analysis::RequirementShape{footprints_.intern(std::move(subsets)), privilege, 0}};
        const std::array<analysis::RegionHistory*, 1> regions{&region_};
        history_.append(++newest_, shapes, regions, footprints_);
        return newest_;
    }
    void fail(graph::OperationNumber operation, const RegionAccess& access,
              const std::vector<std::uint32_t>& points) {
        taints_.record(
            {.operation = operation, .newest = newest_, .failure = &failure_, .points = points},
            access);
    }
    [[nodiscard]] static std::vector<std::uint32_t> tainted(const RegionAccess& access) {
        std::vector<std::uint32_t> points;
        Taints::for_each_tainted_point(
            access, [&](std::uint32_t point, Failure&) { points.push_back(point); });
        return points;
    }

    analysis::FootprintTable footprints_;
    analysis::AccessHistory history_{8};
    data::StoragePool pool_;
    graph::OperationNumber next_ = 1;
    RegionTable regions_{pool_, &next_};
    Taints taints_{history_, footprints_, regions_};
    RegionRoot& region_ = *regions_.create({{0, 0, 0}, {16, 1, 1}}, 1, sizeof(int), "x");
    Failure failure_;
    graph::OperationNumber newest_ = 0;
};

using Points = std::vector<std::uint32_t>;

TEST_F(TaintedRegions, points_that_would_see_what_a_failed_point_should_have_written) {
    const auto halves = std::vector{span(0, 8), span(8, 16)};
    const graph::OperationNumber op = issue(Privilege::write, halves);
    EXPECT_FALSE(taints_.any());
    fail(op, access(Privilege::write, halves), {1});
    EXPECT_TRUE(taints_.any());
    EXPECT_EQ(Taints::failure_of(region_), &failure_);
    EXPECT_EQ(failure_.references, 1U);
    EXPECT_EQ(tainted(access(Privilege::read, {span(0, 8), span(6, 9), span(8, 16)})),
              (Points{1, 2}));
    EXPECT_EQ(tainted(access(Privilege::write, {span(0, 16)})), Points{}) << "sees no old value";
}

TEST_F(TaintedRegions, a_failed_reader_taints_nothing) {
    const graph::OperationNumber op = issue(Privilege::read, {span(0, 16)});
    fail(op, access(Privilege::read, {span(0, 16)}), {0});
    EXPECT_FALSE(taints_.any());
}

TEST_F(TaintedRegions, what_was_overwritten_before_the_retirement_is_no_taint) {
    const graph::OperationNumber op = issue(Privilege::write, {span(0, 16)});
    issue(Privilege::write, {span(0, 4)});
    issue(Privilege::read_write, {span(4, 8)});
    fail(op, access(Privilege::write, {span(0, 16)}), {0});
    EXPECT_EQ(tainted(access(Privilege::read, {span(0, 4), span(4, 8)})), Points{1})
        << "only a write replaces values without looking at them";
}

TEST_F(TaintedRegions, what_the_host_has_overwritten_is_no_taint) {
    const graph::OperationNumber op = issue(Privilege::write, {span(0, 16)});
    region_.host_wrote_before = op + 1;
    fail(op, access(Privilege::write, {span(0, 16)}), {0});
    EXPECT_FALSE(taints_.any());
}

TEST_F(TaintedRegions, overwriting_removes_taints_piece_by_piece) {
    const graph::OperationNumber op = issue(Privilege::write, {span(0, 16)});
    fail(op, access(Privilege::write, {span(0, 16)}), {0});
    Taints::overwrite(region_, access(Privilege::write, {span(0, 10)}).footprint);
    EXPECT_EQ(tainted(access(Privilege::read, {span(0, 10), span(9, 11)})), Points{1});
    EXPECT_EQ(failure_.references, 1U);
    EXPECT_TRUE(taints_.any());
    Taints::overwrite(region_, access(Privilege::write, {span(10, 16)}).footprint);
    EXPECT_FALSE(taints_.any());
    EXPECT_EQ(Taints::failure_of(region_), nullptr);
    EXPECT_EQ(failure_.references, 0U);
}

TEST_F(TaintedRegions, clearing_removes_all) {
    const graph::OperationNumber op = issue(Privilege::write, {span(0, 16)});
    fail(op, access(Privilege::write, {span(0, 16)}), {0});
    Taints::clear(region_);
    EXPECT_FALSE(taints_.any());
    EXPECT_EQ(Taints::failure_of(region_), nullptr);
    EXPECT_EQ(failure_.references, 0U);
}

TEST_F(TaintedRegions, end_with_their_region) {
    const graph::OperationNumber op = issue(Privilege::write, {span(0, 16)});
    fail(op, access(Privilege::write, {span(0, 16)}), {0});
    RegionRoot& other = *regions_.create({{0, 0, 0}, {16, 1, 1}}, 1, sizeof(int), "y");
    fail(op,
         {.region = other,
          .privilege = Privilege::write,
          .footprint = footprints_.get(footprints_.intern({span(0, 16)})),
          .unordered_reduction = nullptr},
         {0});
    Taints::clear(region_);
    EXPECT_TRUE(taints_.any());
    release(&other);
    regions_.reclaim(next_);
    EXPECT_FALSE(taints_.any());
    EXPECT_EQ(failure_.references, 0U);
}

TEST_F(TaintedRegions,
       a_missing_contribution_does_not_matter_to_reductions_with_the_same_operator) {
    const auto* sum = &data::reduction_functions<Sum, int>();
    const auto* maximum = &data::reduction_functions<Maximum, int>();
    const graph::OperationNumber op = issue(Privilege::reduce, {span(0, 16)});
    fail(op, access(Privilege::reduce, {span(0, 16)}, sum), {0});
    EXPECT_EQ(tainted(access(Privilege::reduce, {span(0, 16)}, sum)), Points{});
    EXPECT_EQ(tainted(access(Privilege::reduce, {span(0, 16)}, maximum)), Points{0});
    EXPECT_EQ(tainted(access(Privilege::read, {span(0, 16)})), Points{0});
}

}  // namespace
}  // namespace refrain::regions::taint_test
