#include "engine/engine.hpp"

#include "base/assertion.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

#include <algorithm>

namespace refrain::script::engine {

using tasks::Mode;
using tasks::no_slot;
using tasks::Slot;
using tasks::TaskDefinition;

Engine::Engine(const tasks::TaskProgram& program, Rank rank, Rank ranks, Services& services)
    : program_(program),
      rank_(rank),
      ranks_(ranks),
      services_(services),
      outbox_(rank),
      store_(rank, outbox_),
      termination_(rank, ranks),
      told_(ranks, false) {}

void Engine::start() {
    Task task;
    task.definition = program_.main;
    task.slots.resize(program_.tasks[program_.main].slot_count);
    add_task(std::move(task));
    settle();
}

void Engine::send(Rank to, decltype(Message::is) is) {
    outbox_.send(to, std::move(is));
}

std::vector<Message> Engine::take_outgoing() {
    std::vector<Message> all = outbox_.take_others();
    for (const Message& each : all)
        if (each.is_counted()) termination_.count_sent();
    return all;
}

void Engine::change(DatumId datum, std::int64_t reads, std::int64_t writes) {
    send(datum.owner, ChangeCounts{datum, reads, writes});
}

// ---- messages

void Engine::handle(Message message) {
    if (message.is_counted()) termination_.count_received();
    take(std::move(message));
    settle();
    share();
}

void Engine::settle() {
    while (auto message = outbox_.take_own()) take(std::move(*message));
}

void Engine::take(Message message) {
    std::visit(
        [&](auto& is) {
            using Is = std::decay_t<decltype(is)>;
            if constexpr (std::is_same_v<Is, Deliver>) {
                arrive(std::move(is));
            } else if constexpr (std::is_same_v<Is, Hungry>) {
                hungry_.insert(message.from);
            } else if constexpr (std::is_same_v<Is, Work>) {
                told_[message.from] = false;
                for (Task& task : is.tasks) make_ready(std::move(task));
            } else if constexpr (std::is_same_v<Is, Wave> || std::is_same_v<Is, Stop>) {
                termination_.handle(is);
            } else {
                store_.handle(std::move(is));
            }
        },
        message.is);
}

// ---- waiting

void Engine::add_task(Task task) {
    ++tally_.created;
    task.created_ns = now_ns_;
    const TaskDefinition& definition = program_.tasks[task.definition];
    if (definition.inputs.empty()) return make_ready(std::move(task));
    Pending pending;
    pending.missing = definition.inputs.size();
    pending.asked.assign(definition.inputs.size(), false);
    pending.arrived.assign(definition.inputs.size(), false);
    pending.missing_parts.assign(definition.inputs.size(), 1);
    pending.task = std::move(task);
    const TaskNumber number = next_task_++;
    ask(number, pending_.emplace(number, std::move(pending)).first->second);
}

/// Subscribes to the inputs whose keys are known.
void Engine::ask(TaskNumber number, Pending& pending) {
    const TaskDefinition& definition = program_.tasks[pending.task.definition];
    for (std::uint32_t i = 0; i < definition.inputs.size(); ++i) {
        const tasks::Input& input = definition.inputs[i];
        if (pending.asked[i]) continue;
        const bool known = std::all_of(
            input.place.path.begin(), input.place.path.end(), [&](const tasks::Source& key) {
                return key.slot == no_slot || !pending.task.slots[key.slot].empty();
            });
        if (!known) continue;
        pending.asked[i] = true;
        const DatumId datum = pending.task.slots[input.place.datum].id();
        send(datum.owner, Subscribe{datum,
                                    keys_of(pending.task, input.place),
                                    input.mode,
                                    rank_,
                                    number,
                                    i,
                                    {},
                                    definition.at});
    }
}

void Engine::arrive(Deliver message) {
    const auto found = pending_.find(message.task);
    if (found == pending_.end()) return;  // it was skipped: another input has failed
    Pending& pending = found->second;
    if (message.failure != nullptr) {
        Task task = std::move(pending.task);
        pending_.erase(found);
        return skip(std::move(task), message.failure);
    }
    const tasks::Input& input = program_.tasks[pending.task.definition].inputs[message.input];
    if (input.mode == Mode::deep) {
        arrive_part(message.task, pending, message);
    } else {
        pending.task.slots[input.into] = std::move(message.value);
        --pending.missing_parts[message.input];
    }
    if (pending.missing_parts[message.input] != 0) return;
    pending.arrived[message.input] = true;
    if (input.mode == Mode::deep) {
        pending.task.slots[input.into] = assembled(pending.deep[message.input]);
        pending.deep.erase(message.input);
    }
    if (--pending.missing == 0) {
        Task task = std::move(pending.task);
        pending_.erase(found);
        return make_ready(std::move(task));
    }
    ask(message.task, pending);
}

void Engine::arrive_part(TaskNumber number, Pending& pending, Deliver& message) {
    Parts* parts = &pending.deep[message.input];
    for (const Value& key : message.route) parts = &parts->parts[key];
    parts->value = message.value;
    --pending.missing_parts[message.input];
    if (!message.value.is<Value::TablePointer>()) return;
    for (const auto& [key, element] : message.value.entries()) {
        if (!element.is<DatumId>()) continue;
        ++pending.missing_parts[message.input];
        std::vector<Value> route = message.route;
        route.push_back(key);
        send(element.id().owner, Subscribe{element.id(),
                                           {},
                                           Mode::deep,
                                           rank_,
                                           number,
                                           message.input,
                                           std::move(route),
                                           program_.tasks[pending.task.definition].at});
    }
}

Value Engine::assembled(const Parts& parts) {
    if (parts.parts.empty()) return parts.value;
    Table table = parts.value.entries();
    for (const auto& [key, part] : parts.parts) table[key] = assembled(part);
    return Value::table(std::move(table));
}

void Engine::make_ready(Task task) {
    if (task.ready_ns == 0) task.ready_ns = now_ns_;
    const tasks::Call* call = call_of(task);
    if (call == nullptr || !call->leaf->is_long_running()) {
        short_.push_back(std::move(task));
        return;
    }
    const auto place = std::find_if(calls_.rbegin(), calls_.rend(), [&](const Task& each) {
        return each.priority >= task.priority;
    });
    calls_.insert(place.base(), std::move(task));
}

void Engine::skip(Task task, const FailurePointer& failure) {
    ++tally_.skipped;
    const TaskDefinition& is = definition(task);
    skipped_.push_back({is.at, is.name});
    fail_outputs(task, failure);
    release_captures(task);
}

void Engine::fail_outputs(const Task& task, const FailurePointer& failure) {
    for (const tasks::Capture& each : definition(task).captures)
        if (each.writes) {
            const DatumId datum = task.slots[each.to].id();
            send(datum.owner, Fail{datum, failure});
        }
}

void Engine::release_captures(const Task& task) {
    const TaskDefinition& is = definition(task);
    for (const tasks::Capture& each : is.captures)
        if (each.counted) change(task.slots[each.to].id(), -1, each.writes ? -1 : 0);
    for (const Slot reference : is.references)
        if (task.slots[reference].is<DatumId>()) change(task.slots[reference].id(), -1, 0);
}

// ---- running

std::optional<Task> Engine::next() {
    Task task;
    if (!short_.empty()) {
        task = std::move(short_.back());
        short_.pop_back();
    } else if (!calls_.empty()) {
        task = std::move(calls_.front());
        calls_.pop_front();
    } else {
        return std::nullopt;
    }
    return task;
}

std::vector<Value> Engine::arguments_of(const Task& task) const {
    std::vector<Value> arguments;
    for (const tasks::Source& each : call_of(task)->arguments)
        arguments.push_back(value_of(task, each));
    return arguments;
}

std::vector<Value> Engine::results_of(const tasks::Call& call, const Task& task) {
    std::vector<Value> results(call.results.size());
    for (std::size_t i = 0; i < results.size(); ++i)
        if (call.mappings[i] != no_slot) results[i] = task.slots[call.mappings[i]];
    return results;
}

void Engine::finish(Task task, std::vector<Value> results, FailurePointer failure) {
    const TaskDefinition& is = definition(task);
    if (failure == nullptr) {
        if (is.call != nullptr)
            for (std::size_t i = 0; i < results.size(); ++i)
                task.slots[is.call->results[i]] = std::move(results[i]);
        try {
            run(task, is.code);
        } catch (const ScriptError& error) {
            failure = std::make_shared<const Failure>(Failure{is.at, error.what()});
        }
    }
    if (failure != nullptr) {
        ++tally_.failed;
        errors_.push_back(*failure);
        fail_outputs(task, failure);
    } else {
        ++tally_.done;
    }
    release_captures(task);
    settle();
    share();
}

const Value& Engine::value_of(const Task& task, const tasks::Source& source) {
    return source.slot == no_slot ? source.constant : task.slots[source.slot];
}

std::vector<Value> Engine::keys_of(const Task& task, const tasks::Place& place) {
    std::vector<Value> keys;
    for (const tasks::Source& key : place.path) keys.push_back(value_of(task, key));
    return keys;
}

void Engine::run(Task& task, const tasks::CodeBlock& code) {
    for (const tasks::Code& each : code)
        std::visit([&](const auto& is) { execute(task, is); }, each.is);
}

void Engine::execute(Task& task, const tasks::Create& is) {
    task.slots[is.slot] = Value(store_.create(program_.variables[is.variable]));
}
void Engine::execute(Task& task, const tasks::Release& is) {
    change(task.slots[is.slot].id(), -1, -1);
}
void Engine::execute(Task& task, const tasks::Move& is) {
    task.slots[is.to] = value_of(task, is.from);
}
void Engine::execute(Task& task, const tasks::PutFile& is) {
    const Value& mapping = task.slots[is.mapping];
    Value& value = task.slots[is.value];
    if (mapping.empty() || value.path() == mapping.string()) return;
    services_.copy_file(value.path(), mapping.string());
    value = Value::file(mapping.string());
}
void Engine::execute(Task& task, const tasks::Count& is) {
    task.slots[is.to] = Value(static_cast<std::int64_t>(task.slots[is.table].entries().size()));
}

/// Ids that become elements bring a read count with them.
void Engine::share_reads(const Value& value) {
    if (value.is<DatumId>()) change(value.id(), 1, 0);
    if (!value.is<Value::TablePointer>()) return;
    for (const auto& [key, element] : value.entries())
        if (element.is<DatumId>()) change(element.id(), 1, 0);
}

void Engine::execute(Task& task, const tasks::Store& is) {
    const Value& value = value_of(task, is.from);
    share_reads(value);
    const DatumId datum = task.slots[is.place.datum].id();
    send(datum.owner, Assign{datum, keys_of(task, is.place), value, is.at, false});
}
void Engine::execute(Task& task, const tasks::Append& is) {
    const Value& value = value_of(task, is.from);
    share_reads(value);
    const DatumId datum = task.slots[is.place.datum].id();
    REFRAIN_ASSERT(is.place.path.empty(), "an append to a bag in an array");
    send(datum.owner, Assign{datum, {}, value, is.at, true});
}
void Engine::execute(Task& task, const tasks::Update& is) {
    const DatumId datum = task.slots[is.place.datum].id();
    send(datum.owner, UpdateDatum{datum, value_of(task, is.by).floating(), is.how, is.at});
}
void Engine::execute(Task& task, const tasks::MapFile& is) {
    const DatumId datum = task.slots[is.file].id();
    send(datum.owner, NameFile{datum, value_of(task, is.name).string()});
}

/// The child, with its captures. Its counts are still to be taken.
Task Engine::spawned(const Task& task, const tasks::Spawn& is) {
    Task child;
    child.definition = is.task;
    child.priority = is.priority;
    child.slots.resize(program_.tasks[is.task].slot_count);
    for (const tasks::Capture& each : is.captures) child.slots[each.to] = task.slots[each.from];
    return child;
}
void Engine::take_counts(const Task& child) {
    for (const tasks::Capture& each : definition(child).captures)
        if (each.counted) change(child.slots[each.to].id(), 1, each.writes ? 1 : 0);
}

void Engine::execute(Task& task, const tasks::Spawn& is) {
    Task child = spawned(task, is);
    take_counts(child);
    add_task(std::move(child));
}
void Engine::execute(Task& task, const tasks::Branch& is) {
    run(task, is.blocks[value_of(task, is.condition).truth() ? 0 : 1]);
}
void Engine::execute(Task& task, const tasks::Select& is) {
    const std::int64_t value = value_of(task, is.value).integer();
    const auto found = std::find(is.labels.begin(), is.labels.end(), value);
    run(task, is.blocks[static_cast<std::size_t>(found - is.labels.begin())]);
}
void Engine::execute(Task& task, const tasks::ForEach& is) {
    const Value table = task.slots[is.table];
    for (const auto& [key, element] : table.entries()) {
        Task child = spawned(task, is.body);
        if (is.key != no_slot) child.slots[is.key] = key;
        child.slots[is.element] = element;
        take_counts(child);
        add_task(std::move(child));
    }
}

/// Many turns are halved first: few tasks exist at a time, and others can take a half.
void Engine::execute(Task& task, const tasks::ForRange& is) {
    constexpr std::int64_t turns_max = 64;
    Task::Range range;
    if (task.range) {
        range = *task.range;
    } else {
        range.begin = value_of(task, is.begin).integer();
        range.step = value_of(task, is.step).integer();
        const std::int64_t end = value_of(task, is.end).integer();
        if (range.step <= 0)
            throw ScriptError("the step of a range is " + std::to_string(range.step) +
                              "; it must be positive");
        if (end >= range.begin)
            range.count = static_cast<std::int64_t>((static_cast<std::uint64_t>(end) -
                                                     static_cast<std::uint64_t>(range.begin)) /
                                                    static_cast<std::uint64_t>(range.step)) +
                          1;
    }
    if (range.count > turns_max) {
        const std::int64_t half = range.count / 2;
        const Task::Range second{range.begin + half * range.step, range.count - half, range.step,
                                 range.index + half};
        const Task::Range first{range.begin, half, range.step, range.index};
        for (const Task::Range& part : {second, first}) {
            Task child = task;
            child.range = part;
            child.ready_ns = 0;
            take_counts(child);
            ++tally_.created;
            make_ready(std::move(child));
        }
        return;
    }
    for (std::int64_t i = 0; i < range.count; ++i) {
        Task child = spawned(task, is.body);
        child.slots[is.counter] = Value(range.begin + i * range.step);
        if (is.index != no_slot) child.slots[is.index] = Value(range.index + i);
        take_counts(child);
        add_task(std::move(child));
    }
}

// ---- others

/// Gives half of what is ready, or all while busy, to the ranks that asked.
void Engine::share() {
    while (!hungry_.empty()) {
        const std::size_t ready = short_.size() + calls_.size();
        const std::size_t surplus = busy_ ? ready : ready == 0 ? 0 : ready - 1;
        if (surplus == 0) return;
        const Rank to = *hungry_.begin();
        hungry_.erase(hungry_.begin());
        std::size_t count = (surplus + hungry_.size() + 1) / (hungry_.size() + 2);
        if (count == 0) count = 1;
        Work work;
        for (; count != 0 && !calls_.empty(); --count) {
            work.tasks.push_back(std::move(calls_.front()));
            calls_.pop_front();
        }
        // The oldest short tasks: they stand for the most work.
        const std::size_t from_short = std::min(count, short_.size());
        for (std::size_t i = 0; i < from_short; ++i) work.tasks.push_back(std::move(short_[i]));
        short_.erase(short_.begin(), short_.begin() + static_cast<std::ptrdiff_t>(from_short));
        send(to, std::move(work));
    }
}

void Engine::set_busy(bool busy) {
    busy_ = busy;
    if (busy) share();
}

void Engine::idle() {
    for (Rank other = 0; other < ranks_; ++other) {
        if (other == rank_ || told_[other]) continue;
        told_[other] = true;
        send(other, Hungry{});
    }
    do {
        termination_.passive(outbox_);
        settle();
    } while (termination_.holds_wave());
}

Tally Engine::tally() const {
    Tally tally = tally_;
    tally.ready = short_.size() + calls_.size();
    tally.waiting = pending_.size();
    return tally;
}

std::vector<Failure> Engine::take_errors() {
    std::vector<Failure> all = std::exchange(errors_, {});
    for (Failure& each : store_.take_errors()) all.push_back(std::move(each));
    return all;
}

std::vector<WaitingTask> Engine::waiting_tasks() const {
    std::vector<WaitingTask> all;
    for (const auto& [number, pending] : pending_) {
        const TaskDefinition& is = definition(pending.task);
        WaitingTask waiting{is.name, is.at, {}, {}, {}};
        for (std::size_t i = 0; i < is.inputs.size(); ++i) {
            if (pending.arrived[i] || !pending.asked[i]) continue;
            waiting.data.push_back(pending.task.slots[is.inputs[i].place.datum].id());
            std::string element;
            for (const Value& key : keys_of(pending.task, is.inputs[i].place))
                element += "[" + text_of(key) + "]";
            waiting.waits_for.push_back(element);
        }
        for (const tasks::Capture& each : is.captures)
            if (each.writes) waiting.would_assign.push_back(pending.task.slots[each.to].id());
        all.push_back(std::move(waiting));
    }
    return all;
}

}  // namespace refrain::script::engine
