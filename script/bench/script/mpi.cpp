#include "refrain/script/script.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>

#include "common/stopwatch.hpp"
#include "script/rows.hpp"

namespace script_bench {
namespace {

struct RankCosts {
    double messages = 0;
    double cpu_ns = 0;  // of all ranks, MPI's beginning and end included
};

/// What the ranks print (as_rank), added up.
RankCosts run_by(const std::string& mpirun, int ranks, const std::string& words) {
    const std::string command =
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
        "OMPI_MCA_rmaps_base_oversubscribe=1 "
        "REFRAIN_SCRIPT_PLUGINS='" BENCH_PLUGINS "' " +
        mpirun + " -n " + std::to_string(ranks) + " '" +
        std::filesystem::read_symlink("/proc/self/exe").string() + "' --as-rank " + words;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot run " + mpirun);
    RankCosts sum;
    std::array<char, 256> line{};
    while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
        RankCosts one;
        std::istringstream(line.data()) >> one.messages >> one.cpu_ns;
        sum.messages += one.messages;
        sum.cpu_ns += one.cpu_ns;
    }
    if (pclose(pipe) != 0) throw std::runtime_error(command + " failed");
    return sum;
}

std::string sized(const std::string& program, const char* name, int size) {
    std::string words = program;
    for (const char* each : {name, "M"})
        words += std::string(" --") + each + "=" + std::to_string(size);
    return words;
}

}  // namespace

void as_rank(int count, char** words) {
    const bench::Stopwatch watch;
    refrain::script::RunOptions options;
    options.mpi = true;
    options.arguments.assign(words + 1, words + count);
    options.on_output = [](const std::string&) {};
    const auto result = run_file(std::string(BENCH_SCRIPTS) + "/" + words[0] + ".swift", options);
    if (result.status != 0 || result.data_left != 0) throw std::runtime_error(result.messages);
    std::printf("%llu %.0f\n", static_cast<unsigned long long>(result.messages_sent),
                watch.per(1).cpu_ns);
}

void add_mpi(std::vector<Row>& rows, bool quick, const std::string& mpis) {
    for (const char* const mpi : {"openmpi", "mpich"}) {
        const std::string mpirun = std::string("mpirun.") + mpi;
        if (mpis.find(mpi) == std::string::npos ||
            !std::filesystem::exists(std::string(BENCH_PLUGINS) + "/refrain-script-" + mpi +
                                     ".so") ||
            std::system(("command -v " + mpirun + " > /dev/null").c_str()) != 0)
            continue;
        const int side = quick ? 20 : 1000;
        rows.push_back({std::string("sweep_mpi_") + mpi, "ns", quick ? 0.0 : 1000, false, 0, false,
                        [mpirun, side] {  // what begins and ends MPI is taken off
                            const double small = run_by(mpirun, 2, sized("sweep", "N", 1)).cpu_ns;
                            const double all = run_by(mpirun, 2, sized("sweep", "N", side)).cpu_ns;
                            return (all - small) / side / side;
                        }});
        const int n = quick ? 20 : 200;
        rows.push_back(
            {std::string("messages_mpi_sweep_") + mpi, "", 0.1, false, 0, true,
             [mpirun, n] { return run_by(mpirun, 4, sized("sweep", "N", n)).messages / n / n; }});
        rows.push_back(
            {std::string("messages_mpi_wavefront_") + mpi, "", 1, false, 0, true, [mpirun, n] {
                 const double cells = (n - 1.0) * (n - 1.0);
                 return run_by(mpirun, 4, sized("wavefront", "N", n)).messages / cells;
             }});
    }
}

}  // namespace script_bench
