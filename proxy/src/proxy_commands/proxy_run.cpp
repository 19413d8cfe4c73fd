#include "proxy_commands/proxy_run.hpp"

#include "base/text.hpp"
#include "events/block_file.hpp"
#include "generate/computations.hpp"
#include "generate/generate.hpp"
#include "generate/polls.hpp"
#include "proxy_commands/processes.hpp"
#include "proxy_commands/stage.hpp"
#include "refrain/error.hpp"
#include "verify/metric_errors.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>

namespace refrain::proxy {
namespace {

namespace fs = std::filesystem;

/// What builds a proxy: for the simulator with smpicc and its recorder.
std::vector<std::string> build_words(const std::string& folder, const std::string& mpicc,
                                     bool simulated) {
    std::vector<std::string> make{"make", "-s", "-C", folder};
    if (simulated || !mpicc.empty())
        make.insert(make.end(), {"-B", "MPICC=" + (mpicc.empty() ? "smpicc" : mpicc)});
    if (simulated) make.push_back("LDLIBS=" + smpi_link_words());
    return make;
}

/// The MPI that the launcher starts programs of, "openmpi" or "mpich"; nothing if that is not known.
std::string mpi_wanted(const Recording& original, const std::vector<std::string>& words,
                       const Options& options) {
    if (!options.mpi.empty()) return options.mpi;
    if (const std::string told = mpi_of_launcher(words[0]); !told.empty()) return told;
    if (!options.launcher.empty()) return {};
    return original.library.starts_with("Open MPI") ? "openmpi"
           : original.library.starts_with("MPICH")  ? "mpich"
                                                    : "";
}

/// Builds the proxy. Where `mpicc` is that of another MPI than the launcher's, which would start ranks that know nothing of each
/// other, by the wrapper that has the launcher's name or lies beside it. Returns why there is no proxy; empty if there is one.
std::string build(const Recording& original, const std::string& folder,
                  const std::vector<std::string>& words, bool simulated, const Options& options) {
    const Stage building("building the proxy");
    if (run_program(build_words(folder, options.mpicc, simulated)) != 0)
        return "make failed in '" + folder + "'";
    const std::string wanted = mpi_wanted(original, words, options);
    const std::string found = mpi_of(folder + "/proxy");
    const auto fits = [&] { return mpi_of(folder + "/proxy") == wanted; };
    if (simulated || !options.mpicc.empty() || found.empty() || found == wanted ||
        (wanted != "openmpi" && wanted != "mpich"))
        return {};
    const fs::path beside = fs::path(program_file(words[0])).parent_path();
    for (const std::string& wrapper : {"mpicc." + wanted, (beside / "mpicc").string()}) {
        if (program_file(wrapper).empty() ||
            run_program(build_words(folder, wrapper, simulated)) != 0 || !fits())
            continue;
        std::cerr << "refrain proxy: built with " << wrapper << ", since " << words[0]
                  << " starts programs of " << wanted << '\n';
        return {};
    }
    return "mpicc is that of " + found + ", and " + words[0] + " starts programs of " + wanted +
           "; name the compiler wrapper of that: --mpicc mpicc." + wanted;
}

std::vector<std::string> launcher_words(const Recording& original, const Options& options) {
    std::vector<std::string> words = base::parts_of(options.launcher, " \t\n");
    const Launch& launch = original.launch;
    if (!words.empty()) return words;
    if (launch.program >= launch.words.size())
        throw UsageError("'" + options.inputs[0] +
                         "' does not say how the program was started; name it: --launcher "
                         "\"mpirun -n 4\"");
    if (std::find(launch.words.begin(), launch.words.end(), ":") != launch.words.end())
        throw UsageError(
            "'" + options.inputs[0] +
            "' was started as several programs (':' in "
            "its command), and its proxy is one; name what starts that: --launcher \"" +
            launch.words[0] + " -n " + std::to_string(original.size()) + "\"");
    return {launch.words.begin(),
            launch.words.begin() + static_cast<std::ptrdiff_t>(launch.program)};
}

/// Whether a simulated program polled, and what its recording says it computed took processor time and no simulated time, since
/// SMPI measured none. What polls find depends on simulated time: its proxy must not take more.
bool polls_without_computing(const Recording& recording) {
    if (!recording.library.starts_with("SMPI") || !has_refused_polls(recording)) return false;
    double computed = 0, between_calls = 0;  // simulated
    for (const Recording::RankSummary& rank : recording.ranks) {
        computed += rank.cpu_seconds;
        between_calls += rank.wall_seconds;
    }
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
        const Function function = recording.events[i].function;
        if (function != Function::Init_ && function != Function::Init_thread_)
            between_calls -= recording.times[i].seconds;
    }
    return between_calls < computed / 2;
}

/// "error in %: instructions 0.1, loads 0.3, ..."
std::string errors_in_words(const std::vector<MetricError>& errors) {
    std::string text = "error in %:";
    for (const MetricError& error : errors) {
        char each[80];
        std::snprintf(each, sizeof each, "%s %s %.2f", &error == &errors.front() ? "" : ",",
                      error.name.c_str(), 100 * error.mean);
        text += each;
    }
    return text;
}

}  // namespace

ProxyRun run_proxy(const Recording& original, const std::string& folder, const std::string& metrics,
                   const Options& options) {
    ProxyRun result;
    result.words = launcher_words(original, options);
    result.words.push_back(fs::absolute(folder + "/proxy"));
    if (options.size != 0)
        result.words.insert(result.words.end(), {"--size", std::to_string(options.size)});
    // Files that a proxy leaves when it fails lie beside it, not in the current folder of `verify`.
    if (read_whole_file(folder + "/proxy.c").find("\"--scratch\"") != std::string::npos)
        result.words.insert(result.words.end(), {"--scratch", fs::absolute(folder)});
    const std::string run = folder + "/verify-run";
    const bool simulated = find_smpirun(result.words).has_value();
    RecordSettings settings;
    settings.metrics = metrics;
    result.problem = build(original, folder, result.words, simulated, options);
    if (!result.problem.empty()) return result;
    std::vector<std::string> words = result.words;
    if (simulated && metrics == "time" && polls_without_computing(original)) {
        words.insert(words.end(), {"--compute", "0"});
        std::cerr
            << "refrain proxy: runs the proxy with --compute 0, since the program's computation "
               "took no simulated time\n";
    }
    const auto run_it = [&] {
        const Stage running("running the proxy");
        return record(words, find_target(result.words, options.mpi), run, settings);
    };
    if (run_it() != 0)
        result.problem = "the proxy failed";
    else
        result.problem = incomplete(run);
    if (result.problem.empty()) result.recording = merge_folder(run);
    return result;
}

void tune(const Recording& original, Computations& computations, const Options& options) {
    const std::string metrics = counted_by(original.source);
    for (int round = 1; round <= options.rounds; ++round) {
        write_proxy(options,
                    [&] { return proxy_text(original, proxy_title(original), &computations); });
        const ProxyRun run = run_proxy(original, options.output, metrics, options);
        if (!run.problem.empty()) throw UsageError("--tune: " + run.problem);
        const std::vector<MetricError> errors = metric_errors(original, *run.recording);
        std::cout << "refrain proxy: round " << round << ": " << errors_in_words(errors)
                  << std::endl;
        computations.learn(counts_of_proxy(original, *run.recording), error_in_all(errors));
    }
    computations.settle();
}

}  // namespace refrain::proxy
