#include "data/set_body.hpp"

#include "data/box_sweep.hpp"

#include <algorithm>
#include <memory>

namespace refrain::data {

std::span<const Box> SetBody::boxes() const {
    if (const auto* boxes = std::get_if<std::vector<Box>>(&content_)) return *boxes;
    const std::vector<Box>* known = made_.load(std::memory_order_acquire);
    if (known != nullptr) return *known;
    auto made = std::make_unique<std::vector<Box>>();
    made->reserve(bits()->runs());
    bits()->for_each_run([&](std::int64_t lo, std::int64_t hi) {
        made->push_back({{lo, 0, 0}, {hi, 1, 1}});
    });
    // Release: who loads the pointer sees the boxes. Acquire on failure: we see those of another.
    if (made_.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel,
                                      std::memory_order_acquire))
        return *made.release();
    return *known;
}

std::size_t SetBody::bytes() const {
    const auto* made = made_.load(std::memory_order_acquire);
    std::size_t bytes = sizeof(*this) + (made == nullptr ? 0 : made->capacity() * sizeof(Box));
    if (const BitLine* line = bits())
        return bytes + line->words().capacity() * sizeof(std::uint64_t);
    return bytes + std::get<std::vector<Box>>(content_).capacity() * sizeof(Box);
}

namespace bits {
namespace {

/// The elements of a set that lie in [lo, hi).
BitLine line_of(const BoxSet& set, std::int64_t lo, std::int64_t hi) {
    BitLine line(lo, hi);
    if (const BitLine* own = set.bits()) {
        line.unite(*own);
        if (lo < hi) {
            line.erase(line.begin(), lo);
            line.erase(hi, line.end());
        }
    } else {
        for (const Box& box : boxes_within(set.boxes(), 0, lo, hi))
            line.insert(std::max(lo, box.lo[0]), std::min(hi, box.hi[0]));
    }
    return line;
}

/// Memory of a set, in words.
std::uint64_t words_of(const BoxSet& set) {
    if (const BitLine* line = set.bits()) return line->words().size();
    return set.boxes().size();
}

std::uint64_t length(std::int64_t lo, std::int64_t hi) {
    return static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
}

/// Whether bits for [lo, hi) are not many more than the sets have.
bool is_worth(std::int64_t lo, std::int64_t hi, std::uint64_t words) {
    constexpr std::uint64_t spare_words = 1024;
    return length(lo, hi) / 64 <= 4 * words + spare_words;
}

}  // namespace

bool concerns(const BoxSet& a, const BoxSet& b) {
    return (a.bits() != nullptr || b.bits() != nullptr) && SetBody::is_on_axis(a.bounds()) &&
           SetBody::is_on_axis(b.bounds());
}

bool unite_well(const BoxSet& a, const BoxSet& b) {
    return is_worth(std::min(a.bounds().lo[0], b.bounds().lo[0]),
                    std::max(a.bounds().hi[0], b.bounds().hi[0]), words_of(a) + words_of(b));
}

bool subtract_well(const BoxSet& a, const BoxSet& b) {
    return is_worth(a.bounds().lo[0], a.bounds().hi[0], words_of(a) + words_of(b));
}

bool contains(const BoxSet& a, const BoxSet& b) {
    const BitLine* own = a.bits();
    if (own == nullptr) return subtract(b, a).empty();
    if (const BitLine* other = b.bits()) return own->contains(*other);
    return std::all_of(b.boxes().begin(), b.boxes().end(),
                       [&](const Box& box) { return own->all(box.lo[0], box.hi[0]); });
}

bool overlaps(const BoxSet& a, const BoxSet& b) {
    const BitLine* own = a.bits();
    if (own == nullptr) return overlaps(b, a);
    if (const BitLine* other = b.bits()) return own->overlaps(*other);
    const Boxes near = boxes_within(b.boxes(), 0, a.bounds().lo[0], a.bounds().hi[0]);
    return std::any_of(near.begin(), near.end(),
                       [&](const Box& box) { return own->any(box.lo[0], box.hi[0]); });
}

BoxSet unite(const BoxSet& a, const BoxSet& b) {
    const std::int64_t lo = std::min(a.bounds().lo[0], b.bounds().lo[0]);
    const std::int64_t hi = std::max(a.bounds().hi[0], b.bounds().hi[0]);
    BitLine line = line_of(a, lo, hi);
    line.unite(line_of(b, b.bounds().lo[0], b.bounds().hi[0]));
    return BoxSet::of_bits(std::move(line));
}

BoxSet intersect(const BoxSet& a, const BoxSet& b) {
    const Box common = a.bounds().intersection(b.bounds());
    BitLine line = line_of(a, common.lo[0], common.hi[0]);
    if (!b.is_box()) line.intersect(line_of(b, common.lo[0], common.hi[0]));
    return BoxSet::of_bits(std::move(line));
}

BoxSet subtract(const BoxSet& a, const BoxSet& b) {
    const std::int64_t lo = a.bounds().lo[0], hi = a.bounds().hi[0];
    BitLine line = line_of(a, lo, hi);
    line.subtract(line_of(b, std::max(lo, b.bounds().lo[0]), std::min(hi, b.bounds().hi[0])));
    return BoxSet::of_bits(std::move(line));
}

std::optional<BoxSet> unite_all(std::span<const BoxSet> sets) {
    bool any = false;
    std::uint64_t words = 0;
    Box hull;
    for (const BoxSet& set : sets) {
        if (set.empty()) continue;
        if (!SetBody::is_on_axis(set.bounds())) return {};
        any = any || set.bits() != nullptr;
        words += words_of(set);
        if (hull.empty()) hull = set.bounds();
        hull.lo[0] = std::min(hull.lo[0], set.bounds().lo[0]);
        hull.hi[0] = std::max(hull.hi[0], set.bounds().hi[0]);
    }
    if (!any || !is_worth(hull.lo[0], hull.hi[0], words)) return {};
    BitLine line(hull.lo[0], hull.hi[0]);
    for (const BoxSet& set : sets)
        if (const BitLine* own = set.bits())
            line.unite(*own);
        else
            for (const Box& box : set.boxes()) line.insert(box.lo[0], box.hi[0]);
    return BoxSet::of_bits(std::move(line));
}

}  // namespace bits
}  // namespace refrain::data
