#include "refrain/error.hpp"

#include "refrain/privilege.hpp"

#include <gtest/gtest.h>
#include <sstream>

namespace refrain::error_test {
namespace {

static_assert(std::is_base_of_v<Error, UsageError> && std::is_base_of_v<Error, TaskError>);
static_assert(std::is_base_of_v<Error, OutOfMemory> && std::is_base_of_v<Error, TraceMismatch>);
static_assert(std::is_base_of_v<std::runtime_error, Error>);

TEST(Error, of_a_task_names_it_and_keeps_the_original) {
    const auto cause = std::make_exception_ptr(std::out_of_range("index 7"));
    const TaskError error("saxpy", "main.cpp:41", "index 7", cause);
    EXPECT_STREQ(error.what(), "task 'saxpy' (main.cpp:41) failed: index 7");
    EXPECT_EQ(error.task(), "saxpy");
    EXPECT_EQ(error.launch_site(), "main.cpp:41");
    EXPECT_EQ(error.original_message(), "index 7");
    EXPECT_THROW(std::rethrow_exception(error.cause()), std::out_of_range);
}

TEST(Error, of_memory_names_the_region_and_the_bytes) {
    const OutOfMemory error("region4 'y'", 800, "the limit is 500");
    EXPECT_STREQ(error.what(), "no memory for region4 'y' of 800 bytes: the limit is 500");
    EXPECT_EQ(error.region(), "region4 'y'");
    EXPECT_EQ(error.bytes(), 800U);
}

TEST(Privilege, prints_its_name_and_what_it_does) {
    std::ostringstream out;
    for (const Privilege p :
         {Privilege::read, Privilege::write, Privilege::read_write, Privilege::reduce}) {
        out << p << (reads(p) ? " reads" : "") << (overwrites(p) ? " overwrites" : "") << '\n';
    }
    EXPECT_EQ(out.str(), "read reads\nwrite overwrites\nread-write reads overwrites\nreduce\n");
}

}  // namespace
}  // namespace refrain::error_test
