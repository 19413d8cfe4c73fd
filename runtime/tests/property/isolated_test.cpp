#include "property/isolated.hpp"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

namespace refrain::property::isolated_test {
namespace {

using namespace std::chrono_literals;

TEST(Isolated, hands_the_answer_back) {
    const std::string answer(100'000, 'x');
    EXPECT_EQ(run_isolated([&] { return answer; }, 10s), answer);
}

TEST(Isolated, keeps_changes_to_itself) {
    int value = 1;
    EXPECT_EQ(run_isolated(
                  [&] {
                      value = 2;
                      return std::to_string(value);
                  },
                  10s),
              "2");
    EXPECT_EQ(value, 1);
}

TEST(Isolated, survives_a_process_that_dies) {
    const std::string text = run_isolated(
        []() -> std::string {
            std::signal(SIGABRT, SIG_DFL);
            std::abort();
        },
        10s);
    EXPECT_NE(text.find("signal"), std::string::npos) << text;
    EXPECT_NE(run_isolated([]() -> std::string { std::_Exit(3); }, 10s).find("status 3"),
              std::string::npos);
}

TEST(Isolated, does_not_wait_for_ever) {
    EXPECT_EQ(run_isolated(
                  [] {
                      std::this_thread::sleep_for(60s);
                      return std::string();
                  },
                  50ms),
              "it does not end");
}

}  // namespace
}  // namespace refrain::property::isolated_test
