#include "refrain/detail/sanitizers.hpp"
#include "refrain/error.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

#include "run_script.hpp"

/// Pieces of R in scripts, where R is installed.
namespace refrain::script::r_test {

/// Not under a sanitizer: those intercept xdrmem_create, which libR calls, and find none to forward to, since libtirpc is
/// loaded later.
bool has_r() {
#if defined(REFRAIN_ADDRESS_SANITIZER) || defined(REFRAIN_THREAD_SANITIZER)
    return false;
#endif
    const char* home = std::getenv("R_HOME");
    return std::filesystem::exists(std::string(home == nullptr ? "/usr/lib/R" : home) +
                                   "/lib/libR.so");
}

TEST(R, a_piece_defines_and_an_expression_is_the_result) {
    if (!has_r()) GTEST_SKIP() << "needs r-base-core, and no sanitizer";
    const Ran ran = run_script(R"swift(import R; import string;
string a = R("square <- function(x) x^2\nn = 3", "square(n) + 0.5");
trace(a);
trace(R("", "c(1, 2)"), R("x = 1"), R("", "'\303\251'"));
trace(length(R("", "strrep('x', 100000)")));
wait (a) { trace("kept", R("", "exists('square')")); }
)swift",
                               1);
    EXPECT_EQ(ran.result.messages, "");
    EXPECT_EQ(ran.lines, (std::vector<std::string>{"trace: 1, 2,,\xc3\xa9", "trace: 100000",
                                                   "trace: 9.5", "trace: kept,TRUE"}));
}

TEST(R, an_error_fails_its_call_and_a_crash_does_not_end_the_worker) {
    if (!has_r()) GTEST_SKIP() << "needs r-base-core, and no sanitizer";
    const Ran ran = run_script(R"swift(import R;
trace(R("stop('no way')"));
trace(R("x <- (", "x"));
trace(R("tools::pskill(Sys.getpid(), 9)"));
foreach i in [1:4] { trace(R(strcat("i <- ", i), "i * 2")); }
)swift");
    EXPECT_EQ(ran.lines,
              (std::vector<std::string>{"trace: 2", "trace: 4", "trace: 6", "trace: 8"}));
    EXPECT_EQ(ran.result.tasks_failed, 3U);
    for (const char* each : {"test.swift:2:7: R: no way", "test.swift:3:7: R: <text>:2:0",
                             "test.swift:4:7: R: the process of R was killed by signal Killed"})
        EXPECT_NE(ran.result.messages.find(each), std::string::npos) << ran.result.messages;
}

TEST(R, pieces_see_the_rank_of_their_worker) {
    if (!has_r()) GTEST_SKIP() << "needs r-base-core, and no sanitizer";
    const Ran ran = run_script(
        "import R; import location;\ntrace(@location=locationFromRank(1) R(\"\", "
        "\"paste(Sys.getenv('ADLB_RANK_SELF'), Sys.getenv('ADLB_RANK_LEADER'))\"));");
    EXPECT_EQ(ran.lines, std::vector<std::string>{"trace: 1 0"}) << ran.result.messages;
}

TEST(R, what_is_not_installed_is_said_before_the_run_begins) {
    const char* had = std::getenv("R_HOME");
    ASSERT_EQ(setenv("R_HOME", "/nowhere", 1), 0);
    try {
        static_cast<void>(run_script("import R;\ntrace(1);\ntrace(R(\"x = 1\", \"x\"));"));
        ADD_FAILURE() << "it ran";
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("install the package r-base-core, or set R_HOME"),
                  std::string::npos)
            << error.what();
    }
    had == nullptr ? unsetenv("R_HOME") : setenv("R_HOME", had, 1);
}

}  // namespace refrain::script::r_test
