// Views are not checked in this file whatever the build (it is compiled alone).
#undef REFRAIN_CHECK_BOUNDS
#ifndef NDEBUG
#define NDEBUG 1
#endif

#include "runtime/unmarked_writes.hpp"

#include "runtime/harness.hpp"

namespace refrain {

void write_second_half_unmarked(Runtime& runtime, const Region<int, 1>& region) {
    runtime.launch(
        "half", [](View<int, 1> v) { v[4] = 1; },
        write(region, tiles(region.bounds(), 2), Point<1>(1)));
}

void write_from_the_host_unmarked(Runtime& runtime, const Region<int, 1>& region) {
    runtime.write(region)[0] = 1;
}

namespace unmarked_writes_test {
namespace {

TEST(UnmarkedWrites, are_told_of_if_nothing_else_runs) {
    ::testing::internal::CaptureStderr();
    {
        Options options = plain();
        options.checks.strict_reads = true;
        Runtime runtime(options);
        const auto x = runtime.create_region<int>(extents(8), "x");
        write_second_half_unmarked(runtime, x);
        EXPECT_EQ(runtime.read(x).elements().size(), 8U) << "nobody looks at marks here";
    }
    expect_phrases(::testing::internal::GetCapturedStderr(), "strict-reads checked no task",
                   "REFRAIN_CHECK_BOUNDS");
}

}  // namespace
}  // namespace unmarked_writes_test
}  // namespace refrain
