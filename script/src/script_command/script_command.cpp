#include "script_command/script_command.hpp"

#include "base/output_file.hpp"
#include "cli/command_line.hpp"
#include "page/run_data.hpp"
#include "refrain/script/script.hpp"
#include "script_command/interrupt_watch.hpp"
#include "script_command/log_text.hpp"
#include "script_command/messages_json.hpp"
#include "script_command/operation_table.hpp"
#include "script_command/progress_line.hpp"
#include "script_command/report_page.hpp"
#include "script_command/run_settings.hpp"
#include "scripting/graph.hpp"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "drawing/picture.hpp"

namespace refrain::script {
namespace {

struct Settings {
    RunOptions options;
    std::string file;
    std::string report;
    bool quiet = false;
    bool force = false;
    bool code = false;
    bool json = false;
    bool leave_one_out = false;
    bool with_run = false;
    std::string dump_after;
    std::string output;
    RunSettings of_run;
    LogQuery log;
};

/// The exit statuses of the compiler.
constexpr int status_syntax = 3;
constexpr int status_refused = 4;

template <class Work>
void reporting(int& status, Work work) {
    try {
        work();
    } catch (const CompileFailure& failure) {
        if (mpi_rank().value_or(0) == 0) std::cerr << failure.what();  // all ranks see the same
        status = failure.is_syntax() ? status_syntax : status_refused;
    }
}

void print_locked(const std::string& text) {
    ProgressLine::clear();
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

/// An argument of the script that is nearly one of our options.
void warn_about(const std::vector<std::string>& arguments) {
    for (const std::string& each : arguments)
        for (const std::string option :
             {"--workers", "--report", "--sequential", "--quiet", "--failures", "--retries",
              "--resume", "--cache", "--dry-run", "--wrap", "--processes"})
            if (each.size() > 4 && each != option &&
                option.starts_with(each.substr(0, each.find('='))))
                std::cerr << "WARN '" << each << "' goes to the script; did you mean " << option
                          << "?\n";
}

void run(const Settings& settings, const std::vector<std::string>& arguments, int& status) {
    reporting(status, [&] {
        RunOptions options = settings.options;
        options.arguments = arguments;
        options.mpi = mpi_rank().has_value();
        settings.of_run.take_into(options);
        RunControl control;
        options.control = &control;
        const InterruptWatch interrupts(control);
        options.record_spans = !settings.report.empty();
        const base::OutputFile::Policy policy{page::page_mark, settings.force};
        if (options.record_spans) page::check_file(settings.report, "--report", policy);
        warn_about(arguments);
        ProgressLine line;
        options.on_output = print_locked;
        if (!settings.quiet && ProgressLine::has_terminal())
            options.on_progress = [&](const Progress& progress) { line.show(progress); };
        const RunResult result = run_file(settings.file, options);
        ProgressLine::clear();
        std::cerr << result.warnings << result.messages;
        if (!settings.report.empty() && mpi_rank().value_or(0) == 0) {
            page::write_file(settings.report, report_page(result, settings.file), "--report",
                             policy);
            std::cerr << "refrain script: wrote " << settings.report << '\n';
        }
        if (result.status != 0 && !result.run_folder.empty())
            std::cerr << "recorded in " << result.run_folder
                      << "; --resume goes on where it ended\n";
        status = interrupts.signal() == 0 ? result.status : 128 + interrupts.signal();
    });
}

void check_for_editors(const Settings& settings, const RunOptions& options) {
    try {
        std::cout << messages_json(check_file(settings.file, options).messages);
    } catch (const CompileFailure& failure) {
        std::cout << messages_json(failure.messages());
        throw CompileFailure({}, failure.is_syntax(), {});  // all is said
    }
}
void check(const Settings& settings, const RunOptions& options) {
    if (settings.json && (settings.code || !settings.dump_after.empty()))
        throw UsageError("--json prints nothing else: leave out --code and --dump-after");
    if (settings.json) return check_for_editors(settings, options);
    const CheckResult result = check_file(settings.file, options, settings.dump_after);
    std::cerr << result.warnings;
    std::cout << result.dump;
    if (settings.code) std::cout << result.intermediate_code;
}
void explain(const Settings& settings, const RunOptions& options) {
    std::cout << explain_file(settings.file, options);
}
void graph(const Settings& settings, const std::vector<std::string>& arguments, int& status) {
    reporting(status, [&] {
        RunOptions options = settings.options;
        options.arguments = arguments;
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
        options.on_output = [](const std::string& text) { std::cerr << text; };
        const RunResult result = run_file(settings.file, options);
        std::cerr << result.warnings << result.messages;
        drawing::write_picture(graph_of(result, settings.file), settings.output, settings.force);
        status = interrupts.signal() == 0 ? result.status : 128 + interrupts.signal();
    });
}
void compile(const Settings& settings, const RunOptions& options) {
    const std::string to =
        settings.output.empty()
            ? std::filesystem::path(settings.file).replace_extension(".tic").string()
            : settings.output;
    const base::OutputFile::Policy policy{"# A compiled script of Refrain", settings.force};
    page::check_file(to, "--output", policy);
    const CompileResult result = compile_file(settings.file, options);
    std::cerr << result.warnings;
    page::write_file(to, result.compiled, "--output", policy);
    std::cerr << "refrain script: wrote " << to << '\n';
}

void add_file(cli::CommandLine& command, Settings& settings) {
    command.add_option("FILE", settings.file, "The script").required();
    command.add_option("-I,--import", settings.options.import_folders,
                       "A folder in which imported files are looked for");
    command.add_option("-O,--level", settings.options.level, "Level of optimisation; default: 3")
        .between(0, 3);
    command.add_option("-f", settings.options.passes_on, "A pass to run beyond those of the level")
        .one_per_use();
    command.add_option("-F", settings.options.passes_off, "A pass not to run").one_per_use();
}

std::vector<std::string> arguments_of(const cli::CommandLine& command,
                                      const cli::CommandLine& app) {
    std::vector<std::string> arguments = command.unknown_words();
    for (const std::string& each : app.unknown_words())  // behind --
        if (each != "--") arguments.push_back(each);
    return arguments;
}

void count(const Settings& settings, const std::vector<std::string>& arguments, int& status) {
    reporting(status, [&] {
        RunOptions options = settings.options;
        if (options.workers == 0) options.workers = 1;
        options.arguments = arguments;
        std::cout << (settings.leave_one_out ? operations_without_each(settings.file, options)
                                             : operations_pass_by_pass(settings.file, options));
    });
}

}  // namespace

void set_up_script(cli::CommandLine& app, int& status) {
    auto settings = std::make_shared<Settings>();
    app.require_command();
    cli::CommandLine& run_command = app.add_command(
        "run", "Compile a script and run it by threads, or by the processes that mpirun starts");
    run_command.on_named([&run_command, settings] {
        add_file(run_command, *settings);
        run_command.add_option("-n,--workers", settings->options.workers,
                               "Threads that run tasks; default: one per core");
        run_command.add_option("--report", settings->report,
                               "A page about the run to write, FILE.html");
        run_command.add_flag("--force", settings->force,
                             "Replace FILE.html even if it is no page of Refrain");
        run_command.add_flag("--sequential", settings->options.sequential,
                             "Run by the reference interpreter: in order, in one thread");
        settings->of_run.add_to(run_command, settings->options);
        run_command.add_flag("--quiet", settings->quiet, "No line of progress");
    });
    run_command.keep_unknown_words();
    app.keep_unknown_words();
    run_command.set_footer(
        "What is no option of ours goes to the script, and so does all behind --. Example:\n"
        "    refrain script run ensemble.swift -n 4 --report run.html --steps=100\n"
        "    mpirun -n 4 refrain script run ensemble.swift --steps=100");
    run_command.on_parsed([&app, &run_command, settings, &status] {
        run(*settings, arguments_of(run_command, app), status);
    });
    cli::CommandLine& log_command = app.add_command("log", "Show the tasks of an earlier run");
    log_command.on_named([&log_command, settings] {
        log_command.add_option("RUN", settings->log.run,
                               "A run, or a part of its name; default: the latest one");
        log_command.add_option("--runs", settings->log.runs,
                               "Where runs are recorded; default: .refrain/runs");
        log_command.add_option("--function", settings->log.function, "Only tasks of this function");
        log_command.add_option("--state", settings->log.state, "Only tasks in this state")
            .one_of({"done", "cached", "failed", "interrupted"});
        log_command.add_flag("--why-ran", settings->log.why,
                             "Why each task ran although results are kept: what has changed");
        log_command.add_flag("--list", settings->log.list, "All runs that are recorded");
    });
    log_command.set_footer("Example:\n    refrain script log --state failed");
    log_command.on_parsed([&app, settings] {
        app.refuse_unknown_words("script log");
        if (settings->log.runs.empty()) settings->log.runs = settings->of_run.runs;
        std::cout << log_text(settings->log);
    });
    /// A command that runs nothing.
    const auto add_compiler = [&](const std::string& name, const std::string& summary,
                                  const std::string& footer, const auto& work,
                                  void (*add_more)(cli::CommandLine&, Settings&) = nullptr) {
        cli::CommandLine& command = app.add_command(name, summary);
        command.on_named([&command, settings, add_more] {
            add_file(command, *settings);
            if (add_more != nullptr) add_more(command, *settings);
        });
        command.set_footer(footer);
        command.on_parsed([&app, &status, settings, name, work] {
            app.refuse_unknown_words("script " + name);
            reporting(status, [&] { work(*settings, settings->options); });
        });
    };
    add_compiler(
        "compile", "Compile a script to a file that run takes",
        "Another version of Refrain refuses the file. Example:\n"
        "    refrain script compile ensemble.swift && refrain script run ensemble.tic -n 4",
        compile, [](cli::CommandLine& command, Settings& of) {
            command.add_option("-o,--output", of.output, "The file to write; default: FILE.tic");
            command
                .add_option("-A,--argument", of.options.compile_arguments,
                            "An argument of the script, k=v, that runs may not give again")
                .one_per_use();
            command.add_flag("--force", of.force,
                             "Replace the file even if it is no compiled script");
        });
    add_compiler("explain", "Say which tasks each line becomes, and what the compiler did with it",
                 "Example:\n    refrain script explain ensemble.swift", explain);
    cli::CommandLine& graph_command =
        app.add_command("graph", "Draw the data flow of a script, or the calls of a small run");
    graph_command.on_named([&graph_command, settings] {
        add_file(graph_command, *settings);
        graph_command.add_flag(
            "--run", settings->with_run,
            "Run the script, call after call, and draw these, coloured by time; its "
            "output goes to standard error");
        graph_command.add_option("-o,--output", settings->output,
                                 "FILE.html, a page; FILE.svg, by the program dot of Graphviz; "
                                 "FILE.dot; default: DOT text to standard output");
        graph_command.add_flag("--force", settings->force, "Replace the file, whatever it is");
    });
    graph_command.keep_unknown_words();
    graph_command.set_footer(
        "Example:\n"
        "    refrain script graph ensemble.swift -o ensemble.html\n"
        "    refrain script graph ensemble.swift --run -o run.svg --steps=3");
    graph_command.on_parsed([&app, &graph_command, settings, &status] {
        graph(*settings, arguments_of(graph_command, app), status);
    });
    add_compiler("check", "Say what is wrong with a script, without running it",
                 "Example:\n    refrain script check ensemble.swift", check,
                 [](cli::CommandLine& command, Settings& of) {
                     command.add_flag("--code", of.code, "Print the intermediate code, too");
                     command.add_flag("--json", of.json,
                                      "Print the messages as JSON, for editors, and nothing else");
                     command.add_option("--dump-after", of.dump_after,
                                        "Print the intermediate code after each run of this pass");
                 });
    cli::CommandLine& count_command = app.add_command(
        "count", "Run a script once per pass, and print the logical operations of each run");
    count_command.on_named([&count_command, settings] {
        add_file(count_command, *settings);
        count_command.add_option("-n,--workers", settings->options.workers, "Threads; default: 1");
        count_command.add_flag("--leave-one-out", settings->leave_one_out,
                               "All passes but one, instead of more and more passes");
    });
    count_command.keep_unknown_words();
    count_command.set_footer(
        "The script runs some fifteen times; its output is dropped, its effects are not. Example:\n"
        "    refrain script count sweep.swift --N=20");
    count_command.on_parsed([&app, &count_command, settings, &status] {
        count(*settings, arguments_of(count_command, app), status);
    });
}

}  // namespace refrain::script
