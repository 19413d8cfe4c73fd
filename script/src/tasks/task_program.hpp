#pragma once

#include "ir/program.hpp"
#include "leaves/leaf.hpp"
#include "values/position.hpp"
#include "values/type.hpp"
#include "values/value.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace refrain::script::tasks {

using Slot = std::uint32_t;  // of a task: holds a value, or the id of a datum
inline constexpr Slot no_slot = ~Slot{0};

/// A constant, or what is in a slot.
struct Source {
    Slot slot = no_slot;
    Value constant;
};
/// A datum, or an element of it.
struct Place {
    Slot datum = no_slot;
    std::vector<Source> path;
};

/// What a task needs of a datum or element before it runs, and what it then finds in its slot.
enum class Mode : std::uint8_t {
    closed,  // a scalar's value; of arrays the table, whose nested parts are ids; of files the file
    deep,    // the value with all parts
    settled,    // of an updateable variable: its value once nothing can change it any more
    reference,  // the id of the element, which is a container; the task then holds a read count of it
    name,       // of a file: its name
    mapping,    // of a file: its name if it is mapped, else nothing, at once
    presence,   // a boolean: whether the element is there now
    contains,   // a boolean: whether the element is there in the end
    delivered,  // a value that comes without being asked for: the datum is this input
};
struct Input {
    Place place;
    Mode mode = Mode::closed;
    Slot into = no_slot;
    bool scalar = false;         // the answer has no ids in it: a value, or an array of values
    bool releases = false;       // the answer returns the task's read count of the datum
    std::uint32_t variable = 0;  // of a delivered one: index into TaskProgram::variables
};

/// What a task gets from the one that spawns it, and the counts that it holds of it until it ends.
struct Capture {
    Slot from = no_slot;  // of the spawning task
    Slot to = no_slot;
    bool counted = false;  // a datum: read counts
    bool writes = false;   // and write counts
    // Of a definition: how many of each every spawn gives.
    std::int64_t read_share = 1;
    std::int64_t write_share = 1;
};

struct Code;
using CodeBlock = std::vector<Code>;

/// Read and write counts of the datum in a slot.
struct Counts {
    Slot slot = no_slot;
    std::int64_t reads = 0;
    std::int64_t writes = 0;

    [[nodiscard]] bool none() const { return reads == 0 && writes == 0; }
};

/// Makes data, with the counts that the maker and its children need.
struct Create {
    struct One {
        std::uint32_t variable;  // index into TaskProgram::variables
        Counts counts;
    };
    std::vector<One> data;
};
/// Makes the inputs of a task that is spawned later in this code what stands for data until then.
struct OpenInputs {
    Slot task = no_slot;
    std::vector<Slot> data;  // of the first, second, ... input
};
struct ChangeCount {
    Counts by;
};
struct Move {
    Slot to;
    Source from;
};
/// If the file in `value` is not the one that `mapping` names, copies it there.
struct PutFile {
    Slot value;
    Slot mapping;
};
struct Store {
    Place place;
    Source from;
    Position at;
    bool append = false;  // to a bag
    Counts release{};     // counts of the datum that ride on the assignment
};
/// A builtin on values, where it stands. One that fails leaves its results failed, and the task goes on.
struct Evaluate {
    const Leaf* leaf = nullptr;
    std::string name;
    std::vector<Source> arguments;
    std::vector<Slot> results;
    Position at;
};
struct Update {
    Place place;
    Source by;
    std::string how;
    Position at;
};
struct MapFile {
    Slot file;
    Source name;
    Position at;
};
struct Spawn {
    std::uint32_t task;
    std::vector<Capture> captures;
    int priority = 0;
    Slot opened = no_slot;  // what OpenInputs left in `task`
    bool in_place = false;  // the task may be run by the one that spawns it, when that ends
};
/// The data that would have been assigned, had none of the values failed.
struct FailData {
    std::vector<Slot> data;
    std::vector<Slot> values;
    Position at;
};
/// Runs the block that is chosen; the last one, which no choice names, if a value has failed.
struct Branch {
    std::vector<Slot> needs;
    Source value;
    ir::Choice choice;
    std::vector<CodeBlock> blocks;
};
/// The task's call happens here.
struct CallPoint {};
/// Spawns a task per element of the table.
struct ForEach {
    Slot table;
    Spawn body;
    Slot key = no_slot;            // of the body
    Slot element = no_slot;        // of the body
    bool counted_element = false;  // the last capture of the body
    std::vector<Counts> moved{};   // counts of the loop, for its turns
};
/// Makes a task of the interval, which runs its turns one after the other; others may take half of what is left.
struct ForRange {
    Source begin, end, step;
    Spawn body;
    std::vector<Counts> moved{};  // counts of the loop, for its turns
    Position at;
};
/// The number of elements of a table.
struct Count {
    Slot to;
    Slot table;
};

struct Code {
    std::variant<Create, OpenInputs, ChangeCount, Move, PutFile, Store, Evaluate, Update, MapFile,
                 Spawn, FailData, Branch, CallPoint, ForEach, ForRange, Count>
        is;
};

/// Those of a branch, of which one runs; null of others.
[[nodiscard]] inline std::vector<CodeBlock>* blocks_of(Code& code) {
    return std::visit(
        [](auto& is) -> std::vector<CodeBlock>* {
            if constexpr (requires { is.blocks; })
                return &is.blocks;
            else
                return nullptr;
        },
        code.is);
}

/// Calls visit(spawn, is_loop_body) if the code itself makes a task; not for tasks in the blocks of a branch.
template <class Visit>
void for_each_spawn(const Code& code, Visit visit) {
    if (const auto* is = std::get_if<Spawn>(&code.is)) visit(*is, false);
    if (const auto* is = std::get_if<ForEach>(&code.is)) visit(is->body, true);
    if (const auto* is = std::get_if<ForRange>(&code.is)) visit(is->body, true);
}

/// The call of a leaf function, which runs at the task's call point.
struct Call {
    const Leaf* leaf = nullptr;
    std::string name;
    std::vector<Source> arguments;
    std::vector<Slot> results;
    std::vector<Slot> mappings;        // of each result: what it holds on entry; no_slot: nothing
    std::optional<Source> location{};  // the code of a Location: where it runs
    std::uint32_t work_type = 0;       // 0: general; else behind TaskProgram::work_types
    bool by_team = false;              // of as many ranks as its last argument says
};

struct TaskDefinition {
    std::string name;
    Position at;
    std::uint32_t slot_count = 0;
    std::vector<Capture> captures;  // `from` says nothing here
    std::vector<Input> inputs;
    std::vector<Slot> references;  // filled by inputs of mode reference: a read count each
    Slot counter = no_slot;        // of the turn of a range loop
    Slot index = no_slot;          // the same, from 0
    std::unique_ptr<Call> call;
    CodeBlock code;
    std::size_t call_point = 0;  // index into code: what stands before runs before the call
    /// It, or a task that it makes, waits for a datum that it is given to assign, as turns of a loop do that build on others.
    enum class Chain : std::uint8_t { none, of_tasks, of_loops } chain = Chain::none;
    /// The highest priority of the tasks that it makes, and that these make; 0 if none. The highest of all where priorities are
    /// computed.
    int urgency = 0;

    /// Nothing stands behind its call.
    [[nodiscard]] bool ends_with_call() const {
        return call != nullptr &&
               (code.empty() || (call_point + 1 == code.size() &&
                                 std::holds_alternative<CallPoint>(code.back().is)));
    }
};

struct VariableInfo {
    std::string name;
    Type type;
    bool mapped = false;
    Position at;
};

/// How much of a run's work the runtime may save. All off is level O0.
struct RunTimeSwitches {
    bool carry_values = true;     // a notification brings the value: loads after waits vanish
    bool batch_subscribe = true;  // one message for all elements of a datum that a task waits for
    bool range_tasks = true;      // a task is an interval of a loop
    bool direct_joins = true;     // data with one reader are inputs of its task
    bool in_place = true;         // the last call of a task is run by the task itself
    bool free_data = true;        // read counts are kept, and data freed
    bool returns_ride = true;     // on what the task does next with data of the same rank
};

/// What a program becomes before it is known where counts change.
struct UncountedTasks {
    RunTimeSwitches switches;
    std::vector<TaskDefinition> tasks;
    std::vector<VariableInfo> variables;
    std::vector<std::string> work_types;  // 1, 2, ... of Call
    std::uint32_t main = 0;
};
enum class Counting : std::uint8_t;
/// The only thing that runs; there is no way to it but place_counts().
struct TaskProgram : UncountedTasks {
  private:
    explicit TaskProgram(UncountedTasks made) : UncountedTasks(std::move(made)) {}
    friend TaskProgram place_counts(UncountedTasks program, Counting how);
};

}  // namespace refrain::script::tasks
