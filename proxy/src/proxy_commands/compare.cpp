#include "generate/slice.hpp"
#include "page/json.hpp"
#include "proxy_commands/options.hpp"
#include "proxy_commands/processes.hpp"
#include "proxy_commands/run.hpp"
#include "proxy_commands/timed_runs.hpp"
#include "refrain/error.hpp"
#include "verify/metric_errors.hpp"
#include "verify/verify.hpp"

#include <filesystem>
#include <iostream>
#include <sstream>

namespace refrain::proxy {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split_words(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream in(text);
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

void print_difference(const Difference& difference) {
    std::cout << "Rank " << difference.rank << ", call " << difference.event << " ("
              << difference.path << "):\n  first:  "
              << (difference.first.empty() ? "(the recording has ended)" : difference.first)
              << "\n  second: "
              << (difference.second.empty() ? "(the recording has ended)" : difference.second)
              << '\n';
    if (!difference.place.empty()) std::cout << "  called in " << difference.place << '\n';
}

void print_verdict(const Options& options, const Comparison& result,
                   const std::vector<std::string>& complaints,
                   const std::vector<MetricError>& errors = {}, const TimedRuns& times = {}) {
    const bool equal = !result.difference && complaints.empty();
    if (options.json) {
        page::JsonWriter json;
        json.begin_object().key("equal").value(equal).key("events").value(result.events);
        json.key("pinned").value(result.pinned).key("refusedPolls").value(result.refused_polls);
        if (result.difference) {
            json.key("difference").begin_object().key("rank").value(result.difference->rank);
            json.key("event").value(result.difference->event);
            json.key("first").value(result.difference->first);
            json.key("second").value(result.difference->second);
            json.key("path").value(result.difference->path);
            json.key("place").value(result.difference->place).end_object();
        }
        json.key("counter").values(complaints).key("metrics").begin_array();
        for (const MetricError& error : errors) {
            json.begin_object().key("name").value(error.name).key("original").value(error.original);
            json.key("proxy").value(error.proxy).key("error").value(error.mean);
            json.key("worstRank").value(error.worst).key("perEvent").value(error.per_event);
            json.end_object();
        }
        json.end_array();
        add_times(json, times);
        json.end_object();
        std::cout << json.text() << '\n';
        return;
    }
    if (result.difference) print_difference(*result.difference);
    for (const std::string& complaint : complaints) std::cout << "counter: " << complaint << '\n';
    std::cout << (equal ? "Equal: " : "Different: ") << result.events << " calls compared";
    if (result.pinned != 0)
        std::cout << ", " << result.pinned << " of them received from any source and are exact now";
    if (result.refused_polls != 0)
        std::cout << ", " << result.refused_polls << " of them polls that were told no";
    std::cout << ".\n";
    if (equal) std::cout << "The separate counter agrees on calls, bytes and pairs.\n";
    print_times(times);
    if (errors.empty()) return;
    std::cout
        << "Computation: original, proxy; error in %: mean of the ranks, worst rank, per event\n";
    for (const MetricError& error : errors) {
        char line[120];
        std::snprintf(line, sizeof line, "  %-13s %12.0f %12.0f %7.2f %7.2f %7.2f\n",
                      error.name.c_str(), error.original, error.proxy, 100 * error.mean,
                      100 * error.worst, 100 * error.per_event);
        std::cout << line;
    }
}

/// What builds a proxy: for the simulator with smpicc and its recorder.
std::vector<std::string> build_words(const std::string& folder, const std::string& mpicc,
                                     bool simulated) {
    std::vector<std::string> make{"make", "-s", "-C", folder};
    if (simulated || !mpicc.empty())
        make.insert(make.end(), {"-B", "MPICC=" + (mpicc.empty() ? "smpicc" : mpicc)});
    if (simulated) make.push_back("LDLIBS=" + smpi_link_words());
    return make;
}

void run_verify(const Options& options) {
    check_times(options);
    const Recording original = load(options.inputs[0]);
    const std::string folder = options.inputs[1];
    std::vector<std::string> words = split_words(options.launcher);
    if (words.empty()) {
        if (original.launch.program >= original.launch.words.size())
            throw UsageError("'" + options.inputs[0] +
                             "' does not say how the program was started; name it: --launcher "
                             "\"mpirun -n 4\"");
        words.assign(
            original.launch.words.begin(),
            original.launch.words.begin() + static_cast<std::ptrdiff_t>(original.launch.program));
    }
    const std::string proxy = folder + "/proxy";
    words.push_back(fs::absolute(proxy));
    if (options.size != 0) words.insert(words.end(), {"--size", std::to_string(options.size)});
    const std::string run = folder + "/verify-run";
    std::string problem;
    if (run_program(build_words(folder, options.mpicc, find_smpirun(words).has_value())) != 0)
        problem = "make failed in '" + folder + "'";
    // Under the same source: figures of different ones are not compared.
    const std::string metrics = has_counts(original.source) && options.metrics != "time"
                                    ? original.source == Source::perf ? "perf" : "counts"
                                    : "time";
    RecordSettings settings;
    settings.metrics = metrics;
    if (problem.empty() && record(words, find_target(words, options.mpi), run, settings) != 0)
        problem = "the proxy failed";
    if (problem.empty()) problem = incomplete(run);
    if (!problem.empty()) {
        std::cerr << "refrain proxy: no verdict: " << problem << '\n';
        set_exit_status(exit_no_verdict);
        return;
    }
    const Recording second = merge_folder(run);
    const Comparison result = compare(original, second, Equality::strict);
    std::vector<std::string> complaints = check_counts(original);
    // The counter of a part counted the whole; an archive of sizes has none.
    const bool counted_alike =
        !is_slice(original) && original.left_out == 0 && original.invented.empty();
    const auto against =
        !counted_alike ? std::vector<std::string>() : compare_counts(original, second);
    for (const auto& more : {check_counts(second), against})
        complaints.insert(complaints.end(), more.begin(), more.end());
    print_verdict(options, result, complaints,
                  metrics == "time" ? std::vector<MetricError>() : metric_errors(original, second),
                  run_in_turns(original, words, options));
    set_exit_status(result.difference || !complaints.empty() ? exit_different : 0);
}

void run_diff(const Options& options) {
    const Recording first = load(options.inputs[0]), second = load(options.inputs[1]);
    const Comparison result = compare(first, second, Equality::same);
    const std::vector<std::string> complaints = first.counts.empty() && second.counts.empty()
                                                    ? std::vector<std::string>()
                                                    : compare_counts(first, second);
    print_verdict(options, result, complaints);
    set_exit_status(result.difference || !complaints.empty() ? exit_different : 0);
}

}  // namespace

void add_comparing_commands(cli::CommandLine& program) {
    std::shared_ptr<Options> options;
    cli::CommandLine& verify = add_command(
        program, "verify",
        "Build a proxy, record it, and compare every call; 0: equal, 1: different, 3: no verdict",
        "verify run.rpx proxy", options, run_verify);
    verify.add_option("INPUTS", options->inputs, "The recording, and the folder of the proxy")
        .required()
        .values(2, 2);
    verify.add_option("--launcher", options->launcher,
                      "Starts the proxy; default: what started the original, e.g. mpirun -n 4");
    verify.add_option(
        "--mpi", options->mpi,
        "openmpi, mpich or smpi, or a folder that build wrote; default: the one the proxy is "
        "built with");
    verify.add_option("--mpicc", options->mpicc,
                      "Builds the proxy anew; e.g. that of another MPI than the recorded one, with "
                      "--launcher");
    verify.add_option("--size", options->size,
                      "The size of the problem, for a proxy of several recordings");
    verify.add_option("--metrics", options->metrics,
                      "time: compares calls only, even if the recording has counts");
    verify.add_option("--time", options->times,
                      "Run the program and its proxy so often in turns, and compare their times");
    verify.add_flag("--json", options->json, "The verdict as JSON");

    cli::CommandLine& diff =
        add_command(program, "diff", "Compare two recordings; 0: equal, 1: different",
                    "diff yesterday.rpx today.rpx", options, run_diff);
    diff.add_option("RECORDINGS", options->inputs, "Two merged recordings, or folders")
        .required()
        .values(2, 2);
    diff.add_flag("--json", options->json, "The verdict as JSON");
}

}  // namespace refrain::proxy
