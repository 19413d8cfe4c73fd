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

}  // namespace refrain::script
