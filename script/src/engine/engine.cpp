#include "engine/engine.hpp"

#include "base/assertion.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <iterator>

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

Batches Engine::take_outgoing() {
    Batches all = outbox_.take_others();
    for (const auto& [rank, batch] : all)
        for (const Message& each : batch)
            if (each.is_counted()) termination_.count_sent();
    return all;
}

// ---- messages

void Engine::handle(Message&& message) {
    if (message.is_counted()) termination_.count_received();
    take(std::move(message));
    settle();
    share();
}

void Engine::settle() {
    while (Message* message = outbox_.first_own()) {
        take(std::move(*message));
        outbox_.drop_own();
    }
}

void Engine::take(Message&& message) {
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
            } else if constexpr (requires { deliver_to_input(is); }) {
                is.datum.is_input() ? deliver_to_input(is) : store_.handle(std::move(is));
            } else {
                store_.handle(std::move(is));
            }
        },
        message.is);
}

void Engine::deliver_to_input(Assign& message) {
    arrive(
        {message.datum.task(), message.datum.input(), nullptr, std::move(message.value), nullptr});
}
void Engine::deliver_to_input(Fail& message) {
    arrive({message.datum.task(), message.datum.input(), nullptr, {}, std::move(message.why)});
}

// ---- waiting

namespace {

bool is_answered_now(const tasks::Input& input) {
    return input.mode == Mode::presence || input.mode == Mode::mapping;
}
/// Has no memory of its own, and so may be kept.
bool is_number(const Value& value) {
    return value.is<std::int64_t>() || value.is<double>() || value.is<bool>();
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
            return skip(std::move(task), why, {});
    Pending& pending = pending_[number];
    pending.missing = definition.inputs.size();
    pending.inputs.resize(definition.inputs.size());
    for (std::size_t i = 0; i < pending.inputs.size(); ++i)
        if (definition.inputs[i].mode == Mode::delivered)
            pending.inputs[i].asked = true;
        else
            ++pending.unasked;
    pending.task = std::move(task);
    ask(number, pending);
}

/// Subscribes to the inputs whose keys are known.
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
        Subscribe question = subscription(number, pending.task, i, !program_.switches.carry_values);
        // All elements of a datum are one operation.
        const auto same =
            std::ranges::find(asked_, question.datum, &std::pair<DatumId, Category>::first);
        if (!program_.switches.batch_subscribe || same == asked_.end())
            asked_.emplace_back(question.datum,
                                is_answered_now(input) ? Category::lookup : Category::subscribe);
        else
            same->second = Category::subscribe;
        const Rank owner = question.datum.owner;
        if (owner != rank_ && input.scalar && input.mode == Mode::closed &&
            !question.path.empty() && !question.notify && !question.release)
            ask_for_part(std::move(question));
        else
            send(owner, std::move(question));
    }
    for (const auto& [datum, category] : asked_) count(category);
}

/// Forgets what is only kept when the table would grow beyond a size; where most is waited for, it grows.
Engine::KnownPart& Engine::known_part(const Part& part) {
    constexpr std::size_t parts_max = 16384;
    const std::size_t buckets = parts_.bucket_count();
    if (parts_.size() >= parts_max && parts_.size() >= buckets) {
        std::erase_if(parts_, [](const auto& each) { return each.second.waiters.empty(); });
        if (parts_.size() > buckets / 2) parts_.rehash(2 * buckets);
    }
    return parts_[part];
}
void Engine::ask_for_part(Subscribe question) {
    Part part{question.datum, question.path};
    KnownPart& known = known_part(part);
    if (!known.value.empty())
        return outbox_.send(rank_,
                            Deliver{question.task, question.input, nullptr, known.value, nullptr});
    known.waiters.emplace_back(question.task, question.input);
    if (known.waiters.size() > 1) return;
    question.task = next_task_++;
    asked_parts_.emplace(question.task, std::move(part));
    outbox_.send(question.datum.owner, std::move(question));
}
void Engine::arrive_at_waiters(KnownPart& known, const Value& value,
                               const FailurePointer& failure) {
    for (const auto& [task, input] : std::exchange(known.waiters, {}))
        outbox_.send(rank_, Deliver{task, input, nullptr, value, failure});
}
void Engine::note_assigned(const Part& part, const Value& value) {
    KnownPart& known = known_part(part);
    if (known.value.empty()) known.value = value;
    arrive_at_waiters(known, value, nullptr);
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
    if (found == pending_.end()) {
        const auto asked = asked_parts_.find(message.task);
        if (asked == asked_parts_.end()) return;  // it was skipped: another input has failed
        const auto known = parts_.find(asked->second);
        asked_parts_.erase(asked);
        if (known == parts_.end()) return;
        arrive_at_waiters(known->second, message.value, message.failure);
        if (is_number(message.value))
            known->second.value = message.value;
        else
            parts_.erase(known);
        return;
    }
    Pending& pending = found->second;
    if (message.failure != nullptr) {
        Task task = std::move(pending.task);
        const std::vector<Awaited> inputs = std::move(pending.inputs);
        pending_.erase(found);
        return skip(std::move(task), message.failure, inputs);
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
    if (--pending.missing == 0) {
        Task task = std::move(pending.task);
        pending_.erase(found);
        return make_ready(std::move(task));
    }
    if (pending.unasked != 0) ask(message.task, pending);
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

void Engine::make_ready(Task task) {
    if (task.ready_ns == 0) task.ready_ns = now_ns_;
    turns_ready_ += turns_of(task);
    const tasks::Call* call = call_of(task);
    has_priorities_ = has_priorities_ || task.priority != 0;
    if (call == nullptr || !call->leaf->is_long_running()) {
        turns_short_ += turns_of(task);
        short_.push_back(std::move(task));
        return;
    }
    const auto place = std::find_if(calls_.rbegin(), calls_.rend(), [&](const Task& each) {
        return each.priority >= task.priority;
    });
    calls_.insert(place.base(), std::move(task));
}

void Engine::skip(Task task, const FailurePointer& failure, const std::vector<Awaited>& inputs) {
    note_skipped(definition(task).at, definition(task).name);
    fail_outputs(task, failure);
    release_captures(task, inputs);
}

void Engine::fail_outputs(const Task& task, const FailurePointer& failure) {
    for (const tasks::Capture& each : definition(task).captures)
        if (each.writes) fail_datum(task.slots[each.to].id(), failure);
}

/// Of a task that does not run. What it has asked for with a release is returned by the answer.
void Engine::release_captures(const Task& task, const std::vector<Awaited>& inputs) {
    const TaskDefinition& is = definition(task);
    const auto returned = [&](Slot slot) {
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (inputs[i].asked && is.inputs[i].releases && is.inputs[i].place.datum == slot)
                return true;
        return false;
    };
    for (const tasks::Capture& each : is.captures)
        if (each.counted && !returned(each.to))
            change_logically(task.slots[each.to].id(), -each.read_share,
                             each.writes ? -each.write_share : 0);
    for (const Slot reference : is.references)
        if (task.slots[reference].is<DatumId>())
            change_logically(task.slots[reference].id(), -1, 0);
}

// ---- running

/// Runs calls before it unfolds loops, so that the tasks of a loop find their inputs there when they are made. While other ranks
/// ask for work, or calls have priorities to choose by, it unfolds loops first, until `calls_max` calls wait.
std::optional<Task> Engine::take_task() {
    constexpr std::size_t calls_max = 256;
    constexpr TaskNumber tasks_per_look = 4;  // what is unfolded too early waits, and costs more
    const bool looks = has_priorities_ || (!hungry_.empty() && next_task_ % tasks_per_look != 0);
    const bool from_calls =
        !calls_.empty() && (short_.empty() || !looks || calls_.size() >= calls_max);
    if (!from_calls && short_.empty()) return std::nullopt;
    Task& source = from_calls ? calls_.front() : short_.back();
    --turns_ready_;
    if (!from_calls) --turns_short_;
    if (source.range && source.range->count > 1) return take_turn(source);
    Task task = std::move(source);
    if (from_calls)
        calls_.pop_front();
    else
        short_.pop_back();
    if (task.range) task = take_turn(task);
    return task;
}

std::optional<Task> Engine::next() {
    while (std::optional<Task> task = take_task())
        if (begin_call(*task)) return task;
    return std::nullopt;
}

/// Runs what stands before the call. False if there is a call that cannot be made: then the task has ended.
bool Engine::begin_call(Task& task) {
    const TaskDefinition& is = definition(task);
    if (is.call == nullptr) return true;
    run(task, is.code, 0, is.call_point);
    settle();
    const FailurePointer failure = failure_among(task, is.call->arguments);
    if (failure == nullptr) return true;
    note_skipped(is.at, is.name);
    for (const Slot each : is.call->results) task.failed.emplace_back(each, failure);
    run(task, is.code, is.call_point, is.code.size());
    settle();
    share();
    return false;
}

Task Engine::take_turn(Task& range) const {
    const TaskDefinition& is = definition(range);
    Task::Range& turns = *range.range;
    Task turn = range;
    turn.range.reset();
    turn.slots[is.counter] = Value(turns.begin);
    if (is.index != no_slot) turn.slots[is.index] = Value(turns.index);
    // The last turn's sum may not fit.
    turns.begin = static_cast<std::int64_t>(static_cast<std::uint64_t>(turns.begin) +
                                            static_cast<std::uint64_t>(turns.step));
    ++turns.index;
    --turns.count;
    return turn;
}

Task Engine::take_last_turns(Task& range, std::size_t turns) {
    Task half = range;
    const auto taken = static_cast<std::int64_t>(turns);
    const std::int64_t left = range.range->count - taken;
    half.range->begin += left * range.range->step;
    half.range->index += left;
    half.range->count = taken;
    half.ready_ns = 0;
    range.range->count = left;
    return half;
}

std::vector<Value> Engine::arguments_of(const Task& task) const {
    return values_of(task, call_of(task)->arguments);
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
        ++tally_.done;
        for (std::size_t i = 0; i < results.size(); ++i)
            task.slots[is.call->results[i]] = std::move(results[i]);
    } else {
        ++tally_.failed;
        errors_.push_back(*failure);
        for (const Slot each : is.call->results) task.failed.emplace_back(each, failure);
    }
    const std::size_t before = short_.size();
    run(task, is.code, is.call_point, is.code.size());
    run_last();
    settle();
    // What the task has made runs in the order of the script: who assigns usually stands before who reads.
    std::reverse(short_.begin() + static_cast<std::ptrdiff_t>(before), short_.end());
    share();
}

const Value& Engine::value_of(const Task& task, const tasks::Source& source) {
    return source.slot == no_slot ? source.constant : task.slots[source.slot];
}

std::vector<Value> Engine::values_of(const Task& task, const std::vector<tasks::Source>& sources) {
    std::vector<Value> values;
    values.reserve(sources.size());
    for (const tasks::Source& each : sources) values.push_back(value_of(task, each));
    return values;
}

Path Engine::path_of(const Task& task, const tasks::Place& place) {
    Path path;
    for (const tasks::Source& each : place.path) path.push_back(value_of(task, each));
    return path;
}

void Engine::run(Task& task, const tasks::CodeBlock& code, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
        std::visit([&](const auto& is) { execute(task, is); }, code[i].is);
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
void Engine::execute(Task& task, const tasks::FailData& is) {
    FailurePointer failure;
    for (const Slot each : is.values)
        if (failure == nullptr) failure = failure_of(task, each);
    note_skipped(is.at, "statements");
    for (const Slot each : is.data) fail_datum(task.slots[each].id(), failure);
}

// ---- statements

void Engine::change_logically(DatumId datum, std::int64_t reads, std::int64_t writes) {
    if (datum.is_input()) return;  // it has no counts: it is gone when its task runs
    if (!program_.switches.free_data) reads = 0;
    if (reads == 0 && writes == 0) return;
    count(Category::refcount);
    send(datum.owner, ChangeCounts{datum, reads, writes});
}
void Engine::execute(Task& task, const tasks::Create& is) {
    if (is.data.empty()) return;
    count(Category::create);
    for (const tasks::Create::One& each : is.data)
        task.slots[each.counts.slot] = Value(store_.create(program_.variables[each.variable],
                                                           each.counts.reads, each.counts.writes));
}
void Engine::execute(Task& task, const tasks::OpenInputs& is) {
    const TaskNumber number = next_task_++;
    task.slots[is.task] = Value(static_cast<std::int64_t>(number));
    for (std::uint32_t i = 0; i < is.data.size(); ++i)
        task.slots[is.data[i]] = Value(DatumId::of_input(rank_, number, i));
}
void Engine::execute(Task& task, const tasks::ChangeCount& is) {
    change_logically(task.slots[is.by.slot].id(), is.by.reads, is.by.writes);
}
void Engine::execute(Task& task, const tasks::Move& is) {
    if (const FailurePointer failure = failure_of(task, is.from.slot))
        return static_cast<void>(task.failed.emplace_back(is.to, failure));
    task.slots[is.to] = value_of(task, is.from);
}
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

void Engine::execute(Task& task, const tasks::Store& is) {
    REFRAIN_ASSERT(!is.append || is.place.path.empty(), "an append to a bag in an array");
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
    if (datum.owner != rank_ && !is.place.path.empty() && is_number(value) &&
        program_.switches.carry_values)
        note_assigned({datum, path_of(task, is.place)}, value);
    send(datum.owner,
         Assign{datum, path_of(task, is.place), value, is.at, is.append,
                program_.switches.free_data ? is.release.reads : 0, is.release.writes});
}
void Engine::execute(Task& task, const tasks::Update& is) {
    const DatumId datum = task.slots[is.place.datum].id();
    if (const FailurePointer failure = failure_of(task, is.by.slot))
        return fail_datum(datum, failure);
    count(Category::store);
    send(datum.owner, UpdateDatum{datum, value_of(task, is.by).floating(), is.how, is.at});
}
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
void Engine::execute(Task& task, const tasks::Branch& is) {
    if (failure_of(task, is.condition.slot) != nullptr) return run(task, is.blocks[2]);
    run(task, is.blocks[value_of(task, is.condition).truth() ? 0 : 1]);
}
void Engine::execute(Task& task, const tasks::Select& is) {
    if (failure_of(task, is.value.slot) != nullptr) return run(task, is.blocks.back());
    const std::int64_t value = value_of(task, is.value).integer();
    const auto found = std::ranges::find(is.labels, value);
    run(task, is.blocks[static_cast<std::size_t>(found - is.labels.begin())]);
}
void Engine::execute(Task& task, const tasks::Guard& is) {
    const bool failed = std::ranges::any_of(
        is.values, [&](Slot each) { return failure_of(task, each) != nullptr; });
    run(task, is.blocks[failed ? 1 : 0]);
}

/// The counts of all turns of a loop: in one change per datum, or one per turn. The first takes over what the loop has.
void Engine::take_counts(const Task& task, const tasks::Spawn& body,
                         const std::vector<tasks::Counts>& moved, std::int64_t turns) {
    const std::vector<tasks::Capture>& shares = program_.tasks[body.task].captures;
    for (std::size_t i = 0; i < body.captures.size(); ++i) {
        const tasks::Capture& each = body.captures[i];
        if (!each.counted) continue;
        const std::int64_t reads = shares[i].read_share;
        const std::int64_t writes = each.writes ? shares[i].write_share : 0;
        const auto own = std::ranges::find_if(
            moved, [&](const tasks::Counts& one) { return one.slot == each.from; });
        const tasks::Counts has = own == moved.end() ? tasks::Counts{} : *own;
        const DatumId datum = task.slots[each.from].id();
        if (program_.switches.range_tasks) {
            change_logically(datum, turns * reads - has.reads, turns * writes - has.writes);
            continue;
        }
        for (std::int64_t turn = 0; turn < turns; ++turn) change_logically(datum, reads, writes);
        change_logically(datum, -has.reads, -has.writes);
    }
}

void Engine::execute(Task& task, const tasks::ForEach& is) {
    const Value table = task.slots[is.table];
    take_counts(task, is.body, is.moved, static_cast<std::int64_t>(table.entries().size()));
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

void Engine::execute(Task& task, const tasks::ForRange& is) {
    Task::Range range;
    if (const FailurePointer failure = range_of(task, is, range)) {
        for (const tasks::Capture& each : is.body.captures)
            if (each.writes) fail_datum(task.slots[each.from].id(), failure);
        return take_counts(task, is.body, is.moved, 0);
    }
    take_counts(task, is.body, is.moved, range.count);
    if (range.count == 0) return;
    Task turns = spawned(task, is.body);
    turns.range = range;
    turns.created_ns = now_ns_;
    if (program_.switches.range_tasks) {
        ++tally_.created;
        count(Category::task, 2);
        return make_ready(std::move(turns));
    }
    while (turns.range->count > 0) add_task(take_turn(turns));
}

// ---- others

/// Gives half of what is ready to each of the ranks that asked. Short tasks first: they make further ones, which then need
/// not travel, nor what they make.
void Engine::share() {
    while (!hungry_.empty()) {
        const std::size_t surplus = busy_ ? turns_ready_ : turns_ready_ == 0 ? 0 : turns_ready_ - 1;
        if (surplus == 0) return;
        const Rank to = *hungry_.begin();
        hungry_.erase(hungry_.begin());
        const std::size_t from = turns_short_ == 0 ? surplus : std::min(surplus, turns_short_);
        std::size_t turns =
            std::max<std::size_t>(1, (from + hungry_.size() + 1) / (hungry_.size() + 2));
        Work work;
        if (turns_short_ == 0)
            give_calls(turns, work);
        else
            give_short(turns, work);
        send(to, std::move(work));
    }
}
void Engine::give_calls(std::size_t turns, Work& work) {
    while (turns != 0 && !calls_.empty()) {
        give(calls_.front(), turns, work);
        if (turns_of(calls_.front()) == 0) calls_.pop_front();
    }
}
/// The oldest: they stand for the most work.
void Engine::give_short(std::size_t turns, Work& work) {
    turns_short_ -= turns;
    std::size_t given = 0;
    while (turns != 0) {
        give(short_[given], turns, work);
        if (turns_of(short_[given]) == 0) ++given;
    }
    short_.erase(short_.begin(), short_.begin() + static_cast<std::ptrdiff_t>(given));
}

/// Puts the task, or as many turns of an interval, into the message; what is left has no turns if that is all.
void Engine::give(Task& task, std::size_t& turns, Work& work) {
    const std::size_t has = turns_of(task);
    const std::size_t given = std::min(has, turns);
    turns -= given;
    turns_ready_ -= given;
    if (task.range) count(Category::task, 2);
    if (given < has) {
        work.tasks.push_back(take_last_turns(task, given));
        return;
    }
    work.tasks.push_back(std::move(task));
    task.range = Task::Range{};
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
    tally.ready = turns_ready_;
    tally.waiting = pending_.size();
    return tally;
}

std::vector<Failure> Engine::take_errors() {
    std::vector<Failure> all = std::exchange(errors_, {});
    for (Failure& each : store_.take_errors()) all.push_back(std::move(each));
    return all;
}

std::optional<Store::Description> Engine::describe(DatumId id) const {
    if (!id.is_input()) return store_.describe(id);
    const auto pending = pending_.find(id.task());
    if (id.owner != rank_ || pending == pending_.end()) return std::nullopt;
    const tasks::Input& input = definition(pending->second.task).inputs[id.input()];
    const tasks::VariableInfo& is = program_.variables[input.variable];
    return Store::Description{is.name, is.at, 1};
}

std::vector<std::pair<Failure, std::uint64_t>> Engine::unfinished() const {
    std::vector<std::pair<Failure, std::uint64_t>> all;
    const auto add = [&](const Task& task) {
        all.push_back({{definition(task).at, definition(task).name}, turns_of(task)});
    };
    for (const Task& each : calls_) add(each);
    for (const Task& each : short_) add(each);
    for (const auto& [number, pending] : pending_) add(pending.task);
    return all;
}

std::vector<WaitingTask> Engine::waiting_tasks() const {
    std::vector<WaitingTask> all;
    for (const auto& [number, pending] : pending_) {
        const TaskDefinition& is = definition(pending.task);
        WaitingTask waiting{is.name, is.at, {}, {}, {}};
        for (std::size_t i = 0; i < is.inputs.size(); ++i) {
            if (pending.inputs[i].arrived || !pending.inputs[i].asked) continue;
            if (is.inputs[i].mode == Mode::delivered) {
                waiting.data.push_back(
                    DatumId::of_input(rank_, number, static_cast<std::uint32_t>(i)));
                waiting.waits_for.emplace_back();
                continue;
            }
            waiting.data.push_back(pending.task.slots[is.inputs[i].place.datum].id());
            std::string element;
            for (const Value& key : values_of(pending.task, is.inputs[i].place.path))
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
