#include "property/isolated.hpp"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

namespace refrain::property::isolated_test {
namespace {

using namespace std::chrono_literals;

TEST(Isolated, returns_the_answer) {
    const std::string answer(100'000, 'x');
    EXPECT_EQ(run_isolated([&] { return answer; }, 2min), answer);
}

TEST(Isolated, changes_stay_in_the_child_process) {
    int value = 1;
    EXPECT_EQ(run_isolated(
                  [&] {
                      value = 2;
                      return std::to_string(value);
                  },
                  2min),
              "2");
    EXPECT_EQ(value, 1);
}

TEST(Isolated, reports_a_process_that_dies) {
    const std::string text = run_isolated(
        []() -> std::string {
            std::signal(SIGABRT, SIG_DFL);
            std::abort();
        },
        2min);
    EXPECT_NE(text.find("signal"), std::string::npos) << text;
    EXPECT_NE(run_isolated([]() -> std::string { std::_Exit(3); }, 2min).find("status 3"),
              std::string::npos);
}

TEST(Isolated, reports_a_process_that_does_not_end) {
    EXPECT_EQ(run_isolated(
                  [] {
                      std::this_thread::sleep_for(10min);
                      return std::string();
                  },
                  50ms),
              "the process does not end");
}

TEST(Isolated, work_that_gets_on_may_take_longer_than_the_patience) {
    std::uint64_t asked = 0;  // progress for as long as three patiences
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(run_isolated(
                  [] {
                      std::this_thread::sleep_for(10min);
                      return std::string();
                  },
                  20ms, [&] { return asked < 3 ? ++asked : asked; }),
              "the process does not end");
    EXPECT_EQ(asked, 3U);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 3 * 20ms);
}

}  // namespace
}  // namespace refrain::property::isolated_test
