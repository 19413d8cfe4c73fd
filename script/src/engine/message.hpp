#pragma once

#include "tasks/task_program.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace refrain::script::engine {

using Rank = std::uint32_t;
using TaskNumber = std::uint64_t;

/// Why a value will never be there.
struct Failure {
    Position at;
    std::string text;
};
using FailurePointer = std::shared_ptr<const Failure>;
/// What a datum is, and inputs of tasks that wait for it or a part of it, for messages.
struct Description {
    DatumId datum;
    std::string name;
    Position at;
    std::vector<DatumId> waiters;
};
using Descriptions = std::vector<Description>;
/// The variable that most tasks waited for at once, and how many these were.
struct HotVariable {
    std::string name;
    Position at;
    std::uint64_t waiters = 0;
};
[[nodiscard]] inline Failure second_write(const std::string& what, Position first,
                                          Position second) {
    return {second, shown_name(what) + " is assigned a second time (first: line " +
                        std::to_string(first.line) + ", second: line " +
                        std::to_string(second.line) + ")"};
}

[[nodiscard]] inline std::string no_element(const std::string& array, const Value& key) {
    return (is_temporary(array) ? "" : "the array ") + shown_name(array) + " has no element [" +
           text_of(key) + "]";
}

/// A part of a container, an element or a field: its type, and what it is called.
[[nodiscard]] inline const Type& part_type(const Type& whole, const Value& key) {
    return whole.is(Kind::structure) ? *whole.field(key.string()) : whole.element();
}
[[nodiscard]] inline std::string part_name(const std::string& whole, const Type& type,
                                           const Value& key) {
    return whole + (type.is(Kind::structure) ? "." + key.string() : "[" + text_of(key) + "]");
}

/// Keys from a container to a part of it; two need no memory of their own.
struct Path {
    std::uint32_t count = 0;
    std::array<Value, 2> first{};
    std::vector<Value> more{};

    [[nodiscard]] std::size_t size() const { return count; }
    [[nodiscard]] bool empty() const { return count == 0; }
    void push_back(Value key) {
        if (count < first.size())
            first[count] = std::move(key);
        else
            more.push_back(std::move(key));
        ++count;
    }
    [[nodiscard]] const Value& operator[](std::size_t i) const {
        return i < first.size() ? first[i] : more[i - first.size()];
    }
    /// What is left behind the first `depth` keys.
    [[nodiscard]] Path behind(std::size_t depth) const {
        Path rest;
        for (std::size_t i = depth; i < size(); ++i) rest.push_back((*this)[i]);
        return rest;
    }
};
/// Where in a deep value a part belongs; most have no route.
using Route = std::shared_ptr<const std::vector<Value>>;

/// Which ranks may run a call: placement.hpp.
enum class Bound : std::uint8_t { undecided, free, rank, node, type };

/// Changes the counts of a datum; it is final when no writes are left, and gone when no reads are left either.
struct ChangeCounts {
    DatumId datum;
    std::int64_t reads = 0;
    std::int64_t writes = 0;
};

/// A task with what it has been given so far.
struct Task {
    std::uint32_t definition = 0;
    int priority = 0;
    std::uint32_t bound_to = 0;      // a rank, or a work type
    Bound bound = Bound::undecided;  // if it is, what stands before the call has run
    std::vector<Value> slots;
    /// Part of a range loop: the numbers begin, begin + step, ... of which the first has this index.
    struct Range {
        std::int64_t begin = 0;
        std::int64_t count = 0;
        std::int64_t step = 1;
        std::int64_t index = 0;
    };
    std::optional<Range> range;
    std::vector<std::pair<tasks::Slot, FailurePointer>> failed;  // slots without a value, and why
    std::vector<ChangeCounts> owed;  // of an interval: counts that its first turn returns
    std::uint64_t created_ns = 0;
    std::uint64_t ready_ns = 0;
};

/// Assigns a datum or an element of it. Elements that are ids bring a read count with them.
struct Assign {
    DatumId datum;
    Path path;
    Value value;
    Position at;
    bool append = false;
    std::int64_t release_reads = 0;  // counts that are returned with it
    std::int64_t release_writes = 0;
};
struct UpdateDatum {
    DatumId datum;
    double by = 0;
    std::string how;
    Position at;
};
struct NameFile {
    DatumId datum;
    std::string name;
};
/// What was to assign the datum has failed.
struct Fail {
    DatumId datum;
    FailurePointer why;
};
/// Asks for a Deliver when the datum, or the element, is as far as `mode` says.
struct Subscribe {
    DatumId datum;
    Path path{};
    tasks::Mode mode = tasks::Mode::closed;
    Rank waiter = 0;
    TaskNumber task = 0;
    std::uint32_t input = 0;
    Route route{};
    Position at{};
    bool notify = false;   // the answer brings no value: it is asked for again when it is there
    bool release = false;  // with the answer, a read count is returned
};
/// The task does not run: the read count that the answer was to return is returned now, unless that is under way.
struct Unsubscribe {
    DatumId datum;
    Path path{};
    Rank waiter = 0;
    TaskNumber task = 0;
};
struct Deliver {
    TaskNumber task = 0;
    std::uint32_t input = 0;
    Route route;
    Value value;
    FailurePointer failure;
    bool notify = false;  // the value stays where it is; a datum here: its count comes with this
};
/// The sender has nothing to run.
struct Hungry {};
struct Work {
    std::vector<Task> tasks;
};
struct Wave {
    std::uint64_t round = 0;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
};
struct Stop {};

// Of teams: teams.hpp.
struct Gather {
    Task task;
    std::uint32_t size = 0;
};
struct Muster {
    std::uint64_t team = 0;
};
struct Mustered {
    std::uint64_t team = 0;
};
struct Assemble {
    std::vector<Rank> members;
    std::optional<Task> task;  // none: the receiver is no member
};
struct TeamEnd {
    FailurePointer why;
};

struct Message {
    Rank from = 0;
    Rank to = 0;
    std::variant<ChangeCounts, Assign, UpdateDatum, NameFile, Fail, Subscribe, Unsubscribe, Deliver,
                 Hungry, Work, Wave, Stop, Gather, Muster, Mustered, Assemble, TeamEnd>
        is;
    std::vector<ChangeCounts> returns{};  // of other data of the receiver, behind it

    /// Waves and the stop are no part of the work whose end they find.
    [[nodiscard]] bool is_counted() const {
        return !std::holds_alternative<Wave>(is) && !std::holds_alternative<Stop>(is);
    }
};

/// The messages for each of several ranks, in their order; by rank.
using Batches = std::vector<std::pair<Rank, std::vector<Message>>>;

/// Where a state machine puts what it sends. What a rank sends to itself it handles before anything else, in order.
class Outbox {
  public:
    explicit Outbox(Rank rank) : rank_(rank) {}

    template <class Is>
    Message& send(Rank to, Is&& is) {
        Message& message = to == rank_ ? own_.emplace_back() : batch(to).emplace_back();
        message.from = rank_;
        message.to = to;
        message.is = std::forward<Is>(is);
        return message;
    }
    /// The first one of those to this rank; it stays where it is until drop_own().
    [[nodiscard]] Message* first_own() { return own_.empty() ? nullptr : &own_.front(); }
    void drop_own() { own_.pop_front(); }
    [[nodiscard]] Batches take_others() {
        std::ranges::sort(others_, {}, &Batches::value_type::first);
        return std::exchange(others_, {});
    }

  private:
    [[nodiscard]] std::vector<Message>& batch(Rank to) {
        for (auto& [rank, messages] : others_)
            if (rank == to) return messages;
        return others_.emplace_back(to, std::vector<Message>()).second;
    }

    Rank rank_;
    std::deque<Message> own_;
    Batches others_;
};

}  // namespace refrain::script::engine
