#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <optional>

#include "programs/random_program.hpp"
#include "run_script.hpp"
#include "tries.hpp"

/// Random typed programs: the interpreter is the oracle, threads with 1, 2 and 4 workers must agree with it. A failure is
/// shrunk; REFRAIN_SCRIPT_SEED=n runs one seed.
namespace refrain::script::random_programs_test {

using Judge = std::function<std::string(const std::string& text)>;

/// How the engines differ from the interpreter; empty if they do not.
std::string difference(const std::string& text) {
    const Ran right = run_script(text, 1, true);
    for (const std::uint32_t workers : {1U, 2U, 4U}) {
        const Ran ran = run_script(text, workers);
        const std::string with = std::to_string(workers) + " workers: ";
        if (ran.lines != right.lines) return with + "other output than the interpreter's";
        if (ran.result.status != right.result.status)
            return with + "another status: " + ran.result.messages + right.result.messages;
        if (ran.result.tasks_waiting == 0 && ran.result.data_left != 0)
            return with + std::to_string(ran.result.data_left) + " data are left";
    }
    return {};
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

TEST(RandomPrograms, engines_and_interpreter_agree) {
    const char* only = std::getenv("REFRAIN_SCRIPT_SEED");
    const std::uint64_t begin = only == nullptr ? 1 : std::strtoull(only, nullptr, 10);
    const std::uint64_t end = only == nullptr ? begin + tries(240) : begin + 1;
    std::uint64_t compiled = 0;
    for (std::uint64_t seed = begin; seed < end; ++seed) {
        const RandomProgram program = make_random_program(seed);
        std::string found;
        try {
            found = difference(program.text());
            ++compiled;
        } catch (const CompileFailure& failure) {
            FAIL() << "seed " << seed << " makes a program that is refused:\n"
                   << failure.what() << program.text();
        }
        ASSERT_EQ(found, "") << "seed " << seed << ", shrunk:\n"
                             << shrunk(program, difference).text();
    }
    EXPECT_EQ(compiled, end - begin);
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
