#include "proxy_commands/options.hpp"
#include "proxy_commands/run.hpp"
#include "proxy_commands/stage.hpp"
#include "refrain/error.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "convert/recording_json.hpp"
#include "convert/ti_trace.hpp"
#include "convert/trace_recording.hpp"

#ifdef REFRAIN_PROXY_OTF2
#include "archives/archive.hpp"
#endif

namespace refrain::proxy {
namespace {

namespace fs = std::filesystem;

/// What cannot be made is said when something is written into it.
void make_folder(const std::string& name) {
    std::error_code error;
    fs::create_directories(name, error);
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
    make_folder(options.output);
    {
        Stage writing("writing traces", recording.size());
        std::string list;
        for (std::uint32_t rank = 0; rank < recording.size(); ++rank, writing.advance()) {
            const std::string name = options.output + "/rank-" + std::to_string(rank) + ".txt";
            std::ofstream out(name);
            trace.write(rank, [&](const std::string& line) { out << line << '\n'; });
            if (!out.flush()) throw std::runtime_error("cannot write '" + name + "'");
            list += fs::absolute(name).string() + '\n';
        }
        write_output(options.output + "/trace.txt", list);
    }
    std::cout << "refrain proxy: wrote " << options.output << "/trace.txt; smpirun -np "
              << recording.size() << " -replay " << options.output
              << "/trace.txt -platform P -hostfile H simulates it\n";
}

#ifdef REFRAIN_PROXY_OTF2

void write_otf2(const Recording& recording, const Options& options) {
    make_folder(options.output);
    const std::vector<std::string> bare = [&] {
        const Stage writing("writing the archive");
        return write_archive(recording, options.output);
    }();
    std::cout << "refrain proxy: wrote " << options.output << '/' << archive_name
              << ".otf2; otf2-print and Vampir read it. Times are means of each call\n";
    if (bare.empty()) return;
    std::cout << "note: the archive has no more than the times of:";
    for (const std::string& function : bare) std::cout << ' ' << function;
    std::cout << '\n';
}

Recording read_otf2(const std::string& name) {
    const Stage reading("reading the archive");
    try {
        return recording_of(read_archive(name));
    } catch (const std::runtime_error& error) {
        throw std::runtime_error("'" + name + "': " + error.what());
    }
}

#else

[[noreturn]] void refuse_otf2() {
    throw UsageError(
        "this refrain proxy was built without OTF2; build it where its development files are "
        "(Debian: apt-get install libotf2-trace-dev)");
}
void write_otf2(const Recording&, const Options&) {
    refuse_otf2();
}
Recording read_otf2(const std::string&) {
    refuse_otf2();
}

#endif

/// A recording of the archive's sizes.
void import_archive(const Options& options) {
    const std::string& archive = options.inputs[0];
    if (options.format != "rpx")
        throw UsageError("'" + archive +
                         "' is an archive of OTF2, which becomes a recording: --to rpx, not --to " +
                         options.format);
    const Recording recording = read_otf2(archive);
    write_output(options.output, write(recording));
    std::uint64_t calls = 0;
    for (const Recording::RankSummary& rank : recording.ranks) calls += rank.events;
    std::cout << "refrain proxy: " << options.output << ": " << recording.size() << " ranks, "
              << calls << " calls. An archive tells sizes only; generate says what is invented\n";
}

void run_convert(const Options& options) {
    if (options.inputs[0].ends_with(".otf2")) return import_archive(options);
    const Recording recording = load(options.inputs[0]);
    if (options.format == "json") {
        const Stage writing("writing JSON");
        write_output(options.output, recording_json(recording) + '\n');
        std::cout << "refrain proxy: wrote " << options.output << '\n';
    } else if (!recording.threads.empty() && options.format != "rpx") {
        throw UsageError("--to " + options.format + ": in '" + options.inputs[0] +
                         "' several threads of a rank call MPI at once, and nothing tells in "
                         "which order; --to json has a main rule for each");
    } else if (options.format == "ti") {
        write_ti_traces(recording, options);
    } else if (options.format == "otf2") {
        write_otf2(recording, options);
    } else {
        throw UsageError("--to '" + options.format +
                         "': there are json, ti and otf2; and rpx, of an archive of OTF2");
    }
}

}  // namespace

void add_convert_command(cli::CommandLine& program) {
    std::shared_ptr<Options> options;
    cli::CommandLine& convert =
        add_command(program, "convert", "Write a recording as what other tools read",
                    "convert run.rpx --to otf2 -o traces", options, run_convert);
    convert
        .add_option("RECORDING", options->inputs,
                    "A merged recording, a folder, or an archive's traces.otf2")
        .required()
        .values(1, 1);
    convert
        .add_option(
            "--to", options->format,
            "json: all of it, folded; ti: traces that SimGrid's smpirun -replay simulates; "
            "otf2: an archive for Vampir and otf2-print; rpx: a recording, of such an archive")
        .required();
    convert
        .add_option("-o,--output", options->output,
                    "The file to write; for ti and otf2, the folder")
        .required();
    convert
        .add_option("--speed", options->speed,
                    "ti: operations that a second of computation becomes")
        .show_default();
}

}  // namespace refrain::proxy
