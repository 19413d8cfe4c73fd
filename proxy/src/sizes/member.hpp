#pragma once

#include "merge/recording.hpp"

#include <map>
#include <string>
#include <vector>

#include "sizes/fold.hpp"
#include "sizes/number.hpp"

namespace refrain::proxy {

/// A recording, and what its user says of it.
struct SizedInput {
    const Recording* recording = nullptr;
    std::int64_t size = 0;  // of the problem; 0: not known
    std::string name;       // of the file
};

/// One rank of one recording.
struct Member {
    std::size_t run = 0;
    Setting setting;
    std::vector<Event> events;
    std::vector<double> seconds;  // of computation before each
    std::vector<Step> steps;
};

/// One execution of a call.
struct Visit {
    const Member* member = nullptr;
    std::size_t index = 0;
    Setting setting;
    [[nodiscard]] const Event& event() const { return member->events[index]; }
};

/// What tells calls apart when loops are looked for. Where tags do not follow from the loop, calls with different tags
/// are different ones: up, down, left, right.
enum class Detail : std::uint8_t { tags, plain };

/// All ranks of all recordings, call by call, and as loops.
struct Members {
    std::vector<Member> all;
    std::vector<std::string> texts;              // that events name by number
    std::map<std::int64_t, std::int64_t> grids;  // dimensions by communicator
    std::vector<Function> functions;             // by symbol of a step
};

/// Errors: std::runtime_error if there are too many calls, or one that no proxy for other sizes makes
[[nodiscard]] Members read_members(const std::vector<SizedInput>& inputs, Detail detail,
                                   std::int64_t unused_tag);

}  // namespace refrain::proxy
