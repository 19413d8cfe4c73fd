#pragma once

#include "merge/recording.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace refrain::proxy {

/// The first event in which two recordings differ.
struct Difference {
    std::uint32_t rank = 0;
    std::uint64_t event = 0;    // of the first recording, from 1
    std::string first, second;  // the events in words; empty: the recording has ended
    std::string path;           // rules of the first recording that lead there
    std::string place;  // where the first recording's program makes the call, if that was recorded
};

struct Comparison {
    std::optional<Difference> difference;
    std::uint64_t events = 0;         // compared, over all ranks
    std::uint64_t pinned = 0;         // receives and probes from any source that have become exact
    std::uint64_t refused_polls = 0;  // tests and probes that were answered with "no"
    std::uint64_t live = 0;           // receives from any source whose matches are compared as sets
};

enum class Equality : std::uint8_t {
    same,  // two runs of one program: every value
    free,  // the second is a free proxy of the first: polls folded, live matches compared as sets
    strict,  // the second is a strict proxy of the first: wildcards pinned, polls as docs/fidelity.md says
};

/// Compares event by event, rank by rank, without expanding either recording in memory.
[[nodiscard]] Comparison compare(const Recording& first, const Recording& second,
                                 Equality equality);

enum class Counted : std::uint8_t { bytes, calls };
/// What the separate counters of two runs say, and what the first one's recording says: complaints, none if
/// they agree; on calls alone, if the sizes of one were rounded since.
[[nodiscard]] std::vector<std::string> compare_counts(const Recording& first,
                                                      const Recording& second,
                                                      Counted what = Counted::bytes);
/// Whether a recording agrees with its own counter.
[[nodiscard]] std::vector<std::string> check_counts(const Recording& recording);

}  // namespace refrain::proxy
