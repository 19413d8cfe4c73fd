#include "scripting/session.hpp"

#include "base/clock.hpp"
#include "base/exchanged.hpp"
#include "base/memory_limit.hpp"
#include "engine/placement.hpp"
#include "interpreter/interpreter.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "leaves/leaf_host.hpp"
#include "leaves/leaf_table.hpp"
#include "leaves/tcl_leaf.hpp"
#include "library/location.hpp"
#include "refrain/script/run_control.hpp"
#include "scripting/compiled_file.hpp"
#include "scripting/explain.hpp"
#include "scripting/graph.hpp"
#include "syntax/preprocessor.hpp"
#include "tasks/lower.hpp"
#include "typing/front_end.hpp"
#include "values/category.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"
#include "workers/mpi_run.hpp"
#include "workers/standard_services.hpp"
#include "workers/thread_run.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <sys/wait.h>
#include <thread>

namespace refrain::script {
namespace {

/// Output goes to a function.
class CallbackServices : public StandardServices {
  public:
    CallbackServices(std::vector<std::string> arguments, int workers, const RunOptions& options)
        : StandardServices(std::move(arguments), workers), options_(options) {}
    void print(const std::string& text) override {
        const std::lock_guard lock(mutex_);
        if (options_.on_worker_output)
            options_.on_worker_output(worker_of_this_thread(), text);
        else if (options_.on_output)
            options_.on_output(text);
        else
            StandardServices::print(text);
    }
    [[nodiscard]] int servers() const override { return options_.servers; }
    [[nodiscard]] std::uint32_t worker() const override { return worker_of_this_thread(); }
    [[nodiscard]] std::string evaluate(const ForeignCode& code) override {
        if (options_.dry_run) throw ScriptError("not called in a dry run");
        return host->interpreters.evaluate(code, *this);
    }
    [[nodiscard]] int run_program(const std::vector<std::string>& words,
                                  const std::string& output) override {
        if (options_.dry_run) throw ScriptError("not called in a dry run");
        processes::ProcessCommand command;
        command.words = words;
        command.streams[1] = output;
        command.keeps_errors = !output.empty();
        host->processes.guard();
        const processes::ProcessEnd end = processes::run_process(command, host->processes);
        if (!end.errors.empty()) return 1;
        return WIFEXITED(end.status) ? WEXITSTATUS(end.status) : 128 + WTERMSIG(end.status);
    }

    LeafHost* host = nullptr;  // set before the run begins

  private:
    const RunOptions& options_;
    std::mutex mutex_;
};

/// Does what fails because of how things are here, not because of us.
template <class Work>
auto as_usage(Work work) {
    try {
        return work();
    } catch (const ScriptError& error) {
        throw UsageError(error.what());
    } catch (const processes::ProcessError& error) {
        throw UsageError(error.what());
    }
}

tasks::LoweringOptions lowering_of(const passes::PassSet& passes) {
    tasks::LoweringOptions options;
    const bool merged = passes.has("merge-refcounts") && passes.has("cancel-refcounts") &&
                        passes.has("piggyback-refcounts") && passes.has("batch-refcounts") &&
                        passes.has("hoist-refcounts");
    const bool weighted = passes.has("weighted-references");
    options.counting = !merged    ? tasks::Counting::plain
                       : weighted ? tasks::Counting::weighted
                                  : tasks::Counting::merged;
    options.switches.returns_ride = merged;
    options.switches.carry_values = passes.has("value-carrying");
    options.switches.batch_subscribe = passes.has("batch-subscribe");
    options.switches.range_tasks = passes.has("range-tasks");
    options.switches.direct_joins = passes.has("direct-join");
    options.switches.in_place = passes.has("run-in-place");
    options.switches.free_data = passes.has("refcounting");
    return options;
}

/// What the leaves of a run share. Errors: UsageError.
std::unique_ptr<LeafHost> made_host(const std::string& script,
                                    const std::vector<std::string>& arguments,
                                    std::uint32_t workers, const RunOptions& options,
                                    RunControl& control) {
    const std::int64_t memory = options.memory_bytes != 0
                                    ? options.memory_bytes
                                    : static_cast<std::int64_t>(base::shared_memory_bytes());
    auto host = std::make_unique<LeafHost>(options, control, ResourceGate::Amount{workers, memory});
    if (options.dry_run) return host;
    namespace fs = std::filesystem;
    as_usage([&] {
        if (!options.checkpoint_file.empty())
            host->checkpoints.push_back(
                std::make_unique<Memo>(options.checkpoint_file, Memo::Keep::nothing));
        for (const std::string& each : options.reloaded_files) {
            if (!fs::exists(each)) throw ScriptError("there is no checkpoint file '" + each + "'");
            host->checkpoints.push_back(std::make_unique<Memo>(each, Memo::Keep::nothing));
        }
    });
    host->run = {fs::absolute(script).lexically_normal().string(),
                 {arguments.begin() + 1, arguments.end()},
                 base::unix_time_s()};
    if (!options.resume) return host;
    const auto latest = as_usage([&] { return latest_run(options.runs_folder, host->run.script); });
    if (!latest)
        throw UsageError("there is no earlier run of '" + script + "' in '" + options.runs_folder +
                         "' to be resumed; run it without --resume");
    host->run_folder = *latest;
    host->resumed = true;
    return host;
}

void take_outcome(RunResult& result, const RunOutcome& outcome, const Sources& sources) {
    result.tasks_done = outcome.tally.done;
    result.tasks_failed = outcome.tally.failed;
    result.tasks_skipped = outcome.tally.skipped;
    result.tasks_waiting = outcome.waiting.size();
    result.operations = outcome.tally.operations;
    result.messages_sent = outcome.messages;
    result.data_left = outcome.live_data;
    result.seconds = outcome.seconds;
    result.calls_left_out += outcome.calls.left_out;
    const engine::HotVariable& hot = outcome.hottest;
    result.hot_waiters = hot.waiters;
    if (hot.waiters != 0)  // another variable of that name has a number behind it
        result.hot_variable = shown_name(hot.name.substr(0, hot.name.find('.'))) + " (" +
                              sources.line_text(hot.at) + ")";
}

void take_calls(RunResult& result, const RunOutcome& outcome, const tasks::TaskProgram& tasks,
                const Sources& sources) {
    const auto seconds = [](std::uint64_t ns) { return static_cast<double>(ns) * 1e-9; };
    for (const engine::Span& each : outcome.calls.spans) {
        const tasks::TaskDefinition& task = tasks.tasks[each.task];
        result.calls.push_back({task.name, sources.line_text(task.at), each.worker,
                                seconds(each.created_ns), seconds(each.ready_ns),
                                seconds(each.begin_ns), seconds(each.end_ns), each.failed,
                                each.paused_s});
    }
}

/// How mpirun has started this process, if the run is to be that of all. Errors: UsageError.
std::optional<MpiLaunch> launch_of(const RunOptions& options) {
    if (!options.mpi) return std::nullopt;
    const auto launch = mpi_launch();
    if (!launch) throw UsageError("a run over MPI is started by mpirun, and this one was not");
    if (options.sequential || options.processes)
        throw UsageError(std::string(options.sequential ? "--sequential" : "--processes") +
                         " is for one process, and mpirun has started " +
                         std::to_string(launch->ranks) + "; start the script without mpirun");
    if (options.workers != 0 && options.workers != launch->ranks)
        throw UsageError("--workers says " + std::to_string(options.workers) +
                         ", but mpirun has started " + std::to_string(launch->ranks) +
                         " processes, each a worker; leave --workers out");
    return launch;
}

std::uint32_t workers_of(const RunOptions& options, const std::optional<MpiLaunch>& launch) {
    if (launch) return launch->ranks;
    if (options.sequential) return 1;
    return options.workers != 0 ? options.workers
                                : std::max(1U, std::thread::hardware_concurrency());
}

/// How many of them make calls. Errors: UsageError if none does.
int callers_of(const RunOptions& options, std::uint32_t workers) {
    if (options.server_ranks >= workers)
        throw UsageError(std::to_string(workers) + " processes, of which " +
                         std::to_string(options.server_ranks) +
                         " are servers, leave no worker; start more processes");
    return static_cast<int>(workers - options.server_ranks);
}

/// All ranks record in one folder, which rank 0 names.
void share_record(LeafHost& host, MpiTransport& transport) {
    if (host.options().runs_folder.empty()) return;
    host.begins_run = transport.rank() == 0;
    if (host.begins_run && host.run_folder.empty())
        host.run_folder = new_run_folder(host.options().runs_folder);
    host.run_folder = transport.broadcast(host.run_folder, 0);
    if (host.begins_run) static_cast<void>(host.record());
}

engine::CallTally tally_of(LeafHost& host) {
    return {host.cached.load(std::memory_order_relaxed),
            host.retried.load(std::memory_order_relaxed), host.folder_messages()};
}

/// Runs a hook of the original, on the first worker of a node.
using Hook = std::function<std::string(const char* variable)>;
void run_first(const Hook& hook) {
    const std::string why = hook("TURBINE_LEADER_HOOK_STARTUP");
    if (!why.empty()) throw UsageError(why);
}
void run_last(const Hook& hook, RunOutcome& outcome) {
    std::string why = hook("TURBINE_LEADER_HOOK_SHUTDOWN");
    if (!why.empty()) outcome.failures.push_back({{}, std::move(why)});
}

/// Errors: UsageError if there is no such MPI here.
RunOutcome run_by_ranks(const MpiLaunch& launch, const tasks::TaskProgram& tasks,
                        const Sources& sources, StandardServices& services, LeafHost& host,
                        ThreadRunOptions options, const Hook& hook) {
    const base::Exchanged own(worker_of_this_thread(), launch.rank);
    const std::unique_ptr<MpiTransport> transport = as_usage([&] { return open_mpi(launch); });
    share_record(host, *transport);
    std::vector<std::string> hosts;
    for (std::uint32_t i = 0; i < launch.ranks; ++i)
        hosts.push_back(transport->broadcast(host_name(), i));
    services.set_hosts(hosts);
    const bool leads = put_rank_variables(services);
    if (leads) run_first(hook);
    static_cast<void>(transport->sent_here(std::vector<std::uint64_t>(launch.ranks)));  // by all
    hosts.resize(static_cast<std::size_t>(services.workers()));
    services.set_hosts(std::move(hosts));
    std::vector<std::string> temporaries;
    FileHandle::kept_temporaries = &temporaries;
    if (launch.rank != 0) options.tally_of_calls = [&host] { return tally_of(host); };
    RunOutcome outcome = run_over_mpi(tasks, sources, services, options, *transport);
    FileHandle::kept_temporaries = nullptr;
    if (leads) run_last(hook, outcome);
    if (launch.rank != 0 && !outcome.failures.empty()) LeafHost::warn(outcome.failures[0].text);
    return outcome;
}

/// Of a script: what is left of it in a compiled file says less.
std::string read_source(const std::string& path, const char* command) {
    std::string text = read_script(path);
    if (is_compiled(text))
        throw UsageError(std::string(command) + " needs the script; '" + path +
                         "' is a compiled one");
    return text;
}
RunOptions unoptimised(RunOptions options) {
    options.level = 0;
    options.passes_on.clear();
    return options;
}

}  // namespace

Session::Session(const std::string& name, std::string text, const RunOptions& options,
                 const passes::PassObserver& observer)
    : name_(name), passes_(options.level) {
    if (is_compiled(text))
        read(text);
    else
        compile(std::move(text), options, observer);
}

void Session::compile(std::string text, const RunOptions& options,
                      const passes::PassObserver& observer) {
    folders_ = {folder_of(name_)};
    folders_.insert(folders_.end(), options.library_folders.begin(), options.library_folders.end());
    for (const std::string& each : options.compile_arguments)
        arguments_.push_back(each.starts_with('-') ? each : "--" + each);
    for (const std::string& each : options.passes_on) passes_.set(each, true);
    for (const std::string& each : options.passes_off) passes_.set(each, false);
    sources_.add(name_, std::move(text));
    FrontEndResult made = compile_to_ir(sources_, options);
    program_ = std::move(made.program);
    warnings_ = std::move(made.warnings);
    messages_ = std::move(made.messages);
    ir::verify(program_, "the front end");
    program_ = passes::optimise(std::move(program_), passes_, observer);
}

void Session::read(const std::string& text) {
    CompiledScript script = read_compiled(name_, text);
    folders_ = {folder_of(name_), std::move(script.folder)};
    folders_.insert(folders_.end(), script.libraries.begin(), script.libraries.end());
    for (const std::string& each : script.sources) sources_.add(each, {});
    arguments_ = std::move(script.arguments);
    passes_ = passes::PassSet(-1);
    for (const std::string& each : script.passes) passes_.set(each, true);
    program_ = std::move(script.program);
}

std::string Session::compiled() const {
    CompiledScript script;
    script.folder = std::filesystem::absolute(folders_.front()).lexically_normal().string();
    for (std::size_t i = 1; i < folders_.size(); ++i)
        script.libraries.push_back(std::filesystem::absolute(folders_[i]).string());
    for (std::uint32_t i = 0; i < sources_.count(); ++i) script.sources.push_back(sources_.name(i));
    script.arguments = arguments_;
    for (const PassInfo& each : passes::pass_names())
        if (passes_.has(each.name)) script.passes.emplace_back(each.name);
    script.program = program_;
    return compiled_text(script);
}

std::vector<std::string> Session::arguments_of(const RunOptions& options) const {
    std::vector<std::string> arguments{name_};
    for (const std::string& each : arguments_) {
        const std::string name = each.substr(0, each.find('='));
        for (const std::string& again : options.arguments)
            if (again.substr(0, again.find('=')) == name ||
                "-" + again.substr(0, again.find('=')) == name)
                throw UsageError("the argument " + again +
                                 " was given when the script was compiled, as " + each);
        arguments.push_back(each);
    }
    arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
    return arguments;
}

RunResult Session::run(const RunOptions& options) const {
    const std::optional<MpiLaunch> launch = launch_of(options);
    const std::uint32_t workers = workers_of(options, launch);
    if (launch && options.dry_run && launch->rank != 0) return {};
    RunResult result;
    result.warnings = options.on_warnings ? "" : warnings_;
    if (options.on_warnings && !warnings_.empty() && (!launch || launch->rank == 0))
        options.on_warnings(warnings_);
    const std::vector<std::string> arguments = arguments_of(options);
    const auto services =
        std::make_unique<CallbackServices>(arguments, callers_of(options, workers), options);
    RunControl control;
    std::optional<RunControl::Listener> outside;
    if (options.control != nullptr) {
        const auto pass_on = [&, given = options.control] {
            if (given->stopped()) control.stop();
            if (given->killed()) control.kill();
        };
        outside.emplace(*options.control, pass_on);
        pass_on();
    }
    const std::unique_ptr<LeafHost> host = made_host(name_, arguments, workers, options, control);
    host->place_of = [this](Position at) { return sources_.line_text(at); };

    result.workers = workers;
    RunOutcome outcome;
    std::unique_ptr<LeafTable> leaves;
    as_usage([&] {
        leaves = std::make_unique<LeafTable>(program_, folders_, *host);
        services->host = host.get();
        if (!program_.leaves.empty() && !options.dry_run) host->processes.guard();
        if (!options.dry_run) host->interpreters.prepare(program_, launch ? launch->rank : 0);
        if (host->tcl != nullptr && !options.dry_run)
            host->helpers.begin();  // a function may evaluate Python
        const bool any_function = std::ranges::any_of(program_.leaves, [](const auto& each) {
            return each.kind != ir::LeafDefinition::Kind::app;
        });
        if (host->isolates() && any_function) host->workers.start(workers);
    });
    if (options.sequential) {
        InterpretedCalls calls{host->place_of};
        outcome = interpret(program_, *leaves, *services, control, options.failures,
                            options.record_spans ? &calls : nullptr);
        result.calls = std::move(calls.all);
        result.calls_left_out = calls.left_out;
    } else {
        const auto tasks = tasks::lower_to_tasks(program_, *leaves, lowering_of(passes_));
        as_usage([&] {
            engine::Placement(tasks, 0, workers, *services);
        });  // each work type has its workers
        ThreadRunOptions how{.workers = workers,
                             .spans_max = options.record_spans ? 200'000U : 0U,
                             .failures = options.failures,
                             .control = &control,
                             .tally_of_calls = {},
                             .on_progress = {}};
        if (options.on_progress)
            how.on_progress = [&](const engine::Tally& tally, std::uint32_t busy, double seconds) {
                options.on_progress({.tasks_done = tally.done,
                                     .tasks_ready = tally.ready,
                                     .tasks_waiting = tally.waiting,
                                     .tasks_failed = tally.failed,
                                     .calls_cached = host->cached.load(std::memory_order_relaxed),
                                     .calls_running = busy,
                                     .seconds = seconds});
            };
        const auto hook = [&](const char* variable) {
            return run_hook(variable, folders_, *host, *services);
        };
        if (launch && !options.dry_run) {
            outcome = run_by_ranks(*launch, tasks, sources_, *services, *host, how, hook);
            if (launch->rank != 0) return {};
        } else {
            run_first(hook);
            outcome = run_on_threads(tasks, sources_, *services, how);
            run_last(hook, outcome);
        }
        take_calls(result, outcome, tasks, sources_);
    }
    take_outcome(result, outcome, sources_);
    if (options.dry_run) {
        result.status = 0;
        result.messages = dry_run_text(outcome, sources_);
    } else {
        result.status = outcome.succeeded() ? 0 : 1;
        result.messages = failure_text(outcome, sources_);
    }
    result.run_folder = host->record_path();
    host->end_record({result.status, result.seconds, result.messages});
    engine::CallTally calls = tally_of(*host);
    calls.add(outcome.tally_of_calls);
    result.calls_cached = calls.cached;
    result.calls_retried = calls.retried;
    result.warnings += calls.warnings;
    return result;
}

std::string read_script(const std::string& path) {
    std::optional<std::string> text = content_of(path);
    if (text) return std::move(*text);
    const char* const why = std::strerror(errno);
    std::error_code ignored;
    const bool is_folder = std::filesystem::is_directory(path, ignored);
    throw UsageError("cannot read the script '" + path +
                     "': " + (is_folder ? "it is a folder" : why));
}

std::optional<std::uint32_t> mpi_rank() {
    const auto launch = mpi_launch();
    return launch ? std::optional(launch->rank) : std::nullopt;
}

RunResult run_text(const std::string& text, const std::string& name, const RunOptions& options) {
    return Session(name, text, options).run(options);
}

RunResult run_file(const std::string& path, const RunOptions& options) {
    return run_text(read_script(path), path, options);
}

std::string preprocessed_text(const std::string& text, const std::string& name,
                              const RunOptions& options) {
    Sources sources;
    sources.add(name, text);
    Diagnostics diagnostics;
    PlacedText made = preprocess(sources, 0, {options.import_folders, options.macros}, diagnostics);
    if (diagnostics.failed())
        throw CompileFailure(diagnostics.text(sources), true, diagnostics.messages(sources));
    return std::move(made.text);
}

CompileResult compile_text(const std::string& text, const std::string& name,
                           const RunOptions& options) {
    const Session session(name, text, options);
    return {session.warnings(), session.compiled(), ir::print(session.program())};
}

CompileResult compile_file(const std::string& path, const RunOptions& options) {
    return compile_text(read_script(path), path, options);
}

std::string explain_file(const std::string& path, const RunOptions& options) {
    const std::string text = read_source(path, "explain");
    const Session plain(path, text, unoptimised(options));
    Explanation explanation;
    explanation.begin(plain.program());
    const Session session(path, text, options, [&](std::string_view pass, const ir::Program& code) {
        explanation.after(pass, code);
    });
    return explanation.text(session.sources());
}

drawing::Graph graph_of_file(const std::string& path, const RunOptions& options) {
    const Session session(path, read_source(path, "graph"), unoptimised(options));
    return graph_of(session.program(), session.sources());
}
std::string graph_file(const std::string& path, const RunOptions& options) {
    return drawing::dot_text(graph_of_file(path, options));
}

CheckResult check_file(const std::string& path, const RunOptions& options,
                       const std::string& dump_after) {
    CheckResult result;
    if (!dump_after.empty()) passes::PassSet().set(dump_after, true);  // it must be a pass
    const bool is_part = dump_after == "constant-fold" || dump_after == "finalized-var";
    const std::string after = is_part ? "value-number" : dump_after;
    const Session session(
        path, read_script(path), options, [&](std::string_view pass, const ir::Program& program) {
            if (pass == after)
                result.dump += "# after " + std::string(pass) + "\n" + ir::print(program);
        });
    result.warnings = session.warnings();
    result.messages = session.messages();
    result.intermediate_code = ir::print(session.program());
    return result;
}

const std::array<std::string_view, 8>& operation_names() {
    return category_names;
}

std::vector<PassInfo> compiler_passes() {
    return {passes::pass_names().begin(), passes::pass_names().end()};
}

}  // namespace refrain::script
