#pragma once

#include "graph/alone_policy.hpp"
#include "graph/operation_number.hpp"

#include <cstdint>

namespace refrain::runtime {

/// Lets the launching thread run the launches of a loop alone, while other workers sleep, where that is
/// faster than sharing them (graph/alone_policy.hpp). Alone means as with one worker: launches are direct
/// (direct_launch.hpp), or run at the end of their call. Those that are too long for that are shared as ever.
///
/// Between operations, and seldom, the switch looks at what has happened. A stretch is of two turns of the loop at
/// least, and of a window. In a trial it takes as long as data needs to move, or, if it is timed, a turn. Loops are told
/// apart by their length: the latest few are remembered, so a program that goes from loop to loop does not try anew each
/// time. What a manual trace has is shared.
///
/// Launches of no loop, or of one that ends before it has gone round twice, are *irregular*. They are decided together,
/// since what ends within a trial would never be decided by itself. A loop that lasts is run as they are until a trial of
/// its own has come to its end. Without automatic tracing no loop is known, so all are irregular; with mining all are shared.
///
/// Where everything is to be decided without measured times, for tests, stretches alternate, whatever they take.
///
/// Threads: the launching thread only.
class AloneSwitch {
  public:
    /// Where launches run, and the clock. Asked seldom.
    class Host {
      public:
        /// Whether the launching thread may now share what it launches, and now run it alone; and whether time decides
        /// that.
        [[nodiscard]] virtual bool may_alternate() const = 0;
        [[nodiscard]] virtual bool measures_alone() const = 0;
        /// Launches of a stretch in which that is tried, if one takes so long.
        [[nodiscard]] virtual std::uint64_t launches_to_try(std::uint64_t launch_ticks) = 0;
        /// Whether short launches run before the program's call returns,
        [[nodiscard]] virtual bool runs_alone() const = 0;
        /// and whether they will, from the next operation on. Errors: std::bad_alloc.
        virtual void run_alone(bool alone) = 0;
        /// Launches that were shared while the launching thread ran alone, since they, or what they wait for, are too
        /// long. A batch counts as one.
        [[nodiscard]] virtual std::uint64_t shared_when_alone() const = 0;
        /// Until all issued operations have finished.
        virtual void finish_all() = 0;
        [[nodiscard]] virtual std::uint64_t ticks() const = 0;

      protected:
        ~Host() = default;
    };

    AloneSwitch(Host& host, std::uint64_t window) : host_(host), window_(window) {
        if (host.may_alternate()) next_look_ = graph::OperationNumber::at(window);
    }

    /// The operation before which the switch looks again.
    [[nodiscard]] graph::OperationNumber next_look() const { return next_look_; }
    /// Before operation `next`; all before were issued. `expected`: how many launches of the program were those
    /// expected in a loop. `loop`: the length of the one that goes on, 0 if none does.
    [[gnu::noinline]] void look(graph::OperationNumber next, std::uint64_t expected,
                                std::uint64_t loop);
    /// Operations come before which nobody looks: they are shared. Errors: std::bad_alloc.
    void leave();

  private:
    static constexpr std::uint64_t parts =
        256;  // of a stretch in a trial, between which it may be given up

    /// Whether the stretch goes on.
    [[nodiscard]] bool goes_on(graph::OperationNumber next);
    void end_stretch(graph::OperationNumber next, std::uint64_t expected, std::uint64_t loop);
    [[nodiscard]] graph::LatestLoops::Loop& choose(graph::OperationNumber next, std::uint64_t loop);
    void begin_stretch(graph::OperationNumber next, std::uint64_t expected);
    void take_turns(graph::OperationNumber next);

    Host& host_;
    std::uint64_t window_;
    graph::OperationNumber next_look_ = graph::OperationNumber::at(~std::uint64_t{0});
    graph::LatestLoops loops_;
    graph::LatestLoops::Loop irregular_{0, graph::AlonePolicy(graph::AlonePolicy::irregular())};
    graph::LatestLoops::Loop* loop_ = nullptr;  // whose stretch it is
    std::uint64_t seen_ = 0;  // length of the loop that went on at the latest look
    graph::OperationNumber seen_since_ = 0;
    std::uint64_t stretch_ = 0;       // launches
    std::uint64_t timed_ = 0;         // as many in whole turns
    std::uint64_t launch_ticks_ = 0;  // of a launch, in the latest stretch between trials
    // Since the stretch began:
    graph::OperationNumber begin_ = 0;
    std::uint64_t begin_ticks_ = 0;
    std::uint64_t begin_expected_ = 0;
    std::uint64_t begin_shared_ = 0;
};

}  // namespace refrain::runtime
