#pragma once

#include "engine/message.hpp"

#include <cstdint>
#include <vector>

namespace refrain::script::engine {

/// Which ranks may run a call: by @location, and by the work type of its function.
///
/// A rank is on a node, and of a work type; of TURBINE_GPU_WORKERS=2 the two highest ranks of those that other types have left
/// are of type GPU, and run nothing else that takes long. A call is bound by Placement::decide, once, when its location is
/// known:
///
///     hard, by rank   Bound::rank    that one only
///     hard, by node   Bound::node    any rank of that one's node
///     soft            Bound::free    sent there; any rank that looks for work may take it
///     by work type    Bound::type    any rank of it
///
/// Ranks beyond the run's workers make no calls, as if they were of a type that no function has.
class Placement {
  public:
    /// Errors: ScriptError for a work type that no rank is of, or if there is no rank for other work.
    Placement(const tasks::TaskProgram& program, Rank rank, Rank ranks, const Services& services);

    /// The call may be bound, and has not been.
    [[nodiscard]] bool is_undecided(const Task& task, const tasks::Call& call) const {
        return task.bound == Bound::undecided && (call.location || has_types_);
    }
    [[nodiscard]] static bool binds(const Task& task) { return task.bound > Bound::free; }
    [[nodiscard]] bool allows(const Task& task, Rank rank) const;
    /// Those that run calls of a work type.
    [[nodiscard]] std::vector<Rank> ranks_of(std::uint32_t type) const;
    /// The priority that the location brings, if any.
    static void take_priority(Task& task, const Value& location);
    /// Binds the task, and says to which rank it goes. `location` is null if the call has none; it may bring a priority.
    /// Errors: ScriptError for a rank that is not there.
    [[nodiscard]] Rank decide(Task& task, const tasks::Call& call, const Value* location);

  private:
    [[nodiscard]] Rank by_type(Task& task, const tasks::Call& call);
    void assign_types(const tasks::TaskProgram& program);
    static constexpr std::uint32_t no_type = ~0U;

    Rank rank_;
    std::size_t callers_;               // ranks that make calls, the first ones
    std::vector<std::uint32_t> nodes_;  // of each rank
    std::vector<std::uint32_t> types_;  // of each rank; 0: general
    bool has_types_ = false;
    Rank next_ = 0;  // calls of a type that go elsewhere go to its ranks in turn
};

}  // namespace refrain::script::engine
