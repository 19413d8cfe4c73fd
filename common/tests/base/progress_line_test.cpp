#include "base/progress_line.hpp"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace refrain::base::progress_line_test {
namespace {

using std::chrono::milliseconds;

/// What is read from a descriptor until `end` has come.
std::string read_until(int descriptor, const std::string& end) {
    std::string text;
    std::array<char, 256> part;
    while (text.find(end) == std::string::npos) {
        const ssize_t count = ::read(descriptor, part.data(), part.size());
        if (count <= 0) break;
        text.append(part.data(), static_cast<std::size_t>(count));
    }
    return text;
}

TEST(ProgressLine, is_written_to_a_terminal_and_taken_away_at_the_end) {
    if (access("/dev/pts/ptmx", F_OK) != 0)
        GTEST_SKIP() << "the system has no terminals: mount devpts on /dev/pts";
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(terminal, 0);
    ASSERT_EQ(grantpt(terminal), 0);
    ASSERT_EQ(unlockpt(terminal), 0);
    const int program = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    ASSERT_GE(program, 0);
    {
        ProgressLine line({.terminal = program, .first = milliseconds(0)},
                          [] { return "9 of 12"; });
        for (int times = 0; times < 2; ++times) {  // as around a fork
            line.start();
            EXPECT_EQ(read_until(terminal, "\r"), "0 s, 9 of 12\033[K\r");
            line.stop();
            EXPECT_EQ(read_until(terminal, "\033[K"), "\033[K");
        }
        line.stop();
    }
    close(program);
    close(terminal);
}

TEST(ProgressLine, is_not_written_where_there_is_no_terminal) {
    std::array<int, 2> ends;
    ASSERT_EQ(pipe(ends.data()), 0);
    {
        ProgressLine line({.terminal = ends[1], .first = milliseconds(0)}, [] { return "all"; });
        line.start();
        line.stop();
    }
    close(ends[1]);
    EXPECT_EQ(read_until(ends[0], "\r"), "");
    close(ends[0]);
}

}  // namespace
}  // namespace refrain::base::progress_line_test
