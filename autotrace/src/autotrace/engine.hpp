#pragma once

#include "autotrace/candidates.hpp"
#include "autotrace/held_operations.hpp"
#include "autotrace/history.hpp"
#include "autotrace/mining_pace.hpp"
#include "autotrace/mining_queue.hpp"
#include "autotrace/replayer.hpp"
#include "refrain/autotrace.hpp"

#include <cstddef>
#include <exception>

namespace refrain::autotrace::detail {

/// The implementation of AutoTracer: connects history, miners, candidates and replayer.
///
///     operation --Token--> History --Slice--> MiningQueue --FoundRepeat--> Candidates
///         |                                                                   |
///         +--handle--> HeldOperations <--- Replayer <----- CandidateTrie -----+
///                            |
///                            +--> TraceHost
///
/// Hot path: appends a token, pushes a handle, advances the match, and compares the position with
///     that of the next event: mining a slice or applying a result.
///
/// E1  history_.end() == held_.end(): every traceable operation and every break has a position.
class Engine {
  public:
    Engine(const Options& options, TraceHost& host, MiningExecutor* executor, HeldWindow& window);

    void operation(const Token& token, OperationHandle operation) {
        ++statistics_.operations;
        ++statistics_.traceable;
        history_.append(token);
        if (const NodeIndex next = replayer_.next_eager(token); next != CandidateTrie::root) {
            replayer_.issue_eager(next, token, operation);
        } else if (replayer_.is_idle()) {
            replayer_.note_untraced(history_.end());
            held_.issue_directly(operation);
        } else {
            held_.push(operation);
            replayer_.advance(token);
        }
        if (history_.end() >= next_event_) [[unlikely]] {
            handle_events();
        }
    }

    void untraceable(OperationHandle operation);
    void ignorable(OperationHandle operation);
    void flush();
    void interrupt();

    [[nodiscard]] std::size_t held() const { return held_.size(); }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    [[nodiscard]] Prospect prospect(const Token& token) const;

  private:
    [[nodiscard]] std::exception_ptr issue_all_held();
    void append_break();
    void handle_events();
    void mine_slice();
    [[nodiscard]] bool is_worth_mining(std::uint64_t step, std::size_t length);
    void apply_results();

    const Options options_;
    Statistics statistics_;
    TraceHost& host_;
    History history_;
    HeldOperations held_;
    Candidates candidates_;
    Replayer replayer_;
    MiningQueue queue_;
    MiningPace pace_;
    Position next_event_;
    Position next_chance_;
};

}  // namespace refrain::autotrace::detail
