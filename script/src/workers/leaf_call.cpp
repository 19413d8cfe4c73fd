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

std::optional<engine::Task> run_short(engine::Engine& engine, Services& services,
                                      const RunControl& control,
                                      const std::function<void()>& on_failure) {
    constexpr int tasks_max = 32;
    for (int i = 0; i < tasks_max && !control.stopped(); ++i) {
        std::optional<engine::Task> task = engine.next();
        if (!task) return std::nullopt;
        const tasks::Call* call = engine.call_of(*task);
        if (call != nullptr && call->leaf->is_long_running()) return task;
        engine::CallOutcome made;
        if (call != nullptr) made = called(engine, *task, services, control);
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
