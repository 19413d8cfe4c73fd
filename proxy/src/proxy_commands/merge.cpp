#include "merge/anonymous.hpp"
#include "proxy_commands/options.hpp"
#include "proxy_commands/run.hpp"
#include "proxy_commands/stage.hpp"
#include "refrain/error.hpp"
#include "verify/metric_errors.hpp"
#include "verify/verify.hpp"

#include <iostream>

#include "convert/rounded_sizes.hpp"

namespace refrain::proxy {
namespace {

/// Gives a timed recording the counts of another run of the program.
void join(Recording& timed, const Recording& counted) {
    if (timed.source != Source::time || counted.source != Source::counts)
        throw UsageError(
            std::string("a recording with time and one with counts can be joined; these have ") +
            source_names[static_cast<std::size_t>(timed.source)] + " and " +
            source_names[static_cast<std::size_t>(counted.source)]);
    const Stage joining("joining the calls of both runs");
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
    if (options.round_sizes && !options.anonymous)
        throw UsageError("--round-sizes wants --anonymous: a command may name sizes as well");
    Recording recording = load(options.inputs[0]);
    if (options.inputs.size() > 1) join(recording, load(options.inputs[1]));
    std::string content;
    {
        const Stage writing("writing the recording");
        if (options.anonymous) make_anonymous(recording);
        if (options.round_sizes) round_sizes(recording);
        content = write(recording);
        write_output(options.output, content);
    }
    std::uint64_t events = 0;
    for (const auto& rank : recording.ranks) events += rank.events;
    std::cout << "refrain proxy: " << options.output << ": " << recording.size() << " ranks, "
              << events << " calls in " << content.size() << " bytes\n";
    for (const std::string& note : recording.notes) std::cout << "note: " << note << '\n';
    if (!recording.complete()) {
        std::cout << "The recording is incomplete: " << incomplete(options.inputs[0]) << ".\n";
        set_exit_status(exit_incomplete);
    }
}

}  // namespace

void add_merge_command(cli::CommandLine& program) {
    std::shared_ptr<Options> options;
    cli::CommandLine& merge =
        add_command(program, "merge", "Merge the recordings of all ranks into one file",
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
    merge.add_flag(
        "--round-sizes", options->round_sizes,
        "With --anonymous: round sizes of messages down to their two leading binary digits, at "
        "both ends alike; what cannot be rounded is said");
}

}  // namespace refrain::proxy
