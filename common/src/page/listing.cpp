#include "page/listing.hpp"

#include <algorithm>

namespace refrain::page {
namespace {

constexpr std::size_t body_max = 512;

/// How many times in a row the first `length` symbols occur at the beginning.
std::size_t repetitions(std::span<const std::uint32_t> rest, std::size_t length) {
    std::size_t matched = length;
    while (matched < rest.size() && rest[matched] == rest[matched - length]) ++matched;
    return matched / length;
}

}  // namespace

std::vector<Fold> fold(std::span<const std::uint32_t> sequence, std::size_t parts_max) {
    std::vector<Fold> folds;
    for (std::size_t at = 0; at < sequence.size() && folds.size() < parts_max;) {
        const auto rest = sequence.subspan(at);
        std::size_t best = 1;
        std::size_t times = 1;
        for (std::size_t length = 1; 2 * length <= rest.size() && length <= body_max; ++length) {
            if (rest[length] != rest[0]) continue;
            const std::size_t count = repetitions(rest, length);
            if (count > 1 && count * length > best * (times > 1 ? times : 0)) {
                best = length;
                times = count;
            }
        }
        Fold next;
        next.times = static_cast<std::uint32_t>(times);
        if (times == 1)
            next.symbol = rest[0];
        else
            next.body = fold(rest.first(best));
        folds.push_back(std::move(next));
        at += best * times;
    }
    return folds;
}

std::vector<std::uint32_t> unfold(const std::vector<Fold>& folds) {
    std::vector<std::uint32_t> sequence;
    for (const Fold& part : folds) {
        if (!part.is_loop()) {
            sequence.push_back(part.symbol);
            continue;
        }
        const std::vector<std::uint32_t> body = unfold(part.body);
        for (std::uint32_t i = 0; i < part.times; ++i)
            sequence.insert(sequence.end(), body.begin(), body.end());
    }
    return sequence;
}

}  // namespace refrain::page
