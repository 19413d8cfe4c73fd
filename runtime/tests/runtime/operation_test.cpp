#include "runtime/operation.hpp"

#include <gtest/gtest.h>

namespace refrain::runtime::operation_test {
namespace {

TEST(Operation, the_fields_for_running_tasks_are_in_the_first_two_cache_lines) {
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

TEST(Operation, the_fields_of_the_launching_thread_are_on_other_cache_lines) {
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
