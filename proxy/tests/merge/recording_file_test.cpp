#include "refrain/proxy/recording_file.hpp"

#include "refrain/error.hpp"

#include <cstdio>
#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace refrain::proxy::recording_file_test {
namespace {

TEST(RecordingFile, calls_are_read_in_order_until_the_reader_has_enough) {
    const std::string name = ::testing::TempDir() + "refrain_recording_file_test.rpx";
    ASSERT_TRUE(replace_file(name, write(merge(testing::ring(3, 50), {}))));
    const RecordingFile file(name);
    std::remove(name.c_str());
    EXPECT_EQ(file.ranks(), 3u);
    EXPECT_TRUE(file.complete());
    EXPECT_EQ(file.calls(1), 107u);
    std::uint64_t calls = 0;
    std::string second;
    file.for_each_call(2, [&](std::string_view text, std::uint64_t times) {
        if (calls == 1) second = text;
        calls += times;
        return true;
    });
    EXPECT_EQ(calls, 107u);
    EXPECT_NE(second.find("dest 0"), std::string::npos) << second;
    int seen = 0;
    file.for_each_call(0, [&](std::string_view, std::uint64_t) { return ++seen < 3; });
    EXPECT_EQ(seen, 3);
    EXPECT_THROW((void)file.calls(3), UsageError);
}

TEST(RecordingFile, a_file_that_is_not_there_is_named) {
    try {
        const RecordingFile file("/nowhere/at_all.rpx");
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("at_all.rpx"), std::string::npos);
    }
}

}  // namespace
}  // namespace refrain::proxy::recording_file_test
