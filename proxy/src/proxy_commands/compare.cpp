#include "generate/generate.hpp"
#include "generate/polls.hpp"
#include "generate/slice.hpp"
#include "page/json.hpp"
#include "proxy_commands/options.hpp"
#include "proxy_commands/proxy_run.hpp"
#include "proxy_commands/run.hpp"
#include "proxy_commands/stage.hpp"
#include "proxy_commands/timed_runs.hpp"
#include "refrain/error.hpp"
#include "verify/metric_errors.hpp"
#include "verify/verify.hpp"

#include <iostream>

#include "convert/rounded_sizes.hpp"

namespace refrain::proxy {
namespace {

void print_difference(const Difference& difference) {
    std::cout << "Rank " << difference.rank << ", call " << difference.event << " ("
              << difference.path << "):\n  first:  "
              << (difference.first.empty() ? "(the recording has ended)" : difference.first)
              << "\n  second: "
              << (difference.second.empty() ? "(the recording has ended)" : difference.second)
              << '\n';
    if (!difference.place.empty()) std::cout << "  called in " << difference.place << '\n';
}

Comparison compared(const Recording& first, const Recording& second, Equality equality) {
    const Stage comparing("comparing the calls");
    return compare(first, second, equality);
}

/// Whether the separate counter counted all ranks.
bool has_counter(const Recording& recording) {
    return recording.counts.size() == recording.size();
}

enum class Verdict { equal, different, none };

/// What the calls and the separate counter say; `counted`: it counted both runs.
Verdict verdict_of(const Comparison& result, const std::vector<std::string>& complaints,
                   bool counted) {
    if (result.difference || !complaints.empty()) return Verdict::different;
    return counted ? Verdict::equal : Verdict::none;
}

/// How far a proxy's computation is off: in all, and in teams thread by thread.
struct ComputationErrors {
    std::vector<MetricError> all;
    std::vector<std::vector<MetricError>> threads;
};

void add_errors(page::JsonWriter& json, const std::vector<MetricError>& errors) {
    json.begin_array();
    for (const MetricError& error : errors) {
        json.begin_object().key("name").value(error.name).key("original").value(error.original);
        json.key("proxy").value(error.proxy).key("error").value(error.mean);
        json.key("worstRank").value(error.worst).key("perEvent").value(error.per_event);
        json.end_object();
    }
    json.end_array();
}

void print_errors(const std::vector<MetricError>& errors) {
    for (const MetricError& error : errors) {
        char line[120];
        std::snprintf(line, sizeof line, "  %-13s %12.0f %12.0f %7.2f %7.2f %7.2f\n",
                      error.name.c_str(), error.original, error.proxy, 100 * error.mean,
                      100 * error.worst, 100 * error.per_event);
        std::cout << line;
    }
}

void print_errors(const ComputationErrors& errors) {
    if (errors.all.empty()) return;
    std::cout
        << "Computation: original, proxy; error in %: mean of the ranks, worst rank, per event\n";
    print_errors(errors.all);
    for (std::size_t thread = 0; thread < errors.threads.size(); ++thread) {
        std::cout << "Thread " << thread << " of teams: likewise\n";
        print_errors(errors.threads[thread]);
    }
}

/// What the separate counter says of calls that are equal.
enum class Counter { agrees, agrees_on_calls, agrees_with_second, knows_nothing };

void print_verdict(const Options& options, const Comparison& result,
                   const std::vector<std::string>& complaints, Verdict verdict, Equality equality,
                   Counter counter, const ComputationErrors& errors = {},
                   const TimedRuns& times = {}) {
    const bool equal = verdict == Verdict::equal;
    if (options.json) {
        page::JsonWriter json;
        json.begin_object().key("equal").value(equal).key("events").value(result.events);
        json.key("free").value(equality == Equality::free).key("live").value(result.live);
        json.key("pinned").value(result.pinned).key("refusedPolls").value(result.refused_polls);
        if (result.difference) {
            json.key("difference").begin_object().key("rank").value(result.difference->rank);
            json.key("event").value(result.difference->event);
            json.key("first").value(result.difference->first);
            json.key("second").value(result.difference->second);
            json.key("path").value(result.difference->path);
            json.key("place").value(result.difference->place).end_object();
        }
        json.key("counter").values(complaints).key("metrics");
        add_errors(json, errors.all);
        json.key("threads").begin_array();
        for (const auto& thread : errors.threads) add_errors(json, thread);
        json.end_array();
        add_times(json, times);
        json.end_object();
        std::cout << json.text() << '\n';
        return;
    }
    if (equality == Equality::free)
        std::cout << "A free proxy: polls are compared folded, " << result.live
                  << " receives from any source as sets of messages.\n";
    if (result.difference) print_difference(*result.difference);
    for (const std::string& complaint : complaints) std::cout << "counter: " << complaint << '\n';
    std::cout << (equal                           ? "Equal: "
                  : verdict == Verdict::different ? "Different: "
                                                  : "No verdict, but no call differs: ")
              << result.events << " calls compared";
    if (result.pinned != 0)
        std::cout << ", " << result.pinned << " of them received from any source and are exact now";
    if (result.refused_polls != 0)
        std::cout << ", " << result.refused_polls << " of them polls that were told no";
    std::cout << ".\n";
    if (equal && counter == Counter::agrees)
        std::cout << "The separate counter agrees on calls, bytes and pairs.\n";
    if (equal && counter == Counter::agrees_on_calls)
        std::cout
            << "The separate counter agrees on calls and pairs; the program's sizes, which it "
               "counted, were rounded later.\n";
    if (equal && counter == Counter::agrees_with_second)
        std::cout << "The separate counter agrees with the proxy's recording; of the program it "
                     "has not counted this part.\n";
    print_times(times);
    print_errors(errors);
}

void run_verify(const Options& options) {
    check_times(options);
    const Recording original = load(options.inputs[0]);
    const std::string folder = options.inputs[1];
    // Under the same source: figures of different ones are not compared.
    const std::string metrics = has_counts(original.source) && options.metrics != "time"
                                    ? counted_by(original.source)
                                    : "time";
    const ProxyRun proxy = run_proxy(original, folder, metrics, options);
    if (!proxy.problem.empty()) {
        std::cerr << "refrain proxy: no verdict: " << proxy.problem << '\n';
        set_exit_status(exit_no_verdict);
        return;
    }
    const Recording& second = *proxy.recording;
    const Equality equality =
        is_free_proxy(read_whole_file(folder + "/proxy.c")) ? Equality::free : Equality::strict;
    const Comparison result = compared(original, second, equality);
    std::vector<std::string> complaints = check_counts(original);
    // The counter of a part counted the whole; an archive of sizes has none.
    const bool counted_alike =
        !is_slice(original) && original.left_out == 0 && original.invented.empty();
    const bool counted = has_counter(original) && has_counter(second);
    const Counted what = has_rounded_sizes(original) ? Counted::calls : Counted::bytes;
    const auto against = counted_alike && counted ? compare_counts(original, second, what)
                                                  : std::vector<std::string>();
    for (const auto& more : {check_counts(second), against})
        complaints.insert(complaints.end(), more.begin(), more.end());
    const Verdict verdict = verdict_of(result, complaints, counted || !counted_alike);
    if (counted_alike && !counted)
        complaints.push_back(
            "a run has no counts, since nothing is preloaded into a program with its MPI inside");
    print_verdict(options, result, complaints, verdict, equality,
                  counted && counted_alike
                      ? what == Counted::bytes ? Counter::agrees : Counter::agrees_on_calls
                  : has_counter(second) ? Counter::agrees_with_second
                                        : Counter::knows_nothing,
                  metrics == "time" ? ComputationErrors()
                                    : ComputationErrors{metric_errors(original, second),
                                                        thread_errors(original, second)},
                  run_in_turns(original, proxy.words, options));
    if (verdict == Verdict::different && second.library.starts_with("SMPI") &&
        has_refused_polls(original))
        std::cerr
            << "refrain proxy: under SMPI, polls find what simulated time has brought. Where it "
               "measures computation, that differs in each run; "
               "--cfg=smpi/simulate-computation:no, for the program and its proxy, leaves it out\n";
    set_exit_status(verdict == Verdict::equal       ? 0
                    : verdict == Verdict::different ? exit_different
                                                    : exit_no_verdict);
}

void run_diff(const Options& options) {
    const Recording first = load(options.inputs[0]), second = load(options.inputs[1]);
    const Comparison result = compared(first, second, Equality::same);
    const std::vector<std::string> complaints = first.counts.empty() && second.counts.empty()
                                                    ? std::vector<std::string>()
                                                    : compare_counts(first, second);
    const Verdict verdict = verdict_of(result, complaints, true);
    print_verdict(options, result, complaints, verdict, Equality::same,
                  first.counts.empty() ? Counter::knows_nothing : Counter::agrees);
    set_exit_status(verdict == Verdict::equal ? 0 : exit_different);
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
