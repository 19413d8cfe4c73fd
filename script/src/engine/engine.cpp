#include "engine/engine.hpp"

#include "values/script_error.hpp"

#include <algorithm>
#include <iterator>

namespace refrain::script::engine {

using tasks::Mode;
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
      placement_(program, rank, ranks, services),
      ready_(program, placement_),
      teams_(rank, program, placement_, outbox_),
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
    for (;;) {
        return_owed();
        Message* const message = outbox_.first_own();
        if (message == nullptr) return;
        take(std::move(*message));
        outbox_.drop_own();
    }
}

/// What is owed to the rank goes along with a message there.
void Engine::return_counts(Rank to, Message* along) {
    std::erase_if(owed_, [&](const ChangeCounts& each) {
        if (each.datum.owner != to) return false;
        if (to == rank_)
            store_.handle(each);
        else
            along->returns.push_back(each);
        return true;
    });
}
/// What has found nothing to go along with: an operation per rank.
void Engine::return_owed() {
    while (!owed_.empty()) {
        count(Category::refcount);
        const ChangeCounts first = owed_.front();
        owed_.erase(owed_.begin());
        send(first.datum.owner, first);
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
            } else if constexpr (std::is_same_v<Is, Mustered>) {
                teams_.handle(is, message.from);
            } else if constexpr (requires { teams_.handle(std::move(is)); }) {
                teams_.handle(std::move(is));
                if constexpr (std::is_same_v<Is, TeamEnd> || std::is_same_v<Is, Assemble>)
                    end_in_team();
            } else if constexpr (requires { deliver_to_input(is); }) {
                is.datum.is_input() ? deliver_to_input(is) : store_.handle(std::move(is));
            } else {
                store_.handle(std::move(is));
            }
        },
        message.is);
    for (const ChangeCounts& each : message.returns) store_.handle(each);
}

void Engine::deliver_to_input(Assign& message) {
    arrive(
        {message.datum.task(), message.datum.input(), nullptr, std::move(message.value), nullptr});
}
void Engine::deliver_to_input(Fail& message) {
    arrive({message.datum.task(), message.datum.input(), nullptr, {}, std::move(message.why)});
}

// ---- running

void Engine::make_ready(Task task) {
    if (task.ready_ns == 0) task.ready_ns = now_ns_;
    ready_.add(std::move(task));
}

std::optional<Task> Engine::next() {
    if (teams_.holds()) return next_in_team();
    while (std::optional<Task> task = ready_.take())
        if (begin_call(*task)) return task;
    return std::nullopt;
}

/// Nothing stands before the call, and this rank may make it, alone.
bool Engine::is_bare(const Task& task) const {
    const TaskDefinition& is = definition(task);
    return is.call_point == 0 && !is.call->by_team && !placement_.is_undecided(task, *is.call);
}

std::size_t Engine::next_like(const Task& first, std::size_t most, Task& into) {
    if (teams_.holds()) return 0;
    if (!is_bare(first) || !definition(first).ends_with_call()) most = 1;
    while (const std::size_t turns = ready_.take_like(first.definition, most, into))
        if (into.range || begin_call(into)) return turns;
    return 0;
}

void Engine::finish_turn(const FailurePointer& failure) {
    if (failure == nullptr) {
        ++tally_.done;
        return;
    }
    ++tally_.failed;
    errors_.push_back(*failure);
}

void Engine::put_back(Task task) {
    if (task.bound == Bound::undecided) task.bound = Bound::free;  // what stands before has run
    ready_.add(std::move(task));
}

/// A rank that is held for a team leaves what is ready to others.
std::optional<Task> Engine::next_in_team() {
    set_busy(true);
    teams_.report();
    settle();
    std::optional<Task> task = teams_.take();
    if (!teams_.holds()) set_busy(false);
    return task;
}

/// 1 if the rank makes the call alone; the function then says if it cannot.
std::uint32_t Engine::team_size(const Task& task, const tasks::Call& call) const {
    if (!call.by_team || !services_.has_teams()) return 1;
    const std::int64_t asked = value_of(task, call.arguments.back()).integer();
    const std::size_t there = placement_.ranks_of(call.work_type).size();
    if (asked > static_cast<std::int64_t>(there))
        throw ScriptError("@par is ", asked, ", and ", there,
                          " ranks make such calls; run the script with more");
    return static_cast<std::uint32_t>(std::max<std::int64_t>(1, asked));
}

/// Runs what stands before the call. False if the call is not made now: it cannot be, and the task has ended; or it waits,
/// perhaps on another rank, for those that are to run before it.
bool Engine::begin_call(Task& task) {
    const TaskDefinition& is = definition(task);
    if (is.call == nullptr) return true;
    if (task.bound != Bound::undecided) return !is.call->by_team || !gather(task);
    if (is_bare(task) && task.failed.empty()) return true;
    run(task, is.code, 0, is.call_point);
    settle();
    FailurePointer failure = failure_among(task, is.call->arguments);
    if (is.call->location && failure == nullptr)
        failure = failure_of(task, is.call->location->slot);
    if (failure != nullptr) {
        note_skipped(is.at, is.name);
    } else {
        try {
            const bool by_team = team_size(task, *is.call) > 1;
            const bool undecided = placement_.is_undecided(task, *is.call);
            if (by_team && undecided)
                wait_for_turn(task, *is.call);
            else if (by_team)
                static_cast<void>(gather(task));
            else if (!undecided)
                return true;
            else
                send_to_place(task, *is.call);
        } catch (const ScriptError& error) {
            failure = note_failed(is.at, is.call->name + ": " + error.what());
        }
        if (failure == nullptr) return false;
    }
    for (const Slot each : is.call->results) task.failed.emplace_back(each, failure);
    run(task, is.code, is.call_point, is.code.size());
    settle();
    share();
    return false;
}

/// False if the rank makes the call alone. Else it goes to who gathers teams.
bool Engine::gather(Task& task) {
    const std::uint32_t size = team_size(task, *definition(task).call);
    if (size == 1) return false;
    task.bound = Bound::free;
    send(0, Gather{std::move(task), size});
    settle();
    return true;
}

/// Among the calls, by the priority that is known now.
void Engine::wait_for_turn(Task& task, const tasks::Call& call) {
    if (call.location) Placement::take_priority(task, value_of(task, *call.location));
    task.bound = Bound::free;
    ready_.add(std::move(task));
}

/// Sends the task to where its call is to run. Errors: ScriptError.
void Engine::send_to_place(Task& task, const tasks::Call& call) {
    const Rank to =
        placement_.decide(task, call, call.location ? &value_of(task, *call.location) : nullptr);
    if (to == rank_) {
        ready_.add(std::move(task));
    } else {
        Work work;
        work.tasks.push_back(std::move(task));
        send(to, std::move(work));
    }
    share();
}

void Engine::arguments_of(const Task& task, std::vector<Value>& into) const {
    const std::vector<tasks::Source>& sources = call_of(task)->arguments;
    into.clear();
    for (const tasks::Source& each : sources) into.push_back(value_of(task, each));
}

void Engine::finish(Task& task, std::span<Value> results, const FailurePointer& failure) {
    if (teams_.members().empty()) return end_call(task, results, failure);
    teams_.end(std::move(task),
               {std::make_move_iterator(results.begin()), std::make_move_iterator(results.end())},
               failure);
    settle();
    end_in_team();
}

void Engine::end_in_team() {
    if (std::optional<Teams::Ended> ended = teams_.take_ended())
        end_call(ended->task, ended->results, ended->failure);
    if (!teams_.holds()) set_busy(false);
}

void Engine::end_call(Task& task, std::span<Value> results, const FailurePointer& failure) {
    const TaskDefinition& is = definition(task);
    if (failure == nullptr) {
        ++tally_.done;
        if (is.ends_with_call()) return;
        for (std::size_t i = 0; i < results.size(); ++i)
            task.slots[is.call->results[i]] = std::move(results[i]);
    } else {
        ++tally_.failed;
        errors_.push_back(*failure);
        for (const Slot each : is.call->results) task.failed.emplace_back(each, failure);
    }
    const std::size_t before = ready_.short_count();
    run(task, is.code, is.call_point, is.code.size());
    run_last();
    settle();
    // What the task has made runs in the order of the script: who assigns usually stands before who reads.
    ready_.reverse_since(before);
    share();
}

// ---- others

/// Gives some of what is ready to each of the ranks that asked.
void Engine::share() {
    for (auto to = hungry_.begin(); to != hungry_.end();) {
        Work work{ready_.give(*to, hungry_.size(), busy_)};
        count(Category::task, 2 * ready_.take_divisions());
        if (!work.tasks.empty()) {
            send(*to, std::move(work));
            to = hungry_.erase(to);
        } else if (!ready_.has_bound()) {
            return;
        } else {
            ++to;
        }
    }
}

void Engine::set_busy(bool busy) {
    busy_ = busy;
    if (busy) share();
}

void Engine::idle() {
    for (Rank other = 0; other < ranks_; ++other) {
        if (other == rank_ || told_[other] || teams_.holds()) continue;
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
    tally.ready = ready_.turns();
    tally.waiting = pending_.size();
    return tally;
}

std::vector<Failure> Engine::take_errors() {
    std::vector<Failure> all = std::exchange(errors_, {});
    for (Failure& each : store_.take_errors()) all.push_back(std::move(each));
    return all;
}

Descriptions Engine::descriptions() const {
    Descriptions all = store_.descriptions();
    for (const auto& [number, pending] : pending_) {
        const std::vector<tasks::Input>& inputs = definition(pending.task).inputs;
        for (std::uint32_t i = 0; i < inputs.size(); ++i) {
            if (inputs[i].mode != Mode::delivered || pending.inputs[i].arrived) continue;
            const tasks::VariableInfo& is = program_.variables[inputs[i].variable];
            const DatumId input = DatumId::of_input(rank_, number, i);
            all.push_back({input, is.name, is.at, {input}});
        }
    }
    return all;
}

std::vector<std::pair<Failure, std::uint64_t>> Engine::unfinished() const {
    std::vector<std::pair<Failure, std::uint64_t>> all;
    const auto add = [&](const Task& task) {
        all.push_back({{definition(task).at, definition(task).name}, ReadyTasks::turns_of(task)});
    };
    ready_.for_each(add);
    teams_.for_each(add);
    for (const auto& [number, pending] : pending_) add(pending.task);
    return all;
}

std::vector<WaitingTask> Engine::waiting_tasks() const {
    std::vector<WaitingTask> all;
    for (const auto& [number, pending] : pending_) {
        const TaskDefinition& is = definition(pending.task);
        WaitingTask waiting{is.name, is.at, DatumId::of_input(rank_, number, 0)};
        for (const tasks::Capture& each : is.captures)
            if (each.writes) waiting.would_assign.push_back(pending.task.slots[each.to].id());
        std::set<Slot> needed;  // by what it would assign
        for (auto each = is.code.rbegin(); each != is.code.rend(); ++each) {
            if (const auto* store = std::get_if<tasks::Store>(&each->is))
                needed.insert(store->from.slot);
            const auto* does = std::get_if<tasks::Evaluate>(&each->is);
            if (does == nullptr || does->results.empty() || !needed.contains(does->results[0]))
                continue;
            waiting.by_way.push_back(does->at);
            for (const tasks::Source& in : does->arguments) needed.insert(in.slot);
        }
        all.push_back(std::move(waiting));
    }
    return all;
}

}  // namespace refrain::script::engine
