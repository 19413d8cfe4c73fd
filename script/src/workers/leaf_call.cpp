#include "workers/leaf_call.hpp"

#include "leaves/leaf_host.hpp"

namespace refrain::script {

CallOutcome called(const engine::Engine& engine, const engine::Task& task, Services& services,
                   const RunControl& control) {
    const tasks::Call& call = *engine.call_of(task);
    CallOutcome made{engine::Engine::results_of(call, task), nullptr, false};
    const auto fail = [&](const std::string& why, bool cut_off) {
        made.cut_off = cut_off;
        made.failure = std::make_shared<const engine::Failure>(
            engine::Failure{engine.definition(task).at, call.name + ": " + why});
    };
    try {
        call.leaf->call(engine.arguments_of(task), made.results, services);
    } catch (const RunStopped& error) {
        fail(error.what(), true);
    } catch (const std::exception& error) {
        fail(error.what(), control.killed());
    } catch (...) {
        fail("threw something that is no std::exception", false);
    }
    return made;
}

Calls::Calls(const tasks::TaskProgram& program, const RunClock& clock,
             std::unique_lock<std::mutex>& lock, std::atomic<std::uint64_t>& since,
             std::function<void(const engine::Span&)> ended)
    : clock_(clock),
      lock_(lock),
      since_(since),
      ended_(std::move(ended)),
      scores_(program.tasks.size()) {
    for (const tasks::TaskDefinition& each : program.tasks) {
        may_be_brief_.push_back(each.call != nullptr && each.call->leaf->may_be_brief());
        any_ = any_ || may_be_brief_.back();
    }
}

void Calls::note(const engine::Span& span) {
    // Waking a sleeping worker takes about as long, so that messages hardly come later.
    constexpr std::uint64_t brief_ns = 20000;
    constexpr std::uint8_t score_max = 64;
    std::uint8_t& score = scores_[span.task];
    if (span.end_ns - span.begin_ns > brief_ns)
        score /= 4;
    else if (may_be_brief_[span.task] && score < score_max)
        ++score;
}

CallOutcome Calls::make(engine::Engine& engine, const engine::Task& task, Services& services,
                        const RunControl& control, std::uint64_t& now_ns) {
    engine::Span span{0, task.definition, task.created_ns, task.ready_ns, now_ns, 0, false};
    if (lock_.owns_lock()) {
        // Relaxed, here and below: it says when, and publishes nothing.
        since_.store(now_ns, std::memory_order_relaxed);
        lock_.unlock();
    }
    CallOutcome made = called(engine, task, services, control);
    span.end_ns = now_ns = clock_.now_ns();
    span.failed = made.failure != nullptr;
    lock_.lock();
    since_.store(0, std::memory_order_relaxed);
    engine.set_busy(false);
    engine.set_time(now_ns);
    note(span);
    ended_(span);
    return made;
}

std::optional<engine::Task> run_short(engine::Engine& engine, Services& services,
                                      const RunControl& control, Calls& calls,
                                      const std::function<void()>& on_failure) {
    constexpr int tasks_max = 32;
    constexpr std::uint64_t ns_max =
        100000;  // some brief calls; what they send waits so long at most
    std::uint64_t now_ns = calls.now_ns();
    const std::uint64_t end_ns = now_ns + ns_max;
    for (int i = 0; i < tasks_max && now_ns < end_ns && !control.stopped(); ++i) {
        std::optional<engine::Task> task = engine.next();
        if (!task) return std::nullopt;
        const tasks::Call* call = engine.call_of(*task);
        const bool leaf = call != nullptr && call->leaf->is_long_running();
        if (leaf && !calls.is_brief(*task)) return task;
        CallOutcome made;
        if (leaf)
            made = calls.make(engine, *task, services, control, now_ns);
        else if (call != nullptr)
            made = called(engine, *task, services, control);
        engine.finish(std::move(*task), std::move(made.results), made.failure);
        if (made.failure != nullptr) on_failure();
    }
    return std::nullopt;
}

void heed_failure(FailurePolicy policy, RunControl& control) {
    if (policy == FailurePolicy::stop) control.kill();
    if (policy == FailurePolicy::drain) control.stop();
}

}  // namespace refrain::script
