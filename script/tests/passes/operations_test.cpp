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
TEST(Operations, counts_of_sweep_fib_and_wavefront_ride_on_other_operations) {
    for (const char* name : {"sweep", "fib", "wavefront"}) {
        const Counted made = counted(name, 3);
        EXPECT_LE(made.refcount * 100, made.total) << name;
    }
}

TEST(Operations, a_state_in_a_struct_is_created_with_the_counts_of_all_who_will_read_it) {
    const Counted made = counted("anneal", 3);
    EXPECT_LE(made.refcount * 100, made.total * 7);
    const Counted asked = counted("anneal", 3, 1, {}, {"weighted-references"});
    EXPECT_GE(asked.refcount, made.refcount + 20);
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
