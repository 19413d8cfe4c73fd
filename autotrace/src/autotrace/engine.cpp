#include "autotrace/engine.hpp"

#include "autotrace/prospect.hpp"
#include "strings/ruler_sequence.hpp"

#include <algorithm>

namespace refrain::autotrace::detail {
namespace {

const Options& validated(const Options& options) {
    validate(options);
    return options;
}

}  // namespace

Engine::Engine(const Options& options, TraceHost& host, MiningExecutor* executor,
               HeldWindow& window)
    : options_(validated(options)),
      host_(host),
      history_(options_),
      held_(2 * options_.trace_length_max + 1, host, window),
      candidates_(options_, host, statistics_),
      replayer_(options_, candidates_, held_, statistics_),
      queue_(options_, history_, executor),
      pace_(options_),
      next_event_(Position::at(options_.multi_scale_factor)),
      next_chance_(Position::at(options_.multi_scale_factor)) {
    statistics_.history_bytes = History::bytes(options_);
}

void Engine::untraceable(OperationHandle operation) {
    ++statistics_.operations;
    ++statistics_.untraceable;
    if (!held_.empty()) ++statistics_.flushes;
    const std::exception_ptr failure = issue_all_held();
    append_break();
    host_.issue(operation);
    if (history_.end() >= next_event_) handle_events();
    if (failure != nullptr) std::rethrow_exception(failure);
}

/// Goes on where the host throws, so that no operation is lost; returns the first exception.
/// Errors: that of the host, if it does not let any operation through.
std::exception_ptr Engine::issue_all_held() {
    std::exception_ptr first;
    for (std::size_t attempts = held_.size() + 2;; --attempts) {
        try {
            replayer_.flush();
            return first;
        } catch (...) {
            if (attempts == 0) throw;
            if (first == nullptr) first = std::current_exception();
        }
    }
}

void Engine::ignorable(OperationHandle operation) {
    ++statistics_.operations;
    ++statistics_.ignorable;
    if (held_.empty()) {
        host_.issue(operation);
        return;
    }
    held_.carry(operation);
    if (held_.full()) replayer_.flush();
}

/// A trace across the wait could not be replayed, since all operations before it must be issued.
/// The break makes sure that no repeat spans it.
void Engine::flush() {
    if (held_.empty()) return;
    ++statistics_.flushes;
    replayer_.flush();
    append_break();
    if (history_.end() >= next_event_) handle_events();
}

void Engine::interrupt() {
    flush();
    replayer_.interrupt();
}

void Engine::append_break() {
    history_.append_break();
    held_.skip_position();
}

void Engine::handle_events() {
    if (history_.end() >= next_chance_) {
        mine_slice();
        next_chance_ += options_.multi_scale_factor;
    }
    apply_results();
    next_event_ = std::min(next_chance_, queue_.next_due());
}

void Engine::mine_slice() {
    const strings::SliceScales scales{.multi_scale_factor = options_.multi_scale_factor,
                                      .history_max = options_.history_tokens};
    const std::uint64_t step = next_chance_.value() / options_.multi_scale_factor;
    const std::size_t length = strings::slice_length(step, scales);
    if (!is_worth_mining(step, length) && !options_.mine_every_slice) {
        ++statistics_.slices_skipped;
        return;
    }
    ++statistics_.slices_mined;
    statistics_.tokens_mined += length;
    queue_.submit(length);
}

/// False if the whole slice was replayed in long traces, or while mining pauses.
bool Engine::is_worth_mining(std::uint64_t step, std::size_t length) {
    MiningPace::Counts counts;
    counts.candidates_taken = statistics_.candidates_taken;
    counts.slices_searched = queue_.searched();
    counts.uncovered = statistics_.traceable - statistics_.recorded - statistics_.replayed -
                       (held_.end() - held_.base());
    const bool wanted = pace_.should_mine(step, counts);
    return wanted && replayer_.uncovered_end() > history_.end() - length;
}

void Engine::apply_results() {
    while (queue_.next_due() <= history_.end()) {
        const Position match_begin = replayer_.match_begin();
        ++statistics_.results_taken;
        if (candidates_.adopt(queue_.take_due(), history_, replayer_.plan())) {
            replayer_.restart(history_, match_begin);
        }
    }
}

Prospect Engine::prospect(const Token& token) const {
    constexpr std::size_t window_max = std::size_t{1} << 18;
    Prospect prospect = prospect_of(history_, std::min(options_.history_tokens, window_max), token);
    prospect.in_candidate = candidates_.contains(token);
    return prospect;
}

}  // namespace refrain::autotrace::detail
