/// What the code of a task does.

#include "base/assertion.hpp"
#include "engine/engine.hpp"
#include "values/script_error.hpp"

#include <algorithm>

namespace refrain::script::engine {

using tasks::no_slot;
using tasks::Slot;
using tasks::TaskDefinition;

const Value& Engine::value_of(const Task& task, const tasks::Source& source) {
    return source.slot == no_slot ? source.constant : task.slots[source.slot];
}

Path Engine::path_of(const Task& task, const tasks::Place& place) {
    Path path;
    for (const tasks::Source& each : place.path) path.push_back(value_of(task, each));
    return path;
}

// ---- failed values

FailurePointer Engine::failure_of(const Task& task, Slot slot) {
    for (const auto& [each, why] : task.failed)
        if (each == slot) return why;
    return nullptr;
}
FailurePointer Engine::failure_among(const Task& task, const std::vector<tasks::Source>& sources) {
    if (task.failed.empty()) return nullptr;
    FailurePointer failure;
    for (const tasks::Source& each : sources)
        if (failure == nullptr) failure = failure_of(task, each.slot);
    return failure;
}
void Engine::fail_datum(DatumId datum, const FailurePointer& why) {
    count(Category::store);
    send(datum.owner, Fail{datum, why});
}
void Engine::note_skipped(Position at, const std::string& name) {
    ++tally_.skipped;
    skipped_.push_back({at, name});
}
FailurePointer Engine::note_failed(Position at, std::string text) {
    ++tally_.failed;
    errors_.push_back({at, std::move(text)});
    return std::make_shared<const Failure>(errors_.back());
}
template <>
void Engine::execute(Task& task, const tasks::FailData& is) {
    FailurePointer failure;
    for (const Slot each : is.values)
        if (failure == nullptr) failure = failure_of(task, each);
    note_skipped(is.at, "wait");
    for (const Slot each : is.data) fail_datum(task.slots[each].id(), failure);
}

// ---- statements

/// Counts that are returned ride on what is done next in the same go with data of the same rank.
void Engine::change_logically(DatumId datum, std::int64_t reads, std::int64_t writes) {
    if (datum.is_input()) return;  // it has no counts: it is gone when its task runs
    if (!program_.switches.free_data) reads = 0;
    if (reads == 0 && writes == 0) return;
    if (program_.switches.returns_ride && reads <= 0 && writes <= 0)
        return static_cast<void>(owed_.push_back({datum, reads, writes}));
    count(Category::refcount);
    send(datum.owner, ChangeCounts{datum, reads, writes});
}
template <>
void Engine::execute(Task& task, const tasks::Create& is) {
    if (is.data.empty()) return;
    count(Category::create);
    return_counts(rank_, nullptr);
    for (const tasks::Create::One& each : is.data)
        task.slots[each.counts.slot] = Value(store_.create(program_.variables[each.variable],
                                                           each.counts.reads, each.counts.writes));
}
template <>
void Engine::execute(Task& task, const tasks::OpenInputs& is) {
    const TaskNumber number = next_task_++;
    task.slots[is.task] = Value(static_cast<std::int64_t>(number));
    for (std::uint32_t i = 0; i < is.data.size(); ++i)
        task.slots[is.data[i]] = Value(DatumId::of_input(rank_, number, i));
}
template <>
void Engine::execute(Task& task, const tasks::ChangeCount& is) {
    change_logically(task.slots[is.by.slot].id(), is.by.reads, is.by.writes);
}
template <>
void Engine::execute(Task& task, const tasks::Move& is) {
    if (const FailurePointer failure = failure_of(task, is.from.slot))
        return static_cast<void>(task.failed.emplace_back(is.to, failure));
    task.slots[is.to] = value_of(task, is.from);
}
template <>
void Engine::execute(Task& task, const tasks::Evaluate& is) {
    FailurePointer failure = failure_among(task, is.arguments);
    if (failure != nullptr) {
        note_skipped(is.at, is.name);
    } else {
        for (const tasks::Source& each : is.arguments) arguments_.push_back(value_of(task, each));
        results_.resize(is.results.size());
        try {
            is.leaf->call(arguments_, results_, services_);
            for (std::size_t i = 0; i < results_.size(); ++i)
                task.slots[is.results[i]] = std::move(results_[i]);
        } catch (const std::exception& error) {
            failure = note_failed(is.at, is.name + ": " + error.what());
        }
        arguments_.clear();
        results_.clear();
        if (failure == nullptr) return;
    }
    for (const Slot each : is.results) task.failed.emplace_back(each, failure);
}
template <>
void Engine::execute(Task& task, const tasks::PutFile& is) {
    if (failure_of(task, is.value) != nullptr) return;
    const Value& mapping = task.slots[is.mapping];
    Value& value = task.slots[is.value];
    if (mapping.empty() || value.path() == mapping.string()) return;
    try {
        services_.copy_file(value.path(), mapping.string());
        value = Value::file(mapping.string());
    } catch (const ScriptError& error) {
        task.failed.emplace_back(is.value, note_failed(definition(task).at, error.what()));
    }
}
template <>
void Engine::execute(Task& task, const tasks::Count& is) {
    task.slots[is.to] = Value(static_cast<std::int64_t>(task.slots[is.table].entries().size()));
}

/// Ids that become elements bring a read count with them.
void Engine::share_reads(const Value& value) {
    if (value.is<DatumId>()) change_logically(value.id(), 1, 0);
    if (!value.is<Value::TablePointer>()) return;
    for (const auto& [key, element] : value.entries())
        if (element.is<DatumId>()) change_logically(element.id(), 1, 0);
}

template <>
void Engine::execute(Task& task, const tasks::Store& is) {
    const DatumId datum = task.slots[is.place.datum].id();
    FailurePointer failure = failure_of(task, is.from.slot);
    if (failure == nullptr) failure = failure_among(task, is.place.path);
    if (failure != nullptr) {
        fail_datum(datum, failure);
        return change_logically(datum, -is.release.reads, -is.release.writes);
    }
    const Value& value = value_of(task, is.from);
    share_reads(value);
    count(is.append || !is.place.path.empty() ? Category::insert : Category::store);
    send(datum.owner,
         Assign{datum, path_of(task, is.place), value, is.at, is.append,
                program_.switches.free_data ? is.release.reads : 0, is.release.writes});
}
template <>
void Engine::execute(Task& task, const tasks::Update& is) {
    const DatumId datum = task.slots[is.place.datum].id();
    if (const FailurePointer failure = failure_of(task, is.by.slot))
        return fail_datum(datum, failure);
    count(Category::store);
    send(datum.owner, UpdateDatum{datum, value_of(task, is.by).floating(), is.how, is.at});
}
template <>
void Engine::execute(Task& task, const tasks::MapFile& is) {
    const DatumId datum = task.slots[is.file].id();
    if (const FailurePointer failure = failure_of(task, is.name.slot))
        return fail_datum(datum, failure);
    count(Category::store);
    send(datum.owner, NameFile{datum, value_of(task, is.name).string()});
}

/// The child, with its captures. Its counts have been taken.
Task Engine::spawned(const Task& task, const tasks::Spawn& is) {
    Task child;
    child.definition = is.task;
    child.priority = is.priority;
    child.slots.resize(program_.tasks[is.task].slot_count);
    for (const tasks::Capture& each : is.captures) {
        child.slots[each.to] = task.slots[each.from];
        if (const FailurePointer why = task.failed.empty() ? nullptr : failure_of(task, each.from))
            child.failed.emplace_back(each.to, why);
    }
    return child;
}

template <>
void Engine::execute(Task& task, const tasks::Spawn& is) {
    if (is.in_place && !last_) {
        last_ = spawned(task, is);
        return;
    }
    if (is.opened != no_slot)
        return add_task(spawned(task, is),
                        static_cast<TaskNumber>(task.slots[is.opened].integer()));
    add_task(spawned(task, is));
}
/// The call that the task ended with, and the one that this ends with, and so on; others are let in from time to time.
void Engine::run_last() {
    constexpr int in_place_max = 32;
    for (int i = 0; last_ && i < in_place_max; ++i) {
        settle();
        Task task = std::move(*last_);
        last_.reset();
        const TaskDefinition& is = definition(task);
        run(task, is.code);
    }
    if (last_) add_task(std::move(*std::exchange(last_, std::nullopt)));
}
template <>
void Engine::execute(Task& task, const tasks::Branch& is) {
    const bool failed =
        std::ranges::any_of(is.needs, [&](Slot each) { return failure_of(task, each) != nullptr; });
    run(task, failed ? is.blocks.back() : is.blocks[is.choice.of(value_of(task, is.value))]);
}

/// The counts of all turns of a loop: in one change per datum, or one per turn. What the loop has and they do not need is
/// returned by the first turn, or by what runs now.
std::vector<ChangeCounts> Engine::take_counts(const Task& task, const tasks::Spawn& body,
                                              const std::vector<tasks::Counts>& moved,
                                              std::int64_t turns) {
    std::vector<ChangeCounts> left;
    const std::vector<tasks::Capture>& shares = program_.tasks[body.task].captures;
    for (std::size_t i = 0; i < body.captures.size(); ++i) {
        const tasks::Capture& each = body.captures[i];
        if (!each.counted) continue;
        const std::int64_t reads = shares[i].read_share;
        const std::int64_t writes = each.writes ? shares[i].write_share : 0;
        const auto own = std::ranges::find(moved, each.from, &tasks::Counts::slot);
        const tasks::Counts has = own == moved.end() ? tasks::Counts{} : *own;
        const DatumId datum = task.slots[each.from].id();
        if (!program_.switches.range_tasks) {
            for (std::int64_t turn = 0; turn < turns; ++turn)
                change_logically(datum, reads, writes);
            change_logically(datum, -has.reads, -has.writes);
            continue;
        }
        const std::int64_t more_reads = turns * reads - has.reads;
        const std::int64_t more_writes = turns * writes - has.writes;
        change_logically(datum, std::max<std::int64_t>(0, more_reads),
                         std::max<std::int64_t>(0, more_writes));
        if (more_reads < 0 || more_writes < 0)
            left.push_back({datum, std::min<std::int64_t>(0, more_reads),
                            std::min<std::int64_t>(0, more_writes)});
    }
    return left;
}
void Engine::return_now(const std::vector<ChangeCounts>& left) {
    for (const ChangeCounts& each : left) change_logically(each.datum, each.reads, each.writes);
}

template <>
void Engine::execute(Task& task, const tasks::ForEach& is) {
    const Value table = task.slots[is.table];
    return_now(
        take_counts(task, is.body, is.moved, static_cast<std::int64_t>(table.entries().size())));
    for (const auto& [key, element] : table.entries()) {
        Task child = spawned(task, is.body);
        if (is.key != no_slot) child.slots[is.key] = key;
        child.slots[is.element] = element;
        if (is.counted_element)
            change_logically(element.id(), definition(child).captures.back().read_share, 0);
        add_task(std::move(child));
    }
}

FailurePointer Engine::range_of(const Task& task, const tasks::ForRange& is, Task::Range& range) {
    for (const tasks::Source* each : {&is.begin, &is.end, &is.step})
        if (FailurePointer failure = failure_of(task, each->slot)) return failure;
    range.begin = value_of(task, is.begin).integer();
    range.step = value_of(task, is.step).integer();
    const std::int64_t end = value_of(task, is.end).integer();
    if (range.step <= 0)
        return note_failed(is.at, "the step of a range is " + std::to_string(range.step) +
                                      "; it must be positive");
    if (end >= range.begin)
        range.count = static_cast<std::int64_t>((static_cast<std::uint64_t>(end) -
                                                 static_cast<std::uint64_t>(range.begin)) /
                                                static_cast<std::uint64_t>(range.step)) +
                      1;
    return nullptr;
}

template <>
void Engine::execute(Task& task, const tasks::ForRange& is) {
    Task::Range range;
    if (const FailurePointer failure = range_of(task, is, range)) {
        for (const tasks::Capture& each : is.body.captures)
            if (each.writes) fail_datum(task.slots[each.from].id(), failure);
        return return_now(take_counts(task, is.body, is.moved, 0));
    }
    std::vector<ChangeCounts> left = take_counts(task, is.body, is.moved, range.count);
    if (range.count == 0) return return_now(left);
    Task turns = spawned(task, is.body);
    turns.owed = std::move(left);
    turns.range = range;
    turns.created_ns = now_ns_;
    if (program_.switches.range_tasks) {
        ++tally_.created;
        count(Category::task, 2);
        return make_ready(std::move(turns));
    }
    while (turns.range->count > 0) {
        Task turn;
        ReadyTasks::take_turn(turns, program_.tasks[turns.definition], turn);
        add_task(std::move(turn));
    }
}

template <>
void Engine::execute(Task&, const tasks::CallPoint&) {}

void Engine::run(Task& task, const tasks::CodeBlock& code, std::size_t begin, std::size_t end) {
    if (!task.owed.empty()) return_now(std::exchange(task.owed, {}));
    for (std::size_t i = begin; i < end; ++i)
        std::visit([&](const auto& is) { execute(task, is); }, code[i].is);
}

}  // namespace refrain::script::engine
