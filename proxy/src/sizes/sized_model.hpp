#pragma once

#include "merge/recording.hpp"

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "sizes/number.hpp"
#include "sizes/partner.hpp"

namespace refrain::proxy {

/// A recording, and what its user says of it.
struct SizedInput {
    const Recording* recording = nullptr;
    std::int64_t size = 0;  // of the problem; 0: not known
    std::string name;       // of the file
};

/// Elements that follow a formula, as many as another one says.
struct SizedArray {
    Number length;
    std::variant<Number, Partner> element;
};
using Formula = std::variant<Number, Partner, SizedArray>;

/// Seconds of computation: `seconds` for each `term`.
struct SizedWork {
    double seconds = 0;
    Term term;
};

/// A call whose values are the same everywhere but for those that stand for formulas (stand_in, array_stand_in).
struct SizedCall {
    Event event;
    std::vector<Formula> formulas;
    SizedWork work;  // before the call
};
/// The value of an event that stands for a formula. They are never consecutive.
[[nodiscard]] std::int64_t stand_in(std::size_t formula);
[[nodiscard]] std::int64_t array_stand_in(std::size_t formula);

/// A call, or a loop.
struct SizedStep {
    SizedCall call;
    Number times;
    std::vector<SizedStep> body;  // empty: a call
};

/// What distinguishes ranks that do different things.
struct RankFeature {
    enum class Kind : std::uint8_t { first, last, odd, low_edge, high_edge } kind = Kind::first;
    int dims = 0, axis = 0;

    [[nodiscard]] bool holds(std::int64_t rank, std::int64_t ranks) const;
    [[nodiscard]] std::string text() const;
};

/// Memory of messages that are in use at the same time.
struct SizedSlots {
    Number count;
    std::vector<std::pair<Number, Number>> extents;  // before and behind; one for all, or one each
};

/// One program for any number of ranks and any size of the problem.
struct SizedModel {
    std::vector<RankFeature> features;  // a rank's form is found by those that hold, as bits
    std::vector<std::vector<unsigned>> form_keys;  // of each form: the features of its ranks
    std::vector<std::vector<SizedStep>> forms;
    std::vector<std::string> texts;
    SizedSlots slots;
    Number requests;
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
