#pragma once

#include <cstdint>
#include <functional>
#include <map>
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

/// Rows that cannot be measured here, and why.
using Missing = std::map<std::string, std::string>;

/// Operations, messages and CPU time of the programs beside this folder. Quick: small sizes, once.
void add_programs(std::vector<Row>& rows, bool quick);
/// CPU time of a sweep over that of the same tasks in a task group of oneTBB.
void add_tbb(std::vector<Row>& rows, bool quick, Missing& missing);
/// Compiling, starting, running programs, reading kept results, memory, and the size of the command.
void add_commands(std::vector<Row>& rows, bool quick, Missing& missing);
/// GNU parallel, make, Snakemake and Dask, where they are installed.
void add_peers(std::vector<Row>& rows, bool quick, Missing& missing);
/// Random programs by every level and by one and two workers; and a tenth of them by a hundred seeded schedules each.
void add_determinism(std::vector<Row>& rows, std::uint64_t first_seed, std::uint64_t programs);
/// The same programs by ranks of each MPI that is installed.
/// `mpis` names those that are measured.
void add_mpi(std::vector<Row>& rows, bool quick, const std::string& mpis);
/// In a rank: runs the program with its arguments, and prints the messages of the run (rank 0) and the rank's CPU time.
void as_rank(int count, char** words);

}  // namespace script_bench
