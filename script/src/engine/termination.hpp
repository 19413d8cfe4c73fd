#pragma once

#include "engine/message.hpp"

namespace refrain::script::engine {

/// Finds out that nothing will happen any more: every rank is passive, and no message is under way.
///
/// Rank 0, when passive, sends a wave around the ring of ranks. Each rank keeps it until it is passive, adds how many
/// messages it has sent and received, and passes it on. If two waves that follow each other find the same numbers, and as
/// many received as sent, all ranks were passive between them: rank 0 sends the stop.
///
/// Source: F. Mattern, Algorithms for distributed termination detection (1987), the four-counter method.
class Termination {
  public:
    Termination(Rank rank, Rank ranks) : rank_(rank), ranks_(ranks) {}

    void count_sent() { ++sent_; }
    void count_received() { ++received_; }
    void handle(const Wave& wave) { held_ = wave; }
    void handle(const Stop&) { stopped_ = true; }
    [[nodiscard]] bool stopped() const { return stopped_; }
    /// A wave has arrived that passive() has still to pass on.
    [[nodiscard]] bool holds_wave() const { return held_.has_value() && !stopped_; }

    /// To be called when the rank is passive: has nothing to run, nothing running and no message to handle.
    void passive(Outbox& outbox) {
        if (stopped_) return;
        if (held_) {
            Wave wave = *held_;
            held_.reset();
            if (rank_ == 0) return judge(wave, outbox);
            wave.sent += sent_;
            wave.received += received_;
            outbox.send((rank_ + 1) % ranks_, wave);
        } else if (rank_ == 0 && !under_way_) {
            begin(outbox);
        }
    }

  private:
    void begin(Outbox& outbox) {
        under_way_ = true;
        const Wave wave{++round_, sent_, received_};
        outbox.send((rank_ + 1) % ranks_, wave);
    }
    void judge(const Wave& wave, Outbox& outbox) {
        under_way_ = false;
        const bool same = last_ && wave.sent == last_->sent && wave.received == last_->received;
        if (same && wave.sent == wave.received) {
            for (Rank to = 0; to < ranks_; ++to) outbox.send(to, Stop{});
            return;
        }
        last_ = wave;
        begin(outbox);
    }

    Rank rank_;
    Rank ranks_;
    std::uint64_t sent_ = 0;
    std::uint64_t received_ = 0;
    std::uint64_t round_ = 0;
    std::optional<Wave> held_;
    std::optional<Wave> last_;
    bool under_way_ = false;
    bool stopped_ = false;
};

}  // namespace refrain::script::engine
