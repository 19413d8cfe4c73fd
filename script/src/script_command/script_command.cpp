#include "script_command/script_command.hpp"

#include "base/output_file.hpp"
#include "base/progress_line.hpp"
#include "cli/command_line.hpp"
#include "drawing/picture.hpp"
#include "ir/leaf_policy.hpp"
#include "page/json.hpp"
#include "page/run_data.hpp"
#include "refrain/script/script.hpp"
#include "script_command/interrupt_watch.hpp"
#include "script_command/log_text.hpp"
#include "script_command/operation_table.hpp"
#include "script_command/report_page.hpp"
#include "scripting/graph.hpp"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <unistd.h>
#include <vector>

namespace refrain::script {
namespace {

struct Settings {
    RunOptions run;
    std::string file;
    std::string report;
    std::string trace;
    bool quiet = false;
    bool force = false;
    bool code = false;
    bool json = false;
    bool leave_one_out = false;
    bool with_run = false;
    std::string dump_after;
    std::string output;
    std::string failures = "independent";
    std::string memory;
    std::string cache;
    std::string runs = ".refrain/runs";
    bool no_record = false;
    LogQuery log;
};

/// One of the commands.
struct Command {
    const char* name;
    const char* summary;
    const char* footer;
    bool passes_words;  // what is no option of ours goes to the script; else it is refused
    void (*add_options)(cli::CommandLine&, Settings&);
    /// Gets the options of the script, with the words that go to it, and may set the exit status.
    void (*work)(const Settings&, RunOptions, int& status);
};

/// Those of `run` that are not taken as they are written. Errors: UsageError.
void take_run_settings(const Settings& is, RunOptions& options) {
    if (is.failures == "stop") options.failures = FailurePolicy::stop;
    if (is.failures == "drain") options.failures = FailurePolicy::drain;
    if (!is.no_record) options.runs_folder = is.runs;
    if (options.resume && is.no_record) throw UsageError("--resume needs the record of the run");
    options.cache_apps = !is.cache.empty();
    if (options.cache_apps) options.cache_folder = is.cache;
    ir::LeafPolicy policy;
    const std::string wrong =
        options.wrap.empty() ? "" : ir::set_leaf_policy(policy, "wrap", options.wrap);
    if (!wrong.empty()) throw UsageError("--" + wrong.substr(1));  // it says @wrap
    if (!is.memory.empty() && !ir::set_leaf_policy(policy, "memory", is.memory).empty())
        throw UsageError("--memory takes bytes, 512MB or 2GiB, not '" + is.memory + "'");
    options.memory_bytes = policy.memory_bytes;
}

int status_of(const RunResult& result, const InterruptWatch& interrupts) {
    return interrupts.signal() == 0 ? result.status : 128 + interrupts.signal();
}

void write(const std::string& path, const std::string& text, const char* option,
           const base::OutputFile::Policy& policy) {
    page::write_file(path, text, option, policy);
    std::cerr << "refrain script: wrote " << path << '\n';
}

void run(const Settings& settings, RunOptions options, int& status) {
    options.mpi = mpi_rank().has_value();
    take_run_settings(settings, options);
    RunControl control;
    options.control = &control;
    const InterruptWatch interrupts(control);
    options.record_spans = !settings.report.empty() || !settings.trace.empty();
    const base::OutputFile::Policy policy{page::page_mark, settings.force};
    const base::OutputFile::Policy trace_policy{"{\"traceEvents\":", settings.force};
    if (!settings.report.empty()) page::check_file(settings.report, "--report", policy);
    if (!settings.trace.empty()) page::check_file(settings.trace, "--trace", trace_policy);
    const bool shows_progress = !settings.quiet && isatty(STDERR_FILENO) == 1;
    options.on_warnings = [](const std::string& text) { std::cerr << text; };
    options.on_output = [&](const std::string& text) {
        if (shows_progress) std::fputs(clear_line, stderr);
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    };
    std::mutex mutex;  // of `latest`
    Progress latest;
    base::ProgressLine line({}, [&] {
        const std::lock_guard lock(mutex);
        return progress_text(latest);
    });
    if (shows_progress) {
        line.start();
        options.on_progress = [&](const Progress& progress) {
            const std::lock_guard lock(mutex);
            latest = progress;
        };
    }
    const RunResult result = run_file(settings.file, options);
    line.stop();
    std::cerr << result.warnings << result.messages;
    const bool writes = mpi_rank().value_or(0) == 0;
    if (writes && !settings.report.empty())
        write(settings.report, report_page(result, settings.file), "--report", policy);
    if (writes && !settings.trace.empty())
        write(settings.trace, trace_text(result), "--trace", trace_policy);
    if (result.status != 0 && !result.run_folder.empty())
        std::cerr << "recorded in " << result.run_folder << "; --resume goes on where it ended\n";
    status = status_of(result, interrupts);
}

void add(page::JsonWriter& json, const Message::Range& is) {
    json.key("file").value(is.file).key("line").value(is.line);
    json.key("column").value(is.column).key("endColumn").value(is.end_column);
}
void add(page::JsonWriter& json, const std::vector<Message::Note>& notes) {
    json.begin_array();
    for (const Message::Note& each : notes) {
        json.begin_object();
        add(json, each.at);
        json.key("text").value(each.text).end_object();
    }
    json.end_array();
}
/// A line of JSON: {"messages":[...]}; what is in it is said in docs/editors.md.
std::string messages_json(const std::vector<Message>& messages) {
    page::JsonWriter json;
    json.begin_object().key("messages").begin_array();
    for (const Message& each : messages) {
        json.begin_object();
        add(json, each.at);
        json.key("severity").value(each.warning ? "warning" : "error");
        json.key("code").value(each.code);
        json.key("text").value(each.text).key("help").value(each.help);
        json.key("related");
        add(json, each.related);
        json.key("fixes");
        add(json, each.fixes);
        json.end_object();
    }
    json.end_array().end_object();
    return json.take() + "\n";
}
void check_for_editors(const Settings& settings, const RunOptions& options) {
    try {
        std::cout << messages_json(check_file(settings.file, options).messages);
    } catch (const CompileFailure& failure) {
        std::cout << messages_json(failure.messages());
        throw CompileFailure({}, failure.is_syntax(), {});  // all is said
    }
}
void check(const Settings& settings, RunOptions options, int&) {
    if (settings.json && (settings.code || !settings.dump_after.empty()))
        throw UsageError("--json prints nothing else: leave out --code and --dump-after");
    if (settings.json) return check_for_editors(settings, options);
    const CheckResult result = check_file(settings.file, options, settings.dump_after);
    std::cerr << result.warnings;
    std::cout << result.dump;
    if (settings.code) std::cout << result.intermediate_code;
}
void explain(const Settings& settings, RunOptions options, int&) {
    std::cout << explain_file(settings.file, options);
}
void graph(const Settings& settings, RunOptions options, int& status) {
    drawing::expect_picture(settings.output, settings.force);
    if (!settings.with_run)
        return drawing::write_picture(graph_of_file(settings.file, options), settings.output,
                                      settings.force);
    options.level = 0;
    options.passes_on.clear();
    options.sequential = options.record_spans = true;
    RunControl control;
    options.control = &control;
    const InterruptWatch interrupts(control);
    options.on_warnings = options.on_output = [](const std::string& text) { std::cerr << text; };
    const RunResult result = run_file(settings.file, options);
    std::cerr << result.warnings << result.messages;
    drawing::write_picture(graph_of(result, settings.file), settings.output, settings.force);
    status = status_of(result, interrupts);
}
void compile(const Settings& settings, RunOptions options, int&) {
    const std::string to =
        settings.output.empty()
            ? std::filesystem::path(settings.file).replace_extension(".tic").string()
            : settings.output;
    const base::OutputFile::Policy policy{"# A compiled script of Refrain", settings.force};
    page::check_file(to, "--output", policy);
    const CompileResult result = compile_file(settings.file, options);
    std::cerr << result.warnings;
    write(to, result.compiled, "--output", policy);
}

void count(const Settings& settings, RunOptions options, int&) {
    if (options.workers == 0) options.workers = 1;
    std::cout << (settings.leave_one_out ? operations_without_each(settings.file, options)
                                         : operations_pass_by_pass(settings.file, options));
}
void log(const Settings& settings, RunOptions, int&) {
    std::cout << log_text(settings.log);
}

// ---- the options of each

void add_file(cli::CommandLine& line, Settings& of) {
    line.add_option("FILE", of.file, "The script").required();
    line.add_option("-I,--import", of.run.import_folders,
                    "A folder in which imports are looked for");
    line.add_option("-O,--level", of.run.level, "Level of optimisation; default: 3").between(0, 3);
    line.add_option("-f", of.run.passes_on, "A pass to run, beyond the level's").one_per_use();
    line.add_option("-F", of.run.passes_off, "A pass not to run").one_per_use();
}
void add_for_run(cli::CommandLine& line, Settings& of) {
    add_file(line, of);
    line.add_option("-n,--workers", of.run.workers, "Threads of tasks; default: one per core");
    line.add_option("--report", of.report, "A page about the run to write, FILE.html");
    line.add_option("--trace", of.trace,
                    "The calls of the run to write, FILE.json of chrome://tracing");
    line.add_flag("--force", of.force, "Replace FILE.html even if it is no page of Refrain");
    line.add_flag("--sequential", of.run.sequential, "By the interpreter: in order, in one thread");
    line.add_option(
            "--failures", of.failures,
            "What a failure ends: what needs the result (independent), the run when running "
            "calls have ended (drain), the run at once (stop)")
        .one_of({"independent", "drain", "stop"});
    line.add_option("--retries", of.run.retries, "Further attempts of failed programs")
        .between(0, 1000);
    line.add_option("--wrap", of.run.wrap, "Around commands of apps, such as 'nice {cmd}'");
    line.add_flag("--processes", of.run.processes,
                  "Workers are processes: a function of C, C++ or Tcl that crashes fails one call");
    line.add_option("--memory", of.memory, "What calls with @memory share; default: what there is");
    line.add_option("--cache", of.cache, "Keep what apps make in this folder, and use it again");
    line.add_flag("--resume", of.run.resume, "Use results of the script's latest run again");
    line.add_option("--runs", of.runs, "Where runs are recorded; default: .refrain/runs");
    line.add_flag("--no-record", of.no_record, "Do not record the run");
    line.add_flag("--dry-run", of.run.dry_run, "Print commands of apps, as far as known");
    line.add_flag("--quiet", of.quiet, "No line of progress");
}
void add_for_log(cli::CommandLine& line, Settings& of) {
    line.add_option("RUN", of.log.run, "A run, or a part of its name; default: the latest one");
    line.add_option("--runs", of.log.runs, "Where runs are recorded; default: .refrain/runs");
    line.add_option("--function", of.log.function, "Only tasks of this function");
    line.add_option("--state", of.log.state, "Only tasks in this state")
        .one_of({"done", "cached", "failed", "interrupted"});
    line.add_flag("--why-ran", of.log.why, "Why each task ran, although results are kept");
    line.add_flag("--list", of.log.list, "All runs that are recorded");
}
void add_for_compile(cli::CommandLine& line, Settings& of) {
    add_file(line, of);
    line.add_option("-o,--output", of.output, "The file to write; default: FILE.tic");
    line.add_option("-A,--argument", of.run.compile_arguments,
                    "An argument of the script, k=v, that runs may not give again")
        .one_per_use();
    line.add_flag("--force", of.force, "Replace the file even if it is no compiled script");
}
void add_for_graph(cli::CommandLine& line, Settings& of) {
    add_file(line, of);
    line.add_flag("--run", of.with_run,
                  "Run the script, call after call, and draw these, coloured by time; its "
                  "output goes to standard error");
    line.add_option("-o,--output", of.output,
                    "FILE.html, a page; FILE.svg, by the program dot of Graphviz; FILE.dot; "
                    "default: DOT text to standard output");
    line.add_flag("--force", of.force, "Replace the file, whatever it is");
}
void add_for_check(cli::CommandLine& line, Settings& of) {
    add_file(line, of);
    line.add_flag("--code", of.code, "Print the intermediate code, too");
    line.add_flag("--json", of.json, "Print the messages as JSON, for editors, and nothing else");
    line.add_option("--dump-after", of.dump_after, "Print the code after each run of this pass");
}
void add_for_count(cli::CommandLine& line, Settings& of) {
    add_file(line, of);
    line.add_option("-n,--workers", of.run.workers, "Threads; default: 1");
    line.add_flag("--leave-one-out", of.leave_one_out, "Leave out each pass, one at a time");
}

constexpr Command commands[] = {
    {"run", "Compile a script and run it by threads, or by the processes that mpirun starts",
     "What is no option of ours goes to the script, and so does all behind --. Example:\n"
     "    refrain script run ensemble.swift -n 4 --report run.html --steps=100\n"
     "    mpirun -n 4 refrain script run ensemble.swift --steps=100",
     true, add_for_run, run},
    {"log", "Show the tasks of an earlier run", "Example:\n    refrain script log --state failed",
     false, add_for_log, log},
    {"compile", "Compile a script to a file that run takes",
     "Another version of Refrain refuses the file. Example:\n"
     "    refrain script compile ensemble.swift && refrain script run ensemble.tic -n 4",
     false, add_for_compile, compile},
    {"explain", "Say which tasks each line becomes, and what the compiler did with it",
     "Example:\n    refrain script explain ensemble.swift", false, add_file, explain},
    {"graph", "Draw the data flow of a script, or the calls of a small run",
     "Example:\n"
     "    refrain script graph ensemble.swift -o ensemble.html\n"
     "    refrain script graph ensemble.swift --run -o run.svg --steps=3",
     true, add_for_graph, graph},
    {"check", "Say what is wrong with a script, without running it",
     "Example:\n    refrain script check ensemble.swift", false, add_for_check, check},
    {"count", "Run a script once per pass, and print the logical operations of each run",
     "The script runs some fifteen times; its output is dropped, its effects are not. Example:\n"
     "    refrain script count sweep.swift --N=20",
     true, add_for_count, count},
};

}  // namespace

void set_up_script(cli::CommandLine& app, int& status) {
    auto settings = std::make_shared<Settings>();
    app.require_command();
    for (const Command& each : commands) {
        cli::CommandLine& command = app.add_command(each.name, each.summary);
        command.on_named([&command, &each, settings] { each.add_options(command, *settings); });
        command.set_footer(each.footer);
        if (each.passes_words) command.keep_unknown_words();
        command.on_parsed([&app, &command, &each, &status, settings] {
            RunOptions options = settings->run;
            if (each.passes_words) options.arguments = command.unknown_words();
            if (!each.passes_words) app.refuse_unknown_words(std::string("script ") + each.name);
            for (const auto& [word, option] : command.misspelled_words())
                std::cerr << "WARN '" << word << "' goes to the script; did you mean " << option
                          << "?\n";
            for (const std::string& word : app.unknown_words())  // behind --
                if (word != "--") options.arguments.push_back(word);
            try {
                each.work(*settings, std::move(options), status);
            } catch (const CompileFailure& failure) {
                if (mpi_rank().value_or(0) == 0)
                    std::cerr << failure.what();
                else  // Rank 0 says the same. Open MPI ends it if another ends badly before: wait for its end.
                    sleep(std::getenv("OMPI_COMM_WORLD_RANK") != nullptr ? 30 : 0);
                status = failure.is_syntax() ? status_syntax : status_refused;
            }
        });
    }
    app.keep_unknown_words();
}

}  // namespace refrain::script
