#include "workers/process_run.hpp"

#include "engine/packed_message.hpp"
#include "leaves/helper_process.hpp"
#include "leaves/leaf_host.hpp"
#include "workers/frames.hpp"
#include "workers/rank_process.hpp"
#include "workers/waiting_text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <tuple>
#include <unistd.h>

namespace refrain::script {
namespace {

using engine::CallOutcome;
using engine::CallRequest;
using engine::Rank;
using Clock = std::chrono::steady_clock;

std::uint64_t to_ns(Clock::duration time) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

/// Wakes a poll from any thread.
class Wakener {
  public:
    Wakener() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
    Wakener(const Wakener&) = delete;
    Wakener& operator=(const Wakener&) = delete;
    ~Wakener() { close(event_); }
    void wake() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = write(event_, &one, sizeof one);
    }
    void clear() const {
        std::uint64_t count = 0;
        [[maybe_unused]] const auto got = read(event_, &count, sizeof count);
    }
    [[nodiscard]] int number() const { return event_; }

  private:
    int event_;
};

/// Makes the calls of one rank, in a thread. The hub asks, and is woken when the outcome is there.
class Caller {
  public:
    using Call = std::function<CallOutcome(const CallRequest&)>;
    Caller(Call call, const Wakener& wakener)
        : call_(std::move(call)), wakener_(wakener), thread_([this] { work(); }) {}
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;
    ~Caller() {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }
    void ask(CallRequest request) {
        {
            const std::lock_guard lock(mutex_);
            request_ = std::move(request);
        }
        changed_.notify_one();
    }
    [[nodiscard]] std::optional<CallOutcome> take_outcome() {
        const std::lock_guard lock(mutex_);
        return std::exchange(outcome_, std::nullopt);
    }

  private:
    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] { return ends_ || request_; });
            if (ends_) return;
            const CallRequest request = std::move(*request_);
            request_.reset();
            lock.unlock();
            CallOutcome outcome = call_(request);
            lock.lock();
            outcome_ = std::move(outcome);
            wakener_.wake();
        }
    }

    Call call_;
    const Wakener& wakener_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<CallRequest> request_;
    std::optional<CallOutcome> outcome_;
    bool ends_ = false;
    std::thread thread_;  // begun last
};

/// A rank as the hub knows it.
struct RankStation {
    pid_t process = 0;
    FrameSocket socket{-1};
    std::unique_ptr<Caller> caller;
    std::optional<engine::RankReport> report;
    std::vector<Span> spans;
    std::uint64_t spans_left_out = 0;
    std::vector<Value> kept;  // results, whose temporary files live as long as the run
    bool gone = false;
};

class ProcessRun {
  public:
    ProcessRun(const tasks::TaskProgram& program, Services& services,
               const ThreadRunOptions& options)
        : program_(program),
          services_(services),
          options_(options),
          began_(Clock::now()),
          ranks_(options.workers) {
        // All processes before all threads.
        for (Rank rank = 0; rank < options.workers; ++rank) {
            const std::uint64_t began_ns = to_ns(began_.time_since_epoch());
            const auto serve = [&](int socket) {
                return run_rank(program_, rank, options_.workers, services_, options_.failures,
                                began_ns, socket);
            };
            const ForkedProcess made = forked(serve, processes_);
            ranks_[rank].process = made.process;
            ranks_[rank].socket = FrameSocket(made.socket);
        }
        for (Rank rank = 0; rank < options.workers; ++rank)
            ranks_[rank].caller = std::make_unique<Caller>(
                [this, rank](const CallRequest& request) { return called(rank, request); },
                wakener_);
    }
    ProcessRun(const ProcessRun&) = delete;
    ProcessRun& operator=(const ProcessRun&) = delete;
    ~ProcessRun() {
        for (RankStation& each : ranks_) end(each);
    }

    RunOutcome run(const Sources& sources) {
        const RunControl::Listener listener(*options_.control, [this] { wakener_.wake(); });
        while (!all_reported()) {
            wait();
            pass_outcomes();
            if (options_.control->stopped() && !std::exchange(told_, true))
                for (RankStation& each : ranks_) each.socket.put(FrameKind::stop, {});
            for (Rank rank = 0; rank < ranks_.size(); ++rank) hear(rank);
            for (RankStation& each : ranks_) speak(each);
        }
        return outcome(sources);
    }

  private:
    // ---- ranks
    [[nodiscard]] bool all_reported() const {
        return std::all_of(ranks_.begin(), ranks_.end(), [](const RankStation& each) {
            return each.gone || each.report.has_value();
        });
    }
    void wait() {
        std::vector<pollfd> all{{wakener_.number(), POLLIN, 0}};
        for (const RankStation& each : ranks_) {
            if (each.gone) continue;
            const int events = POLLIN | (each.socket.has_output() ? POLLOUT : 0);
            all.push_back({each.socket.number(), static_cast<short>(events), 0});
        }
        poll(all.data(), all.size(), -1);
        wakener_.clear();
    }
    void hear(Rank rank) {
        RankStation& from = ranks_[rank];
        if (from.gone) return;
        const bool there = from.socket.fill(false);
        while (auto frame = from.socket.take()) handle(rank, std::move(*frame));
        if (!there) lose(rank);
    }
    void speak(RankStation& to) const {
        if (!to.gone) static_cast<void>(to.socket.flush(false));  // its end is seen by reading
    }
    /// To each rank at once what is for it, before anybody can answer.
    void pass_on(std::vector<engine::Message> messages) {
        std::map<Rank, std::vector<engine::Message>> by_rank;
        for (engine::Message& each : messages) by_rank[each.to].push_back(std::move(each));
        for (auto& [to, batch] : by_rank) {
            ++messages_;
            ranks_[to].socket.put(FrameKind::message, packed(std::move(batch)));
        }
    }
    void handle(Rank rank, Frame frame) {
        RankStation& from = ranks_[rank];
        switch (frame.kind) {
            case FrameKind::message:
                pass_on(engine::unpacked<std::vector<engine::Message>>(frame.text));
                break;
            case FrameKind::call:
                from.caller->ask(engine::unpacked<CallRequest>(frame.text));
                break;
            case FrameKind::print:
                set_worker_of_this_thread(rank);
                services_.print(frame.text);
                from.socket.put(FrameKind::printed, {});
                break;
            case FrameKind::failed:
                if (options_.failures == FailurePolicy::stop)
                    options_.control->kill();
                else
                    options_.control->stop();
                break;
            case FrameKind::report:
                from.report = engine::unpacked<engine::RankReport>(frame.text);
                break;
            case FrameKind::described:
                for (auto& each : engine::unpacked<engine::Descriptions>(frame.text))
                    descriptions_.insert(std::move(each));
                ++described_;
                break;
            default:
                break;
        }
    }
    /// Its data are lost, and so is the run.
    void lose(Rank rank) {
        RankStation& is = ranks_[rank];
        ProcessEnd how;
        is.socket.close();
        how.status = processes_.reap(is.process);
        is.gone = true;
        if (is.report) return;
        lost_.push_back(
            {{},
             "the process of the engine of worker " + std::to_string(rank) + " " + how.text(0) +
                 ", and its data are lost; run the script again (--resume uses what has "
                 "been recorded)"});
        options_.control->stop();
    }
    void end(RankStation& is) {
        is.caller.reset();
        if (is.gone) return;
        is.socket.close();
        static_cast<void>(processes_.reap(is.process));
    }

    // ---- calls
    CallOutcome called(Rank rank, const CallRequest& request) {
        set_worker_of_this_thread(rank);
        const tasks::TaskDefinition& definition = program_.tasks[request.definition];
        CallOutcome made;
        made.results = request.results;
        const auto fail = [&](const std::string& why, bool cut_off) {
            made.cut_off = cut_off;
            made.failure = std::make_shared<const engine::Failure>(
                engine::Failure{definition.at, definition.call->name + ": " + why});
        };
        Span span{rank,
                  request.definition,
                  request.created_ns,
                  request.ready_ns,
                  to_ns(Clock::now() - began_),
                  0,
                  false};
        try {
            definition.call->leaf->call(request.arguments, made.results, services_);
        } catch (const RunStopped& error) {
            fail(error.what(), true);
        } catch (const std::exception& error) {
            fail(error.what(), options_.control->killed());
        } catch (...) {
            fail("threw something that is no std::exception", false);
        }
        span.end_ns = to_ns(Clock::now() - began_);
        span.failed = made.failure != nullptr;
        RankStation& own = ranks_[rank];
        if (options_.record_spans && own.spans.size() < options_.spans_max)
            own.spans.push_back(span);
        else if (options_.record_spans)
            ++own.spans_left_out;
        for (const Value& each : made.results)
            if (each.is<Value::File>() && each.get<Value::File>()->is_temporary())
                own.kept.push_back(each);
        return made;
    }
    void pass_outcomes() {
        for (RankStation& each : ranks_)
            if (auto made = each.caller->take_outcome())
                each.socket.put(FrameKind::outcome, engine::packed(std::move(*made)));
    }

    // ---- the end
    void describe(const std::vector<engine::WaitingTask>& waiting) {
        std::map<Rank, std::vector<DatumId>> asked;
        for (const engine::WaitingTask& each : waiting)
            for (const auto* ids : {&each.data, &each.would_assign})
                for (const DatumId id : *ids) asked[id.owner].push_back(id);
        for (auto& [rank, ids] : asked)
            ranks_[rank].socket.put(FrameKind::describe, engine::packed(std::move(ids)));
        const auto lost = [&] {
            return std::any_of(ranks_.begin(), ranks_.end(),
                               [](const RankStation& each) { return each.gone; });
        };
        while (described_ < asked.size() && !lost()) {
            for (RankStation& each : ranks_) speak(each);
            wait();
            for (Rank rank = 0; rank < ranks_.size(); ++rank) hear(rank);
        }
    }
    RunOutcome outcome(const Sources& sources) {
        for (RankStation& each : ranks_) each.caller.reset();
        RunOutcome made;
        made.seconds = static_cast<double>(to_ns(Clock::now() - began_)) * 1e-9;
        made.messages = messages_;
        made.failures = lost_;
        made.stopped = !lost_.empty();
        for (RankStation& each : ranks_) {
            if (each.report) add(made, *each.report);
            made.spans.insert(made.spans.end(), each.spans.begin(), each.spans.end());
            made.spans_left_out += each.spans_left_out;
        }
        if (made.stopped) made.waiting.clear();
        if (!made.waiting.empty()) {
            describe(made.waiting);
            const auto description = [&](DatumId id) {
                const auto found = descriptions_.find(id);
                return found == descriptions_.end() ? std::nullopt : std::optional(found->second);
            };
            made.waiting_text = explain_waiting(made.waiting, description, sources);
        }
        const auto earlier = [](const engine::Failure& a, const engine::Failure& b) {
            return std::tie(a.at, a.text) < std::tie(b.at, b.text);
        };
        std::sort(made.failures.begin(), made.failures.end(), earlier);
        std::sort(made.skipped.begin(), made.skipped.end(), earlier);
        return made;
    }
    static void add(RunOutcome& made, engine::RankReport& report) {
        const engine::Tally& one = report.tally;
        made.tally.operations.add(one.operations);
        made.tally.created += one.created;
        made.tally.done += one.done;
        made.tally.failed += one.failed;
        made.tally.skipped += one.skipped;
        made.tally.ready += one.ready;
        made.tally.waiting += one.waiting;
        const auto append = [](auto& to, auto& from) {
            to.insert(to.end(), std::make_move_iterator(from.begin()),
                      std::make_move_iterator(from.end()));
        };
        append(made.failures, report.failures);
        append(made.skipped, report.skipped);
        append(made.waiting, report.waiting);
        append(made.unfinished, report.unfinished);
        made.live_data += report.live_data;
        made.stopped |= report.stopped;
        for (const std::string& each : report.temporary_files) std::remove(each.c_str());
    }

    const tasks::TaskProgram& program_;
    Services& services_;
    const ThreadRunOptions& options_;
    ProcessTable processes_;  // of engines: a kill of the run ends calls, and engines report
    Clock::time_point began_;
    Wakener wakener_;
    std::vector<RankStation> ranks_;
    std::uint64_t messages_ = 0;
    bool told_ = false;
    std::vector<engine::Failure> lost_;
    std::map<DatumId, engine::Store::Description> descriptions_;
    std::size_t described_ = 0;
};

}  // namespace

RunOutcome run_on_processes(const tasks::TaskProgram& program, const Sources& sources,
                            Services& services, const ThreadRunOptions& options) {
    return ProcessRun(program, services, options).run(sources);
}

}  // namespace refrain::script
