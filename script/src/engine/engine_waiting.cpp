/// Tasks that wait, and what they are told.

#include "engine/engine.hpp"

#include <algorithm>

namespace refrain::script::engine {

using tasks::Mode;
using tasks::no_slot;
using tasks::TaskDefinition;

namespace {

bool is_answered_now(const tasks::Input& input) {
    return input.mode == Mode::presence || input.mode == Mode::mapping;
}
}  // namespace

void Engine::add_task(Task task, TaskNumber number) {
    ++tally_.created;
    task.created_ns = now_ns_;
    count(Category::task, 2);
    const TaskDefinition& definition = program_.tasks[task.definition];
    if (definition.inputs.empty()) return make_ready(std::move(task));
    for (const tasks::Input& each : definition.inputs)
        if (const FailurePointer why = failure_among(task, each.place.path))
            return skip(number, {.task = std::move(task)}, why);
    Pending pending;
    pending.missing = definition.inputs.size();
    pending.inputs.resize(definition.inputs.size());
    for (std::size_t i = 0; i < pending.inputs.size(); ++i)
        if (definition.inputs[i].mode == Mode::delivered)
            pending.inputs[i].asked = true;
        else
            ++pending.unasked;
    pending.task = std::move(task);
    ask(number, pending);
    if (pending.missing == 0) return make_ready(std::move(pending.task));
    pending_.emplace(number, std::move(pending));
}

/// What an input waits for, if it is a value that this rank has.
const Value* Engine::value_here(const Task& task, const tasks::Input& input) const {
    if (input.mode != Mode::closed || !program_.switches.carry_values) return nullptr;
    const Value* value = &task.slots[input.place.datum];
    if (input.place.path.empty())
        return value->id().owner == rank_ ? store_.scalar(value->id()) : nullptr;
    for (const tasks::Source& each : input.place.path) {
        if (!value->is<DatumId>() || value->id().owner != rank_) return nullptr;
        value = store_.element(value->id(), value_of(task, each));
        if (value == nullptr) return nullptr;
    }
    return value->is<DatumId>() ? nullptr : value;
}

/// Takes the inputs that are there, and subscribes to others whose keys are known.
void Engine::ask(TaskNumber number, Pending& pending) {
    const TaskDefinition& definition = program_.tasks[pending.task.definition];
    asked_.clear();
    for (std::uint32_t i = 0; i < definition.inputs.size() && pending.unasked != 0; ++i) {
        const tasks::Input& input = definition.inputs[i];
        if (pending.inputs[i].asked) continue;
        const bool known = std::ranges::all_of(input.place.path, [&](const tasks::Source& key) {
            return key.slot == no_slot || !pending.task.slots[key.slot].empty();
        });
        if (!known) continue;
        pending.inputs[i].asked = true;
        --pending.unasked;
        const DatumId datum = pending.task.slots[input.place.datum].id();
        // All elements of a datum are one operation.
        const auto same = std::ranges::find(asked_, datum, &std::pair<DatumId, Category>::first);
        if (!program_.switches.batch_subscribe || same == asked_.end())
            asked_.emplace_back(datum,
                                is_answered_now(input) ? Category::lookup : Category::subscribe);
        else
            same->second = Category::subscribe;
        const Value* value = input.releases ? nullptr : value_here(pending.task, input);
        if (value == nullptr) {
            send(datum.owner,
                 subscription(number, pending.task, i, !program_.switches.carry_values));
            continue;
        }
        pending.task.slots[input.into] = *value;
        pending.inputs[i].arrived = true;
        --pending.missing;
    }
    for (const auto& [datum, category] : asked_) count(category);
}

Subscribe Engine::subscription(TaskNumber number, const Task& task, std::uint32_t index,
                               bool notify) const {
    const TaskDefinition& is = definition(task);
    const tasks::Input& input = is.inputs[index];
    return {task.slots[input.place.datum].id(),
            path_of(task, input.place),
            input.mode,
            rank_,
            number,
            index,
            nullptr,
            is.at,
            notify && !is_answered_now(input),
            input.releases && program_.switches.free_data};
}

void Engine::arrive(Deliver&& message) {
    const auto found = pending_.find(message.task);
    if (found == pending_.end()) {        // it was skipped: another input has failed
        if (message.value.is<DatumId>())  // a count comes with it
            send(message.value.id().owner, ChangeCounts{message.value.id(), -1, 0});
        return;
    }
    Pending& pending = found->second;
    if (message.failure != nullptr) {
        pending.inputs[message.input].arrived = true;
        const Pending failed = std::move(pending);
        pending_.erase(found);
        return skip(message.task, failed, message.failure);
    }
    const tasks::Input& input = program_.tasks[pending.task.definition].inputs[message.input];
    if (message.notify) {
        Subscribe load = subscription(message.task, pending.task, message.input, false);
        count(load.path.empty() ? Category::load : Category::lookup);
        return send(load.datum.owner, std::move(load));
    }
    Awaited& awaited = pending.inputs[message.input];
    --awaited.missing_parts;
    if (input.mode == Mode::deep)
        arrive_part(message.task, pending, message);
    else
        pending.task.slots[input.into] = std::move(message.value);
    if (awaited.missing_parts != 0) return;
    awaited.arrived = true;
    if (input.mode == Mode::deep) {
        pending.task.slots[input.into] = assembled(pending.deep[message.input]);
        pending.deep.erase(message.input);
    }
    if (--pending.missing != 0 && pending.unasked != 0) ask(message.task, pending);
    if (pending.missing != 0) return;
    Task task = std::move(pending.task);
    pending_.erase(found);
    make_ready(std::move(task));
}

void Engine::arrive_part(TaskNumber number, Pending& pending, Deliver& message) {
    Parts* parts = &pending.deep[message.input];
    if (message.route != nullptr)
        for (const Value& key : *message.route) parts = &parts->parts[key];
    parts->value = message.value;
    if (!message.value.is<Value::TablePointer>()) return;
    for (const auto& [key, element] : message.value.entries()) {
        if (!element.is<DatumId>()) continue;
        ++pending.inputs[message.input].missing_parts;
        std::vector<Value> route;
        if (message.route != nullptr) route = *message.route;
        route.push_back(key);
        count(Category::subscribe);
        send(element.id().owner,
             Subscribe{.datum = element.id(),
                       .mode = Mode::deep,
                       .waiter = rank_,
                       .task = number,
                       .input = message.input,
                       .route = std::make_shared<const std::vector<Value>>(std::move(route)),
                       .at = definition(pending.task).at});
    }
}

Value Engine::assembled(const Parts& parts) {
    if (parts.parts.empty()) return parts.value;
    Table table = parts.value.entries();
    for (const auto& [key, part] : parts.parts) table[key] = assembled(part);
    return Value::table(std::move(table));
}

/// A task that does not run fails what it should have assigned, and returns its counts. Those that it has asked for with a
/// release are returned by the answer, which may never come: then the store is told.
void Engine::skip(TaskNumber number, const Pending& pending, const FailurePointer& failure) {
    const Task& task = pending.task;
    const TaskDefinition& is = definition(task);
    note_skipped(is.at, is.name);
    for (const tasks::Capture& each : is.captures)
        if (each.writes) fail_datum(task.slots[each.to].id(), failure);
    std::set<tasks::Slot> returned;
    for (std::size_t i = 0; i < pending.inputs.size(); ++i) {
        const tasks::Input& input = is.inputs[i];
        if (!pending.inputs[i].asked || !input.releases) continue;
        const DatumId datum = task.slots[input.place.datum].id();
        returned.insert(input.place.datum);
        if (pending.inputs[i].arrived || !program_.switches.free_data) continue;
        count(Category::refcount);
        send(datum.owner, Unsubscribe{datum, path_of(task, input.place), rank_, number});
    }
    for (const tasks::Capture& each : is.captures)
        if (each.counted && !returned.contains(each.to))
            change_logically(task.slots[each.to].id(), -each.read_share,
                             each.writes ? -each.write_share : 0);
    for (const tasks::Slot reference : is.references)
        if (task.slots[reference].is<DatumId>())
            change_logically(task.slots[reference].id(), -1, 0);
}

}  // namespace refrain::script::engine
