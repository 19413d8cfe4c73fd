#pragma once

#include <optional>

#include "sizes/member.hpp"
#include "sizes/rank_feature.hpp"

namespace refrain::proxy {

/// Ranks that make the same calls in the same loops, and how a rank's place says which form is its own.
struct RankForms {
    std::vector<RankFeature> features;
    std::vector<std::vector<unsigned>> keys;    // by form: the features of its ranks, as bits
    std::vector<std::vector<Member*>> members;  // by form
};

/// Errors: std::runtime_error if no features tell the forms apart
[[nodiscard]] RankForms choose_forms(Members& members);
/// As many forms as ranks have different features of these; nothing if ranks of one make different calls.
[[nodiscard]] std::optional<RankForms> split_forms(Members& members,
                                                   const std::vector<RankFeature>& features);

}  // namespace refrain::proxy
