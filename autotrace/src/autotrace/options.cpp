#include "autotrace/history.hpp"
#include "autotrace/option_check.hpp"
#include "refrain/autotrace.hpp"

#include <string>

namespace refrain::autotrace {
namespace {

/// Well below the longest sequence that strings::Index can address.
constexpr std::size_t tokens_limit = std::size_t{1} << 28;

using detail::reject;
using detail::require_between;

void validate_lengths(const Options& options) {
    require_between("trace_length_min", options.trace_length_min, 1, tokens_limit);
    if (options.trace_length_max < options.trace_length_min) {
        reject("trace_length_max", std::to_string(options.trace_length_max),
               "less than trace_length_min " + std::to_string(options.trace_length_min) +
                   "; raise one or lower the other");
    }
    require_between("trace_length_max", options.trace_length_max, 1, tokens_limit);
    require_between("loop_length", options.loop_length, 0, tokens_limit);
}

void validate_history(const Options& options) {
    require_between("history_tokens", options.history_tokens, 2, tokens_limit);
    require_between("multi_scale_factor", options.multi_scale_factor, 1, tokens_limit);
    if (options.multi_scale_factor > options.history_tokens) {
        reject("multi_scale_factor", std::to_string(options.multi_scale_factor),
               "more than history_tokens " + std::to_string(options.history_tokens) +
                   "; raise one or lower the other");
    }
    if (options.result_delay_operations) {
        require_between("result_delay_operations", *options.result_delay_operations, 0,
                        tokens_limit);
    }
    const std::size_t bytes = History::bytes(options);
    if (bytes > options.history_bytes_max) {
        reject("history_bytes_max", std::to_string(options.history_bytes_max),
               "but a history of " + std::to_string(options.history_tokens) +
                   " tokens with traces of at most " + std::to_string(options.trace_length_max) +
                   " needs " + std::to_string(bytes) +
                   "; raise it, or lower history_tokens or trace_length_max");
    }
}

void validate_score(const Options& options) {
    if (!(options.visits_max >= 1)) {
        reject("visits_max", std::to_string(options.visits_max), "less than 1; raise it");
    }
    if (!(options.visit_decay > 0 && options.visit_decay <= 1)) {
        reject("visit_decay", std::to_string(options.visit_decay),
               "outside (0, 1]; choose a share that a visit keeps, such as 0.99");
    }
    if (!(options.replay_bonus >= 1)) {
        reject("replay_bonus", std::to_string(options.replay_bonus),
               "less than 1, which would punish replays; raise it");
    }
    if (!(options.back_to_back_max >= 1)) {
        reject("back_to_back_max", std::to_string(options.back_to_back_max),
               "less than 1, which would punish loops; raise it");
    }
}

}  // namespace

void validate(const Options& options) {
    validate_lengths(options);
    validate_history(options);
    validate_score(options);
}

}  // namespace refrain::autotrace
