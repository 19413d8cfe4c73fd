#pragma once

#include "generate/blocks.hpp"
#include "merge/recording.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fit/fit.hpp"

namespace refrain::proxy {

/// Which blocks a proxy computes between its calls, by what was counted there.
///
/// Ranks whose exact counts are equal between two calls, and modelled ones nearly so, share a computation. Each thread of a team
/// of OpenMP threads has its own, and so has what is done alone beside that: the parts of a work (parts_of).
/// What a proxy really counts there is more or less than its blocks do: its calls have arguments to prepare, the first call of
/// a function finds it, and caches, pages and predictors are as MPI left them. So a run of it makes the next choice better:
///
///     Computations computations(recording, machine);
///     computations.learn(what a proxy of them counted, its error);  // again, as often as wanted
///     computations.settle();                                        // the choice with the least error
///
/// Choices are kept or left as a whole: what one computation does to pages and predictors, others feel.
class Computations {
  public:
    /// What each rank of each work of a recording counted, part by part: `[i][k]` is that of `work[i].ranks[k]`.
    using Measured = std::vector<std::vector<std::vector<Counts>>>;

    /// `recording` has counts, `machine` has no block that all_blocks() of its kind does not have; both live as long as this.
    Computations(const Recording& recording, const Machine& machine);

    /// The computations of a rank between two events, part by part, as numbers of events(); -1 if there is too little to compute.
    [[nodiscard]] std::vector<int> events_of(std::uint32_t before, std::uint32_t after,
                                             std::uint32_t rank) const;
    /// The blocks of each computation that has some.
    [[nodiscard]] const std::vector<BlockEvent>& events() const { return events_; }
    [[nodiscard]] const Machine& machine() const { return machine_; }

    /// Chooses again, by what a proxy counted which computed what events() says: what it did beyond its blocks is left to do
    /// less. `error`: how far it was off in all.
    void learn(const Measured& measured, double error);
    /// Takes the choice that was measured with the least error.
    void settle();

  private:
    /// A rank that shares a computation: work, place in it, and part.
    struct Member {
        std::size_t work = 0, rank = 0, part = 0;
    };
    struct Computation {
        Goal goal;
        Quantities mean{};
        std::vector<Member> members;
        Plan plan;
        Quantities around{};  // what was done beyond the blocks
        int rounds = 0;       // that it was measured in
        int event = -1;
    };
    void make_events();
    [[nodiscard]] std::vector<Plan> plans() const;
    /// A thread of a rank.
    using Thread = std::pair<std::uint32_t, std::size_t>;
    [[nodiscard]] Thread thread_of(const Member& member) const;
    [[nodiscard]] Counts counts_of(const Member& member) const;
    void add_member(const Member& member, std::size_t first, std::vector<Quantities>& typical);
    /// By thread: what no choice of blocks does or takes back, for each instruction of the computations that have blocks.
    [[nodiscard]] std::map<Thread, Quantities> residues() const;
    [[nodiscard]] static Quantities done_by(const Computation& computation,
                                            const Measured& measured);

    const Recording& recording_;
    const Machine& machine_;
    std::vector<Computation> computations_;
    std::vector<BlockEvent> events_;
    std::optional<std::vector<Plan>> settled_;
    double least_error_ = 0;
    /// By events and rank: its computations, part by part.
    std::map<std::pair<std::uint32_t, std::uint32_t>,
             std::map<std::uint32_t, std::vector<std::size_t>>>
        at_;
};

}  // namespace refrain::proxy
