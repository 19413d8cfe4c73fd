#pragma once

#include "sizes/member.hpp"

namespace refrain::proxy {

/// Seconds of computation: `seconds` for each `term`.
struct SizedWork {
    double seconds = 0;
    Term term;
};

/// Seconds for each of a term: the one that is nearest to all ranks.
[[nodiscard]] SizedWork fit_work(const std::vector<Visit>& visits);

}  // namespace refrain::proxy
