#include "generate/blocks.hpp"
#include "generate/computations.hpp"
#include "generate/free.hpp"
#include "generate/generate.hpp"
#include "generate/slice.hpp"
#include "proxy_commands/options.hpp"
#include "proxy_commands/proxy_run.hpp"
#include "proxy_commands/run.hpp"
#include "proxy_commands/stage.hpp"
#include "refrain/error.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

#include "fit/machine.hpp"
#include "sizes/sized_model.hpp"
#include "sizes/sized_text.hpp"

namespace refrain::proxy {
namespace {

namespace fs = std::filesystem;

/// What --blocks says, if it is there.
std::optional<BlockKind> wanted_blocks(const Options& options) {
    if (options.blocks.empty()) return std::nullopt;
    const std::optional<BlockKind> kind = block_kind_named(options.blocks);
    if (!kind)
        throw UsageError("--blocks '" + options.blocks + "': blocks are '" + block_kind_names[0] +
                         "' or '" + block_kind_names[1] + "'");
    return kind;
}

void run_calibrate(const Options& options) {
    const BlockKind kind = wanted_blocks(options).value_or(BlockKind::assembly);
    const Machine machine = calibrate(options.cc, kind);
    write_output(options.output, write_json(machine));
    const Steering steers = steering(machine);
    std::cout << "refrain proxy: " << options.output << ": " << machine.blocks.size() << ' '
              << name_of(kind) << " blocks, of which " << steers.rank
              << " are independent of each other\n";
    for (const auto& [text, names] :
         {std::pair("can be steered", &steers.steered), {"cannot", &steers.not_steered}})
        for (const std::string& name : *names) std::cout << "  " << name << ": " << text << '\n';
    for (const std::string& name : machine.not_additive)
        std::cout << "note: twice as many repetitions of " << name << " do not do twice as much\n";
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
    if (!recording.threads.empty())
        for (const auto& [option, given] : {std::pair("--phase", !options.phase.empty()),
                                            {"--iterations", !options.iterations.empty()},
                                            {"--free", options.free},
                                            {"--machine", !options.machine.empty()}})
            if (given)
                throw UsageError(std::string(option) + ": in '" + options.inputs[0] +
                                 "' several threads of a rank call MPI at once, and such a run "
                                 "becomes a strict proxy of all of it that computes by time; "
                                 "leave the option out");
    if (options.phase.empty() && options.iterations.empty()) return recording;
    const Iterations iterations = read_iterations(options.iterations);
    try {
        return slice(recording, options.phase, iterations);
    } catch (const std::runtime_error& error) {
        throw UsageError("'" + options.inputs[0] + "': " + error.what());
    }
}

/// Errors: UsageError that lists what stands in the way of a proxy
void check_obstacles(const Recording& recording, const std::string& name) {
    const std::vector<std::string> reasons = obstacles(recording);
    if (reasons.empty()) return;
    std::string text = "no proxy can be made of '" + name + "':";
    for (const std::string& reason : reasons) text += "\n  " + reason;
    throw UsageError(text);
}

std::string program_name(const Recording& recording) {
    return recording.launch.program < recording.launch.words.size()
               ? fs::path(recording.launch.words[recording.launch.program]).filename().string()
               : "an MPI program";
}

/// One proxy of several recordings, for other numbers of ranks and other sizes.
void generate_sized(const Options& options) {
    if (!options.phase.empty() || !options.iterations.empty() || !options.machine.empty() ||
        options.free)
        throw UsageError(
            "--phase, --iterations, --machine and --free are for one recording; here are " +
            std::to_string(options.inputs.size()));
    if (!options.sizes.empty() && options.sizes.size() != options.inputs.size())
        throw UsageError("--sizes has " + std::to_string(options.sizes.size()) + " numbers for " +
                         std::to_string(options.inputs.size()) +
                         " recordings; name one for each, as in --sizes 64,64,128");
    for (const int size : options.sizes)
        if (size < 1) throw UsageError("--sizes: a size is 1 or more, not " + std::to_string(size));
    std::vector<Recording> recordings;
    for (const std::string& input : options.inputs) {
        recordings.push_back(load(input));
        check_obstacles(recordings.back(), input);
        if (!recordings.back().threads.empty())
            throw UsageError(
                "'" + input +
                "': several threads of a rank call MPI at once, and such a run becomes "
                "a proxy of its own only: name no other recording");
        const auto& events = recordings.back().events;
        if (std::any_of(events.begin(), events.end(), [](const Event& event) {
                return event.function == Function::Win_create_dynamic_;
            }))
            throw UsageError("'" + input +
                             "' has dynamic windows, whose memory is known by its address on one "
                             "number of ranks only: name no other recording");
        if (!has_time(recordings.back().source))
            throw UsageError("'" + input + "' has counts and no time");
    }
    std::vector<SizedInput> inputs;
    for (std::size_t i = 0; i < recordings.size(); ++i)
        inputs.push_back(
            {&recordings[i], options.sizes.empty() ? 0 : options.sizes[i], options.inputs[i]});
    try {
        const SizedModel model = [&] {
            const Stage looking("looking for formulas");
            return fit_sizes(inputs);
        }();
        write_proxy(options, [&] {
            return sized_proxy_text(
                model, "A proxy of " + program_name(recordings[0]) + " on any number of ranks.");
        });
        std::cout << "refrain proxy: wrote " << options.output << "/proxy.c; make -C "
                  << options.output << " builds it\n";
        constexpr std::size_t notes_shown = 8;
        std::size_t shown = 0;
        for (const std::string& note : model.notes)
            if (shown++ < notes_shown)
                std::cout << "note: " << note << ": all recordings agree with both\n";
        if (shown != 0)
            std::cout << "note: the first is taken; a recording of a size that the ranks do not "
                         "divide tells such formulas apart\n";
    } catch (const std::runtime_error& error) {
        throw UsageError(
            "no proxy for other sizes can be made of these recordings, since this follows no "
            "formula of rank, ranks and size:\n  " +
            std::string(error.what()) +
            "\nRecordings on more numbers of ranks, or of more sizes (--sizes), tell formulas "
            "apart; `generate` with one recording makes a proxy of that one");
    }
}

/// Errors: UsageError if it does not fit the recording
Machine load_machine(const Options& options, const Recording& recording) {
    if (!has_counts(recording.source))
        throw UsageError("--machine: '" + options.inputs[0] +
                         "' has no counts; record it with --metrics counts");
    if (is_hardware(recording.source)) {
        const std::string by = counted_by(recording.source);
        throw UsageError("--machine: '" + options.inputs[0] + "' was recorded by " + by +
                         ", and blocks are measured by the counts tool: what a processor counts "
                         "depends on what ran before, of which no share is a block's. Record the "
                         "program with --metrics counts and generate from that; verify '" +
                         options.inputs[0] + "' with that proxy says by " + by +
                         " how near it comes");
    }
    Machine machine = read_machine(read_whole_file(options.machine), options.machine);
    const std::optional<BlockKind> wanted = wanted_blocks(options);
    if (wanted && *wanted != machine.block_kind)
        throw UsageError("--blocks " + options.blocks + ": '" + options.machine +
                         "' was calibrated with " + name_of(machine.block_kind) +
                         " blocks; calibrate another file with --blocks " + options.blocks +
                         ", or leave --blocks out");
    for (const MeasuredBlock& block : machine.blocks)
        if (!block_named(machine.block_kind, block.name))
            throw UsageError("'" + options.machine + "' has " + name_of(machine.block_kind) +
                             " blocks, and a block '" + block.name +
                             "', which this version does not know; calibrate again");
    if (std::string(counted_by(machine.source)) != counted_by(recording.source))
        throw UsageError("--machine: '" + options.machine + "' was calibrated by " +
                         source_names[static_cast<std::size_t>(machine.source)] + ", and '" +
                         options.inputs[0] + "' was recorded by " +
                         source_names[static_cast<std::size_t>(recording.source)] +
                         ", which count differently; record it with --metrics counts");
    return machine;
}

/// Polls and receives from any source are left to the network, as far as nothing else depends on them.
void generate_free(const Options& options, const Recording& recording) {
    if (!options.machine.empty())
        throw UsageError("--free with --machine '" + options.machine +
                         "': how often a free proxy polls is not known beforehand, so that it "
                         "computes by time; leave one of them out");
    write_proxy(options, [&] { return free_proxy_text(recording, proxy_title(recording)); });
    const FreePlan plan = plan_free(recording);
    for (const std::string& receive : plan.kept) std::cout << "kept strict: " << receive << '\n';
    if (plan.polls_kept != 0)
        std::cout << "kept strict: " << plan.polls_kept
                  << " different polls that were told no and not asked again until yes\n";
}

void run_generate(const Options& options) {
    if (options.inputs.size() > 1) return generate_sized(options);
    if (!options.sizes.empty())
        throw UsageError(
            "--sizes is for several recordings, which become one proxy for other sizes; here is "
            "one");
    const Recording recording = load_part(options);
    check_obstacles(recording, options.inputs[0]);
    if (options.machine.empty() && !has_time(recording.source))
        throw UsageError("'" + options.inputs[0] +
                         "' has counts and no time: name what `refrain proxy calibrate` wrote with "
                         "--machine");
    if (wanted_blocks(options) && options.machine.empty())
        throw UsageError("--blocks " + options.blocks +
                         ": a proxy has blocks with --machine only; calibrate --blocks " +
                         options.blocks + " writes one");
    if (options.rounds < 0 || (options.rounds > 0 && options.machine.empty()))
        throw UsageError("--tune " + std::to_string(options.rounds) +
                         ": how often a proxy of --machine is run, as in --machine machine.json "
                         "--tune 4");
    if (options.free) {
        generate_free(options, recording);
    } else if (options.machine.empty()) {
        write_proxy(options, [&] { return proxy_text(recording, proxy_title(recording)); });
    } else {
        const Machine machine = load_machine(options, recording);
        Computations computations = [&] {
            const Stage choosing("choosing blocks");
            return Computations(recording, machine);
        }();
        if (options.rounds > 0) tune(recording, computations, options);
        write_proxy(options,
                    [&] { return proxy_text(recording, proxy_title(recording), &computations); });
    }
    std::cout << "refrain proxy: wrote " << options.output << "/proxy.c; make -C " << options.output
              << " builds it\n";
    for (const std::string& what : recording.invented) std::cout << "invented: " << what << '\n';
    if (!is_slice(recording)) return;
    write_output(options.output + "/slice.rpx", write(recording));
    std::cout << "refrain proxy: wrote " << options.output << "/slice.rpx, "
              << recording.notes.back() << "; verify compares the proxy with that\n";
}

}  // namespace

void write_proxy(const Options& options, const std::function<std::string()>& program) {
    const Stage writing("writing the program");
    const std::string text = program();
    std::error_code error;
    fs::create_directories(options.output, error);
    write_output(options.output + "/proxy.c", text);
    write_output(options.output + "/Makefile", makefile_text(text));
}

std::string proxy_title(const Recording& recording) {
    return "A proxy of " + program_name(recording) + " on " + std::to_string(recording.size()) +
           " ranks.";
}

void add_writing_commands(cli::CommandLine& program) {
    std::shared_ptr<Options> options;
    cli::CommandLine& generate = add_command(
        program, "generate", "Write a C program that makes the same calls",
        "generate run.rpx -o proxy --phase step_of_91 --iterations 10..20", options, run_generate);
    constexpr int recordings_max = 64;
    generate
        .add_option("RECORDINGS", options->inputs,
                    "A merged recording, or a folder; several, on different numbers of ranks: one "
                    "proxy for any number")
        .required()
        .values(1, recordings_max);
    generate
        .add_option("--sizes", options->sizes,
                    "With several recordings: how large the problem of each was, as in 64,64,128; "
                    "the proxy has --size N")
        .separated_by(',')
        .values(1, recordings_max);
    generate.add_option("-o,--output", options->output, "The folder to write").required();
    generate.add_flag(
        "--free", options->free,
        "Polls ask until they are told yes, and receives from any source take what is "
        "there, where no other call depends on which; default: both get what was "
        "recorded. Example: generate run.rpx --free -o proxy");
    generate.add_option("--machine", options->machine,
                        "What calibrate wrote: computation has the recorded counts; default: it "
                        "takes the recorded time");
    generate.add_option("--blocks", options->blocks,
                        "With --machine: assembly or portable, which must be those that calibrate "
                        "measured; default: these");
    generate.add_option("--tune", options->rounds,
                        "With --machine: run the proxy so often under the counts tool, and choose "
                        "its blocks by what it counted there; the run with the least error in all "
                        "is kept");
    generate.add_option("--launcher", options->launcher,
                        "With --tune: starts the proxy; default: what started the original");
    generate.add_option("--mpicc", options->mpicc, "With --tune: builds the proxy");
    generate.add_option("--mpi", options->mpi, "With --tune: records the proxy; as for verify");
    generate.add_option("--phase", options->phase,
                        "Only this loop of all ranks, and the calls outside of such loops, which "
                        "make its handles; a wrong name lists the phases");
    generate.add_option("--iterations", options->iterations,
                        "Only these iterations of the phase: 10..20");

    cli::CommandLine& calibrate =
        add_command(program, "calibrate", "Measure the blocks that proxies compute with",
                    "calibrate --blocks portable -o machine.json", options, run_calibrate);
    calibrate.add_option("-o,--output", options->output, "The file to write").required();
    calibrate.add_option("--blocks", options->blocks,
                         "assembly: instructions of x86-64, the same whatever compiles them; "
                         "portable: C99, of which each compiler and instruction set makes its own; "
                         "default: assembly");
    calibrate.add_option("--cc", options->cc, "The compiler that proxies are built with")
        .show_default();
}

}  // namespace refrain::proxy
