#pragma once

#include "engine/message.hpp"
#include "engine/placement.hpp"
#include "engine/ready_tasks.hpp"
#include "engine/store.hpp"
#include "engine/teams.hpp"
#include "engine/termination.hpp"
#include "values/category.hpp"

#include <array>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace refrain::script::engine {

/// Logical operations, by category: what tasks issue beyond their own values, message or not.
using OperationCounts = std::array<std::uint64_t, category_count>;

/// What a run has done so far.
struct Tally {
    OperationCounts operations{};
    std::uint64_t created = 0;
    std::uint64_t done = 0;
    std::uint64_t failed = 0;   // calls that failed
    std::uint64_t skipped = 0;  // tasks that did not run, because something they need has failed
    std::uint64_t ready = 0;
    std::uint64_t waiting = 0;

    void add(const Tally& more) {
        for (std::size_t i = 0; i < operations.size(); ++i) operations[i] += more.operations[i];
        for (const auto count : {&Tally::created, &Tally::done, &Tally::failed, &Tally::skipped,
                                 &Tally::ready, &Tally::waiting})
            this->*count += more.*count;
    }
};

/// A task that cannot run: what it waits for will not come.
struct WaitingTask {
    std::string name;
    Position at;
    DatumId first_input;
    std::vector<DatumId> would_assign{};
    std::vector<Position> by_way{};  // of these operations on values, the last one first
};

/// The tasks of one rank, and its share of the store.
///
/// A driver (threads, or a test's scheduler) calls, one call at a time:
///
///     handle(message)            for each message that arrives
///     if (auto task = next())    a task that is ready
///         call_of(*task).leaf->call(...) wherever it likes, then finish(*task, results, error)
///     idle()                     if there was neither
///
/// and afterwards hands take_outgoing() to their ranks.
class Engine {
  public:
    Engine(const tasks::TaskProgram& program, Rank rank, Rank ranks, Services& services);

    /// Makes the first task; on one rank only.
    void start();
    void handle(Message&& message);
    /// A task to run: the youngest short one, or else the most urgent call. What stands before its call has run.
    [[nodiscard]] std::optional<Task> next();
    /// Another task with the same call, if that is next anyway; or, if it is nothing but the call, an interval of up to `most`.
    /// Returns how many calls; 0: none.
    [[nodiscard]] std::size_t next_like(const Task& first, std::size_t most, Task& into);
    /// Of a task that is an interval: gives the arguments of its call the numbers of a turn.
    void set_turn(const Task& task, std::int64_t turn, std::vector<Value>& arguments) const {
        const tasks::TaskDefinition& is = definition(task);
        Task::Range range = *task.range;
        ReadyTasks::set_turn(range, turn);
        const tasks::Source* source = is.call->arguments.data();
        for (Value& each : arguments) {
            const tasks::Slot from = source++->slot;
            if (from == is.counter)
                each = Value(range.begin);
            else if (from == is.index && from != tasks::no_slot)
                each = Value(range.index);
        }
    }
    void finish_turn(const FailurePointer& failure);
    /// So many went well.
    void finish_turns(std::size_t turns) { tally_.done += turns; }
    /// A task that next() has given, and whose call was not made.
    void put_back(Task task);
    [[nodiscard]] const tasks::Call* call_of(const Task& task) const {
        return definition(task).call.get();
    }
    /// What the call is given; results go to the slots that follow.
    void arguments_of(const Task& task, std::vector<Value>& into) const;
    static void results_of(const tasks::Call& call, const Task& task, std::span<Value> into) {
        for (std::size_t i = 0; i < into.size(); ++i)
            if (call.mappings[i] != tasks::no_slot)
                into[i] = task.slots[call.mappings[i]];
            else if (!into[i].empty())
                into[i] = Value();
    }
    /// Runs the task's code behind the call, or fails all that it should have assigned. Takes both.
    void finish(Task& task, std::span<Value> results, const FailurePointer& failure);
    /// Nothing to run and nothing to handle: asks others for work, and takes part in waves.
    void idle();
    /// While busy, all that is ready is for others.
    void set_busy(bool busy);
    /// Its calls take less than what is done for them: tasks that build on one another are not worth telling others of.
    void keep_chains(bool keep) { ready_.keep_chains(keep); }
    void set_time(std::uint64_t now_ns) { now_ns_ = now_ns; }

    [[nodiscard]] Batches take_outgoing();
    [[nodiscard]] bool has_ready() const {
        return teams_.holds() ? teams_.has_task() : !ready_.empty();
    }
    [[nodiscard]] std::size_t ready_turns() const { return ready_.turns(); }
    /// The ranks that make the call which next() has given; empty if this one makes it alone.
    [[nodiscard]] const std::vector<Rank>& team() const { return teams_.members(); }
    /// A team waits for this rank to begin its call.
    [[nodiscard]] bool has_team_call() const { return teams_.has_task(); }
    [[nodiscard]] bool stopped() const { return termination_.stopped(); }
    [[nodiscard]] const tasks::TaskDefinition& definition(const Task& task) const {
        return program_.tasks[task.definition];
    }
    [[nodiscard]] Tally tally() const;
    [[nodiscard]] std::vector<Failure> take_errors();
    [[nodiscard]] bool has_errors() const { return !errors_.empty() || store_.has_errors(); }
    /// Places and names of the tasks that are ready or wait; the turns of an interval count each.
    [[nodiscard]] std::vector<std::pair<Failure, std::uint64_t>> unfinished() const;
    [[nodiscard]] std::vector<Failure> take_skipped() { return std::exchange(skipped_, {}); }
    [[nodiscard]] std::vector<WaitingTask> waiting_tasks() const;
    [[nodiscard]] const Store& store() const { return store_; }
    [[nodiscard]] Rank rank() const { return rank_; }
    /// What data of this rank are, and inputs that stand for one, as far as tasks wait for them or would assign them.
    [[nodiscard]] Descriptions descriptions() const;

  private:
    using Slot = tasks::Slot;
    /// A deep value as far as it has arrived.
    struct Parts {
        Value value;
        std::map<Value, Parts> parts;
    };
    struct Awaited {
        bool asked = false;
        bool arrived = false;
        std::uint32_t missing_parts = 1;  // more of deep ones
    };
    struct Pending {
        Task task;
        std::size_t missing = 0;
        std::size_t unasked = 0;
        std::vector<Awaited> inputs{};
        std::map<std::size_t, Parts> deep{};
    };

    void take(Message&& message);
    /// An input that stands for a datum is assigned by delivering the value.
    void deliver_to_input(Assign& message);
    void deliver_to_input(Fail& message);
    /// Handles what the rank has sent to itself.
    void settle();
    /// What is for a datum of this rank happens at once; what is for an input, when its task has surely been made.
    template <class Is>
    void send(Rank to, Is&& is) {
        if constexpr (requires { is.datum; })
            if (to == rank_ && !is.datum.is_input()) {
                store_.handle(std::move(is));
                if (!owed_.empty()) return_counts(to, nullptr);
                return;
            }
        Message& message = outbox_.send(to, std::forward<Is>(is));
        if (!owed_.empty()) return_counts(to, &message);
    }
    void return_counts(Rank to, Message* along);
    void return_owed();

    void add_task(Task task) { add_task(std::move(task), next_task_++); }
    void add_task(Task task, TaskNumber number);
    void ask(TaskNumber number, Pending& pending);
    [[nodiscard]] const Value* value_here(const Task& task, const tasks::Input& input) const;
    void arrive(Deliver&& message);
    void arrive_part(TaskNumber number, Pending& pending, Deliver& message);
    [[nodiscard]] static Value assembled(const Parts& parts);
    void make_ready(Task task);
    void skip(TaskNumber number, const Pending& pending, const FailurePointer& failure);

    void run(Task& task, const tasks::CodeBlock& code) { run(task, code, 0, code.size()); }
    void run(Task& task, const tasks::CodeBlock& code, std::size_t begin, std::size_t end);
    /// One for each kind of code.
    template <class Is>
    void execute(Task& task, const Is& is);
    [[nodiscard]] static const Value& value_of(const Task& task, const tasks::Source& source);
    [[nodiscard]] static FailurePointer failure_of(const Task& task, Slot slot);
    /// The first failure among the sources of a list.
    [[nodiscard]] static FailurePointer failure_among(const Task& task,
                                                      const std::vector<tasks::Source>& sources);
    void fail_datum(DatumId datum, const FailurePointer& why);
    void note_skipped(Position at, const std::string& name);
    [[nodiscard]] FailurePointer note_failed(Position at, std::string text);
    /// Changes counts as a task asks for it: a logical operation.
    void change_logically(DatumId datum, std::int64_t reads, std::int64_t writes);
    void count(Category category, std::uint64_t times = 1) {
        tally_.operations[static_cast<std::size_t>(category)] += times;
    }
    [[nodiscard]] std::vector<ChangeCounts> take_counts(const Task& task, const tasks::Spawn& body,
                                                        const std::vector<tasks::Counts>& moved,
                                                        std::int64_t turns);
    void return_now(const std::vector<ChangeCounts>& left);
    [[nodiscard]] FailurePointer range_of(const Task& task, const tasks::ForRange& is,
                                          Task::Range& range);
    [[nodiscard]] bool begin_call(Task& task);
    [[nodiscard]] std::uint32_t team_size(const Task& task, const tasks::Call& call) const;
    [[nodiscard]] std::optional<Task> next_in_team();
    [[nodiscard]] bool is_bare(const Task& task) const;
    void end_in_team();
    void end_call(Task& task, std::span<Value> results, const FailurePointer& failure);
    [[nodiscard]] bool gather(Task& task);
    void wait_for_turn(Task& task, const tasks::Call& call);
    void send_to_place(Task& task, const tasks::Call& call);
    [[nodiscard]] Subscribe subscription(TaskNumber number, const Task& task, std::uint32_t index,
                                         bool notify) const;
    [[nodiscard]] static Path path_of(const Task& task, const tasks::Place& place);
    void share_reads(const Value& value);

    [[nodiscard]] Task spawned(const Task& task, const tasks::Spawn& is);
    void run_last();

    void share();

    const tasks::TaskProgram& program_;
    Rank rank_;
    Rank ranks_;
    Services& services_;
    Outbox outbox_;
    Store store_;
    Termination termination_;
    std::unordered_map<TaskNumber, Pending> pending_;
    TaskNumber next_task_ = 0;
    Placement placement_;
    ReadyTasks ready_;
    Teams teams_;
    std::set<Rank> hungry_;
    std::vector<ChangeCounts> owed_;  // counts that what runs returns with what it sends next
    std::optional<Task> last_;        // spawned by the task that runs, which runs it when it ends
    std::vector<bool> told_;          // ranks that know that this one is hungry
    bool busy_ = false;
    // Used again and again, for no longer than a call of ask() or of a builtin.
    std::vector<std::pair<DatumId, Category>> asked_;
    std::vector<Value> arguments_, results_;
    std::uint64_t now_ns_ = 0;
    Tally tally_;
    std::vector<Failure> errors_;
    std::vector<Failure> skipped_;
};

}  // namespace refrain::script::engine
