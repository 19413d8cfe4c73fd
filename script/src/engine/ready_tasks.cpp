#include "engine/ready_tasks.hpp"

#include <algorithm>

namespace refrain::script::engine {
namespace {

void insert(std::deque<Task>& queue, Task task) {
    const auto place = std::find_if(queue.rbegin(), queue.rend(), [&](const Task& each) {
        return each.priority >= task.priority;
    });
    queue.insert(place.base(), std::move(task));
}

}  // namespace

void ReadyTasks::add(Task task) {
    if (placement_.binds(task)) return insert(bound_, std::move(task));
    turns_ += turns_of(task);
    const tasks::Call* call = program_.tasks[task.definition].call.get();
    const bool decides = call != nullptr && placement_.is_undecided(task, *call);
    if (call != nullptr && call->leaf->is_long_running() && !decides)
        return insert(calls_, std::move(task));
    turns_short_ += turns_of(task);
    is_sorted_ = is_sorted_ && (short_.empty() || urgency_of(short_.back()) <= urgency_of(task));
    short_.push_back(std::move(task));
}

void ReadyTasks::sort() {
    const auto urgency = [this](const Task& each) { return urgency_of(each); };
    if (!std::exchange(is_sorted_, true)) std::ranges::stable_sort(short_, {}, urgency);
}

/// Calls come before what makes calls like them, so that the tasks of a loop find their inputs there when they are made, and
/// few wait.
bool ReadyTasks::precedes_calls() {
    if (short_.empty()) return false;
    sort();
    const int urgency = urgency_of(short_.back());
    for (const auto* queue : {&calls_, &bound_})
        if (!queue->empty() && queue->front().priority >= urgency) return false;
    return true;
}

std::optional<Task> ReadyTasks::take() {
    const bool from_calls = !precedes_calls();
    if (from_calls && calls_.empty() && bound_.empty()) return std::nullopt;
    const bool from_bound = from_calls && !bound_.empty() &&
                            (calls_.empty() || bound_.front().priority >= calls_.front().priority);
    std::deque<Task>& queue = from_bound ? bound_ : calls_;
    Task& source = from_calls ? queue.front() : short_.back();
    if (!from_bound) --turns_;
    if (!from_calls) --turns_short_;
    const tasks::TaskDefinition& is = program_.tasks[source.definition];
    Task task;
    if (take_one(source, is, task)) return task;
    if (from_calls)
        queue.pop_front();
    else
        short_.pop_back();
    return task;
}

std::size_t ReadyTasks::take_like(std::uint32_t definition, std::size_t most, Task& into) {
    if (!bound_.empty() || calls_.empty() || calls_.front().definition != definition ||
        precedes_calls())
        return 0;
    Task& source = calls_.front();
    const bool by_piece = most > 1 && source.range && source.failed.empty();
    const std::size_t turns = by_piece ? std::min(most, turns_of(source)) : 1;
    turns_ -= turns;
    bool is_left = false;
    if (by_piece) {
        into = take_first_turns(source, turns);
        is_left = source.range->count != 0;
    } else {
        is_left = take_one(source, program_.tasks[definition], into);
    }
    if (!is_left) calls_.pop_front();
    return turns;
}

/// False if nothing is left of it.
bool ReadyTasks::take_one(Task& source, const tasks::TaskDefinition& is, Task& into) {
    if (!source.range) {
        into = std::move(source);
        return false;
    }
    take_turn(source, is, into);
    return source.range->count != 0;
}

void ReadyTasks::take_turn(Task& range, const tasks::TaskDefinition& is, Task& turn) {
    Task::Range& turns = *range.range;
    turn = range;
    turn.range.reset();
    range.owed.clear();
    turn.slots[is.counter] = Value(turns.begin);
    if (is.index != tasks::no_slot) turn.slots[is.index] = Value(turns.index);
    set_turn(turns, 1);
    --turns.count;
}

Task ReadyTasks::take_first_turns(Task& range, std::size_t turns) {
    Task first = range;
    range.owed.clear();
    first.range->count = static_cast<std::int64_t>(turns);
    set_turn(*range.range, first.range->count);
    range.range->count -= first.range->count;
    return first;
}

Task ReadyTasks::take_last_turns(Task& range, std::size_t turns) {
    Task rest = take_first_turns(range, turns_of(range) - turns);
    std::swap(rest, range);
    rest.ready_ns = 0;
    return rest;
}

void ReadyTasks::reverse_since(std::size_t short_ones) {
    std::reverse(short_.begin() + static_cast<std::ptrdiff_t>(short_ones), short_.end());
    for (std::size_t i = std::max<std::size_t>(1, short_ones); i < short_.size(); ++i)
        is_sorted_ = is_sorted_ && urgency_of(short_[i - 1]) <= urgency_of(short_[i]);
}

/// Short tasks first: they make further ones, which then need not travel, nor what they make.
std::vector<Task> ReadyTasks::give(Rank to, std::size_t hungry, bool busy) {
    const bool keeps_one = !busy && bound_.empty();
    const std::size_t surplus = turns_ - (keeps_one && turns_ != 0 ? 1 : 0);
    if (surplus == 0) return give_bound(to, busy);
    const Task& oldest = turns_short_ == 0 ? calls_.front() : short_.front();
    if (keeps_chains_ && !busy && chain_of(oldest) != Chain::none) return {};
    const std::size_t from = turns_short_ == 0 ? surplus : std::min(surplus, turns_short_);
    const std::size_t turns = std::max<std::size_t>(1, (from + hungry) / (hungry + 1));
    std::vector<Task> given;
    if (turns_short_ == 0)
        give_calls(turns, given);
    else
        give_short(turns, given);
    return given;
}
void ReadyTasks::give_calls(std::size_t turns, std::vector<Task>& to) {
    while (turns != 0 && !calls_.empty()) {
        give(calls_.front(), turns, to);
        if (turns_of(calls_.front()) == 0) calls_.pop_front();
    }
}
/// The oldest: they stand for the most work.
void ReadyTasks::give_short(std::size_t turns, std::vector<Task>& to) {
    // Turns that wait for those before them: the next one, rather than many that would wait for long.
    if (turns_of(short_.front()) > 1 && chain_of(short_.front()) == Chain::of_loops) {
        --turns_short_;
        --turns_;
        ++divisions_;
        return to.push_back(take_first_turns(short_.front(), 1));
    }
    turns_short_ -= turns;
    std::size_t given = 0;
    while (turns != 0) {
        give(short_[given], turns, to);
        if (turns_of(short_[given]) == 0) ++given;
    }
    short_.erase(short_.begin(), short_.begin() + static_cast<std::ptrdiff_t>(given));
}
/// Gives the task, or as many turns of an interval; what is left has no turns if that is all.
void ReadyTasks::give(Task& task, std::size_t& turns, std::vector<Task>& to) {
    const std::size_t has = turns_of(task);
    const std::size_t given = std::min(has, turns);
    turns -= given;
    turns_ -= given;
    if (task.range) ++divisions_;
    if (given < has) {
        to.push_back(take_last_turns(task, given));
        return;
    }
    to.push_back(std::move(task));
    task.range = Task::Range{};
}
/// Half of the calls that may run there.
std::vector<Task> ReadyTasks::give_bound(Rank to, bool busy) {
    const auto is_for = [&](const Task& each) { return placement_.allows(each, to); };
    auto turns = static_cast<std::size_t>(std::ranges::count_if(bound_, is_for));
    turns = (turns + (busy ? 1 : 0)) / 2;
    std::vector<Task> given;
    for (std::size_t i = 0; i < bound_.size() && given.size() < turns;) {
        if (!is_for(bound_[i])) {
            ++i;
            continue;
        }
        given.push_back(std::move(bound_[i]));
        bound_.erase(bound_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return given;
}

}  // namespace refrain::script::engine
