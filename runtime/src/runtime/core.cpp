#include "runtime/core.hpp"

#include "refrain/error.hpp"
#include "runtime/point_task.hpp"
#include "runtime/stage_options.hpp"

#include <cstdio>
#include <string>

namespace refrain::runtime {

Core::Core(const Options& options)
    : options_(options.checked()),
      worker_count_(options_.worker_count()),
      launching_thread_(std::this_thread::get_id()),
      observer_(observe::Observer::make(observer_options(options_))),
      progress_line_(options_.observe.progress ? std::make_unique<observe::ProgressLine>()
                                               : nullptr),
      log_(options_.observe.log),
      pool_(pool_options(options_)),
      binding_(binding_wish(options_.bind), worker_count_),
      regions_(pool_, &next_operation_, options_.checks.strict_reads),
      pipeline_(pipeline_options(options_, observer_.get(), progress_line_.get()),
                {.regions = regions_,
                 .failures = failures_,
                 .records = records_,
                 .footprints = footprints_,
                 .run_context = run_context_,
                 .log = log_}),
      futures_(*this),
      builder_({.footprints = footprints_,
                .regions = regions_,
                .futures = futures_,
                .records = records_,
                .context = run_context_,
                .deterministic_reductions = options_.deterministic_reductions}) {
    ForkGuard::begin();
    bind_workers();
    run_context_.run = options_.checks.strict_reads ? &run_watched_points : &run_points;
    if (observer_ != nullptr) observer_->follow(pipeline_.tracer(), *this);
    if (is_inline(options_))
        inline_.emplace(options_, pipeline_, regions_, observer_.get());
    else if (is_traced_by_itself(options_))
        auto_.emplace(options_, pipeline_, log_, observer_.get());
    if (progress_line_ != nullptr) progress_line_->start();
}

Core::~Core() {
    ForkGuard::end();
    if (ended_in_ == nullptr) {
        try {
            finish();
        } catch (const std::bad_alloc&) {
            end_at("the end of the runtime");
            std::fprintf(stderr, "refrain: the end of the runtime: memory ran out\n");
        }
    }
    if (ended_in_ != nullptr) {
        if (auto_) auto_->abandon();
        pipeline_.abandon(next_operation_);
    }
    auto_.reset();
}

void Core::finish() {
    try {
        interrupt();
        if (pipeline_.is_in_trace()) pipeline_.end_trace();
    } catch (const Error& error) {
        std::fprintf(stderr, "refrain: %s\n", error.what());
    }
    pipeline_.wait_for_all();
    if (progress_line_ != nullptr) progress_line_->stop();
    report_unseen_failures();
    report_unchecked_reads();
    // A child would write over what the parent reports.
    if (observer_ != nullptr && !is_child_) observer_->ends(statistics());
    if (options_.observe.report_statistics && !is_child_)
        std::fputs(statistics().to_string().c_str(), stderr);
}

void Core::end_at(const char* call) noexcept {
    ended_in_ = call;
    launching_thread_ = {};  // so that check_thread, on the path of each launch, tests one thing
}

void Core::end_at(const LaunchSite& site) noexcept {
    ended_at_ = site;
    end_at("launch");
}

void Core::refuse_ended(const char* call) const {
    std::string where = ended_in_;
    if (ended_at_) where = "the launch of " + ended_at_->describe();
    throw Error(std::string(call) + ": memory ran out in " + where +
                ", which was not finished. The runtime ended there, and what its regions hold is "
                "undefined; destroy it, free memory and make a new one");
}

void Core::report_unseen_failures() noexcept {
    const std::uint64_t unseen = failures_.unreported();
    if (unseen == 0) return;
    const regions::Failure* first = failures_.take_unreported();
    log_.say(LogLevel::warning, "the runtime ends with " + std::to_string(unseen) +
                                    " failure(s) that the program never asked about. The first: " +
                                    first->error().what());
}

void Core::report_unchecked_reads() const {
    if (!options_.checks.strict_reads || next_operation_ == 1 ||
        run_context_.has_checked_reads.load(std::memory_order_relaxed))  // tasks have ended
        return;
    log_.say(LogLevel::warning,
             "strict-reads checked no task: none was built with REFRAIN_CHECK_BOUNDS, as debug "
             "builds are");
}

void Core::refuse_thread(const char* what) const {
    if (graph::Workers::is_running_points())
        throw UsageError(std::string(what) +
                         " from inside a task: tasks do not launch or wait; return a value and "
                         "launch from the program");
    if (ended_in_ != nullptr) refuse_ended(what);
    throw UsageError(std::string(what) +
                     " from a thread that is not the launching one: launch and wait from that "
                     "one, or take over with use_from_this_thread() first");
}

bool Core::prepare_for_fork() noexcept {
    if (graph::Workers::is_running_points() || std::this_thread::get_id() != launching_thread_)
        return false;
    try {
        interrupt();
        pipeline_.wait_for_all();
        pipeline_.retire();
    } catch (const std::bad_alloc&) {
        end_at("fork()");
        return false;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "refrain: before fork(): %s\n", error.what());
        return false;
    }
    pipeline_.stop_threads();
    if (progress_line_ != nullptr) progress_line_->stop();
    return true;
}

void Core::forked(bool is_child) noexcept {
    is_child_ = is_child_ || is_child;
    if (is_child) binding_.leave_to_parent();
    pipeline_.start_threads();
    bind_workers();
    if (progress_line_ != nullptr && !is_child_) progress_line_->start();
}

void Core::bind_workers() noexcept {
    unsigned worker = 0;
    for (std::thread& thread : pipeline_.threads()) binding_.bind(++worker, thread.native_handle());
}

void Core::use_from_this_thread() {
    if (graph::Workers::is_running_points())
        throw UsageError(
            "use_from_this_thread from inside a task: tasks do not launch; return a value and "
            "launch from the program");
    if (ended_in_ != nullptr) refuse_ended("use_from_this_thread");
    launching_thread_ = std::this_thread::get_id();
}

void Core::reset_tables() {
    ++table_resets_;
    reset_before_ = next_operation_;
    forget_tables();
}

void Core::analyse_by_walks() {
    forget_tables();
    pipeline_.analyse_by_walks();
}

void Core::forget_tables() {
    interrupt();
    pipeline_.wait_for_all();
    pipeline_.reset_tables();
    builder_.begin_epoch();
    if (inline_) inline_->forget();
}

void Core::flush() {
    if (observer_ != nullptr) observer_->wait_begins_in_program();
    if (auto_) auto_->flush();
    if (observer_ != nullptr) observer_->handed_on();
}

void Core::interrupt() {
    flush();
    if (auto_) auto_->interrupt();
    if (inline_) inline_->interrupt();
}

void Core::flush_if_held(graph::OperationNumber number) {
    if (!auto_ || auto_->holds(number)) flush();
}

}  // namespace refrain::runtime
