#include "runtime/harness.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <type_traits>

namespace refrain::host_view_lifetime_test {
namespace {

class HostViewLifetime : public ::testing::Test {
  protected:
    HostViewLifetime() { runtime_.fill(x_, 1); }
    void set(int value) {
        runtime_.launch(
            "set",
            [value](View<int, 1> v) {
                for (const Point<1> p : v.domain()) v[p] = value;
            },
            write(x_));
    }

    Runtime runtime_{plain()};
    Region<int, 1> x_ = runtime_.create_region<int>(extents(1000), "x");
};

/// In C++20 the view of `rt.read(x).elements()` ended before the first turn of the loop: the launch
/// was accepted, and the sum of a thousand ones was anything.
TEST_F(HostViewLifetime, of_a_view_without_a_name_is_that_of_the_loop_over_its_elements) {
    int sum = 0;
    int refused = 0;
    for (const int value : runtime_.read(x_).elements()) {
        if (sum == 500) {
            try {
                set(7);
            } catch (const UsageError&) {
                ++refused;
            }
        }
        sum += value;
    }
    EXPECT_EQ(sum, 1000);
    EXPECT_EQ(refused, 1);
    set(7);
    EXPECT_EQ(runtime_.read(x_)[999], 7) << "the loop is over, and with it the view";
}

TEST_F(HostViewLifetime, of_a_view_to_write_is_that_of_the_loop_too) {
    for (int& value : runtime_.read_write(x_).elements()) {
        EXPECT_THROW(set(7), UsageError);
        value = 2;
        break;
    }
    set(3);
    for (int& value : runtime_.write(x_).elements()) value = 5;
    EXPECT_EQ(runtime_.read(x_)[500], 5);
}

TEST_F(HostViewLifetime, of_a_view_without_a_name_is_that_of_its_elements) {
    {
        const auto elements = runtime_.read(x_).elements();
        EXPECT_THROW(set(7), UsageError);
        EXPECT_EQ(std::accumulate(elements.begin(), elements.end(), 0), 1000);
        auto moved = runtime_.read(x_).elements();
        const auto kept = std::move(moved);
        EXPECT_EQ(moved.size(), 0U);
        EXPECT_EQ(kept.size(), 1000U);
        EXPECT_EQ(kept.front() + kept.back() + kept[3], 3);
    }
    set(7);
}

TEST_F(HostViewLifetime, covers_a_call_with_the_elements) {
    const auto sum_of = [&](std::span<const int> values) {
        EXPECT_THROW(set(7), UsageError);
        return std::accumulate(values.begin(), values.end(), 0);
    };
    EXPECT_EQ(sum_of(runtime_.read(x_).elements()), 1000);
    EXPECT_EQ(sum_of(runtime_.read_write(x_).elements()), 1000);
    const auto double_all = [](std::span<int> values) {
        for (int& value : values) value *= 2;
    };
    double_all(runtime_.read_write(x_).elements());
    EXPECT_EQ(std::ranges::max(runtime_.read(x_).elements()), 2);
    set(7);
}

TEST_F(HostViewLifetime, an_element_of_a_view_to_read_without_a_name_is_a_copy) {
    static_assert(!std::is_reference_v<decltype(runtime_.read(x_)[0])>);
    const int& first = runtime_.read(x_)[0];
    const int second = runtime_.read(x_)(1);
    set(7);
    runtime_.wait_all();
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 1);
    runtime_.write(x_)[0] = 4;
    runtime_.read_write(x_)(0) += 4;
    EXPECT_EQ(runtime_.read(x_)[0], 8);
}

TEST_F(HostViewLifetime, ends_when_another_view_is_assigned) {
    const auto y = runtime_.create_region<int>(extents(10), "y");
    runtime_.fill(y, 2);
    auto view = runtime_.read(x_);
    view = runtime_.read(y);
    EXPECT_EQ(view.elements().size(), 10U);
    set(7);
    EXPECT_THROW(runtime_.fill(y, 3), UsageError);
}

TEST_F(HostViewLifetime, the_domain_of_results_without_a_name_is_a_copy) {
    std::int64_t sum = 0;
    for (const Point<1> p :
         runtime_.launch("values", extents(5), [](Point<1> at) { return at[0]; }).domain())
        sum += p[0];
    EXPECT_EQ(sum, 10);
}

}  // namespace
}  // namespace refrain::host_view_lifetime_test
