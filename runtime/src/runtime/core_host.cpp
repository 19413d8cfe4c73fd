#include "refrain/error.hpp"
#include "refrain/future.hpp"
#include "refrain/region.hpp"
#include "runtime/core.hpp"
#include "runtime/launch_errors.hpp"

/// What the launching thread reads and writes itself, and what it waits for.
namespace refrain::runtime {

void Core::check_host_access(const regions::RegionRoot* root, Privilege privilege) const {
    const char* reason = nullptr;
    if (root == nullptr)
        reason = "an empty Region handle; give it a region made by create_region";
    else if (root->table != &regions_)
        reason =
            ": the region belongs to another runtime, or to one that has ended; use regions with "
            "the runtime that made them";
    else if (!root->use.is_written() && privilege != Privilege::write)
        reason = ": nothing has written the region; fill it first";
    else if (!root->use.admits(privilege))
        reason = ": the host program holds another view of it; let that go out of scope first";
    if (reason == nullptr) return;
    throw UsageError(std::string("host access (") + to_string(privilege) + ") to " +
                     (root == nullptr ? "" : name_of(*root)) + reason);
}

HostMapping Core::map(regions::RegionRoot* root, Privilege privilege) {
    return guarded("access from the host", [&]() -> HostMapping {
        check_thread("access from the host");
        check_host_access(root, privilege);
        ++host_accesses_;
        flush_if_held(root->last_use);
        const data::BoxSet& all = root->storage->all();
        const analysis::RequirementShape shape{footprints_.intern({all}), privilege, 0};
        regions::Failure* failure = host_access_.wait_for_region(*root, shape);
        if (failure != nullptr && privilege != Privilege::write) failure->report();
        void* elements = elements_for_host(*root);
        regions_.begin_view(*root, privilege);
        pipeline_.view_begins();
        if (privilege == Privilege::write) {
            regions::Taints::clear(*root);
            root->host_wrote_before = pipeline_.next_issue();
            forget_history(*root);
        }
        retain(root);
        return {
            root, privilege, elements, &root->storage->bounds(), &all, root->storage->written()};
    });
}

/// Everything that used the region has finished, so that what follows need not look at it. Inside a
/// trace it must: a recording would take the region for one that nothing had used before, and a
/// replay in which the host does not write would then miss what it waits for.
void Core::forget_history(regions::RegionRoot& root) {
    if (pipeline_.is_in_trace()) return;
    pipeline_.interrupt_row();
    root.forget_accesses();
}

void Core::check_part(const regions::RegionRoot* root, const data::Box& part,
                      Privilege privilege) const {
    check_thread("access from the host");
    check_host_access(root, privilege);
    if (privilege == Privilege::reduce)
        throw UsageError("host access (reduce) to " + name_of(*root) +
                         ": the program reads or writes; ask for read-write");
    if (!root->bounds.contains(part))
        throw UsageError(std::string("host access (") + to_string(privilege) + ") to " +
                         name_of(*root) + ": the part " + data::to_string(part, root->rank) +
                         " reaches beyond the bounds " + data::to_string(root->bounds, root->rank) +
                         "; clip it");
}

HostAccess::PartState Core::state_of(const regions::RegionRoot& root, const data::Box& part,
                                     Privilege privilege) {
    pipeline_.end_row();  // the last use is known
    if (root.last_use < pipeline_.frontier() && root.taints.empty()) return {.is_ready = true};
    flush_if_held(root.last_use);
    return host_access_.state_of(root, part, privilege);
}

void* Core::wait_for_part(regions::RegionRoot* root, const data::Box& part, Privilege privilege,
                          const GiveUp& give_up) {
    return guarded("access from the host", [&] {
        check_part(root, part, privilege);
        ++host_accesses_;
        HostAccess::PartState state;
        for (bool has_waited = false; true; has_waited = true) {
            state = state_of(*root, part, privilege);
            if (state.is_ready) break;
            if (has_waited && give_up.ask != nullptr && give_up.ask(give_up.context))
                throw WaitGivenUp();
            host_access_.wait_for_conflicts();
        }
        if (privilege == Privilege::write) {
            if (state.overwrites_failed)
                pipeline_.wait_for_all();  // as HostAccess::wait_for_region
            regions::Taints::overwrite(*root, part);
        } else if (state.failure != nullptr) {
            state.failure->report();
        }
        if (privilege != Privilege::read) root->use.mark_written();
        return elements_for_host(*root);
    });
}

/// Operations that are held back need the memory of dead regions, too, and give it back only if
/// they run.
void* Core::elements_for_host(regions::RegionRoot& root) {
    if (options_.limits.region_bytes != 0 && root.storage->elements() == nullptr) {
        if (regions_.has_dead_before(next_operation_)) flush();
        regions_.reserve(root);
        pipeline_.wait_for_memory(pipeline_.next_issue());
    }
    return root.storage->ensure();
}

bool Core::is_part_ready(regions::RegionRoot* root, const data::Box& part, Privilege privilege) {
    return guarded("access from the host", [&] {
        check_part(root, part, privilege);
        if (state_of(*root, part, privilege).is_ready) return true;
        start_issued();
        return host_access_.state_of(*root, part, privilege).is_ready;
    });
}

const void* Core::wait_for_future(regions::FutureState& future, std::size_t index,
                                  const GiveUp& give_up) {
    return guarded("Future::get", [&]() -> const void* {
        check_thread("Future::get");
        if (!future.retired && give_up.ask != nullptr) {
            flush_if_held(future.operation);
            while (!future.retired && !pipeline_.is_finished(future.operation) &&
                   !pipeline_.wait_some_time_for(future.operation))
                if (give_up.ask(give_up.context)) throw WaitGivenUp();
        }
        return wait_for_value(future, index);
    });
}

void Core::wait_for_room(const GiveUp& give_up) {
    guarded("wait_for_room", [&] {
        check_thread("wait_for_room");
        while (!pipeline_.wait_some_time_for_room())
            if (give_up.ask != nullptr && give_up.ask(give_up.context)) throw WaitGivenUp();
    });
}

const void* Core::wait_for_value(regions::FutureState& future, std::size_t index) {
    return guarded("Future::get", [&]() -> const void* {
        check_thread("Future::get");
        regions::Failure* failure = future.failure;
        if (!future.retired) {
            flush_if_held(future.operation);
            pipeline_.wait_for(future.operation);
            failure = future.retired ? future.failure : pipeline_.failure_of(future.operation);
        }
        if (failure != nullptr) failure->report();
        return future.value(index);
    });
}

bool Core::is_ready(regions::FutureState& future) {
    return guarded("Future::ready", [&] {
        check_thread("Future::ready");
        if (future.retired) return true;
        flush_if_held(future.operation);
        start_issued();
        return pipeline_.is_finished(future.operation);
    });
}

void Core::start_launched() {
    guarded("flush", [&] {
        check_thread("flush");
        flush();
        start_issued();
    });
}

/// A program that asks again and again gets its answer, even with one worker.
void Core::start_issued() {
    if (worker_count_ == 1)
        pipeline_.help_once();
    else
        pipeline_.flush();
}

void Core::wait_all(const GiveUp& give_up) {
    guarded("wait_all", [&] {
        check_thread("wait_all");
        flush();
        while (give_up.ask != nullptr && !pipeline_.wait_some_time_for_all()) {
            if (give_up.ask(give_up.context)) throw WaitGivenUp();
            flush();
        }
        pipeline_.wait_for_all();
        const std::uint64_t failures = failures_.unreported();
        const regions::Failure* first = failures_.take_unreported();
        if (first == nullptr) return;
        if (failures == 1) throw first->error();
        throw TaskError(first->site.name, first->site.where(),
                        first->message + " (the first of " + std::to_string(failures) +
                            " failures; take_failures() returns all)",
                        first->cause);
    });
}

std::vector<FailedTask> Core::take_failures() {
    return guarded("take_failures", [&] {
        check_thread("take_failures");
        flush();
        pipeline_.wait_for_all();
        return failures_.take_thrown();
    });
}

}  // namespace refrain::runtime
