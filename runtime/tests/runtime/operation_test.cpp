#include "runtime/operation.hpp"

#include <gtest/gtest.h>

namespace refrain::runtime::operation_test {
namespace {

TEST(Operation, what_every_task_needs_lies_in_its_first_two_lines) {
    const Operation operation;
    const auto end_of = [&](const auto& member) {
        return reinterpret_cast<const std::byte*>(&member + 1) -
               reinterpret_cast<const std::byte*>(&operation);
    };
    const auto two_lines = static_cast<std::ptrdiff_t>(2 * base::line_bytes);
    EXPECT_LE(end_of(operation.cost), two_lines);
    EXPECT_LE(end_of(operation.domain_shape), two_lines);
    EXPECT_LE(end_of(operation.is_general), two_lines);
    EXPECT_LE(end_of(operation.function), two_lines);
    EXPECT_LE(end_of(operation.closure), two_lines);
    EXPECT_LE(end_of(operation.first_argument), two_lines);
    EXPECT_LE(end_of(operation.argument_count), two_lines);
    EXPECT_LE(end_of(operation.future_values), two_lines);
    EXPECT_LE(end_of(operation.result_values), two_lines);
}

TEST(Operation, what_only_the_launching_thread_looks_at_shares_no_line_with_that) {
    const Operation operation;
    const auto line_of = [&](const void* member) {
        return (static_cast<const std::byte*>(member) -
                reinterpret_cast<const std::byte*>(&operation)) /
               static_cast<std::ptrdiff_t>(base::line_bytes);
    };
    EXPECT_GE(line_of(&operation.hash), 2);
    EXPECT_GE(line_of(&operation.result), 2);
    EXPECT_GE(line_of(&operation.destroy_closure), 2);
}

}  // namespace
}  // namespace refrain::runtime::operation_test
