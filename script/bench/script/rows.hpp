#pragma once

#include <functional>
#include <string>
#include <vector>

namespace script_bench {

/// A figure that is measured several times.
struct Row {
    std::string name;
    const char* unit;
    double limit;     // 0: none
    bool at_least;    // the limit is one from below
    double original;  // what the original needs; 0: nothing comparable
    bool steady;      // the same each time: measured once
    std::function<double()> measure;
};

/// Operations, messages and CPU time of the programs beside this folder. Quick: small sizes, once.
void add_programs(std::vector<Row>& rows, bool quick);
/// Compiling, starting, running programs, reading kept results, and the size of the command.
void add_commands(std::vector<Row>& rows, bool quick);

}  // namespace script_bench
