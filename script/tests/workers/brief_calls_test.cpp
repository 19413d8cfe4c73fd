#include "refrain/script/leaf_functions.hpp"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include "run_script.hpp"

/// Calls that have always been short are made one after the other, without telling anybody.
namespace refrain::script::brief_calls_test {

std::atomic<bool> gate_is_open{false};

std::int64_t quick_but_one(std::int64_t i) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
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
REFRAIN_SCRIPT_FUNCTION(quick_but_one)
REFRAIN_SCRIPT_FUNCTION(opens_gate)

/// The 41st call ends only when another worker has made a call that needs what the first one has computed before.
TEST(BriefCalls, one_that_waits_for_another_call_holds_nothing_up) {
    for (int round = 0; round < 10; ++round) {
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

}  // namespace refrain::script::brief_calls_test
