#include "base/function_ref.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace refrain::base::function_ref_test {
namespace {

int twice(FunctionRef<int(int)> f) {
    return f(1) + f(10);
}

TEST(FunctionRef, calls_what_it_was_made_of_and_copies_nothing) {
    int calls = 0;
    const auto unique = std::make_unique<int>(5);
    const auto callable = [&calls, &unique](int i) { return ++calls, *unique * i; };
    EXPECT_EQ(twice(callable), 55);
    EXPECT_EQ(calls, 2);
}

TEST(FunctionRef, passes_arguments_on_without_copies) {
    auto take = [](std::unique_ptr<int> p) { return *p; };
    const FunctionRef<int(std::unique_ptr<int>)> f = take;
    EXPECT_EQ(f(std::make_unique<int>(7)), 7);
}

}  // namespace
}  // namespace refrain::base::function_ref_test
