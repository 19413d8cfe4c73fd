#pragma once

#include <set>
#include <string>
#include <vector>

#include "sizes/rank_feature.hpp"
#include "sizes/sized_memory.hpp"
#include "sizes/sized_steps.hpp"

namespace refrain::proxy {

/// One program for any number of ranks and any size of the problem.
struct SizedModel {
    std::vector<RankFeature> features;  // a rank's form is found by those that hold, as bits
    std::vector<std::vector<unsigned>> form_keys;  // of each form: the features of its ranks
    std::vector<std::vector<SizedStep>> forms;
    std::vector<std::string> texts;
    SizedMemory memory;
    std::vector<std::int64_t> ranks;  // of the recordings, in ascending order
    bool has_sizes = false;
    std::int64_t size_default = 0;
    bool squares_only = false;  // it has a grid, and each recording was square
    bool same_ranks = false;    // all recordings have one number of ranks
    std::int64_t unused_tag = 0;
    std::set<std::string> notes;  // arguments for which two formulas say the same in all recordings
};

/// Finds what is the same in recordings of one program on different numbers of ranks, with different sizes of its problem.
///
/// Formulas hold for every call of every recording. Errors: std::runtime_error that names what follows no formula: the call,
/// its argument, and values that contradict.
///
/// Complexity: of all calls of all recordings, unfolded.
[[nodiscard]] SizedModel fit_sizes(const std::vector<SizedInput>& inputs);

}  // namespace refrain::proxy
