#pragma once

#include "strings/index.hpp"
#include "strings/repeats.hpp"
#include "strings/sequences.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

/// Algorithm 2 of the paper in its plainest form: it compares contents and intervals symbol by
/// symbol. For short sequences only.
namespace refrain::strings::testing {

struct PlainRepeat {
    Sequence content;
    std::vector<std::uint32_t> occurrences;
    friend bool operator==(const PlainRepeat&, const PlainRepeat&) = default;
};

inline Sequence part(const Sequence& symbols, std::size_t begin, std::size_t length) {
    const auto first = symbols.begin() + static_cast<std::ptrdiff_t>(begin);
    return {first, first + static_cast<std::ptrdiff_t>(length)};
}

inline std::size_t plain_common_prefix(const Sequence& symbols, std::size_t a, std::size_t b) {
    std::size_t common = 0;
    while (a + common < symbols.size() && b + common < symbols.size() &&
           symbols[a + common] == symbols[b + common]) {
        ++common;
    }
    return common;
}

struct FarApart {
    bool operator()(std::size_t a, std::size_t b, std::size_t common) const {
        return std::max(a, b) - std::min(a, b) >= common;
    }
};

/// Candidate intervals by content, longest contents first. `far_apart(a, b, common)` decides
/// whether the common prefixes of two neighbours in the suffix array are disjoint.
struct LongestFirst {
    bool operator()(const Sequence& a, const Sequence& b) const {
        return std::pair(b.size(), a) < std::pair(a.size(), b);
    }
};
using PlainCandidates = std::map<Sequence, std::set<std::size_t>, LongestFirst>;

template <class Decide = FarApart>
PlainCandidates plain_candidates(const Sequence& symbols, Decide far_apart = {}) {
    std::vector<std::size_t> suffixes(symbols.size());
    std::iota(suffixes.begin(), suffixes.end(), 0);
    std::sort(suffixes.begin(), suffixes.end(), [&](std::size_t a, std::size_t b) {
        return part(symbols, a, symbols.size() - a) < part(symbols, b, symbols.size() - b);
    });
    PlainCandidates candidates;
    for (std::size_t i = 0; i + 1 < suffixes.size(); ++i) {
        const std::size_t a = suffixes[i];
        const std::size_t b = suffixes[i + 1];
        const std::size_t common = plain_common_prefix(symbols, a, b);
        std::size_t first = std::min(a, b);
        std::size_t second = std::max(a, b);
        std::size_t length = common;
        if (!far_apart(a, b, common)) {
            const std::size_t period = second - first;
            length = 0;
            while (2 * (length + period) <= period + common) length += period;
            second = first + length;
        }
        if (length > 0) candidates[part(symbols, first, length)].insert({first, second});
    }
    return candidates;
}

template <class Decide = FarApart>
std::vector<PlainRepeat> plain_repeats(const Sequence& symbols, std::size_t length_min,
                                       Decide far_apart = {}) {
    std::vector<bool> taken(symbols.size(), false);
    std::vector<PlainRepeat> repeats;
    for (const auto& [content, begins] : plain_candidates(symbols, far_apart)) {
        if (content.size() < length_min) break;
        std::vector<bool> tentative = taken;
        std::vector<std::uint32_t> occurrences;
        for (const std::size_t begin : begins) {
            const auto first = tentative.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto last = first + static_cast<std::ptrdiff_t>(content.size());
            if (std::find(first, last, true) != last) continue;
            std::fill(first, last, true);
            occurrences.push_back(static_cast<std::uint32_t>(begin));
        }
        if (occurrences.size() < 2) continue;
        taken = tentative;
        repeats.push_back({content, occurrences});
    }
    return repeats;
}

inline std::size_t covered(const std::vector<PlainRepeat>& repeats) {
    std::size_t sum = 0;
    for (const PlainRepeat& repeat : repeats)
        sum += repeat.content.size() * repeat.occurrences.size();
    return sum;
}

/// The length of the longest substring that occurs twice without overlap.
inline std::size_t longest_disjoint_repeat(const Sequence& symbols) {
    std::size_t longest = 0;
    for (std::size_t a = 0; a < symbols.size(); ++a) {
        for (std::size_t b = a + 1; b < symbols.size(); ++b) {
            longest = std::max(longest, std::min(b - a, plain_common_prefix(symbols, a, b)));
        }
    }
    return longest;
}

inline std::vector<PlainRepeat> spelled_out(const Sequence& symbols, const RepeatSet& repeats) {
    std::vector<PlainRepeat> result;
    for (const Repeat& repeat : repeats) {
        result.push_back({part(symbols, repeat.begin, repeat.length),
                          {repeat.occurrences.begin(), repeat.occurrences.end()}});
    }
    return result;
}

}  // namespace refrain::strings::testing
