#pragma once

#include "engine/message.hpp"
#include "engine/placement.hpp"

#include <deque>
#include <optional>
#include <vector>

namespace refrain::script::engine {

/// The tasks of a rank that can run: which is next, and what is given to ranks that have none.
///
/// Short ones make others, or call something brief; of those the youngest runs first, so that memory stays small, but before
/// it one that can make a more urgent call. Calls run by priority, then age. Calls that may run on some ranks only are kept
/// apart, and given to those alone.
class ReadyTasks {
  public:
    ReadyTasks(const tasks::TaskProgram& program, const Placement& placement)
        : program_(program), placement_(placement) {}

    void add(Task task);
    [[nodiscard]] bool empty() const { return short_.empty() && calls_.empty() && bound_.empty(); }
    [[nodiscard]] bool has_bound() const { return !bound_.empty(); }
    /// An interval of a loop counts as its turns.
    [[nodiscard]] std::size_t turns() const { return turns_ + bound_.size(); }
    /// A call, unless a short task can make a more urgent one.
    [[nodiscard]] std::optional<Task> take();
    /// Another call of that definition, or an interval of up to `most`. Returns how many; 0 if something else is next.
    [[nodiscard]] std::size_t take_like(std::uint32_t definition, std::size_t most, Task& into);
    /// The share of one of `hungry` ranks, all of which are without work; nothing if there is too little. While busy, the
    /// rank itself needs none.
    [[nodiscard]] std::vector<Task> give(Rank to, std::size_t hungry, bool busy);
    /// Turns that build on others stay together while the rank is not busy.
    void keep_chains(bool keep) { keeps_chains_ = keep; }
    /// What has become a short task since there were so many runs in the order in which it was made.
    void reverse_since(std::size_t short_ones);
    [[nodiscard]] std::size_t short_count() const { return short_.size(); }
    /// Intervals that have been divided by give(): each piece is a task of its own.
    [[nodiscard]] std::uint64_t take_divisions() { return std::exchange(divisions_, 0); }

    [[nodiscard]] static std::size_t turns_of(const Task& task) {
        return task.range ? static_cast<std::size_t>(task.range->count) : 1;
    }
    template <class Visit>
    void for_each(Visit visit) const {
        for (const auto* queue : {&calls_, &bound_})
            for (const Task& each : *queue) visit(each);
        for (const Task& each : short_) visit(each);
    }

    /// The interval begins so many turns later. The last one's sum may not fit.
    static void set_turn(Task::Range& range, std::int64_t turns) {
        range.begin = static_cast<std::int64_t>(static_cast<std::uint64_t>(range.begin) +
                                                static_cast<std::uint64_t>(range.step) *
                                                    static_cast<std::uint64_t>(turns));
        range.index += turns;
    }
    [[nodiscard]] static Task take_first_turns(Task& range, std::size_t turns);
    static void take_turn(Task& range, const tasks::TaskDefinition& is, Task& turn);

  private:
    using Chain = tasks::TaskDefinition::Chain;
    [[nodiscard]] Chain chain_of(const Task& task) const {
        return program_.tasks[task.definition].chain;
    }
    [[nodiscard]] int urgency_of(const Task& task) const {
        return program_.tasks[task.definition].urgency;
    }
    [[nodiscard]] bool precedes_calls();
    void sort();
    [[nodiscard]] static bool take_one(Task& source, const tasks::TaskDefinition& is, Task& into);
    [[nodiscard]] static Task take_last_turns(Task& range, std::size_t turns);
    void give_calls(std::size_t turns, std::vector<Task>& to);
    void give_short(std::size_t turns, std::vector<Task>& to);
    void give(Task& task, std::size_t& turns, std::vector<Task>& to);
    [[nodiscard]] std::vector<Task> give_bound(Rank to, bool busy);

    const tasks::TaskProgram& program_;
    const Placement& placement_;
    std::vector<Task> short_;  // the most urgent last, of these the youngest
    bool is_sorted_ = true;    // else by age
    std::deque<Task> calls_;
    std::deque<Task> bound_;
    std::size_t turns_ = 0;  // of those that are not bound
    std::size_t turns_short_ = 0;
    std::uint64_t divisions_ = 0;
    bool keeps_chains_ = false;
};

}  // namespace refrain::script::engine
