#include "autotrace/prospect.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace refrain::autotrace {
namespace {

using Symbols = std::vector<std::uint32_t>;

/// For each position of `text`, the length of the common prefix of the suffix there and `text` (the
/// Z function).
Symbols prefix_lengths(const Symbols& text) {
    Symbols common(text.size());
    if (!text.empty()) common[0] = static_cast<std::uint32_t>(text.size());
    std::size_t begin = 0;
    std::size_t end = 0;  // text[begin, end) equals a prefix of text; the one with the largest end
    for (std::size_t at = 1; at < text.size(); ++at) {
        std::size_t length =
            at < end ? std::min<std::size_t>(common[at - begin], end - at) : std::size_t{0};
        while (at + length < text.size() && text[length] == text[at + length]) ++length;
        common[at] = static_cast<std::uint32_t>(length);
        if (at + length > end) {
            begin = at;
            end = at + length;
        }
    }
    return common;
}

/// The tokens of a window as small numbers; each break has its own.
struct Window {
    Symbols symbols;
    std::size_t latest = 0;       // offset of the token's latest occurrence
    std::size_t occurrences = 0;  // of the token
    std::vector<bool> is_break;

    /// Whether there is a break just before `begin` or at `end`.
    [[nodiscard]] bool breaks_at(std::size_t begin, std::size_t end) const {
        return (begin > 0 && is_break[begin - 1]) || (end < is_break.size() && is_break[end]);
    }
};

Window read(const History& history, std::size_t length, const Token& token) {
    Window window;
    const Position end = history.end();
    const Position begin = end.back_by(std::min(length, history.capacity()));
    std::vector<Position> breaks;
    history.list_breaks(begin, breaks);
    window.is_break.resize(end - begin);
    for (const Position at : breaks) window.is_break[at - begin] = true;
    std::unordered_map<Token, std::uint32_t> numbers;
    std::uint32_t next = 0;
    for (Position at = begin; at < end; ++at) {
        if (window.is_break[at - begin]) {
            window.symbols.push_back(next++);
            continue;
        }
        const auto number = numbers.try_emplace(history[at], next).first->second;
        if (number == next) ++next;
        window.symbols.push_back(number);
        if (history[at] != token) continue;
        window.latest = at - begin;
        ++window.occurrences;
    }
    return window;
}

/// Two occurrences of `common` tokens are `distance` apart. Returns the length of the longest
/// string that occurs there twice without overlap; if they overlap, also at multiples of the
/// distance.
std::size_t without_overlap(std::size_t common, std::size_t distance) {
    REFRAIN_ASSERT(distance > 0, "two occurrences lie in one place");
    if (common <= distance) return common;
    const std::size_t whole = common + distance;  // has the period `distance`
    std::size_t best = 0;
    for (std::size_t times = whole / distance / 2; times <= whole / distance / 2 + 1; ++times)
        if (times != 0 && times * distance < whole)
            best = std::max(best, std::min(times * distance, whole - times * distance));
    return best;
}

}  // namespace

Prospect prospect_of(const History& history, std::size_t window_tokens, const Token& token) {
    const Window window = read(history, window_tokens, token);
    Prospect prospect;
    prospect.occurrences = window.occurrences;
    prospect.window = window.symbols.size();
    if (window.occurrences < 2) return prospect;
    const std::size_t size = window.symbols.size();
    const std::size_t latest = window.latest;
    constexpr std::uint32_t separator = ~std::uint32_t{0};
    // The window from the latest occurrence on, followed by the whole window; and the same
    // reversed.
    Symbols forward(window.symbols.begin() + static_cast<std::ptrdiff_t>(latest),
                    window.symbols.end());
    forward.push_back(separator);
    forward.insert(forward.end(), window.symbols.begin(), window.symbols.end());
    Symbols backward(window.symbols.rend() - static_cast<std::ptrdiff_t>(latest + 1),
                     window.symbols.rend());
    backward.push_back(separator);
    backward.insert(backward.end(), window.symbols.rbegin(), window.symbols.rend());
    const Symbols ahead = prefix_lengths(forward);
    const Symbols behind = prefix_lengths(backward);
    for (std::size_t at = 0; at < latest; ++at) {
        if (window.symbols[at] != window.symbols[latest]) continue;
        const std::size_t after = ahead[size - latest + 1 + at];
        const std::size_t before = behind[latest + 2 + (size - 1 - at)] - std::size_t{1};
        const std::size_t length = without_overlap(before + after, latest - at);
        if (length <= prospect.longest_repeat) continue;
        prospect.longest_repeat = length;
        prospect.cut_by_break = window.breaks_at(at - before, at + after) ||
                                window.breaks_at(latest - before, latest + after);
    }
    return prospect;
}

std::string explain(const Prospect& prospect, std::size_t trace_length_min,
                    std::size_t multi_scale_factor) {
    const auto operations = [](std::size_t count) {
        return std::to_string(count) + (count == 1 ? " operation" : " operations");
    };
    const std::string last = "in the last " + operations(prospect.window);
    if (prospect.in_candidate)
        return "A known fragment now contains it; the fragment is traced when it is launched again "
               "from its beginning.";
    if (prospect.occurrences == 0) return "Its latest launch is not " + last + ".";
    if (prospect.occurrences == 1)
        return "Its latest launch is the only one of its kind " + last +
               ": the others differ in their regions, subsets, privileges or points.";
    std::string text = "The longest repeat around its latest launch " + last + " has " +
                       operations(prospect.longest_repeat);
    if (prospect.longest_repeat < trace_length_min)
        return text + (prospect.cut_by_break ? ", cut off by a wait" : "") +
               "; a trace has at least " + std::to_string(trace_length_min) +
               " (trace-min-length).";
    return text + ", which no known fragment contains; the next slice is mined within " +
           operations(multi_scale_factor) +
           ", unless mining pauses because it found nothing new for a long time.";
}

}  // namespace refrain::autotrace
