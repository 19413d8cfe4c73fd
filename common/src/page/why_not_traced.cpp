#include "refrain/why_not_traced.hpp"

namespace refrain {

const char* describe(NotReplayed reason) {
    switch (reason) {
        case NotReplayed::automatic_tracing_off:
            return "automatic tracing was off, and the program did not trace it";
        case NotReplayed::before_first_mining:
            return "the first batch of operations had not been mined";
        case NotReplayed::no_match:
            return "it neither began nor went on a fragment known to repeat";
        case NotReplayed::interrupted:
            return "the program waited, or began a trace of its own, inside a known fragment";
        case NotReplayed::broken_off:
            return "a known fragment began, but others followed than belong to it, or another "
                   "trace was preferred";
        case NotReplayed::recording:
            return "the first execution of its trace";
        case NotReplayed::recorded_again:
            return "what was recorded had been dropped to stay within a budget of memory";
        case NotReplayed::mismatch:
            return "its trace was left, since what was launched differs from what was recorded";
        case NotReplayed::no_precedent:
            return "nothing like it was found among the operations that are remembered";
        case NotReplayed::short_context:
            return "something like it was found, but what came before differs too early";
        case NotReplayed::first_repetition:
            return "it stood in its context for the second time, and what was found is kept";
        case NotReplayed::looks_further:
            return "what was found before depends on more operations than were known to repeat";
        case NotReplayed::not_kept:
            return "what was found before had been dropped to stay within a budget of memory";
        case NotReplayed::resting:
            return "it was passed over, since for long hardly anything had repeated";
    }
    return "";
}

std::string LaunchSiteReport::to_string() const {
    std::string text = site.describe() + ": " + std::to_string(replayed) + " of " +
                       std::to_string(operations) + " operations replayed, " +
                       std::to_string(recorded) + " recorded, " + std::to_string(analysed) +
                       " analysed.";
    const char* before = " ";
    for (std::size_t i = 0; i < not_replayed_count; ++i) {
        if (reasons[i] == 0) continue;
        text += before + std::to_string(reasons[i]) + ": " + describe(static_cast<NotReplayed>(i));
        before = "; ";
    }
    if (replayed != operations) text += ".";
    if (!detail.empty()) text += " " + detail;
    return text;
}

}  // namespace refrain
