#include "strings/lcp.hpp"

#include "base/assertion.hpp"

namespace refrain::strings {

void invert_suffix_array(std::span<const Index> suffixes, std::span<Index> ranks) {
    REFRAIN_ASSERT(ranks.size() == suffixes.size(), "every suffix has a rank");
    for (std::size_t rank = 0; rank < suffixes.size(); ++rank) {
        ranks[suffixes[rank]] = static_cast<Index>(rank);
    }
}

void longest_common_prefixes(std::span<const Symbol> symbols, std::span<const Index> suffixes,
                             std::span<const Index> ranks, std::span<Index> lcp) {
    REFRAIN_ASSERT(suffixes.size() == symbols.size(), "every position starts a suffix");
    REFRAIN_ASSERT(ranks.size() == symbols.size(), "every suffix has a rank");
    REFRAIN_ASSERT(lcp.size() == (symbols.empty() ? 0 : symbols.size() - 1),
                   "each pair of neighbours has one length");
    const Index n = static_cast<Index>(symbols.size());
    Index common = 0;  // decreases by at most one per position, hence O(n) in total
    for (Index position = 0; position < n; ++position) {
        const Index rank = ranks[position];
        if (rank == n - 1) {
            common = 0;
            continue;
        }
        const Index neighbour = suffixes[rank + 1];
        while (position + common < n && neighbour + common < n &&
               symbols[position + common] == symbols[neighbour + common]) {
            ++common;
        }
        lcp[rank] = common;
        if (common > 0) --common;
    }
}

std::vector<Index> longest_common_prefixes(std::span<const Symbol> symbols,
                                           std::span<const Index> suffixes) {
    std::vector<Index> ranks(symbols.size());
    std::vector<Index> lcp(symbols.empty() ? 0 : symbols.size() - 1);
    invert_suffix_array(suffixes, ranks);
    longest_common_prefixes(symbols, suffixes, ranks, lcp);
    return lcp;
}

}  // namespace refrain::strings
