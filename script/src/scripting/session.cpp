#include "scripting/session.hpp"

#include "interpreter/interpreter.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "leaves/leaf_table.hpp"
#include "scripting/failure_text.hpp"
#include "tasks/lower.hpp"
#include "typing/front_end.hpp"
#include "values/category.hpp"
#include "values/script_error.hpp"
#include "workers/standard_services.hpp"
#include "workers/thread_run.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

namespace refrain::script {
namespace {

/// Output goes to a function.
class CallbackServices : public StandardServices {
  public:
    CallbackServices(std::vector<std::string> arguments, int workers,
                     const std::function<void(const std::string&)>& output)
        : StandardServices(std::move(arguments), workers), output_(output) {}
    void print(const std::string& text) override {
        const std::lock_guard lock(mutex_);
        output_(text);
    }

  private:
    const std::function<void(const std::string&)>& output_;
    std::mutex mutex_;
};

Progress progress_of(const engine::Tally& tally, std::uint32_t running, double seconds) {
    Progress progress;
    progress.tasks_done = tally.done;
    progress.tasks_ready = tally.ready;
    progress.tasks_waiting = tally.waiting;
    progress.tasks_failed = tally.failed;
    progress.calls_running = running;
    progress.seconds = seconds;
    return progress;
}

}  // namespace

Session::Session(const std::string& name, std::string text, const RunOptions& options,
                 const passes::PassObserver& observer)
    : name_(name), passes_(options.level) {
    for (const std::string& each : options.passes_on) passes_.set(each, true);
    for (const std::string& each : options.passes_off) passes_.set(each, false);
    sources_.add(name, std::move(text));
    try {
        FrontEndResult made = compile_to_ir(sources_, {options.import_folders});
        program_ = std::move(made.program);
        warnings_ = std::move(made.warnings);
    } catch (const CompileError& error) {
        throw CompileFailure(error.what(), error.is_syntax());
    }
    ir::verify(program_, "the front end");
    program_ = passes::optimise(std::move(program_), passes_, observer);
}

namespace {

tasks::LoweringOptions lowering_of(const passes::PassSet& passes) {
    tasks::LoweringOptions options;
    options.merge_counts = passes.has("merge-refcounts") && passes.has("cancel-refcounts") &&
                           passes.has("piggyback-refcounts") && passes.has("batch-refcounts") &&
                           passes.has("hoist-refcounts");
    options.switches.carry_values = passes.has("value-carrying");
    options.switches.batch_subscribe = passes.has("batch-subscribe");
    options.switches.range_tasks = passes.has("range-tasks");
    options.switches.free_data = passes.has("refcounting");
    return options;
}

}  // namespace

RunResult Session::run(const RunOptions& options) const {
    const std::uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::uint32_t workers = options.sequential     ? 1
                                  : options.workers == 0 ? cores
                                                         : options.workers;
    std::vector<std::string> arguments{name_};
    arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
    std::unique_ptr<StandardServices> services;
    if (options.on_output)
        services = std::make_unique<CallbackServices>(arguments, static_cast<int>(workers),
                                                      options.on_output);
    else
        services = std::make_unique<StandardServices>(arguments, static_cast<int>(workers));

    RunResult result;
    result.workers = workers;
    result.warnings = warnings_;
    RunOutcome outcome;
    std::unique_ptr<LeafTable> leaves;
    try {
        leaves = std::make_unique<LeafTable>(program_,
                                             std::filesystem::path(name_).parent_path().string());
    } catch (const ScriptError& error) {
        throw UsageError(error.what());
    }
    tasks::TaskProgram tasks;
    if (options.sequential) {
        outcome = interpret(program_, *leaves, *services);
    } else {
        tasks = tasks::lower_to_tasks(program_, *leaves, lowering_of(passes_));
        ThreadRunOptions how;
        how.workers = workers;
        how.record_spans = options.record_spans;
        if (options.on_progress)
            how.on_progress = [&](const engine::Tally& tally, std::uint32_t running,
                                  double seconds) {
                options.on_progress(progress_of(tally, running, seconds));
            };
        outcome = run_on_threads(tasks, sources_, *services, how);
    }
    result.status = outcome.succeeded() ? 0 : 1;
    result.messages = failure_text(outcome, sources_);
    result.tasks_done = outcome.tally.done;
    result.tasks_failed = outcome.tally.failed;
    result.tasks_skipped = outcome.tally.skipped;
    result.tasks_waiting = outcome.waiting.size();
    std::copy_n(outcome.tally.operations.by.begin(), result.operations.size(),
                result.operations.begin());
    result.messages_sent = outcome.messages;
    result.data_left = outcome.live_data;
    result.seconds = outcome.seconds;
    result.calls_left_out = outcome.spans_left_out;
    for (const Span& each : outcome.spans) {
        const tasks::TaskDefinition& task = tasks.tasks[each.task];
        Position line = task.at;
        line.column = 0;
        const auto seconds = [](std::uint64_t ns) { return static_cast<double>(ns) * 1e-9; };
        result.calls.push_back({task.name, sources_.text(line), each.worker,
                                seconds(each.created_ns), seconds(each.ready_ns),
                                seconds(each.begin_ns), seconds(each.end_ns), each.failed});
    }
    return result;
}

std::string read_script(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw UsageError("cannot read the script '" + path + "': " + std::strerror(errno));
    return {std::istreambuf_iterator<char>(file), {}};
}

RunResult run_text(const std::string& text, const std::string& name, const RunOptions& options) {
    return Session(name, text, options).run(options);
}

RunResult run_file(const std::string& path, const RunOptions& options) {
    return run_text(read_script(path), path, options);
}

CheckResult check_file(const std::string& path, const RunOptions& options,
                       const std::string& dump_after) {
    CheckResult result;
    if (!dump_after.empty()) passes::PassSet().set(dump_after, true);  // it must be a pass
    const bool is_part =
        dump_after == "constant-fold" || dump_after == "algebra" || dump_after == "finalized-var";
    const std::string after = is_part ? "value-number" : dump_after;
    const Session session(
        path, read_script(path), options, [&](std::string_view pass, const ir::Program& program) {
            if (pass == after)
                result.dump += "# after " + std::string(pass) + "\n" + ir::print(program);
        });
    result.warnings = session.warnings();
    result.intermediate_code = ir::print(session.program());
    return result;
}

const std::array<std::string_view, 8>& operation_names() {
    return category_names;
}

std::vector<PassInfo> compiler_passes() {
    std::vector<PassInfo> all;
    for (const passes::PassName& each : passes::pass_names())
        all.push_back({each.name, each.level, each.built, each.what});
    return all;
}

}  // namespace refrain::script
