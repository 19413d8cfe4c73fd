#include "page/json.hpp"
#include "page/run_data.hpp"
#include "proxy_commands/options.hpp"
#include "proxy_commands/run.hpp"
#include "proxy_commands/stage.hpp"
#include "proxy_page/summary.hpp"
#include "refrain/error.hpp"

#include <filesystem>
#include <iostream>
#include <optional>

namespace refrain::proxy {
namespace {

namespace fs = std::filesystem;

/// A line for each function, each place and each pair of ranks. Places have commas in them.
void print_csv(const Summary& summary) {
    const auto quoted = [](const std::string& text) {
        std::string all = "\"";
        for (const char letter : text) all += letter == '"' ? "\"\"" : std::string(1, letter);
        return all + "\"";
    };
    std::cout << "kind,name,from,to,calls,seconds,bytes\n";
    for (const auto& function : summary.functions)
        std::cout << "function," << function.name << ",,," << function.calls << ','
                  << function.seconds << ",\n";
    for (const auto& place : summary.places)
        std::cout << "place," << quoted(place.place) << ",,," << place.calls << ",,\n";
    for (const auto& pair : summary.pairs)
        std::cout << "pair,," << pair.from << ',' << pair.to << ',' << pair.calls << ",,"
                  << pair.bytes << '\n';
}

void run_info(const Options& options) {
    const Recording recording = load(options.inputs[0]);
    const Summary summary = [&] {
        const Stage adding("adding up calls");
        return summarise(recording);
    }();
    if (options.csv) return print_csv(summary);
    if (!options.json) {
        for (const std::string& text : summary.words) std::cout << text << '\n';
        for (const auto& function : summary.functions)
            std::cout << "  " << function.name << ": " << function.calls << " calls\n";
        if (!summary.places.empty()) std::cout << "Where it calls:\n";
        for (const auto& place : summary.places)
            std::cout << "  " << place.place << ": " << place.calls << " " << place.function
                      << '\n';
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
    json.end_array().key("places").begin_array();
    for (const auto& place : summary.places) {
        json.begin_object().key("place").value(place.place).key("function").value(place.function);
        json.key("calls").value(place.calls).end_object();
    }
    json.end_array().key("leftOut").value(recording.left_out).key("pairs").begin_array();
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
    {
        const Stage writing("writing the page");
        page::write_file(options.output, report_page(recording, proxy ? &*proxy : nullptr, title),
                         "--output", {page::page_mark, options.force});
    }
    std::cout << "refrain proxy: wrote " << options.output << '\n';
}

void dump_folded(const Recording& recording, const strings::Grammar& grammar,
                 std::uint32_t thread) {
    for (std::size_t rule = 0; rule < grammar.size(); ++rule) {
        if (rule != 0 && thread != 0) break;  // all threads share the rules
        std::cout << (rule != 0     ? "rule " + std::to_string(rule)
                      : thread != 0 ? "thread " + std::to_string(thread)
                                    : "main")
                  << '\n';
        for (const strings::Run& run : grammar[rule]) {
            std::cout << "    ";
            if (run.count > 1) std::cout << run.count << " x ";
            if (run.is_rule)
                std::cout << "rule " << run.symbol << '\n';
            else
                std::cout << describe(recording.events[run.symbol], recording.texts, true) << '\n';
        }
    }
}

/// The calls of one thread: nobody knows how those of several follow each other.
void dump_thread(const Options& options, const Recording& recording, std::uint32_t thread) {
    const strings::Grammar grammar = recording.grammar_of(options.rank, thread);
    if (options.folded) return dump_folded(recording, grammar, thread);
    CommunicatorBook book = communicators_before(recording, options.rank, thread);
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

void run_dump(const Options& options) {
    const Recording recording = load(options.inputs[0]);
    if (options.rank >= recording.size())
        throw UsageError("--rank " + std::to_string(options.rank) + ": the recording has " +
                         std::to_string(recording.size()) + " ranks");
    for (std::uint32_t thread = 0; thread <= recording.threads.size(); ++thread)
        dump_thread(options, recording, thread);
}

}  // namespace

void add_telling_commands(cli::CommandLine& program) {
    std::shared_ptr<Options> options;
    cli::CommandLine& info = add_command(program, "info", "Tell in words what a program does",
                                         "info run.rpx", options, run_info);
    info.add_option("RECORDING", options->inputs, "A merged recording, or a folder")
        .required()
        .values(1, 1);
    info.add_flag("--json", options->json, "All figures as JSON");
    info.add_flag("--csv", options->csv,
                  "A table: functions, places and pairs of ranks with calls, seconds and bytes");

    cli::CommandLine& report =
        add_command(program, "report", "Write a page about a recording, and its proxy's",
                    "report run.rpx proxy/verify-run -o run.html", options, run_report);
    report
        .add_option("RECORDINGS", options->inputs,
                    "A merged recording, or a folder; then that of the proxy")
        .required()
        .values(1, 2);
    report.add_option("-o,--output", options->output, "The page to write").required();
    report.add_flag("--force", options->force, "Replace the file even if it is no page of Refrain");

    cli::CommandLine& dump = add_command(program, "dump", "Print the calls of one rank",
                                         "dump run.rpx --rank 2", options, run_dump);
    dump.add_option("RECORDING", options->inputs, "A merged recording, or a folder")
        .required()
        .values(1, 1);
    dump.add_option("--rank", options->rank, "Whose calls").show_default();
    dump.add_flag("--json", options->json, "One JSON object per line");
    dump.add_flag("--folded", options->folded, "The rules instead of single calls");
}

}  // namespace refrain::proxy
