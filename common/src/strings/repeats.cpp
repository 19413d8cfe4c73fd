#include "strings/repeats.hpp"

#include "strings/lcp.hpp"
#include "strings/repeat_proposal.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace refrain::strings {
namespace {

void check(const RepeatOptions& options) {
    if (options.length_min == 0) {
        throw std::invalid_argument(
            "find_repeats: option 'length_min' is 0, but a repeat has at least 1 symbol; "
            "pass 1 or more");
    }
    if (options.length_max < options.length_min) {
        throw std::invalid_argument(
            "find_repeats: option 'length_max' is " + std::to_string(options.length_max) +
            ", less than 'length_min' " + std::to_string(options.length_min) +
            "; raise one or lower the other");
    }
}

/// Identifies a prefix of the i-th suffix by the lowest rank of a suffix with the same prefix.
/// Queries come in order of increasing i. `lower` is a monotonic stack: the ranks j < i with
/// lcp[j] < lcp[k] for all k in (j, i), so their lcp increases.
class ContentRanks {
  public:
    ContentRanks(std::span<const Index> lcp, std::vector<Index>& lower) : lcp_(lcp), lower_(lower) {
        lower_.clear();
    }

    /// For length <= lcp[i]: one more than the last j < i with lcp[j] < length. O(log n) amortised.
    Index lowest(Index i, Index length) {
        for (; seen_ < i; ++seen_) {
            while (!lower_.empty() && lcp_[lower_.back()] >= lcp_[seen_]) lower_.pop_back();
            lower_.push_back(seen_);
        }
        const auto end = std::partition_point(lower_.begin(), lower_.end(),
                                              [&](Index j) { return lcp_[j] < length; });
        return end == lower_.begin() ? 0 : *(end - 1) + 1;
    }

  private:
    std::span<const Index> lcp_;
    std::vector<Index>& lower_;
    Index seen_ = 0;
};

}  // namespace

const RepeatSet& RepeatFinder::find(std::span<const Symbol> symbols, const RepeatOptions& options) {
    return search(symbols, options);
}

RepeatSet& RepeatFinder::search(std::span<const Symbol> symbols, const RepeatOptions& options) {
    check(options);
    found_.clear(symbols.size() / options.length_min);
    if (symbols.size() / 2 < options.length_min) return found_;
    prepare(symbols);
    const Index length_min = static_cast<Index>(options.length_min);
    collect_candidates(length_min);
    choose_by_length(length_min);
    if (found_.empty() || found_[0].length <= options.length_max) return found_;
    return cutter_.cut(symbols, ranks_, found_, {options.length_min, options.length_max});
}

void RepeatFinder::prepare(std::span<const Symbol> symbols) {
    suffixes_ = suffix_array_.build(symbols);
    ranks_.resize(symbols.size());
    lcp_.resize(symbols.size() - 1);
    invert_suffix_array(suffixes_, ranks_);
    longest_common_prefixes(symbols, suffixes_, ranks_, lcp_);
    taken_.assign(symbols.size(), 0);
}

/// Calls `use(i, proposal)` for the neighbours i, i + 1 in the suffix array that propose a repeat.
template <class Use>
void RepeatFinder::for_each_proposal(Index length_min, Use use) const {
    for (std::size_t i = 0; i < lcp_.size(); ++i) {
        if (lcp_[i] < length_min) continue;
        const RepeatProposal proposal = propose_repeat(suffixes_[i], suffixes_[i + 1], lcp_[i]);
        if (proposal.length >= length_min) use(static_cast<Index>(i), proposal);
    }
}

/// Sorts all candidates by decreasing length, then content: proposals come in order of content, and
/// the counting sort by length is stable. Afterwards length_ends_[l] is the end of those of length
/// l.
void RepeatFinder::collect_candidates(Index length_min) {
    const std::size_t length_max = suffixes_.size() / 2;
    length_ends_.assign(length_max + 1, 0);
    for_each_proposal(length_min, [&](Index, const RepeatProposal& proposal) {
        length_ends_[proposal.length] += 2;
    });
    std::size_t count = 0;
    for (std::size_t length = length_max + 1; length-- > 0;) {
        count += std::exchange(length_ends_[length], count);
    }
    candidates_.resize(count);
    ContentRanks contents(lcp_, lower_);
    for_each_proposal(length_min, [&](Index i, const RepeatProposal& proposal) {
        const Index content = contents.lowest(i, proposal.length);
        std::size_t& end = length_ends_[proposal.length];
        candidates_[end++] = {content, proposal.first};
        candidates_[end++] = {content, proposal.second};
    });
}

void RepeatFinder::choose_by_length(Index length_min) {
    std::size_t begin = 0;
    for (Index length = static_cast<Index>(length_ends_.size()) - 1; length >= length_min;
         --length) {
        const std::size_t length_end = length_ends_[length];
        while (begin < length_end) {
            std::size_t end = begin + 1;
            const Index content = candidates_[begin].content;
            while (end < length_end && candidates_[end].content == content) ++end;
            choose(std::span(candidates_).subspan(begin, end - begin), length);
            begin = end;
        }
    }
}

/// Accepts the candidates of one content that are still free. Those accepted before are at least as
/// long, so one overlaps a candidate only if it covers the candidate's first or last symbol.
void RepeatFinder::choose(std::span<Candidate> candidates, Index length) {
    std::ranges::sort(candidates, {}, &Candidate::begin);
    Index free_from = 0;
    for (const Candidate& candidate : candidates) {
        const Index last = candidate.begin + length - 1;
        if (candidate.begin < free_from || taken_[candidate.begin] || taken_[last]) continue;
        found_.add_occurrence(static_cast<std::uint32_t>(candidate.begin));
        free_from = candidate.begin + length;
    }
    if (found_.pending().size() < 2) {
        found_.drop_pending();
        return;
    }
    for (const std::uint32_t begin : found_.pending()) {
        std::fill_n(taken_.begin() + begin, length, std::uint8_t{1});
    }
    found_.add_repeat(static_cast<std::uint32_t>(length));
}

std::size_t RepeatFinder::memory_bytes() const {
    return suffix_array_.memory_bytes() + cutter_.memory_bytes() + found_.memory_bytes() +
           (ranks_.capacity() + lcp_.capacity() + lower_.capacity()) * sizeof(Index) +
           length_ends_.capacity() * sizeof(std::size_t) +
           candidates_.capacity() * sizeof(Candidate) + taken_.capacity();
}

RepeatSet find_repeats(std::span<const Symbol> symbols, const RepeatOptions& options) {
    RepeatFinder finder;
    return std::move(finder.search(symbols, options));
}

}  // namespace refrain::strings
