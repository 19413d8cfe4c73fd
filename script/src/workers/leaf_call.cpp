#include "workers/leaf_call.hpp"

#include "leaves/leaf_host.hpp"

namespace refrain::script {

engine::CallOutcome called(const tasks::TaskDefinition& task, std::span<const Value> arguments,
                           std::vector<Value> results, Services& services,
                           const RunControl& control) {
    engine::CallOutcome made{std::move(results), nullptr, false};
    const auto fail = [&](const std::string& why, bool cut_off) {
        made.cut_off = cut_off;
        made.failure = std::make_shared<const engine::Failure>(
            engine::Failure{task.at, task.call->name + ": " + why});
    };
    try {
        task.call->leaf->call(arguments, made.results, services);
    } catch (const RunStopped& error) {
        fail(error.what(), true);
    } catch (const std::exception& error) {
        fail(error.what(), control.killed());
    } catch (...) {
        fail("threw something that is no std::exception", false);
    }
    return made;
}

engine::CallOutcome called(const engine::Engine& engine, const engine::Task& task,
                           Services& services, const RunControl& control) {
    return called(engine.definition(task), engine.arguments_of(task),
                  engine::Engine::results_of(*engine.call_of(task), task), services, control);
}

BriefCalls::BriefCalls(const tasks::TaskProgram& program, Driver driver)
    : driver_(std::move(driver)), scores_(program.tasks.size()) {
    for (const tasks::TaskDefinition& each : program.tasks) {
        may_be_brief_.push_back(each.call != nullptr && each.call->leaf->may_be_brief());
        any_ = any_ || may_be_brief_.back();
    }
}

void BriefCalls::note(const engine::Span& span) {
    // Who sleeps is told of a message about as late as one is that waits for so long a call.
    constexpr std::uint64_t brief_ns = 20000;
    if (!may_be_brief_[span.task]) return;
    std::uint8_t& score = scores_[span.task];
    if (span.end_ns - span.begin_ns > brief_ns)
        score /= 4;
    else if (score < score_max)
        ++score;
}

engine::CallOutcome BriefCalls::make(const engine::Engine& engine, const engine::Task& task,
                                     Services& services, const RunControl& control,
                                     std::uint64_t& now_ns) {
    engine::Span span{0, task.definition, task.created_ns, task.ready_ns, now_ns, 0, false};
    driver_.begin(now_ns);
    engine::CallOutcome made = called(engine, task, services, control);
    driver_.end();
    now_ns = driver_.clock.now_ns();
    span.end_ns = now_ns;
    span.failed = made.failure != nullptr;
    note(span);
    if (driver_.record) driver_.record(span);
    return made;
}

std::optional<engine::Task> run_short(engine::Engine& engine, Services& services,
                                      const RunControl& control, BriefCalls* brief,
                                      const std::function<void()>& on_failure) {
    constexpr int tasks_max = 32;
    constexpr std::uint64_t ns_max = 100000;
    std::uint64_t now_ns = brief == nullptr ? 0 : brief->now_ns();
    const std::uint64_t end_ns = now_ns + ns_max;
    for (int i = 0; i < tasks_max && now_ns < end_ns && !control.stopped(); ++i) {
        std::optional<engine::Task> task = engine.next();
        if (!task) return std::nullopt;
        const tasks::Call* call = engine.call_of(*task);
        const bool leaf = call != nullptr && call->leaf->is_long_running();
        if (leaf && (brief == nullptr || !brief->allows(*task))) return task;
        engine::CallOutcome made;
        if (leaf) {
            made = brief->make(engine, *task, services, control, now_ns);
            engine.set_time(now_ns);
        } else if (call != nullptr) {
            made = called(engine, *task, services, control);
        }
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
