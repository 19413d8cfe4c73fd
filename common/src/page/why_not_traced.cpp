#include "refrain/why_not_traced.hpp"

namespace refrain {

const char* describe(NotReplayed reason) {
    switch (reason) {
        case NotReplayed::automatic_tracing_off:
            return "automatic tracing was off, and the program did not trace it";
        case NotReplayed::before_first_mining:
            return "the first batch of operations had not been mined";
        case NotReplayed::no_match:
            return "it neither began nor continued a fragment known to repeat";
        case NotReplayed::interrupted:
            return "the program waited, or began a trace of its own, inside a known fragment";
        case NotReplayed::broken_off:
            return "a known fragment began, but other operations followed, or another trace was "
                   "preferred";
        case NotReplayed::recording:
            return "the first execution of its trace";
        case NotReplayed::recorded_again:
            return "its recording had been dropped to stay within a memory budget";
        case NotReplayed::mismatch:
            return "its trace was left because a launch differed from the recording";
        case NotReplayed::no_precedent:
            return "no operation like it is remembered";
        case NotReplayed::short_context:
            return "an operation like it is remembered, but the operations before it differ";
        case NotReplayed::first_repetition:
            return "its context occurred for the second time: its dependences were kept";
        case NotReplayed::looks_further:
            return "the kept dependences reach back beyond the operations known to repeat";
        case NotReplayed::not_kept:
            return "the kept dependences had been dropped to stay within a memory budget";
        case NotReplayed::resting:
            return "it was skipped because repeats had been rare for long";
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
