#pragma once

#include "engine/message.hpp"

#include <list>

namespace refrain::script::engine {

/// Keeps the order that engines rely on (README.md) where messages of different ranks overtake one another.
///
/// Rank 0 sends m to 2, then n to 1; rank 1 answers n with p to 2. p brings along that 0 has sent 2 one message: if it
/// arrives before m, rank 2 holds it until m is there.
///
/// A stamp holds the counts of messages from rank to rank that its sender knows and has not yet told that receiver.
/// Counts only grow and messages of one rank to another keep their order, so what was told before need not be repeated.
/// What is sent at once to several ranks is counted before any of it is stamped: no answer to one overtakes another.
///
/// Complexity: a stamp has as many counts as have changed since the last one to the same rank.
/// Source: M. Raynal, A. Schiper, S. Toueg, The causal ordering abstraction and a simple way to implement it (1991).
class CausalOrder {
  public:
    struct Count {
        Rank from = 0;
        Rank to = 0;
        std::uint64_t messages = 0;
    };
    struct Parcel {
        std::vector<Count> stamp;
        char kind = 0;
        std::string text;
    };

    explicit CausalOrder(Rank rank) : rank_(rank) {}

    /// Counts a message to each of the ranks. Each is then stamped once.
    void send(const std::vector<Rank>& to);
    [[nodiscard]] std::vector<Count> stamp(Rank to);
    void arrive(Rank from, Parcel parcel) { held_[from].push_back(std::move(parcel)); }
    /// The next message that may be handled, with its sender.
    [[nodiscard]] std::optional<std::pair<Rank, Parcel>> take();

  private:
    struct Known {
        Count count;
        std::uint64_t changed = 0;
    };
    void learn(const Count& count);
    [[nodiscard]] bool may_be_handled(Rank from, const Parcel& parcel) const;

    Rank rank_;
    std::uint64_t now_ = 0;   // grows with each event
    std::list<Known> known_;  // the latest change first
    std::map<std::pair<Rank, Rank>, std::list<Known>::iterator> places_;
    std::map<Rank, std::uint64_t> told_;  // when each rank was last sent a stamp
    std::map<Rank, std::uint64_t> handled_;
    std::map<Rank, std::deque<Parcel>> held_;
};

}  // namespace refrain::script::engine
