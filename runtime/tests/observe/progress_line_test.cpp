#include "observe/progress_line.hpp"

#include <gtest/gtest.h>

namespace refrain::observe::progress_line_test {
namespace {

TEST(ProgressLine, says_what_was_launched_replayed_and_is_not_finished) {
    EXPECT_EQ(
        ProgressLine::text({.launched = 1'104'331, .replayed = 1'015'985, .finished = 1'104'116}),
        "1,104,331 operations launched, 92 % replayed, 215 not finished");
    EXPECT_EQ(ProgressLine::text({}), "0 operations launched, 0 % replayed, 0 not finished");
}

}  // namespace
}  // namespace refrain::observe::progress_line_test
