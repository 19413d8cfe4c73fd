#include "processes/said_errors.hpp"

#include "processes/process.hpp"

#include <csignal>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

/// What a program says on standard error takes little memory, however much it is.
namespace refrain::processes {
namespace {

std::string all_of(const SaidErrors& said) {
    std::FILE* const file = std::tmpfile();
    said.write_to(fileno(file));
    std::string text(static_cast<std::size_t>(lseek(fileno(file), 0, SEEK_CUR)), '\0');
    EXPECT_EQ(pread(fileno(file), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    std::fclose(file);
    return text;
}

TEST(SaidErrors, keeps_the_last_in_memory_and_all_of_it_in_order) {
    for (const int lines : {0, 1, 20'000, 200'000}) {
        SaidErrors said;
        std::string expected;
        for (int i = 0; i < lines; ++i) {
            const std::string line = "line " + std::to_string(i) + "\n";
            said.add(line);
            expected += line;
            ASSERT_LE(said.tail().size(), 2 * SaidErrors::tail_max);
        }
        EXPECT_EQ(said.empty(), lines == 0);
        EXPECT_TRUE(expected.ends_with(said.tail()));
        EXPECT_EQ(all_of(said), expected);
        SaidErrors moved(std::move(said));
        EXPECT_EQ(all_of(moved), expected);
        said = std::move(moved);
        EXPECT_EQ(all_of(said), expected);
    }
}

/// As on a full disk: files may not become longer than three times the tail.
TEST(SaidErrors, says_how_much_the_file_had_no_room_for) {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    SaidErrors said;
    {
        rlimit less = before;
        less.rlim_cur = 3 * SaidErrors::tail_max;
        setrlimit(RLIMIT_FSIZE, &less);
        for (int i = 0; i < 10; ++i) said.add(std::string(SaidErrors::tail_max, 'a'));
        said.add("the end");
        setrlimit(RLIMIT_FSIZE, &before);
    }
    const std::string text = all_of(said);
    EXPECT_TRUE(text.ends_with("the end"));
    const std::size_t at = text.find("\n[");
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(at + std::stoull(text.substr(at + 2)) + said.tail().size(),
              10 * SaidErrors::tail_max + 7);
}

TEST(SaidErrors, of_a_program_that_says_much_take_little_memory) {
    ProcessTable table;
    ProcessCommand command{{"sh", "-c", "head -c 20000000 /dev/zero >&2; echo end >&2"}, {}, 0, {}};
    command.keeps_errors = true;
    const ProcessEnd end = run_process(command, table);
    EXPECT_TRUE(end.well());
    EXPECT_LE(end.errors.tail().size(), 2 * SaidErrors::tail_max);
    const std::string all = all_of(end.errors);
    EXPECT_EQ(all.size(), 20'000'004U);
    EXPECT_TRUE(all.ends_with("end\n"));
}

}  // namespace
}  // namespace refrain::processes
