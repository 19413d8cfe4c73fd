#include "workers/rank_process.hpp"

#include "engine/packed_message.hpp"
#include "workers/frames.hpp"
#include "workers/leaf_call.hpp"
#include "workers/run_outcome.hpp"

#include <chrono>
#include <deque>

namespace refrain::script {
namespace {

using engine::CallOutcome;
using engine::Engine;
using engine::Rank;

/// The hub is gone, and so is the run.
struct HubIsGone {};

/// Frames that the hub has sent, in order; some are waited for before others are handled.
class HubLink {
  public:
    explicit HubLink(int socket) : socket_(socket) {}

    void send(FrameKind::Is kind, std::string_view text) {
        socket_.put(kind, text);
        if (!socket_.flush(true)) throw HubIsGone();
    }
    [[nodiscard]] std::optional<Frame> next(bool wait) {
        if (waiting_.empty()) read(wait);
        if (waiting_.empty()) return std::nullopt;
        Frame frame = std::move(waiting_.front());
        waiting_.pop_front();
        return frame;
    }
    void wait_for_printed() {
        for (;;) {
            while (auto frame = socket_.take()) {
                if (frame->kind == FrameKind::printed) return;
                waiting_.push_back(std::move(*frame));
            }
            if (!socket_.fill(true)) throw HubIsGone();
        }
    }

  private:
    void read(bool wait) {
        do {
            if (auto frame = socket_.take()) return waiting_.push_back(std::move(*frame));
            if (!socket_.fill(wait)) throw HubIsGone();
        } while (wait);
        if (auto frame = socket_.take()) waiting_.push_back(std::move(*frame));
    }

    FrameSocket socket_;
    std::deque<Frame> waiting_;
};

/// Output is the hub's, so that none gets ahead of what it follows from.
class RankServices : public ForwardingServices {
  public:
    RankServices(HubLink& hub, Services& original, Rank rank)
        : ForwardingServices(original), hub_(hub), rank_(rank) {}

    void print(const std::string& text) override {
        hub_.send(FrameKind::print, text);
        hub_.wait_for_printed();
    }
    [[nodiscard]] std::uint32_t worker() const override { return rank_; }

  private:
    HubLink& hub_;
    Rank rank_;
};

class RankRun {
  public:
    RankRun(const tasks::TaskProgram& program, Rank rank, Rank ranks, Services& services,
            FailurePolicy failures, std::uint64_t began_ns, int socket)
        : hub_(socket),
          services_(hub_, services, rank),
          engine_(program, rank, ranks, services_),
          failures_(failures),
          began_ns_(began_ns) {
        FileHandle::kept_temporaries = &temporaries_;
        if (rank == 0) engine_.start();
    }

    int run() {
        while (!engine_.stopped() && !stop_) {
            while (auto frame = hub_.next(false)) handle(*frame);
            const bool worked = !call_ && !stop_ && run_some();
            if (!worked && !call_) engine_.idle();
            send_outgoing();
            heed_failures();
            if (!worked && !engine_.stopped() && !stop_) handle(*hub_.next(true));
        }
        // What runs ends, and counts.
        while (call_) handle(*hub_.next(true));
        hub_.send(FrameKind::report, packed(report()));
        for (;;) describe(*hub_.next(true));
    }

  private:
    [[nodiscard]] std::uint64_t now_ns() const {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        return static_cast<std::uint64_t>(
                   std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()) -
               began_ns_;
    }
    void handle(const Frame& frame) {
        engine_.set_time(now_ns());
        if (frame.kind == FrameKind::message)
            for (auto& each : engine::unpacked<std::vector<engine::Message>>(frame.text))
                engine_.handle(std::move(each));
        else if (frame.kind == FrameKind::outcome)
            end_call(engine::unpacked<CallOutcome>(frame.text));
        else if (frame.kind == FrameKind::stop)
            stop_ = true;
    }
    void end_call(CallOutcome outcome) {
        engine::Task task = std::move(*call_);
        call_.reset();
        engine_.set_busy(false);
        if (outcome.cut_off)
            cut_off_.push_back({outcome.failure->at, engine_.call_of(task)->name});
        else
            engine_.finish(std::move(task), std::move(outcome.results), outcome.failure);
    }
    /// Runs some tasks whose calls are short, or has a long one called. False if there was nothing.
    bool run_some() {
        constexpr int tasks_max = 32;
        engine_.set_time(now_ns());
        for (int i = 0; i < tasks_max; ++i) {
            std::optional<engine::Task> task = engine_.next();
            if (!task) return i != 0;
            const tasks::Call* call = engine_.call_of(*task);
            if (call != nullptr && call->leaf->is_long_running()) {
                hub_.send(FrameKind::call,
                          packed(engine::CallRequest{task->definition, engine_.arguments_of(*task),
                                                     Engine::results_of(*call, *task),
                                                     task->created_ns, task->ready_ns}));
                call_ = std::move(task);
                engine_.set_busy(true);
                return true;
            }
            run_short(std::move(*task), call);
            heed_failures();
            if (stop_) return true;
        }
        return true;
    }
    void run_short(engine::Task task, const tasks::Call* call) {
        CallOutcome made;
        if (call != nullptr)
            made = called(engine_.definition(task), engine_.arguments_of(task),
                          Engine::results_of(*call, task), services_, control_);
        engine_.finish(std::move(task), std::move(made.results), made.failure);
    }
    /// In one frame: no answer to one of them overtakes another.
    void send_outgoing() {
        auto messages = engine_.take_outgoing();
        if (!messages.empty()) hub_.send(FrameKind::message, packed(std::move(messages)));
    }
    void heed_failures() {
        if (failures_ == FailurePolicy::independent || told_ || !engine_.has_errors()) return;
        told_ = stop_ = true;
        hub_.send(FrameKind::failed, {});
    }
    [[nodiscard]] engine::RankReport report() {
        engine::RankReport made = report_of(engine_, std::move(cut_off_));
        made.temporary_files = temporaries_;
        return made;
    }
    void describe(const Frame& frame) {
        if (frame.kind != FrameKind::describe) return;
        engine::Descriptions known;
        for (const DatumId each : engine::unpacked<std::vector<DatumId>>(frame.text))
            if (auto description = engine_.describe(each)) known.emplace_back(each, *description);
        hub_.send(FrameKind::described, packed(std::move(known)));
    }

    HubLink hub_;
    RankServices services_;
    Engine engine_;
    FailurePolicy failures_;
    std::uint64_t began_ns_;
    std::vector<std::string> temporaries_;
    std::optional<engine::Task> call_;
    std::vector<engine::Failure> cut_off_;
    RunControl control_;  // of short calls, which nobody kills
    bool stop_ = false;
    bool told_ = false;
};

}  // namespace

int run_rank(const tasks::TaskProgram& program, engine::Rank rank, engine::Rank ranks,
             Services& services, FailurePolicy failures, std::uint64_t began_ns, int socket) {
    try {
        return RankRun(program, rank, ranks, services, failures, began_ns, socket).run();
    } catch (const HubIsGone&) {
        return 0;
    }
}

}  // namespace refrain::script
