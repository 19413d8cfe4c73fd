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
             std::atomic<std::uint64_t>& since, Ended ended)
    : program_(program),
      engine_(engine),
      services_(services),
      settings_(settings),
      lock_(lock),
      since_(since),
      ended_(std::move(ended)),
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
    if (batch_.size() < most) {
        batch_.resize(most);
        outcomes_.resize(most);
    }
    if (results_.size() < most * result_count_) results_.resize(most * result_count_);
    batch_[0] = std::move(first);
    count_ = 1;
    for (std::size_t i = 1, more = 1; count_ < most && more != 0; ++i)
        count_ += more = engine_.next_like(batch_[0], most - count_, batch_[i]);
    end_ = count_;
    finished_ = 0;
    next_ = last_ = {};
    reports_ = false;
}

/// The task for the next call. What others may read in the meantime is left as it is.
const engine::Task& Calls::next_turn() {
    const engine::Task& task = batch_[next_.task];
    const std::int64_t turn = next_.turn;
    next_.advance(task);
    if (!task.range) return task;
    if (turn == 0) turn_ = task;
    engine_.set_turn(turn_, turn);
    return turn_;
}

void Calls::call(const engine::Task& task, std::size_t index) {
    const tasks::Call& is = *engine_.call_of(task);
    Outcome& made = outcomes_[index];
    const std::span results(results_.data() + index * result_count_, result_count_);
    const auto fail = [&](const std::string& why, bool cut_off) {
        made.cut_off = cut_off;
        made.failure = std::make_shared<const engine::Failure>(
            engine::Failure{engine_.definition(task).at, is.name + ": " + why});
    };
    engine::Engine::results_of(is, task, results);
    engine_.arguments_of(task, arguments_);
    try {
        is.leaf->call(arguments_, results, services_);
    } catch (const RunStopped& error) {
        fail(error.what(), true);
    } catch (const std::exception& error) {
        fail(error.what(), settings_.control.killed());
    } catch (...) {
        fail("threw something that is no std::exception", false);
    }
    arguments_.clear();
    if (reports_) made.end_ns = settings_.clock.now_ns();
}

void Calls::make_batch() {
    reports_ = settings_.record_spans;
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
    turn_.slots.clear();
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
    if (!reports_) ended_({});
}

void Calls::report(const engine::Task& task, const Outcome& made) {
    ended_({0, task.definition, task.created_ns, task.ready_ns,
            std::exchange(begin_ns_, made.end_ns), made.end_ns, made.failure != nullptr});
}

void Calls::finish_until(std::size_t end) {
    for (; finished_ < end; ++finished_) {
        engine::Task& task = batch_[last_.task];
        Outcome& made = outcomes_[finished_];
        if (reports_) report(task, made);
        if (task.range)
            engine_.finish_turn(made.failure);
        else
            engine_.finish(task, {results_.data() + finished_ * result_count_, result_count_},
                           made.failure);
        last_.advance(task);
        // Now: it may have held the last use of a file.
        if (last_.turn == 0 || finished_ + 1 == end_) task.slots.clear();
        if (made.failure == nullptr) continue;
        any_failed_ = true;
        made = {};
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
    take_batch(std::move(task), 1);
    make_batch();
    return finish_long();
}

bool Calls::run_here(engine::Task task) {
    take_batch(std::move(task), 1);
    reports_ = settings_.record_spans;
    begin_ns_ = settings_.clock.now_ns();
    call(batch_[0], 0);
    engine_.set_time(settings_.clock.now_ns());
    return finish_long();
}

bool Calls::finish_long() {
    if (!outcomes_[0].cut_off) {
        finish_until(end_);  // 0 if it was put back before it began
        return true;
    }
    if (reports_) report(batch_[0], outcomes_[0]);
    outcomes_[0] = {};
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
        if (long_running)
            make_batch();
        else if (is != nullptr)
            call(batch_[0], 0);
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
