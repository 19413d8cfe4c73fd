#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include "programs/random_program.hpp"
#include "run_script.hpp"

/// Writes random programs for runs by MPI, many to a script, since starting processes takes longer than running one:
///
///     random_scripts FOLDER FIRST COUNT    seeds FIRST to FIRST + COUNT - 1
///
/// to well.swift those that end well by themselves, to failing.swift the others, whose failures and waiting work are part of
/// what is tried; and beside each, what the interpreter prints in turns, as sorted lines: well.lines, failing.lines.
namespace {

using namespace refrain::script;

/// The programs, a block each behind what all of them begin with.
struct Batch {
    std::string text = random_prelude();
    std::size_t count = 0;

    void add(std::uint64_t seed, const RandomProgram& program) {
        text += "{  // seed " + std::to_string(seed) + "\n" + program.statements_text() + "}\n";
        ++count;
    }
    void write(const std::string& path) const {
        std::ofstream(path + ".swift") << text;
        std::ofstream lines(path + ".lines");
        for (const std::string& each : run_script(text, 1, true).lines) lines << each << '\n';
        std::cout << path << ": " << count << " programs\n";
    }
};

int write_all(const std::string& folder, std::uint64_t first, std::uint64_t count) {
    Batch well, failing;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const RandomProgram program = make_random_program(seed);
        const bool is_well = run_script(program.text(), 1, true, {}, 0).result.status == 0;
        (is_well ? well : failing).add(seed, program);
    }
    well.write(folder + "/well");
    failing.write(folder + "/failing");
    return well.count == 0 || failing.count == 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return argc != 4 ? 2 : write_all(argv[1], std::stoull(argv[2]), std::stoull(argv[3]));
    } catch (const std::exception& error) {
        std::fputs(error.what(), stderr);
        return 1;
    }
}
