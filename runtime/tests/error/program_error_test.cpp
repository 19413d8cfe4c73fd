#include "runtime/harness.hpp"

#include <fstream>
#include <string>

namespace refrain::program_error_test {
namespace {

/// What a main function does.
void run_program(std::string option) {
    std::string name = "program";
    char* arguments[] = {name.data(), option.data(), nullptr};
    int count = 2;
    const Runtime runtime(count, arguments);
    std::exit(0);
}

/// These options are right, but what they ask for cannot be had. The exception went through main, and
/// the program was aborted.
TEST(ProgramErrorDeathTest, a_file_that_cannot_be_written_ends_it_with_status_two_and_a_line) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const std::string file = ::testing::TempDir() + "program_error_test.txt";
    std::ofstream(file) << "chapter one";
    for (const std::string option : {"report", "timeline", "log-stream"}) {
        EXPECT_EXIT(run_program("--refrain:" + option + "=" + file), testing::ExitedWithCode(2),
                    "^refrain: option " + option +
                        ": cannot write '.*': it exists, and Refrain did not write it;.*\n$");
        EXPECT_EXIT(run_program("--refrain:" + option + "=/nowhere/file"),
                    testing::ExitedWithCode(2),
                    "^refrain: option " + option +
                        ": cannot write '/nowhere/file': No such file or directory;.*\n$");
    }
    std::remove(file.c_str());
}

}  // namespace
}  // namespace refrain::program_error_test
