#include "workers/rank_process.hpp"

#include "engine/packed_message.hpp"
#include "workers/frames.hpp"
#include "workers/leaf_call.hpp"
#include "workers/run_outcome.hpp"

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
            FailurePolicy failures, RunClock clock, int socket)
        : hub_(socket),
          services_(hub_, services, rank),
          engine_(program, rank, ranks, services_),
          failures_(failures),
          clock_(clock) {
        FileHandle::kept_temporaries = &temporaries_;
        if (rank == 0) engine_.start();
    }

    int run() {
        while (!engine_.stopped() && !control_.stopped()) {
            while (auto frame = hub_.next(false)) handle(*frame);
            const bool worked = !call_ && !control_.stopped() && run_some();
            if (!worked && !call_) engine_.idle();
            send_outgoing();
            heed_failures();
            if (!worked && !engine_.stopped() && !control_.stopped()) handle(*hub_.next(true));
        }
        // What runs ends, and counts.
        while (call_) handle(*hub_.next(true));
        hub_.send(FrameKind::report, packed(report()));
        for (;;) describe(*hub_.next(true));
    }

  private:
    void handle(const Frame& frame) {
        engine_.set_time(clock_.now_ns());
        if (frame.kind == FrameKind::message)
            for (auto& each : engine::unpacked<std::vector<engine::Message>>(frame.text))
                engine_.handle(std::move(each));
        else if (frame.kind == FrameKind::outcome)
            end_call(engine::unpacked<CallOutcome>(frame.text));
        else if (frame.kind == FrameKind::stop)
            control_.stop();
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
        if (!engine_.has_ready()) return false;
        engine_.set_time(clock_.now_ns());
        call_ = run_short(engine_, services_, control_, nullptr, [this] { heed_failures(); });
        if (!call_) return true;
        hub_.send(FrameKind::call,
                  packed(engine::CallRequest{call_->definition, engine_.arguments_of(*call_),
                                             Engine::results_of(*engine_.call_of(*call_), *call_),
                                             call_->created_ns, call_->ready_ns}));
        engine_.set_busy(true);
        return true;
    }
    /// In one frame: no answer to one of them overtakes another.
    void send_outgoing() {
        auto messages = engine_.take_outgoing();
        if (!messages.empty()) hub_.send(FrameKind::message, packed(std::move(messages)));
    }
    void heed_failures() {
        if (failures_ == FailurePolicy::independent || told_ || !engine_.has_errors()) return;
        told_ = true;
        control_.stop();
        hub_.send(FrameKind::failed, {});
    }
    [[nodiscard]] engine::RankReport report() {
        engine::RankReport made = report_of(engine_, std::move(cut_off_));
        made.temporary_files = temporaries_;
        return made;
    }
    void describe(const Frame& frame) {
        if (frame.kind != FrameKind::describe) return;
        const auto asked = engine::unpacked<std::vector<DatumId>>(frame.text);
        hub_.send(FrameKind::described, packed(descriptions_of(engine_, asked)));
    }

    HubLink hub_;
    RankServices services_;
    Engine engine_;
    FailurePolicy failures_;
    RunClock clock_;
    std::vector<std::string> temporaries_;
    std::optional<engine::Task> call_;
    std::vector<engine::Failure> cut_off_;
    RunControl control_;  // stopped with the run; nobody kills short calls
    bool told_ = false;
};

}  // namespace

int run_rank(const tasks::TaskProgram& program, engine::Rank rank, engine::Rank ranks,
             Services& services, FailurePolicy failures, RunClock clock, int socket) {
    try {
        return RankRun(program, rank, ranks, services, failures, clock, socket).run();
    } catch (const HubIsGone&) {
        return 0;
    }
}

}  // namespace refrain::script
