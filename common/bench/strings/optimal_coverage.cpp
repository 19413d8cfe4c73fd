#include "strings/optimal_coverage.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace refrain::strings {
namespace {

bool matches_at(std::span<const Symbol> symbols, std::size_t begin, std::span<const Symbol> trace) {
    return begin + trace.size() <= symbols.size() &&
           std::ranges::equal(symbols.subspan(begin, trace.size()), trace);
}

/// Searches for a matching that leaves at most a given number of symbols uncovered.
class CoverageSearch {
  public:
    CoverageSearch(std::span<const Symbol> symbols, Index length_min)
        : symbols_(symbols), n_(static_cast<Index>(symbols.size())), length_min_(length_min) {}

    bool covers_all_but(Index uncovered_max) { return extend(0, uncovered_max); }

    [[nodiscard]] OptimalCoverage answer() const {
        OptimalCoverage result{0, {}, {}};
        std::map<std::vector<Symbol>, Index> names;
        for (const auto& [begin, length] : chosen_) {
            const std::vector<Symbol> trace = content(begin, length);
            const auto [entry, is_new] =
                names.try_emplace(trace, static_cast<Index>(result.traces.size()));
            if (is_new) result.traces.push_back(trace);
            result.matching.push_back({begin, length, entry->second});
        }
        result.covered = coverage(result.matching);
        return result;
    }

  private:
    [[nodiscard]] std::vector<Symbol> content(Index begin, Index length) const {
        const auto first = symbols_.begin() + begin;
        return {first, first + length};
    }

    /// Extends the chosen matches over the symbols from `begin` on.
    bool extend(Index begin, Index uncovered_max) {
        if (unpaired_ * length_min_ > n_ - begin) return false;
        if (begin == n_) return true;
        const Index length_end = std::min(2 * length_min_, n_ - begin + 1);
        for (Index length = length_min_; length < length_end; ++length) {
            if (take(begin, length, uncovered_max)) return true;
        }
        return uncovered_max > 0 && extend(begin + 1, uncovered_max - 1);
    }

    bool take(Index begin, Index length, Index uncovered_max) {
        Index& count = counts_[content(begin, length)];
        const Index unpaired_before = unpaired_;
        unpaired_ += count == 0 ? 1 : count == 1 ? -1 : 0;
        ++count;
        chosen_.emplace_back(begin, length);
        if (extend(begin + length, uncovered_max)) return true;
        chosen_.pop_back();
        --count;
        unpaired_ = unpaired_before;
        return false;
    }

    std::span<const Symbol> symbols_;
    Index n_;
    Index length_min_;
    std::map<std::vector<Symbol>, Index> counts_;
    Index unpaired_ = 0;  // traces matched exactly once so far
    std::vector<std::pair<Index, Index>> chosen_;
};

}  // namespace

std::size_t coverage(const Matching& matching) {
    std::size_t covered = 0;
    for (const Match& match : matching) covered += static_cast<std::size_t>(match.length);
    return covered;
}

bool is_matching(std::span<const Symbol> symbols, std::span<const std::vector<Symbol>> traces,
                 const Matching& matching) {
    Index free_from = 0;
    for (const Match& match : matching) {
        if (match.trace < 0 || static_cast<std::size_t>(match.trace) >= traces.size()) return false;
        const std::vector<Symbol>& trace = traces[match.trace];
        if (match.begin < free_from || static_cast<std::size_t>(match.length) != trace.size() ||
            !matches_at(symbols, match.begin, trace)) {
            return false;
        }
        free_from = match.begin + match.length;
    }
    return true;
}

Matching best_matching(std::span<const Symbol> symbols,
                       std::span<const std::vector<Symbol>> traces) {
    struct Choice {
        std::size_t covered = 0;
        std::size_t matches = 0;
        Index trace = -1;
    };
    std::vector<Choice> best(symbols.size() + 1);  // best[i]: for the symbols from i on
    for (std::size_t begin = symbols.size(); begin-- > 0;) {
        best[begin] = {best[begin + 1].covered, best[begin + 1].matches, -1};
        for (std::size_t trace = 0; trace < traces.size(); ++trace) {
            const std::size_t length = traces[trace].size();
            if (length == 0 || !matches_at(symbols, begin, traces[trace])) continue;
            const Choice& rest = best[begin + length];
            const Choice with{rest.covered + length, rest.matches + 1, static_cast<Index>(trace)};
            if (with.covered > best[begin].covered ||
                (with.covered == best[begin].covered && with.matches < best[begin].matches)) {
                best[begin] = with;
            }
        }
    }
    Matching matching;
    for (std::size_t begin = 0; begin < symbols.size();) {
        const Index trace = best[begin].trace;
        const std::size_t length = trace < 0 ? 1 : traces[trace].size();
        if (trace >= 0) {
            matching.push_back({static_cast<Index>(begin), static_cast<Index>(length), trace});
        }
        begin += length;
    }
    return matching;
}

OptimalCoverage optimal_coverage(std::span<const Symbol> symbols, Index length_min) {
    REFRAIN_ASSERT(length_min >= 1, "a trace has at least one symbol");
    const Index n = static_cast<Index>(symbols.size());
    for (Index uncovered = 0; uncovered < n; ++uncovered) {
        CoverageSearch search(symbols, length_min);
        if (search.covers_all_but(uncovered)) return search.answer();
    }
    return {0, {}, {}};
}

}  // namespace refrain::strings
