#include "refrain/script/leaf_functions.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "run_script.hpp"

/// Of calls that could be made, the most urgent are, wherever their loops stand.
namespace refrain::script::priorities_test {

std::vector<std::int64_t> calls;

std::int64_t note_call(std::int64_t kind) {
    calls.push_back(kind);
    return kind;
}
REFRAIN_SCRIPT_FUNCTION(note_call)

TEST(Priorities, urgent_calls_of_one_loop_come_before_all_of_another) {
    constexpr std::size_t turns = 600;
    for (const char* script :
         {"foreach i in [1:600] { @prio=1 note(1); } foreach i in [1:600] { @prio=5 note(5); }",
          "foreach i in [1:600] { @prio=5 note(5); } foreach i in [1:600] { @prio=2 note(2); }",
          "foreach i in [1:600] { note(0); } foreach i in [1:20] { foreach j in [1:30] { @prio=2 "
          "note(2); } }"}) {
        calls.clear();
        const Ran ran = run_script(
            std::string("(int o) note(int kind) \"native\" \"1\" \"note_call\";\n") + script, 1);
        ASSERT_EQ(ran.result.status, 0) << ran.result.messages;
        ASSERT_EQ(calls.size(), 2 * turns);
        EXPECT_TRUE(std::ranges::is_sorted(calls, std::greater())) << script;
    }
}

}  // namespace refrain::script::priorities_test
