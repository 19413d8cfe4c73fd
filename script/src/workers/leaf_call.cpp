#include "workers/leaf_call.hpp"

#include "leaves/leaf_host.hpp"

#include <algorithm>
#include <thread>

namespace refrain::script {

namespace {
bool may_be_brief(const tasks::TaskDefinition& is) {
    return is.call != nullptr && is.call->leaf->may_be_brief();
}
}  // namespace

std::uint64_t brief_target_ns(const tasks::TaskProgram& program, const RunClock& clock) {
    if (std::ranges::none_of(program.tasks, may_be_brief)) return 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (int i = 0; i < 3; ++i) {  // other programs may come between
        const std::uint64_t before = clock.now_ns();
        std::thread([] {}).join();
        least = std::min(least, clock.now_ns() - before);
    }
    return least;
}

Calls::Calls(const tasks::TaskProgram& program, engine::Engine& engine, Services& services,
             const CallSettings& settings, std::unique_lock<std::mutex>& lock,
             std::atomic<std::uint64_t>& since, std::function<void()> ended)
    : program_(program),
      engine_(engine),
      services_(services),
      settings_(settings),
      lock_(lock),
      since_(since),
      ended_(ended ? std::move(ended) : [] {}),
      scores_(program.tasks.size()) {
    for (const tasks::TaskDefinition& each : program.tasks)
        may_be_brief_.push_back(script::may_be_brief(each));
}

/// How many calls like this one fit into the target; no more than have been made.
std::size_t Calls::brief_count(const engine::Task& task) const {
    const Score& score = scores_[task.definition];
    if (!may_be_brief_[task.definition] || score.calls == 0) return 0;
    const std::uint64_t ns =
        std::max({score.all_ns / score.calls, score.last_ns, std::uint64_t{1}});
    return static_cast<std::size_t>(std::min(settings_.target_ns / ns, score.calls));
}

void Calls::take_batch(engine::Task&& first, std::size_t most) {
    const tasks::Call* call = engine_.call_of(first);
    result_count_ = call == nullptr ? 0 : call->results.size();
    if (batch_.empty()) batch_.resize(1);
    batch_[0] = std::move(first);
    count_ = 1;
    std::size_t tasks = 1;
    for (std::size_t more = 1; count_ < most && more != 0; tasks += more != 0 ? 1 : 0) {
        if (batch_.size() == tasks) batch_.emplace_back();
        count_ += more = engine_.next_like(batch_[0], most - count_, batch_[tasks]);
    }
    if (results_.size() < tasks * result_count_) results_.resize(tasks * result_count_);
    end_ = count_;
    finished_ = 0;
    cut_off_ = false;
    some_failed_.store(false, std::memory_order_relaxed);  // no call runs
    next_ = last_ = {};
    reports_ = false;
}

/// The task for the next call, and its arguments: those of the turns of an interval differ in the numbers of the turn only.
const engine::Task& Calls::next_turn() {
    const engine::Task& task = batch_[next_.task];
    if (next_.turn == 0) engine_.arguments_of(task, arguments_);
    if (task.range) engine_.set_turn(task, next_.turn, arguments_);
    next_.advance(task);
    return task;
}

/// The first failure makes room for all; it is published last, and what is looked at until then are calls that went well.
void Calls::keep_failure(std::size_t index, engine::FailurePointer failure) {
    if (!some_failed_.load(std::memory_order_relaxed)) failures_.assign(count_, nullptr);
    failures_[index] = std::move(failure);
    some_failed_.store(true, std::memory_order_release);  // pairs with finish_until()
}

void Calls::call(const engine::Task& task, std::size_t index) {
    const tasks::Call& is = *engine_.call_of(task);
    const std::size_t first =
        static_cast<std::size_t>(&task - batch_.data()) * result_count_;  // of its results
    const std::span results(results_.data() + first, result_count_);
    const auto fail = [&](const std::string& why, bool by_end) {
        cut_off_ = by_end;
        keep_failure(index, std::make_shared<const engine::Failure>(engine::Failure{
                                engine_.definition(task).at, is.name + ": " + why}));
    };
    engine::Engine::results_of(is, task, results);
    LeafHost::held_up_s = 0;
    try {
        is.leaf->call(arguments_, results, services_);
    } catch (const RunStopped& error) {
        fail(error.what(), true);
    } catch (const std::exception& error) {
        fail(error.what(), settings_.control.killed());
    } catch (...) {
        fail("threw something that is no std::exception", false);
    }
    if (reports_) ends_[index] = {settings_.clock.now_ns(), LeafHost::held_up_s};
}

void Calls::make_batch() {
    if ((reports_ = settings_.spans_max != 0)) ends_.resize(count_);
    begun_.store(0, std::memory_order_relaxed);  // published by the lock
    const std::uint64_t begin_ns = begin_ns_ = settings_.clock.now_ns();
    between_ns_ += begin_ns - end_ns_;
    if (lock_.owns_lock()) {
        // Relaxed, here and below: it says when, and publishes nothing.
        since_.store(begin_ns, std::memory_order_relaxed);
        lock_.unlock();
    }
    // Releases the results of the calls before; pairs with relieve().
    for (std::size_t i = 0; (i = begun_.fetch_add(1, std::memory_order_acq_rel)) < count_;)
        call(next_turn(), i);
    const std::uint64_t end_ns = end_ns_ = settings_.clock.now_ns();
    arguments_.clear();
    lock_.lock();
    since_.store(0, std::memory_order_relaxed);
    engine_.set_busy(false);
    engine_.set_time(end_ns);
    if (end_ == 0) return;  // all have been put back
    Score& score = scores_[batch_[0].definition];
    score.calls += end_;
    score.all_ns += end_ns - begin_ns;
    score.last_ns = (end_ns - begin_ns) / end_;
    calls_ns_ += end_ns - begin_ns;
    engine_.keep_chains(calls_ns_ < between_ns_);
    if (!reports_) ended_();
}

void Calls::report(const engine::Task& task, const End& end, bool failed) {
    ended_();
    spans.add({engine_.rank(), task.definition, task.created_ns, task.ready_ns,
               std::exchange(begin_ns_, end.ns), end.ns, end.paused_s, failed},
              settings_.spans_max);
}

void Calls::finish_until(std::size_t end) {
    const bool some_failed = some_failed_.load(std::memory_order_acquire);
    while (finished_ < end) {
        engine::Task& task = batch_[last_.task];
        if (task.range && !reports_ && !some_failed) {
            const auto left = static_cast<std::size_t>(task.range->count - last_.turn);
            const std::size_t turns = std::min(end - finished_, left);
            engine_.finish_turns(turns);
            last_.advance(task, turns);
            finished_ += turns;
            if (last_.turn == 0 || finished_ == end_) task.slots.clear();
            continue;
        }
        const engine::FailurePointer failure = some_failed ? failures_[finished_] : nullptr;
        if (reports_) report(task, ends_[finished_], failure != nullptr);
        if (task.range)
            engine_.finish_turn(failure);
        else
            engine_.finish(task, {results_.data() + last_.task * result_count_, result_count_},
                           failure);
        last_.advance(task);
        ++finished_;
        // Now: it may have held the last use of a file.
        if (last_.turn == 0 || finished_ == end_) task.slots.clear();
        any_failed_ = any_failed_ || failure != nullptr;
    }
}

void Calls::relieve() {
    // Acquires the results of the calls that have ended. The worker begins no other.
    const std::size_t begun = std::min(begun_.exchange(count_, std::memory_order_acq_rel), end_);
    if (begun != 0) finish_until(begun - 1);
    std::size_t before = 0;
    for (std::size_t i = 0; begun < end_ && before < end_; ++i) {
        const std::size_t turns = engine::ReadyTasks::turns_of(batch_[i]);
        if (before + turns > begun) {
            // The worker looks at the task whose turn it makes.
            engine::Task rest = before < begun ? batch_[i] : std::move(batch_[i]);
            if (before < begun)
                static_cast<void>(engine::ReadyTasks::take_first_turns(rest, begun - before));
            engine_.put_back(std::move(rest));
        }
        before += turns;
    }
    end_ = begun;
    engine_.set_busy(true);
}

bool Calls::run_long(engine::Task task) {
    const engine::Failure what = place_of(task);
    take_batch(std::move(task), 1);
    make_batch();
    if (finish_long()) return true;
    cut_off.push_back(what);
    return false;
}

bool Calls::run_here(engine::Task task) {
    take_batch(std::move(task), 1);
    if ((reports_ = settings_.spans_max != 0)) ends_.resize(count_);
    begin_ns_ = settings_.clock.now_ns();
    call(next_turn(), 0);
    arguments_.clear();
    engine_.set_time(settings_.clock.now_ns());
    return finish_long();
}

bool Calls::finish_long() {
    if (!cut_off_) {
        finish_until(end_);  // 0 if it was put back before it began
        return true;
    }
    if (reports_) report(batch_[0], ends_[0], true);
    batch_[0] = {};
    return false;
}

std::optional<engine::Task> Calls::run_short(const std::function<void()>& on_failure) {
    constexpr std::size_t tasks_max = 32;
    end_ns_ = settings_.clock.now_ns();
    const std::uint64_t end_ns = end_ns_ + settings_.target_ns;
    begin_ns_ = 0;
    for (std::size_t i = 0; i < tasks_max && begin_ns_ < end_ns && !settings_.control.stopped();
         ++i) {
        std::optional<engine::Task> task = engine_.next();
        if (!task) return std::nullopt;
        if (!engine_.team().empty()) return task;
        const tasks::Call* is = engine_.call_of(*task);
        const bool long_running = is != nullptr && is->leaf->is_long_running();
        const std::size_t many = long_running ? brief_count(*task) : 1;
        if (long_running && many < 2) return task;
        take_batch(std::move(*task), std::min(many, 1 + engine_.ready_turns() / 2));
        if (long_running) {
            make_batch();
        } else if (is != nullptr) {
            call(next_turn(), 0);
            arguments_.clear();
        }
        finish_until(end_);
        if (std::exchange(any_failed_, false)) on_failure();
    }
    return std::nullopt;
}

void heed_failure(FailurePolicy policy, RunControl& control) {
    if (policy == FailurePolicy::stop) control.kill();
    if (policy == FailurePolicy::drain) control.stop();
}

}  // namespace refrain::script
