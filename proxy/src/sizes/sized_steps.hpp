#pragma once

#include "sizes/sized_call.hpp"

namespace refrain::proxy {

/// A call, or a loop.
struct SizedStep {
    SizedCall call;
    Number times;
    std::vector<SizedStep> body;  // empty: a call
};

/// The steps of members that make the same calls in the same loops.
[[nodiscard]] std::vector<SizedStep> fit_steps(const std::vector<Member*>& members,
                                               const std::map<std::int64_t, std::int64_t>& grids,
                                               Findings& findings);

}  // namespace refrain::proxy
