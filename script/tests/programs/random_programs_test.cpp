#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <optional>

#include "programs/random_program.hpp"
#include "run_script.hpp"
#include "tries.hpp"

/// Random typed programs: the interpreter is the oracle, threads with 1, 2 and 4 workers must agree with it, whatever the
/// passes did to the code; and what they did must not show. A failure is shrunk; REFRAIN_SCRIPT_SEED=n runs one seed; with
/// REFRAIN_SCRIPT_PROGRAMS=m, seeds n to n + m - 1.
namespace refrain::script::random_programs_test {

using Judge = std::function<std::string(const std::string& text)>;

/// How the engines differ from the interpreter of the same code; empty if they do not.
std::string difference(const std::string& text, int level,
                       std::initializer_list<std::uint32_t> worker_counts) {
    const Ran right = run_script(text, 1, true, {}, level);
    for (const std::uint32_t workers : worker_counts) {
        const Ran ran = run_script(text, workers, false, {}, level);
        const std::string with =
            "O" + std::to_string(level) + ", " + std::to_string(workers) + " workers: ";
        if (ran.lines != right.lines) return with + "other output than the interpreter's";
        if (ran.result.status != right.result.status)
            return with + "another status: " + ran.result.messages + right.result.messages;
        if (ran.result.tasks_waiting == 0 && ran.result.data_left != 0)
            return with + std::to_string(ran.result.data_left) + " data are left";
    }
    return {};
}

std::string difference(const std::string& text) {
    const std::string plain = difference(text, 0, {2});
    return plain.empty() ? difference(text, 3, {1, 2, 4}) : plain;
}

bool fails(const RandomProgram& program, const Judge& judge) {
    try {
        return !judge(program.text()).empty();
    } catch (const CompileFailure&) {
        return false;
    }
}

/// The program that still fails after leaving out one statement at a time.
RandomProgram shrunk(RandomProgram program, const Judge& judge) {
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (RandomProgram& each : smaller_programs(program)) {
            if (!fails(each, judge)) continue;
            program = std::move(each);
            smaller = true;
            break;
        }
    }
    return program;
}

/// Judges `count` programs from `first` on, or the one that the environment names. None of them may be refused.
void expect_no_fault(std::uint64_t first, std::uint64_t count, const Judge& judge) {
    const char* only = std::getenv("REFRAIN_SCRIPT_SEED");
    const std::uint64_t begin = only == nullptr ? first : std::strtoull(only, nullptr, 10);
    const char* many = std::getenv("REFRAIN_SCRIPT_PROGRAMS");
    const std::uint64_t end = only == nullptr   ? begin + tries(count)
                              : many == nullptr ? begin + 1
                                                : begin + std::strtoull(many, nullptr, 10);
    for (std::uint64_t seed = begin; seed < end; ++seed) {
        const RandomProgram program = make_random_program(seed);
        try {
            const std::string found = judge(program.text());
            ASSERT_EQ(found, "") << "seed " << seed << ", shrunk:\n"
                                 << shrunk(program, judge).text();
        } catch (const CompileFailure& failure) {
            FAIL() << "seed " << seed << " makes a program that is refused:\n"
                   << failure.what() << program.text();
        }
    }
}

TEST(RandomPrograms, engines_and_interpreter_agree) {
    expect_no_fault(1, 240, [](const std::string& text) { return difference(text); });
}

/// How engines in processes differ from the interpreter; empty if they do not.
std::string difference_of_processes(const std::string& text) {
    const Ran right = run_script(text, 1, true);
    RunOptions options;
    options.processes = true;
    for (const std::uint32_t workers : {1U, 3U}) {
        options.workers = workers;
        const Ran ran = run_with(text, options);
        const std::string with = std::to_string(workers) + " processes: ";
        if (ran.lines != right.lines) return with + "other output than the interpreter's";
        if (ran.result.status != right.result.status)
            return with + "another status: " + ran.result.messages + right.result.messages;
        if (ran.result.tasks_waiting == 0 && ran.result.data_left != 0)
            return with + std::to_string(ran.result.data_left) + " data are left";
    }
    return {};
}

TEST(RandomPrograms, engines_in_processes_and_interpreter_agree) {
    expect_no_fault(2001, 40, difference_of_processes);
}

/// How the passes change what a program does; empty if they do not.
///
/// Dead code may take its failures and what it waited for along: then a program may end well that did not before.
std::string change_by_passes(const std::string& text) {
    const Ran right = run_script(text, 1, true, {}, 0);
    const auto judge = [&](const Ran& ran, const std::string& with) -> std::string {
        if (ran.lines != right.lines) return with + ": another output";
        if (right.result.status == 0 && ran.result.status != 0)
            return with + ": fails: " + ran.result.messages;
        if (ran.result.tasks_waiting == 0 && ran.result.data_left != 0)
            return with + ": " + std::to_string(ran.result.data_left) + " data are left";
        return {};
    };
    for (const int level : {1, 2, 3}) {
        const std::string name = "O" + std::to_string(level);
        if (auto found = judge(run_script(text, 2, false, {}, level), name); !found.empty())
            return found;
    }
    for (const PassInfo& each : compiler_passes()) {
        if (!each.built) continue;
        const std::string name(each.name);
        if (auto found = judge(run_script(text, 1, false, {}, 0, {name}), name + " alone");
            !found.empty())
            return found;
    }
    return {};
}

TEST(RandomPrograms, no_level_and_no_pass_alone_changes_what_a_program_does) {
    expect_no_fault(1001, 60, change_by_passes);
}

/// The fuzzer finds a fault that is planted: a judge who takes one statement for a fault.
TEST(RandomPrograms, a_failure_shrinks_until_no_smaller_program_fails) {
    const Judge planted = [](const std::string& text) {
        static_cast<void>(run_script(text, 1, true));
        return text.find("squares(2);") == std::string::npos ? std::string()
                                                             : std::string("planted");
    };
    std::optional<RandomProgram> program;
    for (std::uint64_t seed = 1; seed < 200 && !program; ++seed)
        if (RandomProgram made = make_random_program(seed); !planted(made.text()).empty())
            program = made;
    ASSERT_TRUE(program.has_value());
    const RandomProgram smallest = shrunk(*program, planted);
    EXPECT_TRUE(fails(smallest, planted));
    EXPECT_LT(smallest.text().size(), program->text().size());
    for (const RandomProgram& smaller : smaller_programs(smallest))
        EXPECT_FALSE(fails(smaller, planted)) << smaller.text();
}

}  // namespace refrain::script::random_programs_test
