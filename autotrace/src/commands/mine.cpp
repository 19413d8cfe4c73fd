#include "commands/mine.hpp"

#include "base/output_file.hpp"
#include "cli/command_line.hpp"
#include "commands/grammar_run.hpp"
#include "commands/inline_run.hpp"
#include "commands/mining_report.hpp"
#include "commands/mining_run.hpp"
#include "commands/operation_reader.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace refrain::commands {
namespace {

constexpr const char* format_help = R"(Input, one operation per line:
  TOKEN   an operation: a number, decimal or hexadecimal after 0x, up to 128 bits;
          equal numbers are equal operations
  !       an operation that cannot be traced
  ?       a blocking wait for everything launched so far
  .       an operation that may be ignored inside a trace
Blank lines and lines that begin with # are ignored.)";

struct MineCommand {
    std::string file = "-";
    std::string json;
    bool force = false;
    bool grammar = false;
    std::string recogniser = "mined";
    autotrace::Options options;
    std::optional<cli::Option> multi_scale_factor;
};

/// Prints progress to standard error, at most every two seconds.
class Progress {
  public:
    void operator()(std::uint64_t lines) {
        const auto now = std::chrono::steady_clock::now();
        if (now - reported_ < std::chrono::seconds(2)) return;
        reported_ = now;
        std::cerr << "refrain mine: " << lines << " lines read\n";
    }

  private:
    std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
};

template <class Outcome>
void write_json(const MineCommand& command, const Outcome& outcome) {
    if (command.json == "-") return print_json(std::cout, outcome);
    constexpr std::string_view mark = "\"coverage_second_half\"";
    std::ostringstream out;
    print_json(out, outcome);
    try {
        base::write_output(command.json, out.str(), {mark, command.force});
    } catch (const base::OutputError& why) {
        throw std::runtime_error("option --json: cannot write '" + command.json +
                                 "': " + why.what() +
                                 "; name a file in a writable folder, or - for standard output, or "
                                 "give --force to replace any file");
    }
}

template <class Outcome>
void publish(const MineCommand& command, const Outcome& outcome) {
    if (command.json != "-") print_table(std::cout, outcome);
    if (!command.json.empty()) write_json(command, outcome);
}

/// Errors: std::invalid_argument for invalid options; see autotrace::validate.
autotrace::Options mining_options(const MineCommand& command) {
    autotrace::Options options = command.options;
    options.synchronous_mining = true;
    options.history_bytes_max = std::numeric_limits<std::size_t>::max();
    if (!command.multi_scale_factor->is_given()) {
        options.multi_scale_factor = std::min(options.multi_scale_factor, options.history_tokens);
    }
    autotrace::validate(options);
    return options;
}

void run(const MineCommand& command) {
    std::ios::sync_with_stdio(false);
    const autotrace::Options options = mining_options(command);
    const bool from_input = command.file == "-";
    std::ifstream file;
    if (!from_input) {
        file.open(command.file);
        if (!file) {
            throw std::runtime_error("cannot read '" + command.file +
                                     "'; name a file with one operation per line, or - for "
                                     "standard input");
        }
    }
    OperationReader reader(from_input ? std::cin : file,
                           from_input ? "standard input" : command.file);
    if (command.grammar) return print_grammar(std::cout, reader, Progress{});
    command.recogniser == "inline" ? publish(command, run_inline(reader, Progress{}))
                                   : publish(command, run_mining(reader, options, Progress{}));
}

void add_options(cli::CommandLine& mine, MineCommand& command) {
    autotrace::Options& options = command.options;
    mine.add_option("FILE", command.file, "The stream of operations; - is standard input")
        .show_default();
    mine.add_option("--json", command.json,
                    "Also write the result as JSON to this file; - writes it to standard output "
                    "instead of the table");
    mine.add_flag("--force", command.force,
                  "Let --json replace a file that refrain mine did not write");
    mine.add_flag("--grammar", command.grammar,
                  "Print the stream as a grammar instead, a rule on each line: R1^3 is rule 1 "
                  "three times. The options below say nothing to it");
    mine.add_option("--recogniser", command.recogniser,
                    "mined: mines repeats and replays whole traces; inline: finds a precedent for "
                    "each operation and replays it from the third iteration of a loop on. The "
                    "options below are for mined")
        .one_of({"mined", "inline"})
        .show_default();
    mine.add_option("--min-trace-length,--min_trace_length", options.trace_length_min,
                    "Operations of the shortest trace")
        .show_default();
    mine.add_option("--max-trace-length,--max_trace_length", options.trace_length_max,
                    "Operations of the longest trace; longer repeats are cut")
        .show_default();
    mine.add_option("--batch-size,--batchsize", options.history_tokens,
                    "Operations remembered; repeats up to half of it are found")
        .show_default();
    command.multi_scale_factor =
        mine.add_option("--multi-scale-factor,--multi_scale_factor", options.multi_scale_factor,
                        "Operations between two slices mined, and the length of the shortest slice")
            .show_default();
    mine.add_option("--loop-length", options.loop_length,
                    "Loops with a shorter body are also traced several iterations at a time")
        .show_default();
    mine.add_option("--candidate-bytes", options.candidate_bytes_max,
                    "Memory for repeats that may become traces")
        .show_default();
}

}  // namespace

void set_up_mine(cli::CommandLine& mine) {
    auto command = std::make_shared<MineCommand>();
    add_options(mine, *command);
    mine.set_footer(format_help);
    mine.on_parsed([command] { run(*command); });
}

}  // namespace refrain::commands
