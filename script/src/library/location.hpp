#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace refrain::script {

class Services;

/// Where @location has a call run, and the priority that @prio computes for it. Calls pass it as one number:
///
///     priority, 33 bits and sign | rank, 28 bits | anywhere | soft | by node
struct Location {
    std::int64_t rank = 0;
    bool soft = false;      // a wish
    bool by_node = false;   // any rank of that one's node
    bool anywhere = false;  // the rank says nothing: there is a priority only
    int priority = 0;       // 0: as the call has it
    static constexpr std::int64_t rank_max = (std::int64_t{1} << 28) - 1;

    [[nodiscard]] std::int64_t code() const {
        return (std::int64_t{priority} << 31) | (rank << 3) | (anywhere ? 4 : 0) | (soft ? 2 : 0) |
               (by_node ? 1 : 0);
    }
    [[nodiscard]] static Location of_code(std::int64_t code) {
        return {(code >> 3) & rank_max, (code & 2) != 0, (code & 1) != 0, (code & 4) != 0,
                static_cast<int>(code >> 31)};
    }
};
/// What leaves find in their environment: the calling worker, the first one of its node, and how many come before it there.
[[nodiscard]] std::vector<std::string> rank_variables(const Services& services);
/// Puts these into the environment of this process. True if no worker of the node comes before.
bool put_rank_variables(const Services& services);
/// Errors: ScriptError if it does not fit 32 bits.
[[nodiscard]] int checked_priority(std::int64_t value);

}  // namespace refrain::script
