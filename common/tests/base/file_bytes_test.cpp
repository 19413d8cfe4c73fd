#include "base/file_bytes.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace refrain::base {
namespace {

TEST(FileBytes, come_back_from_where_they_were_written_and_end_with_the_file) {
    std::FILE* const file = std::tmpfile();
    std::string bytes(3'000'000, 'x');
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31 % 251);
    ASSERT_TRUE(write_file_bytes(fileno(file), bytes, 7));
    EXPECT_EQ(read_file_bytes(fileno(file), 7, 7 + 3'000'000), bytes);
    EXPECT_EQ(read_file_bytes(fileno(file), 10, 12), bytes.substr(3, 2));
    EXPECT_EQ(read_file_bytes(fileno(file), 3'000'000, 4'000'000), bytes.substr(3'000'000 - 7));
    EXPECT_EQ(read_file_bytes(fileno(file), 5'000'000, 6'000'000), "");
    std::fclose(file);
}

TEST(FileBytes, that_cannot_be_moved_give_errno) {
    EXPECT_EQ(read_file_bytes(-1, 0, 1), std::nullopt);
    EXPECT_EQ(errno, EBADF);
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    EXPECT_FALSE(write_file_bytes(full, "text", 0));
    EXPECT_EQ(errno, ENOSPC);
    close(full);
}

}  // namespace
}  // namespace refrain::base
