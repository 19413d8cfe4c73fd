#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <numeric>
#include <refrain/script/leaf_functions.hpp>

#include "../../bench/counts.cpp"
#include "run_script.hpp"

/// The programs of the paper: how many logical operations they take, and that counting leaves nothing behind.
namespace refrain::script::operations_test {

struct Counted {
    std::uint64_t total = 0;
    std::uint64_t refcount = 0;
    std::vector<std::string> lines;
};

Counted counted(const std::string& name, int level, std::uint32_t workers = 1,
                std::vector<std::string> arguments = {}, std::vector<std::string> off = {}) {
    std::ifstream file(std::string(REFRAIN_SCRIPT_DIR) + "/bench/" + name + ".swift");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string plug_in = "native:counts.so";  // here the functions are in this program
    text.replace(text.find(plug_in), plug_in.size(), "native");
    RunOptions options;
    options.workers = workers;
    options.level = level;
    options.arguments = std::move(arguments);
    options.passes_off = std::move(off);
    const Ran ran = run_with(text, options);
    EXPECT_EQ(ran.result.status, 0) << ran.result.messages;
    EXPECT_EQ(ran.result.data_left, 0U) << name << " at O" << level;
    const auto& by = ran.result.operations;
    return {std::accumulate(by.begin(), by.end(), std::uint64_t{0}), by.back(), ran.lines};
}

TEST(Operations, levels_give_one_result_with_fewer_and_fewer_operations) {
    for (const char* name : {"sweep", "fib", "wavefront", "anneal"}) {
        const std::vector<std::string> small = {"--N=12", "--M=12", "--n=9"};
        const Counted plain = counted(name, 0, 1, small);
        std::uint64_t last = plain.total;
        for (const int level : {1, 2, 3}) {
            const Counted made = counted(name, level, 1, small);
            EXPECT_EQ(made.lines, plain.lines) << name;
            EXPECT_LE(made.total, last) << name << " at O" << level;
            last = made.total;
        }
    }
}

TEST(Operations, without_passes_there_are_no_more_than_the_originals) {
    const std::pair<const char*, std::uint64_t> originals[] = {
        {"sweep", 213'437}, {"fib", 228'325}, {"wavefront", 133'807}};
    for (const auto& [name, original] : originals)
        EXPECT_LE(counted(name, 0).total, original) << name;
}
TEST(Operations, a_sweep_is_intervals) {
    EXPECT_LE(counted("sweep", 3).total, 2500U);
    EXPECT_LE(counted("sweep", 3, 2).total, 2500U);
}
TEST(Operations, a_cell_of_a_wavefront_subscribes_once_to_its_neighbours) {
    EXPECT_LE(counted("wavefront", 3).total, 5000U);
}
TEST(Operations, members_of_an_evaluation_wait_once_for_the_point_that_they_share) {
    EXPECT_LE(counted("anneal", 3).total * 100, counted("anneal", 0).total * 9);
}
TEST(Operations, a_sum_of_two_calls_is_delivered_to_the_task_that_adds_them) {
    EXPECT_LE(counted("fib", 3).total, 10000U);
    EXPECT_LE(counted("fib", 3, 2).total, 10000U);
}
TEST(Operations, changes_of_counts_ride_on_other_operations) {
    for (const char* name : {"sweep", "fib", "wavefront", "anneal"}) {
        const Counted made = counted(name, 3);
        EXPECT_LE(made.refcount * 100, made.total) << name;
    }
    // Where no state is created with the counts of all who will read it, and no loop with those of its turns.
    EXPECT_GE(counted("anneal", 3, 1, {}, {"weighted-references"}).refcount, 20U);
}
TEST(Operations, turns_of_a_loop_of_known_ends_are_no_tasks) {
    const auto operations = [](std::vector<std::string> on, std::vector<std::string> off) {
        RunOptions options;
        options.workers = 1;
        options.passes_on = std::move(on);
        options.passes_off = std::move(off);
        const Ran ran = run_with(
            "int A[]; int B[]; foreach i in [0:9] { A[i] = i * i; }\n"
            "foreach i in [0:14] { if (i < 10) { B[i] = A[i] + 1; } } trace(B[3]);",
            options);
        EXPECT_EQ(ran.lines, std::vector<std::string>{"trace: 10"});
        EXPECT_EQ(ran.result.data_left, 0U);
        const auto& by = ran.result.operations;
        return std::accumulate(by.begin(), by.end(), std::uint64_t{0});
    };
    EXPECT_EQ(operations({}, {}), 23U);  // 20 elements, their arrays, and the task
    EXPECT_LT(operations({}, {}), operations({}, {"expand-loops"}));
}
TEST(Operations, what_one_of_two_loops_over_the_same_assigns_the_other_does_not_wait_for) {
    const auto operations = [](std::vector<std::string> off) {
        RunOptions options;
        options.workers = 1;
        options.passes_off = std::move(off);
        const Ran ran = run_with(
            "import sys; int n = string2int(argv(\"n\", \"400\")); int A[]; int B[];\n"
            "foreach i in [1:n] { A[i] = i * i; } foreach i in [1:n] { B[i] = A[i] + 1; }\n"
            "trace(B[n]);",
            options);
        EXPECT_EQ(ran.lines, std::vector<std::string>{"trace: 160001"});
        EXPECT_EQ(ran.result.data_left, 0U);
        const auto& by = ran.result.operations;
        return std::accumulate(by.begin(), by.end(), std::uint64_t{0});
    };
    EXPECT_LT(2 * operations({}), operations({"controlflow-fusion"}));
}
TEST(Operations, more_turns_than_a_loop_is_given_counts_for_ask_for_more) {
    RunOptions options;
    options.workers = 2;
    const Ran ran = run_with(
        "import stats; import sys; int n = string2int(argv(\"n\", \"70000\"));\n"
        "int A[]; foreach i in [1:n] { A[i] = i; } trace(sum(A));",
        options);
    EXPECT_EQ(ran.lines, std::vector<std::string>{"trace: 2450035000"});
    EXPECT_EQ(ran.result.data_left, 0U);
    EXPECT_GE(ran.result.operations.back(), 1U);
}

TEST(Operations, counts_of_loops_in_loops_and_of_functions_that_call_others_twice_do_not_overflow) {
    std::string loops =
        "import sys; int n = string2int(argv(\"n\", \"40000\")); int A[]; A[0] = 7;\n"
        "foreach i in [1:n] { foreach j in [0:0] { foreach k in [0:0] { foreach l in "
        "[0:0] { if (i == 3) { trace(A[l]); } } } } }";
    std::string calls = "(int o) f0(int A[], int i) { o = A[i]; }\n";
    for (int i = 1; i < 70; ++i) {
        const std::string callee = "f" + std::to_string(i - 1) + "(A, ";
        calls += "(int o) f" + std::to_string(i) + "(int A[], int i) { if (i > 1) { o = " + callee +
                 "0); } else { if (i > 0) { o = " + callee + "i) + " + callee +
                 "i); } else { o = " + callee + "i); } } }\n";
    }
    calls +=
        "import sys; int n = string2int(argv(\"n\", \"3\")); int A[]; A[0] = 7;\n"
        "foreach j in [0:n] { if (j == 3) { trace(f69(A, j)); } }";
    for (const std::string& text : {loops, calls})
        for (const int level : {1, 2, 3}) {
            const Ran ran = run_script(text, 2, false, {}, level);
            EXPECT_EQ(ran.lines, std::vector<std::string>{"trace: 7"}) << ran.result.messages;
            EXPECT_EQ(ran.result.data_left, 0U);
        }
}

std::int64_t same_number(std::int64_t i) {
    return i;
}
REFRAIN_SCRIPT_FUNCTION(same_number)

TEST(Operations, of_more_data_than_a_task_can_join_the_first_are_joined) {
    constexpr std::uint64_t joined = 256;
    std::string text = "(int o) f(int i) \"native\" \"1\" \"same_number\";\n";
    std::string all;
    for (int i = 0; i < 300; ++i) {
        const std::string name = "a" + std::to_string(i);
        text += "int " + name + " = f(" + std::to_string(i) + ");\n";
        all += (i == 0 ? "" : ",") + name;
    }
    const auto operations = [&](std::vector<std::string> off) {
        RunOptions options;
        options.workers = 1;
        options.passes_off = std::move(off);
        const Ran ran = run_with(text + "trace(" + all + ");", options);
        EXPECT_EQ(ran.result.messages, "");
        EXPECT_EQ(ran.result.data_left, 0U);
        const auto& by = ran.result.operations;
        return std::accumulate(by.begin(), by.end(), std::uint64_t{0});
    };
    EXPECT_LE(operations({"wait-coalesce"}) + joined, operations({"wait-coalesce", "direct-join"}));
}

}  // namespace refrain::script::operations_test
