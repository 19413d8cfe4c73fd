#include "sizes/fold.hpp"

#include <algorithm>
#include <iterator>

namespace refrain::proxy {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    return hash ^ (hash >> 29);
}

std::uint64_t hash_of(const Step& step) {
    std::uint64_t hash = mixed(step.symbol, step.body.size());
    for (const Step& each : step.body) hash = mixed(hash, each.hash);
    return mixed(hash, step.count);
}

bool equal(const Step& a, const Step& b) {
    return a.hash == b.hash && a.symbol == b.symbol && a.count == b.count &&
           a.body.size() == b.body.size() &&
           std::equal(a.body.begin(), a.body.end(), b.body.begin(), equal);
}

using Steps = std::vector<Step>;

/// Whether the last `length` steps are those of the loop before them: then it is made once more.
bool continues_loop(Steps& steps, std::size_t length) {
    Step& loop = steps[steps.size() - length - 1];
    const auto tail = steps.end() - static_cast<std::ptrdiff_t>(length);
    if (loop.body.size() != length || !std::equal(tail, steps.end(), loop.body.begin(), equal))
        return false;
    ++loop.count;
    loop.hash = hash_of(loop);
    steps.erase(tail, steps.end());
    return true;
}

/// Whether the last `length` steps are those before them: then both become a loop.
bool begins_loop(Steps& steps, std::size_t length) {
    const auto tail = steps.end() - static_cast<std::ptrdiff_t>(length);
    const auto before = tail - static_cast<std::ptrdiff_t>(length);
    if (!std::equal(tail, steps.end(), before, equal)) return false;
    Step loop;
    loop.count = 2;
    loop.body.assign(std::make_move_iterator(tail), std::make_move_iterator(steps.end()));
    loop.hash = hash_of(loop);
    steps.erase(before, steps.end());
    steps.push_back(std::move(loop));
    return true;
}

bool fold_once(Steps& steps, std::size_t body_max) {
    const std::size_t lengths = std::min(body_max, steps.size() - 1);
    for (std::size_t length = 1; length <= lengths; ++length)
        if (continues_loop(steps, length) ||
            (2 * length <= steps.size() && begins_loop(steps, length)))
            return true;
    return false;
}

}  // namespace

std::vector<Step> fold(std::span<const std::uint32_t> symbols, std::size_t body_max) {
    Steps steps;
    for (const std::uint32_t symbol : symbols) {
        Step step;
        step.symbol = symbol;
        step.hash = hash_of(step);
        steps.push_back(std::move(step));
        while (steps.size() > 1 && fold_once(steps, body_max)) {
        }
    }
    return steps;
}

bool same_form(std::span<const Step> a, std::span<const Step> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Step& x, const Step& y) {
        return x.symbol == y.symbol && same_form(x.body, y.body);
    });
}

}  // namespace refrain::proxy
