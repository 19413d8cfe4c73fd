#include "regions/fold_order.hpp"

#include "regions/owner.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace refrain::regions::fold_order_test {
namespace {

/// Appends a decimal digit, so that a result shows the order of its folds.
const data::ReductionFunctions append_digit{
    "AppendDigit",
    [](void* elements, std::size_t count) { std::fill_n(static_cast<int*>(elements), count, 0); },
    [](void* into, const void* from, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            int& value = static_cast<int*>(into)[i];
            value = 10 * value + static_cast<const int*>(from)[i];
        }
    },
    sizeof(int)};

data::BoxSet span(std::int64_t from, std::int64_t to) {
    return data::BoxSet(data::Box{{from, 0, 0}, {to, 1, 1}});
}

/// Points 0, 1, 2 reduce into elements {0 1}, {1 2}, {2 3}, each its number and one.
class FoldOrders : public ::testing::Test {
  protected:
    FoldOrders() {
        storage_.open(owner_, data::Box{{0, 0, 0}, {4, 1, 1}}, sizeof(int));
        std::fill_n(static_cast<int*>(storage_.ensure()), 4, 0);
        static_cast<void>(order_.add_part(append_digit, footprint_));
    }
    ~FoldOrders() override { storage_.reset(); }

    void finish(std::uint32_t point) {
        auto* partial = static_cast<int*>(pool_.allocate(2 * sizeof(int)));
        std::fill_n(partial, 2, static_cast<int>(point) + 1);
        order_.deposit(point, 0, partial);
    }
    void skip(std::uint32_t point) { order_.deposit(point, 0, nullptr); }
    [[nodiscard]] std::vector<int> elements() {
        const auto* first = static_cast<const int*>(storage_.elements());
        return {first, first + 4};
    }

    data::StoragePool pool_;
    Owner owner_{pool_};
    Storage storage_;
    analysis::Footprint footprint_{std::vector<data::BoxSet>{span(0, 2), span(1, 3), span(2, 4)},
                                   0};
    FoldOrder order_{storage_, 3};
};

TEST_F(FoldOrders, the_result_is_the_same_in_whatever_order_points_finish) {
    finish(2);
    finish(0);
    finish(1);
    EXPECT_EQ(elements(), (std::vector<int>{1, 12, 23, 3}));
}

TEST_F(FoldOrders, elements_that_no_unfinished_point_before_reduces_are_folded_at_once) {
    finish(2);
    EXPECT_EQ(elements(), (std::vector<int>{0, 0, 0, 3})) << "element 2 waits for point 1";
    finish(1);
    EXPECT_EQ(elements(), (std::vector<int>{0, 0, 23, 3})) << "element 1 waits for point 0";
    finish(0);
    EXPECT_EQ(elements(), (std::vector<int>{1, 12, 23, 3}));
}

TEST_F(FoldOrders, a_point_that_was_skipped_lets_those_behind_it_fold) {
    finish(1);
    finish(2);
    skip(0);
    EXPECT_EQ(elements(), (std::vector<int>{0, 2, 23, 3}));
}

}  // namespace
}  // namespace refrain::regions::fold_order_test
