#include "proxy_commands/commands.hpp"

#include "cli/command_line.hpp"
#include "generate/blocks.hpp"
#include "generate/generate.hpp"
#include "generate/slice.hpp"
#include "merge/anonymous.hpp"
#include "page/json.hpp"
#include "page/run_data.hpp"
#include "proxy_commands/run.hpp"
#include "proxy_page/summary.hpp"
#include "refrain/error.hpp"
#include "verify/metric_errors.hpp"
#include "verify/verify.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "convert/recording_json.hpp"
#include "convert/ti_trace.hpp"
#include "fit/machine.hpp"

namespace refrain::proxy {
namespace {

namespace fs = std::filesystem;

constexpr int exit_different = 1;
constexpr int exit_incomplete = 3;
constexpr int exit_no_verdict = 3;

int status = 0;

struct Options {
    std::vector<std::string> words;
    std::vector<std::string> inputs;
    std::string output, mpi, launcher, mpicc, metrics, machine, phase, iterations, format,
        cc = "cc";
    double speed = 1e9;
    std::uint32_t rank = 0;
    bool json = false, folded = false, force = false, anonymous = false;
};

void write_output(const std::string& name, const std::string& content) {
    if (!replace_file(name, content))
        throw std::runtime_error("cannot write '" + name + "': " + std::strerror(errno));
}

std::vector<std::string> split_words(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream in(text);
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

void run_record(const Options& options) {
    const Target target = find_target(options.words, options.mpi);
    status = record(options.words, target, options.output, options.metrics);
    const std::string problem = incomplete(options.output);
    if (!problem.empty()) {
        std::cerr << "refrain proxy: the recording in " << options.output
                  << " is incomplete: " << problem << '\n';
        if (status == 0) status = exit_incomplete;
    }
}

void run_exec(const Options& options) {
    const char* const folder = std::getenv("REFRAIN_PROXY_RUN");
    const std::string output = !options.output.empty() ? options.output
                               : folder != nullptr     ? folder
                                                       : "proxy-run";
    become(options.words, find_target(options.words, options.mpi), output);
}

/// Gives a timed recording the counts of another run of the program.
void join(Recording& timed, const Recording& counted) {
    if (timed.source != Source::time || counted.source != Source::counts)
        throw UsageError(
            std::string("a recording with time and one with counts can be joined; these have ") +
            source_names[static_cast<std::size_t>(timed.source)] + " and " +
            source_names[static_cast<std::size_t>(counted.source)]);
    const Comparison result = compare(timed, counted, Equality::same);
    if (result.difference)
        throw UsageError("the recordings are not of the same calls; rank " +
                         std::to_string(result.difference->rank) + ", call " +
                         std::to_string(result.difference->event) + ": " +
                         result.difference->first + " in the first, " + result.difference->second +
                         " in the second");
    add_counts(timed, counted);
}

void run_merge(const Options& options) {
    Recording recording = load(options.inputs[0]);
    if (options.inputs.size() > 1) join(recording, load(options.inputs[1]));
    if (options.anonymous) make_anonymous(recording);
    const std::string content = write(recording);
    write_output(options.output, content);
    std::uint64_t events = 0;
    for (const auto& rank : recording.ranks) events += rank.events;
    std::cout << "refrain proxy: " << options.output << ": " << recording.size() << " ranks, "
              << events << " calls in " << content.size() << " bytes\n";
    for (const std::string& note : recording.notes) std::cout << "note: " << note << '\n';
    if (!recording.complete()) {
        std::cout << "The recording is incomplete: " << incomplete(options.inputs[0]) << ".\n";
        status = exit_incomplete;
    }
}

void run_calibrate(const Options& options) {
    const Machine machine = calibrate(options.cc);
    write_output(options.output, write_json(machine));
    const Steering steers = steering(machine);
    std::cout << "refrain proxy: " << options.output << ": " << machine.blocks.size()
              << " blocks, of which " << steers.rank << " are independent of each other\n";
    for (const auto& [text, names] :
         {std::pair("can be steered", &steers.steered), {"cannot", &steers.not_steered}})
        for (const std::string& name : *names) std::cout << "  " << name << ": " << text << '\n';
    for (const std::string& name : machine.not_additive)
        std::cout << "note: twice as many repetitions of " << name << " do not do twice as much\n";
}

void run_info(const Options& options) {
    const Recording recording = load(options.inputs[0]);
    const Summary summary = summarise(recording);
    if (!options.json) {
        for (const std::string& text : summary.words) std::cout << text << '\n';
        for (const auto& function : summary.functions)
            std::cout << "  " << function.name << ": " << function.calls << " calls\n";
        std::cout << "What a proxy cannot promise:\n";
        for (const std::string& text : summary.limits) std::cout << "  " << text << '\n';
        return;
    }
    page::JsonWriter json;
    json.begin_object().key("ranks").value(recording.size()).key("calls").value(summary.calls);
    json.key("complete").value(recording.complete());
    json.key("source").value(source_names[static_cast<std::size_t>(recording.source)]);
    json.key("bytes").value(write(recording).size());
    json.key("communicationBytes").value(communication_bytes(recording));
    json.key("functions").begin_array();
    for (const auto& function : summary.functions) {
        json.begin_object().key("name").value(function.name).key("calls").value(function.calls);
        json.key("seconds").value(function.seconds).end_object();
    }
    json.end_array().key("pairs").begin_array();
    for (const auto& pair : summary.pairs) {
        json.begin_object().key("from").value(pair.from).key("to").value(pair.to);
        json.key("messages").value(pair.calls).key("bytes").value(pair.bytes).end_object();
    }
    json.end_array().key("workSeconds").begin_array();
    for (const auto& rank : summary.ranks) json.value(rank.work);
    json.end_array().key("words").values(summary.words).key("limits").values(summary.limits);
    json.end_object();
    std::cout << json.text() << '\n';
}

void run_report(const Options& options) {
    const Recording recording = load(options.inputs[0]);
    std::optional<Recording> proxy;
    if (options.inputs.size() > 1) proxy = load(options.inputs[1]);
    std::string title = fs::path(options.inputs[0]).filename().string();
    if (recording.launch.program < recording.launch.words.size())
        title = fs::path(recording.launch.words[recording.launch.program]).filename().string() +
                " on " + std::to_string(recording.size()) + " ranks";
    page::write_file(options.output, report_page(recording, proxy ? &*proxy : nullptr, title),
                     "--output", {page::page_mark, options.force});
    std::cout << "refrain proxy: wrote " << options.output << '\n';
}

void run_dump(const Options& options) {
    const Recording recording = load(options.inputs[0]);
    if (options.rank >= recording.size())
        throw UsageError("--rank " + std::to_string(options.rank) + ": the recording has " +
                         std::to_string(recording.size()) + " ranks");
    const strings::Grammar grammar = recording.grammar_of(options.rank);
    if (options.folded) {
        for (std::size_t rule = 0; rule < grammar.size(); ++rule) {
            std::cout << (rule == 0 ? "main" : "rule " + std::to_string(rule)) << '\n';
            for (const strings::Run& run : grammar[rule]) {
                std::cout << "    ";
                if (run.count > 1) std::cout << run.count << " x ";
                if (run.is_rule)
                    std::cout << "rule " << run.symbol << '\n';
                else
                    std::cout << describe(recording.events[run.symbol], recording.texts, true)
                              << '\n';
            }
        }
        return;
    }
    CommunicatorBook book(options.rank, recording.size());
    for (strings::GrammarCursor at(grammar); !at.done(); at.next()) {
        for (std::uint64_t i = 0; i < at.count(); ++i) {
            const std::string text =
                describe(book.resolve(recording.events[at.terminal()]), recording.texts, false);
            if (!options.json) {
                std::cout << text << '\n';
                continue;
            }
            page::JsonWriter json;
            json.begin_object()
                .key("rank")
                .value(options.rank)
                .key("call")
                .value(text)
                .end_object();
            std::cout << json.text() << '\n';
        }
    }
}

/// "10..20"
Iterations read_iterations(const std::string& text) {
    Iterations result;
    if (text.empty()) return result;
    const std::size_t dots = text.find("..");
    const auto number = [&](const std::string& digits) {
        if (digits.empty() || digits.size() > 18 ||
            digits.find_first_not_of("0123456789") != std::string::npos)
            throw UsageError("--iterations '" + text + "': two numbers are wanted, as in 10..20");
        return std::uint64_t{std::stoull(digits)};
    };
    result.first = number(text.substr(0, dots));
    result.last = dots == std::string::npos ? result.first : number(text.substr(dots + 2));
    return result;
}

/// The recording, or the part of it that the options name.
Recording load_part(const Options& options) {
    Recording recording = load(options.inputs[0]);
    if (options.phase.empty() && options.iterations.empty()) return recording;
    const Iterations iterations = read_iterations(options.iterations);
    try {
        return slice(recording, options.phase, iterations);
    } catch (const std::runtime_error& error) {
        throw UsageError("'" + options.inputs[0] + "': " + error.what());
    }
}

void run_generate(const Options& options) {
    const Recording recording = load_part(options);
    const std::vector<std::string> reasons = obstacles(recording);
    if (!reasons.empty()) {
        std::string text = "no proxy can be made of '" + options.inputs[0] + "':";
        for (const std::string& reason : reasons) text += "\n  " + reason;
        throw UsageError(text);
    }
    std::optional<Machine> machine;
    if (!options.machine.empty()) {
        if (!has_counts(recording.source))
            throw UsageError("--machine: '" + options.inputs[0] +
                             "' has no counts; record it with --metrics counts");
        machine = read_machine(read_whole_file(options.machine), options.machine);
        for (const MeasuredBlock& block : machine->blocks)
            if (block_named(block.name) == all_blocks().size())
                throw UsageError("'" + options.machine + "' has a block '" + block.name +
                                 "', which this version does not know; calibrate again");
        if ((machine->source == Source::perf) != (recording.source == Source::perf))
            throw UsageError("--machine: '" + options.machine + "' was calibrated by " +
                             source_names[static_cast<std::size_t>(machine->source)] + ", and '" +
                             options.inputs[0] + "' was recorded by " +
                             source_names[static_cast<std::size_t>(recording.source)] +
                             ", which count differently; record it with --metrics counts");
    } else if (!has_time(recording.source)) {
        throw UsageError("'" + options.inputs[0] +
                         "' has counts and no time: name what `refrain proxy calibrate` wrote with "
                         "--machine");
    }
    std::error_code error;
    fs::create_directories(options.output, error);
    const std::string program =
        recording.launch.program < recording.launch.words.size()
            ? fs::path(recording.launch.words[recording.launch.program]).filename().string()
            : "an MPI program";
    write_output(
        options.output + "/proxy.c",
        proxy_text(recording,
                   "A proxy of " + program + " on " + std::to_string(recording.size()) + " ranks.",
                   machine ? &*machine : nullptr));
    write_output(options.output + "/Makefile", makefile_text());
    if (is_slice(recording)) write_output(options.output + "/slice.rpx", write(recording));
    std::cout << "refrain proxy: wrote " << options.output << "/proxy.c; make -C " << options.output
              << " builds it\n";
    if (is_slice(recording))
        std::cout << "refrain proxy: wrote " << options.output << "/slice.rpx, "
                  << recording.notes.back() << "; verify compares the proxy with that\n";
}

/// A file per rank, and one that lists them.
void write_ti_traces(const Recording& recording, const Options& options) {
    const TiTrace trace(recording, options.speed);
    const std::vector<std::string> reasons = trace.obstacles();
    if (!reasons.empty()) {
        std::string text = "no TI trace can be made of '" + options.inputs[0] + "':";
        for (const std::string& reason : reasons) text += "\n  " + reason;
        throw UsageError(text);
    }
    std::error_code error;
    fs::create_directories(options.output, error);
    std::string list;
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
        const std::string name = options.output + "/rank-" + std::to_string(rank) + ".txt";
        std::ofstream out(name);
        trace.write(rank, [&](const std::string& line) { out << line << '\n'; });
        if (!out.flush()) throw std::runtime_error("cannot write '" + name + "'");
        list += fs::absolute(name).string() + '\n';
    }
    write_output(options.output + "/trace.txt", list);
    std::cout << "refrain proxy: wrote " << options.output << "/trace.txt; smpirun -np "
              << recording.size() << " -replay " << options.output
              << "/trace.txt -platform P -hostfile H simulates it\n";
}

void run_convert(const Options& options) {
    const Recording recording = load(options.inputs[0]);
    if (options.format == "json") {
        write_output(options.output, recording_json(recording) + '\n');
        std::cout << "refrain proxy: wrote " << options.output << '\n';
    } else if (options.format == "ti") {
        write_ti_traces(recording, options);
    } else {
        throw UsageError("--to '" + options.format + "': there are json and ti");
    }
}

void print_difference(const Difference& difference) {
    std::cout << "Rank " << difference.rank << ", call " << difference.event << " ("
              << difference.path << "):\n  first:  "
              << (difference.first.empty() ? "(the recording has ended)" : difference.first)
              << "\n  second: "
              << (difference.second.empty() ? "(the recording has ended)" : difference.second)
              << '\n';
}

void print_verdict(const Options& options, const Comparison& result,
                   const std::vector<std::string>& complaints,
                   const std::vector<MetricError>& errors = {}) {
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
            json.key("path").value(result.difference->path).end_object();
        }
        json.key("counter").values(complaints).key("metrics").begin_array();
        for (const MetricError& error : errors) {
            json.begin_object().key("name").value(error.name).key("original").value(error.original);
            json.key("proxy").value(error.proxy).key("error").value(error.mean);
            json.key("worstRank").value(error.worst).key("perEvent").value(error.per_event);
            json.end_object();
        }
        json.end_array().end_object();
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

void run_verify(const Options& options) {
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
    const std::string run = folder + "/verify-run";
    std::string problem;
    std::vector<std::string> make{"make", "-s", "-C", folder};
    if (!options.mpicc.empty()) make.insert(make.end(), {"-B", "MPICC=" + options.mpicc});
    if (run_program(make) != 0) problem = "make failed in '" + folder + "'";
    // Under the same source: figures of different ones are not compared.
    const std::string metrics = has_counts(original.source) && options.metrics != "time"
                                    ? original.source == Source::perf ? "perf" : "counts"
                                    : "time";
    if (problem.empty() && record(words, find_target(words, options.mpi), run, metrics) != 0)
        problem = "the proxy failed";
    if (problem.empty()) problem = incomplete(run);
    if (!problem.empty()) {
        std::cerr << "refrain proxy: no verdict: " << problem << '\n';
        status = exit_no_verdict;
        return;
    }
    const Recording second = merge_folder(run);
    const Comparison result = compare(original, second, Equality::strict);
    std::vector<std::string> complaints = check_counts(original);
    // The counter of the original counted all of it.
    const auto against =
        is_slice(original) ? std::vector<std::string>() : compare_counts(original, second);
    for (const auto& more : {check_counts(second), against})
        complaints.insert(complaints.end(), more.begin(), more.end());
    print_verdict(options, result, complaints,
                  metrics == "time" ? std::vector<MetricError>() : metric_errors(original, second));
    status = result.difference || !complaints.empty() ? exit_different : 0;
}

void run_diff(const Options& options) {
    const Recording first = load(options.inputs[0]), second = load(options.inputs[1]);
    const Comparison result = compare(first, second, Equality::same);
    const std::vector<std::string> complaints = first.counts.empty() && second.counts.empty()
                                                    ? std::vector<std::string>()
                                                    : compare_counts(first, second);
    print_verdict(options, result, complaints);
    status = result.difference || !complaints.empty() ? exit_different : 0;
}

/// A command of `refrain proxy`.
template <class Run>
cli::CommandLine& add(cli::CommandLine& program, const char* name, const char* what,
                      const char* example, std::shared_ptr<Options>& options, Run run) {
    options = std::make_shared<Options>();
    cli::CommandLine& command = program.add_command(name, what);
    command.set_footer(std::string("Example: refrain proxy ") + example);
    command.on_parsed([options, run] { run(*options); });
    return command;
}

}  // namespace

int exit_status() {
    return status;
}

void set_up_proxy(cli::CommandLine& program) {
    std::shared_ptr<Options> options;
    program.require_command();
    program.set_footer(
        "A proxy in five commands:\n"
        "  refrain proxy record -o run -- mpirun -n 4 ./app\n"
        "  refrain proxy merge run -o run.rpx\n"
        "  refrain proxy generate run.rpx -o proxy\n"
        "  refrain proxy verify run.rpx proxy\n"
        "  refrain proxy report run.rpx -o run.html");

    cli::CommandLine& record =
        add(program, "record", "Run a program and record what it asks of MPI",
            "record -o run -- mpirun -n 4 ./app --size 100", options, run_record);
    options->output = "proxy-run";
    options->metrics = "time";
    record.add_option("-o,--output", options->output, "The folder of the recording").show_default();
    record.add_option("--mpi", options->mpi,
                      "openmpi or mpich; default: the one whose library the program uses");
    record.add_option("COMMAND", options->words, "The command, after --").required();

    record
        .add_option("--metrics", options->metrics,
                    "What is measured between calls: time; counts (under Valgrind: instructions, "
                    "loads, stores, branches, ...); perf (hardware counters)")
        .show_default();

    cli::CommandLine& exec =
        add(program, "exec", "Become a program that is recorded, within a launcher",
            "exec: mpirun -n 4 refrain proxy exec -o run -- ./app", options, run_exec);
    exec.add_option("-o,--output", options->output, "The folder of the recording");
    exec.add_option("--mpi", options->mpi,
                    "openmpi or mpich; default: the one whose library the program uses");
    exec.add_option("COMMAND", options->words, "The command, after --").required();

    cli::CommandLine& merge =
        add(program, "merge", "Merge the recordings of all ranks into one file",
            "merge run run-counts -o run.rpx", options, run_merge);
    merge
        .add_option("RUN", options->inputs,
                    "The folder that record wrote; a second one, with --metrics counts, gives its "
                    "counts to the first")
        .required()
        .values(1, 2);
    merge.add_option("-o,--output", options->output, "The file to write").required();
    merge.add_flag(
        "--anonymous", options->anonymous,
        "Leave out what names something: the command, folders and places of calls, words "
        "given to MPI; tags are numbered anew");

    cli::CommandLine& info = add(program, "info", "Tell in words what a program does",
                                 "info run.rpx", options, run_info);
    info.add_option("RECORDING", options->inputs, "A merged recording, or a folder")
        .required()
        .values(1, 1);
    info.add_flag("--json", options->json, "All figures as JSON");

    cli::CommandLine& report =
        add(program, "report", "Write a page about a recording, and its proxy's",
            "report run.rpx proxy/verify-run -o run.html", options, run_report);
    report
        .add_option("RECORDINGS", options->inputs,
                    "A merged recording, or a folder; then that of the proxy")
        .required()
        .values(1, 2);
    report.add_option("-o,--output", options->output, "The page to write").required();
    report.add_flag("--force", options->force, "Replace the file even if it is no page of Refrain");

    cli::CommandLine& dump = add(program, "dump", "Print the calls of one rank",
                                 "dump run.rpx --rank 2", options, run_dump);
    dump.add_option("RECORDING", options->inputs, "A merged recording, or a folder")
        .required()
        .values(1, 1);
    dump.add_option("--rank", options->rank, "Whose calls").show_default();
    dump.add_flag("--json", options->json, "One JSON object per line");
    dump.add_flag("--folded", options->folded, "The rules instead of single calls");

    cli::CommandLine& generate = add(
        program, "generate", "Write a C program that makes the same calls",
        "generate run.rpx -o proxy --phase step_of_91 --iterations 10..20", options, run_generate);
    generate.add_option("RECORDING", options->inputs, "A merged recording, or a folder")
        .required()
        .values(1, 1);
    generate.add_option("-o,--output", options->output, "The folder to write").required();
    generate.add_option("--machine", options->machine,
                        "What calibrate wrote: computation has the recorded counts; default: it "
                        "takes the recorded time");

    generate.add_option("--phase", options->phase,
                        "Only this loop of all ranks, and the calls outside of such loops, which "
                        "make its handles; a wrong name lists the phases");
    generate.add_option("--iterations", options->iterations,
                        "Only these iterations of the phase: 10..20");

    cli::CommandLine& calibrate =
        add(program, "calibrate", "Measure the blocks that proxies compute with",
            "calibrate -o machine.json", options, run_calibrate);
    calibrate.add_option("-o,--output", options->output, "The file to write").required();
    calibrate.add_option("--cc", options->cc, "The compiler that proxies are built with")
        .show_default();

    cli::CommandLine& convert =
        add(program, "convert", "Write a recording as what other tools read",
            "convert run.rpx --to ti -o traces", options, run_convert);
    convert.add_option("RECORDING", options->inputs, "A merged recording, or a folder")
        .required()
        .values(1, 1);
    convert
        .add_option("--to", options->format,
                    "json: all of it, folded; ti: traces that SimGrid's smpirun -replay simulates")
        .required();
    convert.add_option("-o,--output", options->output, "The file to write; for ti, the folder")
        .required();
    convert
        .add_option("--speed", options->speed,
                    "ti: operations that a second of computation becomes")
        .show_default();

    cli::CommandLine& verify = add(
        program, "verify",
        "Build a proxy, record it, and compare every call; 0: equal, 1: different, 3: no verdict",
        "verify run.rpx proxy", options, run_verify);
    verify.add_option("INPUTS", options->inputs, "The recording, and the folder of the proxy")
        .required()
        .values(2, 2);
    verify.add_option("--launcher", options->launcher,
                      "Starts the proxy; default: what started the original, e.g. mpirun -n 4");
    verify.add_option("--mpi", options->mpi,
                      "openmpi or mpich; default: the one the proxy is built with");
    verify.add_option("--mpicc", options->mpicc,
                      "Builds the proxy anew; e.g. that of another MPI than the recorded one, with "
                      "--launcher");
    verify.add_option("--metrics", options->metrics,
                      "time: compares calls only, even if the recording has counts");
    verify.add_flag("--json", options->json, "The verdict as JSON");

    cli::CommandLine& diff = add(program, "diff", "Compare two recordings; 0: equal, 1: different",
                                 "diff yesterday.rpx today.rpx", options, run_diff);
    diff.add_option("RECORDINGS", options->inputs, "Two merged recordings, or folders")
        .required()
        .values(2, 2);
    diff.add_flag("--json", options->json, "The verdict as JSON");
}

}  // namespace refrain::proxy
