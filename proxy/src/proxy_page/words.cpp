#include "proxy_page/words.hpp"

namespace refrain::proxy {

std::string ranks_in_words(const RankSet& ranks, std::size_t ranges_max) {
    std::string text;
    std::size_t shown = 0;
    for (const RankSet::Range& range : ranks.ranges()) {
        if (shown++ == ranges_max)
            return "ranks " + text + ", ... (" + std::to_string(ranks.size()) + ")";
        text += (text.empty() ? "" : ", ") + std::to_string(range.first);
        if (range.last != range.first) text += "-" + std::to_string(range.last);
    }
    return (ranks.size() == 1 ? "rank " : "ranks ") + text;
}

}  // namespace refrain::proxy
