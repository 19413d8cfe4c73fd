#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace refrain::script {

/// A random typed script, as a tree of statements that can be printed, run, and made smaller.
///
/// Programs have ints, floats, strings, files, subtypes, structs, bags, nested arrays, arrays by strings and of structs, branches
/// and switches on computed values, range loops, loops over arrays, carried loops, waits, chains, functions of the language and
/// of C, elements that are not there, and variables that nobody assigns. No variable is assigned twice: names are new for each
/// assignment, and elements of an array have keys of their own. Updateable variables are read when all updates are done.
struct RandomStatement {
    std::string head;  // the statement, or what stands before the block
    std::vector<RandomStatement> body;
    std::string tail;                    // what stands behind the block
    std::vector<RandomStatement> other;  // the block of an else
    bool in_block = false;
};
struct RandomProgram {
    std::vector<RandomStatement> statements;
    [[nodiscard]] std::string text() const;
    /// Without what all programs begin with: random_prelude().
    [[nodiscard]] std::string statements_text() const;
};
[[nodiscard]] std::string random_prelude();

[[nodiscard]] RandomProgram make_random_program(std::uint64_t seed);

/// All programs with one statement left out, or one block replaced by its content. Some may not compile.
[[nodiscard]] std::vector<RandomProgram> smaller_programs(const RandomProgram& program);

}  // namespace refrain::script
