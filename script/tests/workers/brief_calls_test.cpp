#include "refrain/script/leaf_functions.hpp"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include "run_script.hpp"

/// Calls that have always been short are made one after the other, without telling anybody.
namespace refrain::script::brief_calls_test {

/// No verdict depends on it: only a test that fails waits so long.
constexpr std::chrono::seconds patience{120};

/// Ten rounds, or as many as fit into some time: on a busy machine a round takes as long as whoever makes the calls waits
/// for a core.
class Rounds {
  public:
    [[nodiscard]] bool goes_on() { return made_++ < 10 && std::chrono::steady_clock::now() < end_; }

  private:
    int made_ = 0;
    std::chrono::steady_clock::time_point end_ =
        std::chrono::steady_clock::now() + std::chrono::seconds(30);
};

std::atomic<bool> gate_is_open{false};

std::int64_t quick_but_one(std::int64_t i) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (i == 41 && !gate_is_open) {
        if (std::chrono::steady_clock::now() > end) return -1;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return i;
}
std::int64_t opens_gate(std::int64_t i) {
    gate_is_open = true;
    return i;
}
std::atomic<std::int64_t> calls_made{0}, sum_of_calls{0};

std::int64_t last_but_one(std::int64_t i) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (i == 410 && calls_made < 999) {
        if (std::chrono::steady_clock::now() > end) return -1;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ++calls_made;
    sum_of_calls += i;
    return i;
}
REFRAIN_SCRIPT_FUNCTION(quick_but_one)
REFRAIN_SCRIPT_FUNCTION(opens_gate)
REFRAIN_SCRIPT_FUNCTION(last_but_one)

/// The 41st call ends only when another worker has made a call that needs what the first one has computed before.
TEST(BriefCalls, one_that_waits_for_another_call_holds_nothing_up) {
    for (Rounds rounds; rounds.goes_on();) {
        gate_is_open = false;
        const Ran ran = run_script(
            "(int o) quick(int i) \"native\" \"1\" \"quick_but_one\";\n"
            "(int o) opens(int i) \"native\" \"1\" \"opens_gate\";\n"
            "int A[];\n"
            "foreach i in [1:60] { A[i] = quick(i); }\n"
            "trace(opens(A[30]), A[41]);\n",
            2);
        ASSERT_EQ(ran.lines, std::vector<std::string>{"trace: 30,41"}) << ran.result.messages;
    }
}

/// A call of an interval waits for all others of it: those behind it, too, go to another worker, and each is made once.
TEST(BriefCalls, one_that_waits_for_those_behind_it_gets_them_made) {
    for (Rounds rounds; rounds.goes_on();) {
        calls_made = 0;
        sum_of_calls = 0;
        const Ran ran = run_script(
            "(int o) last(int i) \"native\" \"1\" \"last_but_one\";\n"
            "foreach i in [1:1000] { last(i); }\n",
            2);
        ASSERT_EQ(ran.result.status, 0) << ran.result.messages;
        ASSERT_EQ(calls_made, 1000);
        ASSERT_EQ(sum_of_calls, 1000 * 1001 / 2);
    }
}

}  // namespace refrain::script::brief_calls_test
