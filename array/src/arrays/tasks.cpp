// Tasks over whole arrays: one task each, computed at once where that is cheaper.
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "arrays/parts.hpp"

namespace refrain::array {

namespace {

constexpr std::size_t requirements_max = 64;

// The closure of a launch is the address of its job, which it owns.
void move_job(void* to, void* from) {
    *static_cast<TaskJob**>(to) = std::exchange(*static_cast<TaskJob**>(from), nullptr);
}
void destroy_job(void* closure) {
    delete *static_cast<TaskJob**>(closure);
}
void run_job(const runtime::TaskFrame& frame) {
    const TaskJob& job = **static_cast<TaskJob**>(frame.closure);
    std::vector<TaskView> views(job.views.size());
    for (std::size_t i = 0; i < views.size(); ++i)
        views[i] = job.placed(
            i, static_cast<std::byte*>(frame.arguments[job.views[i].requirement].elements));
    job.task->body({views, job.numbers});
}

}  // namespace

void Machine::run(const Task& task, std::span<const Array> written, std::span<const Array> read,
                  std::span<const std::int64_t> numbers) {
    parts_->run_task(task, written, read, numbers);
}

void Machine::Parts::run_task(const Task& task, std::span<const Array> written,
                              std::span<const Array> read, std::span<const std::int64_t> numbers) {
    TaskJob job;
    job.task = &task;
    job.numbers.assign(numbers.begin(), numbers.end());
    std::vector<Store*> used;  // those that are written come first
    std::size_t written_stores = 0;
    std::int64_t bytes = 0;
    const auto add = [&](const Array& array) {
        Store* store = &array.store();
        std::size_t place = 0;
        while (place < used.size() && used[place] != store) ++place;
        if (place == used.size()) used.push_back(store);
        job.views.push_back({place, array.layout(), array.dtype()});
        bytes += array.size() * static_cast<std::int64_t>(bytes_of(array.dtype()));
    };
    for (const Array& array : written) {
        if (!array.store().writable)
            throw ArrayError(ErrorKind::value, "assignment destination is read-only");
        add(array);
        forget_bounds(array.store());
    }
    written_stores = used.size();
    for (const Array& array : read) add(array);
    if (used.size() > requirements_max)
        throw ArrayError(ErrorKind::value,
                         std::string(task.name) + ": a task takes at most 64 arrays");
    if (hashing) {
        for (const char* c = task.name; *c != '\0'; ++c)
            hash = mixed(hash, static_cast<std::uint64_t>(*c));
        for (const std::int64_t number : numbers)
            hash = mixed(hash, static_cast<std::uint64_t>(number));
        for (const TaskJob::View& view : job.views)
            hash = mixed(hash_of(hash, view.layout), used[view.requirement]->uid);
    }

    bool at_once = bytes * task.cost <= tuning.at_once_bytes;
    bool certain = at_once;
    for (std::size_t i = 0; i < used.size(); ++i)
        certain = certain && !(i < written_stores ? used[i]->may_be_used : used[i]->may_be_written);
    if (!certain) {
        for (std::size_t i = 0; i < used.size(); ++i) {
            used[i]->may_be_used = true;
            if (i < written_stores) used[i]->may_be_written = true;
        }
    }
    for (std::size_t i = 0; at_once && i < used.size(); ++i)
        at_once =
            is_settled(*used[i], i < written_stores ? Privilege::read_write : Privilege::read);
    if (!at_once && can_lie_in_regions(used)) {
        if (give_up != nullptr) dynamic::wait_for_room(runtime, {give_up, give_up_context});
        launcher.task(std::make_unique<TaskJob>(std::move(job)), used, written_stores, site);
        ++counts.operations;
        for (Store* store : used)
            if (store->exports != 0 && store->pending) settle(*store, Privilege::read_write);
        return;
    }

    for (std::size_t i = 0; i < used.size(); ++i) {
        Store& store = *used[i];
        const Privilege privilege = i < written_stores ? Privilege::read_write : Privilege::read;
        if (is_pending(store, privilege)) settle(store, privilege);
        if (store.memory == nullptr) locate(store);
    }
    std::vector<TaskView> placed;
    for (std::size_t i = 0; i < job.views.size(); ++i)
        placed.push_back(job.placed(i, used[job.views[i].requirement]->memory));
    ++counts.immediate;
    task.body({placed, job.numbers});
}

bool Machine::Parts::can_lie_in_regions(std::span<Store* const> used) {
    for (Store* store : used) {
        if (store->in_region) continue;
        try {
            stores.put_into_region(*store);
        } catch (const UsageError&) {
            return false;  // another store holds part of that memory
        }
    }
    return true;
}

void Launcher::task(std::unique_ptr<TaskJob> job, std::span<Store* const> used, std::size_t written,
                    const Site& site) {
    const std::array<std::uintptr_t, 3> key{reinterpret_cast<std::uintptr_t>(job->task),
                                            used.size(), written};
    dynamic::TaskKind& kind = task_kinds_[key];
    if (!kind) {
        std::vector<dynamic::Requirement> requirements(used.size());
        for (std::size_t i = 0; i < written; ++i) requirements[i].privilege = Privilege::read_write;
        kind = dynamic::TaskKind({.name = job->task->name,
                                  .function = &run_job,
                                  .requirements = requirements,
                                  .closure = {.bytes = sizeof(TaskJob*),
                                              .align = alignof(TaskJob*),
                                              .move = &move_job,
                                              .destroy = &destroy_job}});
    }
    std::vector<dynamic::RegionUse> uses;
    for (const Store* store : used) uses.push_back(dynamic::use(store->region));
    TaskJob* closure = job.release();
    try {
        dynamic::launch(runtime_, kind, site_of(kind, site), dynamic::single_task, uses, &closure);
    } catch (...) {
        delete closure;
        throw;
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
        used[i]->pending = true;
        if (i < written) used[i]->pending_write = true;
    }
}

}  // namespace refrain::array
