#pragma once

#include "engine/message.hpp"
#include "engine/placement.hpp"

#include <deque>
#include <optional>
#include <vector>

namespace refrain::script::engine {

/// Calls by teams of ranks (@par=3 f(x)): rank 0 gathers them, all take part.
///
///     who has the call       Gather     to rank 0, which keeps those that it gets by priority, then in their order, behind the first
///     rank 0                 Muster     to all ranks that may make the call: only for the first one that it keeps
///     each of these          Mustered   as soon as it makes no call; from then on it begins nothing
///     rank 0                 Assemble   to all of these, when enough have said so: those are the team and make the call,
///                                       the others go on; then comes the next one
///     each of the team       TeamEnd    to the team's first rank, which ends the task with its own results
///
/// No two teams can each hold what the other needs: ranks are held for one team at a time, and whoever is held for it waits
/// only for calls that run, which end: a call waits for no data, and a team that has begun is complete. What is left of a
/// rank's work is given to others meanwhile. A rank that is held is passive in the sense of Termination: only a message makes
/// it go on, and either that is under way, or a rank makes a call.
class Teams {
  public:
    Teams(Rank rank, const tasks::TaskProgram& program, const Placement& placement, Outbox& outbox)
        : rank_(rank), program_(program), placement_(placement), outbox_(outbox) {}

    void handle(Gather&& message);
    void handle(const Mustered& message, Rank from);
    void handle(const Muster& message) { muster_ = message.team; }
    void handle(Assemble&& message);
    void handle(TeamEnd&& message);

    /// The rank is to begin nothing but its team's call.
    [[nodiscard]] bool holds() const { return muster_.has_value() || !members_.empty(); }
    /// Nothing runs here: says so to who musters, once.
    void report();
    /// The team's call, if it is to begin.
    [[nodiscard]] std::optional<Task> take() { return std::exchange(task_, std::nullopt); }
    [[nodiscard]] bool has_task() const { return task_.has_value(); }
    /// The ranks of the team until the call has ended here; on the first rank, everywhere.
    [[nodiscard]] const std::vector<Rank>& members() const { return members_; }
    /// The call has ended here. The task, with its outcome, is there when it has ended everywhere.
    void end(Task task, std::vector<Value> results, FailurePointer failure);
    struct Ended {
        Task task;
        std::vector<Value> results;
        FailurePointer failure;
    };
    [[nodiscard]] std::optional<Ended> take_ended();
    template <class Visit>
    void for_each(Visit visit) const {
        for (const Gather& each : asked_) visit(each.task);
        if (task_ && members_[0] == rank_) visit(*task_);
        if (ended_) visit(ended_->task);
    }

  private:
    [[nodiscard]] std::vector<Rank> candidates() const;
    void muster_first();

    Rank rank_;
    const tasks::TaskProgram& program_;
    const Placement& placement_;
    Outbox& outbox_;
    // rank 0's
    std::deque<Gather> asked_;
    std::uint64_t team_ = 0;  // the number of the first one
    std::vector<Rank> mustered_;
    // each rank's
    std::optional<std::uint64_t> muster_;
    bool reported_ = false;
    std::vector<Rank> members_;
    std::optional<Task> task_;
    std::optional<Ended> ended_;  // of the first rank
    std::size_t others_running_ = 0;
    FailurePointer failure_of_others_;
};

}  // namespace refrain::script::engine
