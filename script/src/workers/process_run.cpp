#include "workers/process_run.hpp"

#include "engine/packed_message.hpp"
#include "leaves/helper_process.hpp"
#include "values/script_error.hpp"
#include "workers/frames.hpp"
#include "workers/leaf_call.hpp"
#include "workers/rank_process.hpp"
#include "workers/waiting_text.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace refrain::script {
namespace {

using engine::CallOutcome;
using engine::CallRequest;
using engine::Rank;

/// Wakes a poll from any thread.
class Wakener {
  public:
    Wakener() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (event_ < 0)
            throw ScriptError(std::string("cannot make an event: ") + std::strerror(errno));
    }
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
    engine::SpanLog spans;
    std::vector<Value> kept;  // results, whose temporary files live as long as the run
    bool gone = false;
};

class ProcessRun {
  public:
    ProcessRun(const tasks::TaskProgram& program, Services& services,
               const ThreadRunOptions& options)
        : program_(program), services_(services), options_(options), ranks_(options.workers) {}
    ProcessRun(const ProcessRun&) = delete;
    ProcessRun& operator=(const ProcessRun&) = delete;
    /// Ends the processes that have been started.
    ~ProcessRun() {
        for (RankStation& each : ranks_) end(each);
    }

    RunOutcome run(const Sources& sources) {
        start();
        const RunControl::Listener listener(*options_.control, [this] { wakener_.wake(); });
        while (!all_reported()) {
            hear(wait());
            pass_outcomes();
            if (options_.control->stopped() && !std::exchange(told_, true))
                for (RankStation& each : ranks_) each.socket.put(FrameKind::stop, {});
            for (RankStation& each : ranks_) speak(each);
        }
        return outcome(sources);
    }

  private:
    // ---- ranks
    /// All processes before all threads.
    void start() {
        for (Rank rank = 0; rank < options_.workers; ++rank) {
            const auto serve = [&](int socket) {
                return run_rank(program_, rank, options_.workers, services_, options_.failures,
                                clock_, socket);
            };
            const ForkedProcess made = forked(serve, processes_);
            ranks_[rank].process = made.process;
            ranks_[rank].socket = FrameSocket(made.socket);
        }
        for (Rank rank = 0; rank < options_.workers; ++rank)
            ranks_[rank].caller = std::make_unique<Caller>(
                [this, rank](const CallRequest& request) { return called(rank, request); },
                wakener_);
    }
    [[nodiscard]] bool all_reported() const {
        return std::ranges::all_of(
            ranks_, [](const RankStation& each) { return each.gone || each.report.has_value(); });
    }
    /// Until something happens; the ranks whose sockets have something to read.
    [[nodiscard]] std::vector<Rank> wait() {
        std::vector<pollfd> all{{wakener_.number(), POLLIN, 0}};
        for (const RankStation& each : ranks_) {
            const int events = POLLIN | (each.socket.has_output() ? POLLOUT : 0);
            const int socket = each.gone ? -1 : each.socket.number();  // poll passes over -1
            all.push_back({socket, static_cast<short>(events), 0});
        }
        poll(all.data(), all.size(), -1);
        wakener_.clear();
        std::vector<Rank> readable;
        for (Rank rank = 0; rank < ranks_.size(); ++rank)
            if ((all[rank + 1].revents & ~POLLOUT) != 0) readable.push_back(rank);
        return readable;
    }
    void hear(const std::vector<Rank>& readable) {
        for (const Rank rank : readable) {
            RankStation& from = ranks_[rank];
            const bool there = from.socket.fill(false);
            while (auto frame = from.socket.take()) handle(rank, std::move(*frame));
            if (!there) lose(rank);
        }
    }
    void speak(RankStation& to) const {
        if (!to.gone) static_cast<void>(to.socket.flush(false));  // its end is seen by reading
    }
    /// To each rank at once what is for it, before anybody can answer.
    void pass_on(engine::Batches batches) {
        for (auto& [to, batch] : batches) {
            ++messages_;
            ranks_[to].socket.put(FrameKind::message, packed(std::move(batch)));
        }
    }
    void handle(Rank rank, Frame frame) {
        RankStation& from = ranks_[rank];
        switch (frame.kind) {
            case FrameKind::message:
                pass_on(engine::unpacked<engine::Batches>(frame.text));
                break;
            case FrameKind::call:
                from.caller->ask(engine::unpacked<CallRequest>(frame.text));
                break;
            case FrameKind::print: {
                const AsWorker as(rank);
                services_.print(frame.text);
                from.socket.put(FrameKind::printed, {});
                break;
            }
            case FrameKind::failed:
                heed_failure(options_.failures, *options_.control);
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
        if (is.gone || is.process == 0) return;
        is.socket.close();
        static_cast<void>(processes_.reap(is.process));
    }

    // ---- calls
    CallOutcome called(Rank rank, const CallRequest& request) {
        const AsWorker as(rank);
        engine::Span span{
            rank, request.definition, request.created_ns, request.ready_ns, clock_.now_ns(), 0,
            false};
        CallOutcome made = script::called(program_.tasks[request.definition], request.arguments,
                                          request.results, services_, *options_.control);
        span.end_ns = clock_.now_ns();
        span.failed = made.failure != nullptr;
        RankStation& own = ranks_[rank];
        if (options_.record_spans) own.spans.add(span, options_.spans_max);
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
        auto asked = data_named(waiting);
        for (auto& [rank, ids] : asked)
            ranks_[rank].socket.put(FrameKind::describe, engine::packed(std::move(ids)));
        const auto lost = [&] {
            return std::ranges::any_of(ranks_, [](const RankStation& each) { return each.gone; });
        };
        while (described_ < asked.size() && !lost()) {
            for (RankStation& each : ranks_) speak(each);
            hear(wait());
        }
    }
    RunOutcome outcome(const Sources& sources) {
        for (RankStation& each : ranks_) each.caller.reset();
        RunOutcome made;
        made.seconds = clock_.now_s();
        made.messages = messages_;
        made.failures = lost_;
        made.stopped = !lost_.empty();
        for (RankStation& each : ranks_) {
            engine::RankReport report = std::move(each.report).value_or(engine::RankReport());
            for (const std::string& file : report.temporary_files) std::remove(file.c_str());
            report.calls = std::move(each.spans);
            made.add(std::move(report));
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
        made.sort_failures();
        return made;
    }

    const tasks::TaskProgram& program_;
    Services& services_;
    const ThreadRunOptions& options_;
    ProcessTable processes_;  // of engines: a kill of the run ends calls, and engines report
    RunClock clock_;
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
