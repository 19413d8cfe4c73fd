#include "commands/report.hpp"

#include "cli/command_line.hpp"
#include "commands/inline_report.hpp"
#include "commands/stream_report.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace refrain::commands {
namespace {

constexpr const char* explanation =
    R"(LOG is a file that a program writes with --refrain:log-stream=LOG, or any stream that
`refrain mine` reads. The page shows what automatic tracing finds in it. A log has no
times, memory or dependences, so the page has none either; a program that runs with
--refrain:report=FILE.html writes a page with them. Memory does not grow with the log.)";

struct ReportCommand {
    std::string log;
    std::string output;
    bool force = false;
    std::string recogniser = "inline";
    autotrace::Options options;
    std::optional<cli::Option> multi_scale_factor;
};

/// Errors: std::invalid_argument for invalid options; see autotrace::validate.
autotrace::Options mining_options(const ReportCommand& command) {
    autotrace::Options options = command.options;
    options.synchronous_mining = true;
    options.history_bytes_max = std::numeric_limits<std::size_t>::max();
    if (!command.multi_scale_factor->is_given())
        options.multi_scale_factor = std::min(options.multi_scale_factor, options.history_tokens);
    autotrace::validate(options);
    return options;
}

void run(const ReportCommand& command) {
    std::ios::sync_with_stdio(false);
    const autotrace::Options options = mining_options(command);
    std::ifstream log(command.log);
    if (!log)
        throw std::runtime_error("cannot read '" + command.log +
                                 "'; name a file that a program wrote with --refrain:log-stream");
    const std::string output = command.output.empty() ? command.log + ".html" : command.output;
    const base::OutputFile::Policy policy{page::page_mark, command.force};
    page::check_file(output, "--output", policy);
    const StreamReport stream = command.recogniser == "inline"
                                    ? report_on_stream_inline(log, command.log)
                                    : report_on_stream(log, command.log, options);
    page::write_file(output, page::html(stream.run), "--output", policy);
    std::cout << "refrain report: wrote " << output << '\n';
}

}  // namespace

void set_up_report(cli::CommandLine& report) {
    auto command = std::make_shared<ReportCommand>();
    autotrace::Options& options = command->options;
    report.add_option("LOG", command->log, "The stream of operations").required();
    report.add_option("-o,--output", command->output, "The page to write; default: LOG.html");
    report.add_flag("--force", command->force, "Replace the file even if it is no page of Refrain");
    report
        .add_option(
            "--recogniser", command->recogniser,
            "inline: finds a precedent for each operation, as a runtime does by default; "
            "mined: mines repeats and replays whole traces. The options below are for mined")
        .one_of({"inline", "mined"})
        .show_default();
    report
        .add_option("--min-trace-length", options.trace_length_min,
                    "Operations of the shortest trace")
        .show_default();
    report
        .add_option("--max-trace-length", options.trace_length_max,
                    "Operations of the longest trace; longer repeats are cut")
        .show_default();
    report.add_option("--batch-size", options.history_tokens, "Operations remembered")
        .show_default();
    command->multi_scale_factor =
        report
            .add_option("--multi-scale-factor", options.multi_scale_factor,
                        "Operations between two slices mined")
            .show_default();
    report.set_footer(explanation);
    report.on_parsed([command] { run(*command); });
}

}  // namespace refrain::commands
