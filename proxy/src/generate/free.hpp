#pragma once

#include "merge/recording.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace refrain::proxy {

/// What of a recording a free proxy leaves to the network. It follows from the recording alone, so that `verify` finds the same
/// as `generate`.
///
///     Test(no) Test(no) Test(yes)             becomes a loop that tests until it is told yes
///     Recv(any) Recv(any) Barrier             stays: what both received is what could be there before the barrier
///     Recv(any) Send(to the sender) Recv(any) does not: another match would have answered another rank
///
/// All that a proxy sends is fixed. So a receive from any source stays one only in a window that is sealed: calls that only
/// receive and complete what they posted, at whose end exactly the messages can have been sent that were received by then, even
/// if all other ranks had gone on as far as they can without this one.
struct FreePlan {
    std::set<std::uint32_t> folded;  // events: polls that were told no, and yes in the end
    std::set<std::uint32_t> live;    // events: receives from any source that stay such
    std::vector<std::string>
        kept;  // receives from any source that name their match, with the reason
    std::uint64_t polls_kept =
        0;  // events that were told no, and never yes: asked as often as recorded
};

[[nodiscard]] FreePlan plan_free(const Recording& recording);

/// Polls whose loop a free proxy leaves to the network: of one answer each, so that only how often they ask may differ.
[[nodiscard]] bool is_live_poll(Function function);
/// Whether two polls ask for the same.
[[nodiscard]] bool asks_the_same(const Event& a, const Event& b);

/// The recording without polls that are folded. `pauses`: seconds between two polls, by the event that was told yes.
[[nodiscard]] Recording fold_polls(const Recording& recording, const FreePlan& plan,
                                   std::map<std::uint32_t, double>& pauses);

}  // namespace refrain::proxy
