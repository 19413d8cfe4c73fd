#include "workers/thread_run.hpp"

#include "leaves/leaf_host.hpp"
#include "workers/waiting_text.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace refrain::script {
namespace {

using engine::Engine;
using engine::Message;
using engine::Rank;
using engine::Task;
using Clock = std::chrono::steady_clock;

thread_local Rank this_worker = 0;

/// An engine, and what its thread shares with others.
///   deliver   who holds engine_mutex   puts messages of that engine into inboxes
///   relieve   any thread               handles messages in place of owners that run a call
///   pump      who holds engine_mutex   handles what is in its inbox
/// I1  engine is used only under engine_mutex, which is not held during calls. What it sends is delivered under it, so
///     that messages of one engine arrive in their order. An inbox_mutex is held while no engine_mutex is asked for.
/// I2  in_call is set under engine_mutex, and the inbox is looked at once more behind it: who delivers later sees in_call.
struct Station {
    std::mutex engine_mutex;
    std::unique_ptr<Engine> engine;
    std::mutex inbox_mutex;
    std::condition_variable arrived;
    std::vector<Message> inbox;
    std::atomic<bool> in_call{false};
    std::vector<Span> spans;               // the owner's
    std::vector<engine::Failure> cut_off;  // calls that the end of the run has ended; the owner's
    std::uint64_t spans_left_out = 0;
    std::atomic<std::uint64_t> messages{0};
};

class ThreadRun {
  public:
    ThreadRun(const tasks::TaskProgram& program, Services& services,
              const ThreadRunOptions& options)
        : program_(program), services_(services), options_(options), began_(Clock::now()) {
        for (Rank rank = 0; rank < options.workers; ++rank) {
            stations_.push_back(std::make_unique<Station>());
            stations_.back()->engine =
                std::make_unique<Engine>(program, rank, options.workers, services);
        }
    }

    RunOutcome run(const Sources& sources) {
        const RunControl::Listener listener(*options_.control, [this] { wake_all(); });
        stations_[0]->engine->start();
        std::vector<std::thread> threads;
        for (Rank rank = 1; rank < options_.workers; ++rank)
            threads.emplace_back([this, rank] { work(rank); });
        std::thread reporter;
        if (options_.on_progress) reporter = std::thread([this] { report_progress(); });
        work(0);
        for (std::thread& each : threads) each.join();
        done_.store(
            true, std::memory_order_release);  // pairs with report_progress; publishes nothing else
        if (reporter.joinable()) reporter.join();
        return outcome(sources);
    }

  private:
    [[nodiscard]] std::uint64_t now_ns() const {
        return static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - began_).count());
    }

    // ---- messages
    void pump(Station& station) {
        std::vector<Message> messages;
        {
            const std::lock_guard lock(station.inbox_mutex);
            messages.swap(station.inbox);
        }
        if (messages.empty()) return;
        station.engine->set_time(now_ns());
        for (Message& each : messages) station.engine->handle(std::move(each));
    }
    /// Handles the messages of ranks that run a call, and of those that this makes necessary.
    void relieve(std::vector<Rank> in_call) {
        while (!in_call.empty()) {
            Station& busy = *stations_[in_call.back()];
            in_call.pop_back();
            const std::lock_guard lock(busy.engine_mutex);
            pump(busy);
            deliver(busy.engine->take_outgoing(), in_call);
        }
    }
    /// The messages arrive at once: whoever answers one of them cannot overtake another. Adds the ranks that run a call,
    /// which the sender relieves.
    void deliver(std::vector<Message> messages, std::vector<Rank>& in_call) {
        std::map<Rank, std::vector<Message>> by_rank;  // locks are taken in this order
        for (Message& each : messages) by_rank[each.to].push_back(std::move(each));
        std::vector<std::unique_lock<std::mutex>> locks;
        for (const auto& [rank, batch] : by_rank) locks.emplace_back(stations_[rank]->inbox_mutex);
        for (auto& [rank, batch] : by_rank) {
            std::vector<Message>& inbox = stations_[rank]->inbox;
            inbox.insert(inbox.end(), std::make_move_iterator(batch.begin()),
                         std::make_move_iterator(batch.end()));
        }
        locks.clear();
        for (const auto& [rank, batch] : by_rank) {
            Station& to = *stations_[rank];
            to.messages.fetch_add(1, std::memory_order_relaxed);  // a statistic
            to.arrived.notify_one();
            if (to.in_call.load(std::memory_order_acquire)) in_call.push_back(rank);  // I2
        }
    }

    // ---- the end before the end
    void wake_all() {
        for (const auto& each : stations_) {
            // Held so that a worker which has looked at the control is asleep already.
            const std::lock_guard lock(each->inbox_mutex);
            each->arrived.notify_all();
        }
    }
    void heed_failures(const Engine& engine) {
        if (options_.failures == FailurePolicy::independent || !engine.has_errors()) return;
        if (options_.failures == FailurePolicy::stop)
            options_.control->kill();
        else
            options_.control->stop();
    }

    // ---- a worker
    void work(Rank rank) {
        Station& station = *stations_[rank];
        this_worker = rank;
        for (;;) {
            std::vector<Rank> in_call;
            std::optional<Task> call;
            bool idle = false;
            {
                const std::lock_guard lock(station.engine_mutex);
                pump(station);
                heed_failures(*station.engine);
                if (station.engine->stopped() || options_.control->stopped()) return;
                call = run_short(station);
                if (call) {
                    begin_call(station);
                } else if (!station.engine->has_ready()) {
                    station.engine->idle();
                    idle = !station.engine->stopped();
                }
                deliver(station.engine->take_outgoing(), in_call);
            }
            relieve(std::move(in_call));
            if (call)
                run_call(rank, station, std::move(*call));
            else if (idle)
                wait(station);
        }
    }
    /// Runs some tasks whose calls are short; returns one whose call is long, which is next.
    std::optional<Task> run_short(Station& station) {
        constexpr int tasks_max = 32;
        station.engine->set_time(now_ns());
        for (int i = 0; i < tasks_max; ++i) {
            if (options_.control->stopped()) return std::nullopt;
            std::optional<Task> task = station.engine->next();
            if (!task) return std::nullopt;
            const tasks::Call* call = station.engine->call_of(*task);
            if (call != nullptr && call->leaf->is_long_running()) return task;
            std::vector<Value> results;
            engine::FailurePointer failure;
            if (call != nullptr)
                failure = called(*task, station.engine->arguments_of(*task), results);
            station.engine->finish(std::move(*task), std::move(results), failure);
            if (failure != nullptr) heed_failures(*station.engine);
        }
        return std::nullopt;
    }
    engine::FailurePointer called(const Task& task, const std::vector<Value>& arguments,
                                  std::vector<Value>& results, bool* cut_off = nullptr) {
        const tasks::TaskDefinition& definition = program_.tasks[task.definition];
        results = Engine::results_of(*definition.call, task);
        try {
            definition.call->leaf->call(arguments, results, services_);
            return nullptr;
        } catch (const RunStopped&) {
            if (cut_off != nullptr) *cut_off = true;
            return std::make_shared<const engine::Failure>(
                engine::Failure{definition.at, definition.call->name});
        } catch (const std::exception& error) {
            if (cut_off != nullptr) *cut_off = options_.control->killed();
            return std::make_shared<const engine::Failure>(
                engine::Failure{definition.at, definition.call->name + ": " + error.what()});
        } catch (...) {
            return std::make_shared<const engine::Failure>(engine::Failure{
                definition.at,
                definition.call->name + ": threw something that is no std::exception"});
        }
    }
    void begin_call(Station& station) {
        station.in_call.store(true,
                              std::memory_order_release);  // I2: pairs with the load in deliver
        pump(station);
        station.engine->set_busy(true);
    }
    void run_call(Rank rank, Station& station, Task task) {
        std::vector<Value> results;
        bool cut_off = false;
        Span span{rank, task.definition, task.created_ns, task.ready_ns, now_ns(), 0, false};
        running_.fetch_add(1, std::memory_order_relaxed);  // shown as progress only
        const engine::FailurePointer failure =
            called(task, station.engine->arguments_of(task), results, &cut_off);
        running_.fetch_sub(1, std::memory_order_relaxed);
        span.end_ns = now_ns();
        span.failed = failure != nullptr;
        if (options_.record_spans) {
            if (station.spans.size() < options_.spans_max)
                station.spans.push_back(span);
            else
                ++station.spans_left_out;
        }
        // The task does not end: it counts as one that did not run.
        if (cut_off)
            return station.cut_off.push_back({failure->at, program_.tasks[span.task].call->name});
        std::vector<Rank> in_call;
        {
            const std::lock_guard lock(station.engine_mutex);
            station.in_call.store(false, std::memory_order_release);
            station.engine->set_busy(false);
            station.engine->set_time(span.end_ns);
            station.engine->finish(std::move(task), std::move(results), failure);
            deliver(station.engine->take_outgoing(), in_call);
        }
        relieve(std::move(in_call));
    }
    void wait(Station& station) const {
        std::unique_lock lock(station.inbox_mutex);
        station.arrived.wait(lock,
                             [&] { return !station.inbox.empty() || options_.control->stopped(); });
    }

    // ---- what others see
    engine::Tally tally() {
        engine::Tally sum;
        for (const auto& each : stations_) {
            const std::lock_guard lock(each->engine_mutex);
            const engine::Tally one = each->engine->tally();
            sum.operations.add(one.operations);
            sum.created += one.created;
            sum.done += one.done;
            sum.failed += one.failed;
            sum.skipped += one.skipped;
            sum.ready += one.ready;
            sum.waiting += one.waiting;
        }
        return sum;
    }
    void report_progress() {
        for (int tick = 1; !done_.load(std::memory_order_acquire); ++tick) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            if (tick % 5 == 0)
                options_.on_progress(tally(), running_.load(std::memory_order_relaxed),
                                     static_cast<double>(now_ns()) * 1e-9);
        }
    }
    RunOutcome outcome(const Sources& sources) {
        RunOutcome made;
        made.seconds = static_cast<double>(now_ns()) * 1e-9;
        made.tally = tally();
        for (const auto& each : stations_)
            made.stopped |= !each->engine->stopped() || !each->cut_off.empty();
        for (const auto& each : stations_) {
            for (engine::Failure& failure : each->engine->take_errors())
                made.failures.push_back(std::move(failure));
            for (engine::Failure& skipped : each->engine->take_skipped())
                made.skipped.push_back(std::move(skipped));
            for (engine::Failure& task : each->cut_off)
                made.unfinished.emplace_back(std::move(task), 1);
            if (made.stopped)
                for (auto& task : each->engine->unfinished())
                    made.unfinished.push_back(std::move(task));
            else
                for (engine::WaitingTask& task : each->engine->waiting_tasks())
                    made.waiting.push_back(std::move(task));
            made.spans.insert(made.spans.end(), each->spans.begin(), each->spans.end());
            made.spans_left_out += each->spans_left_out;
            made.live_data += each->engine->store().size();
            made.messages += each->messages.load(std::memory_order_relaxed);
        }
        const auto describe = [&](DatumId id) { return stations_[id.owner]->engine->describe(id); };
        if (!made.waiting.empty())
            made.waiting_text = explain_waiting(made.waiting, describe, sources);
        const auto earlier = [](const engine::Failure& a, const engine::Failure& b) {
            return std::tie(a.at, a.text) < std::tie(b.at, b.text);
        };
        std::sort(made.failures.begin(), made.failures.end(), earlier);
        std::sort(made.skipped.begin(), made.skipped.end(), earlier);
        return made;
    }

    const tasks::TaskProgram& program_;
    Services& services_;
    const ThreadRunOptions& options_;
    Clock::time_point began_;
    std::vector<std::unique_ptr<Station>> stations_;
    std::atomic<std::uint32_t> running_{0};
    std::atomic<bool> done_{false};
};

}  // namespace

std::uint32_t worker_of_this_thread() {
    return this_worker;
}
void set_worker_of_this_thread(std::uint32_t worker) {
    this_worker = worker;
}

RunOutcome run_on_threads(const tasks::TaskProgram& program, const Sources& sources,
                          Services& services, const ThreadRunOptions& options) {
    return ThreadRun(program, services, options).run(sources);
}

}  // namespace refrain::script
