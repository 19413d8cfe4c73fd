#include "workers/thread_run.hpp"

#include "base/exchanged.hpp"
#include "workers/leaf_call.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace refrain::script {
namespace {

using engine::Engine;
using engine::Message;
using engine::Rank;
using engine::Task;

/// An engine, and what its thread shares with others.
///   deliver   who holds engine_mutex   puts messages of that engine into inboxes
///   relieve   any thread               handles messages in place of owners that run a call
///   pump      who holds engine_mutex   handles what is in its inbox
/// I1  engine is used only under engine_mutex, which is not held during calls. What it sends is delivered under it, so
///     that messages of one engine arrive in their order. An inbox_mutex is held while no engine_mutex is asked for.
/// I2  in_call is changed under engine_mutex, and when it is set, the inbox is looked at once more behind it: who delivers
///     later sees in_call.
/// I3  brief_since is when the brief call began that runs now, or 0. Nobody relieves its owner unless it takes long: who
///     has nothing to do looks for that.
/// I4  Only the owner, or others while it makes a call, look into its inbox: when it comes back, it looks at its engine
///     before it sleeps. An owner that sleeps looks at nothing but its inbox.
struct Station {
    std::mutex engine_mutex;
    std::unique_lock<std::mutex> lock{engine_mutex, std::defer_lock};  // the owner's
    std::unique_ptr<Engine> engine;
    std::unique_ptr<Calls> calls;
    std::mutex inbox_mutex;
    std::condition_variable arrived;
    std::vector<Message> inbox;
    std::atomic<bool> in_call{false};
    std::atomic<std::uint64_t> brief_since{0};
    std::atomic<std::uint64_t> messages{0};
};

class ThreadRun {
  public:
    ThreadRun(const tasks::TaskProgram& program, Services& services,
              const ThreadRunOptions& options)
        : options_(options), target_ns_(brief_target_ns(program, clock_)) {
        const CallSettings settings{*options.control, clock_, options.spans_max, target_ns_};
        for (Rank rank = 0; rank < options.workers; ++rank) {
            stations_.push_back(std::make_unique<Station>());
            Station& made = *stations_.back();
            made.engine = std::make_unique<Engine>(program, rank, options.workers, services);
            made.calls = std::make_unique<Calls>(program, *made.engine, services, settings,
                                                 made.lock, made.brief_since, nullptr);
        }
    }

    RunOutcome run(const Sources& sources) {
        const RunControl::Listener listener(*options_.control, [this] { wake_all(); });
        stations_[0]->engine->start();
        std::vector<std::thread> threads;
        for (Rank rank = 1; rank < options_.workers; ++rank)
            threads.emplace_back([this, rank] { work(rank); });
        std::jthread reporter;
        if (options_.on_progress)
            reporter = std::jthread([this](const std::stop_token& end) { report_progress(end); });
        work(0);
        for (std::thread& each : threads) each.join();
        reporter = {};
        return outcome(sources);
    }

  private:
    // ---- messages
    void pump(Station& station) {
        std::vector<Message> messages;
        {
            const std::lock_guard lock(station.inbox_mutex);
            messages.swap(station.inbox);
        }
        if (messages.empty()) return;
        station.engine->set_time(clock_.now_ns());
        for (Message& each : messages) station.engine->handle(std::move(each));
    }
    /// Handles the messages of ranks that run a call, and of those that this makes necessary.
    void relieve(std::vector<Rank> in_call) {
        while (!in_call.empty()) {
            Station& busy = *stations_[in_call.back()];
            in_call.pop_back();
            const std::lock_guard lock(busy.engine_mutex);
            // Relaxed: both are changed under engine_mutex only.
            const bool is_brief = busy.brief_since.load(std::memory_order_relaxed) != 0;
            if (!is_brief && !busy.in_call.load(std::memory_order_relaxed)) continue;  // I4
            pump(busy);
            if (is_brief) busy.calls->relieve();
            heed_failures(*busy.engine);
            deliver(busy.engine->take_outgoing(), in_call);
        }
    }
    /// The messages arrive at once: whoever answers one of them cannot overtake another. Adds the ranks that run a call,
    /// which the sender relieves.
    void deliver(engine::Batches batches, std::vector<Rank>& in_call) {
        if (batches.empty()) return;
        // Locks are taken in the order of ranks.
        std::vector<std::unique_lock<std::mutex>> locks;
        for (const auto& [rank, batch] : batches) locks.emplace_back(stations_[rank]->inbox_mutex);
        for (auto& [rank, batch] : batches) {
            std::vector<Message>& inbox = stations_[rank]->inbox;
            if (inbox.empty()) {
                inbox = std::move(batch);
                continue;
            }
            inbox.insert(inbox.end(), std::make_move_iterator(batch.begin()),
                         std::make_move_iterator(batch.end()));
        }
        locks.clear();
        for (const auto& [rank, batch] : batches) {
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
        if (engine.has_errors()) heed_failure(options_.failures, *options_.control);
    }

    // ---- a worker
    void work(Rank rank) {
        Station& station = *stations_[rank];
        const base::Exchanged own(worker_of_this_thread(), rank);
        std::unique_lock<std::mutex>& lock = station.lock;
        for (;;) {
            std::vector<Rank> in_call;
            bool idle = false;
            lock.lock();
            pump(station);
            heed_failures(*station.engine);
            if (station.engine->stopped() || options_.control->stopped()) return lock.unlock();
            station.engine->set_time(clock_.now_ns());
            std::optional<Task> call =
                station.calls->run_short([&] { heed_failures(*station.engine); });
            if (call) {
                begin_call(station);
            } else if (!station.engine->has_ready()) {
                station.engine->idle();
                idle = !station.engine->stopped();
            }
            deliver(station.engine->take_outgoing(), in_call);
            lock.unlock();
            relieve(std::move(in_call));
            if (call)
                run_call(station, std::move(*call));
            else if (idle)
                wait(station);
        }
    }
    void begin_call(Station& station) {
        station.in_call.store(true, std::memory_order_release);  // I2: pairs with deliver
        pump(station);
        heed_failures(*station.engine);  // now: the call may take long; none begins at the end
        station.engine->set_busy(true);
    }
    void run_call(Station& station, Task task) {
        running_.fetch_add(1, std::memory_order_relaxed);  // shown as progress only
        const bool ended = station.calls->run_long(std::move(task));
        running_.fetch_sub(1, std::memory_order_relaxed);
        std::vector<Rank> in_call;
        if (ended) {
            station.in_call.store(false, std::memory_order_release);
            deliver(station.engine->take_outgoing(), in_call);
        }
        station.lock.unlock();
        relieve(std::move(in_call));
    }
    /// I3. A look wakes the worker, which takes about the target: a hundredth of its time.
    void wait(Station& station) {
        const std::chrono::nanoseconds turn(100 * target_ns_);
        std::unique_lock lock(station.inbox_mutex);
        const auto awake = [&] { return !station.inbox.empty() || options_.control->stopped(); };
        if (target_ns_ == 0) return station.arrived.wait(lock, awake);
        std::vector<std::uint64_t> seen(stations_.size());
        while (!station.arrived.wait_for(lock, turn, awake)) {
            lock.unlock();
            for (Rank rank = 0; rank < stations_.size(); ++rank) {
                const auto since = stations_[rank]->brief_since.load(std::memory_order_relaxed);
                if (std::exchange(seen[rank], since) == since && since != 0) relieve({rank});
            }
            lock.lock();
        }
    }

    // ---- what others see
    void report_progress(const std::stop_token& end) {
        std::unique_lock lock(progress_mutex_);
        const auto ended = [&] { return end.stop_requested(); };
        while (!progress_.wait_for(lock, end, std::chrono::milliseconds(100), ended)) {
            engine::Tally sum;
            for (const auto& each : stations_) {
                const std::lock_guard of_engine(each->engine_mutex);
                sum.add(each->engine->tally());
            }
            options_.on_progress(sum, running_.load(std::memory_order_relaxed), clock_.now_s());
        }
    }
    RunOutcome outcome(const Sources& sources) {
        RunOutcome made;
        made.seconds = clock_.now_s();
        const bool stopped = std::ranges::any_of(stations_, [](const auto& each) {
            return !each->engine->stopped() || !each->calls->cut_off.empty();
        });
        for (const auto& each : stations_) {
            engine::RankReport report = report_of(*each->engine, *each->calls, stopped);
            report.messages = each->messages.load(std::memory_order_relaxed);
            made.add(std::move(report));
        }
        made.finish(sources);
        return made;
    }

    const ThreadRunOptions& options_;
    RunClock clock_;
    std::uint64_t target_ns_;  // of brief calls
    std::vector<std::unique_ptr<Station>> stations_;
    std::atomic<std::uint32_t> running_{0};
    std::mutex progress_mutex_;  // for waiting only
    std::condition_variable_any progress_;
};

}  // namespace

std::uint32_t& worker_of_this_thread() {
    thread_local std::uint32_t worker = 0;
    return worker;
}

RunOutcome run_on_threads(const tasks::TaskProgram& program, const Sources& sources,
                          Services& services, const ThreadRunOptions& options) {
    return ThreadRun(program, services, options).run(sources);
}

}  // namespace refrain::script
