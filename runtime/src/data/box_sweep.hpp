/// Simultaneous traversal of two sets of boxes in normal form, one dimension at a time.
///
///     a along dimension d:   [0------6)      [8--10)
///     b along dimension d:       [4-----------8)
///     pieces:                [0-4) a, [4-6) a and b, [6-8) b, [8-10) a
///
/// A *slab* is the boxes with one interval along d. Its *cross-section* is these boxes seen from
/// dimension d + 1 on. The normal form keeps slabs contiguous and sorted, so one pass over both
/// sets visits all pieces, on each of which both cross-sections are constant.
#pragma once

#include "refrain/detail/box.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace refrain::data {

using Boxes = std::span<const Box>;

/// The slabs of one set along dimension d, in order.
class SlabCursor {
  public:
    SlabCursor(Boxes boxes, int d) noexcept : rest_(boxes), d_(d) { measure(); }

    [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
    /// The start of the current slab, but at least `from`; the largest integer if at_end().
    [[nodiscard]] std::int64_t begin(std::int64_t from) const noexcept {
        if (at_end()) return std::numeric_limits<std::int64_t>::max();
        return std::max(from, rest_.front().lo[d_]);
    }
    [[nodiscard]] std::int64_t end() const noexcept { return rest_.front().hi[d_]; }
    [[nodiscard]] Boxes slab() const noexcept { return rest_.first(size_); }
    /// Moves on if the current slab ends at or before `upto`.
    void advance(std::int64_t upto) noexcept {
        if (at_end() || end() > upto) return;
        rest_ = rest_.subspan(size_);
        measure();
    }

  private:
    /// O(log size) for the size of the slab.
    void measure() noexcept {
        const auto is_in_slab = [&](const Box& b) { return b.lo[d_] == rest_.front().lo[d_]; };
        std::size_t end = std::min<std::size_t>(1, rest_.size());
        while (end < rest_.size() && is_in_slab(rest_[end]))
            end = std::min(2 * end, rest_.size() - 1) + 1;
        const auto from = rest_.begin() + static_cast<std::ptrdiff_t>(end / 2);
        const auto upto = rest_.begin() + static_cast<std::ptrdiff_t>(end);
        size_ =
            static_cast<std::size_t>(std::partition_point(from, upto, is_in_slab) - rest_.begin());
    }

    Boxes rest_;
    std::size_t size_ = 0;
    int d_;
};

/// Calls f(lo, hi, slab of a, slab of b) for every piece, in order; a slab is empty where its set
/// has none. Stops and returns false as soon as f does.
template <class F>
bool for_each_piece(Boxes a, Boxes b, int d, const F& f) {
    SlabCursor in_a(a, d);
    SlabCursor in_b(b, d);
    std::int64_t at = std::numeric_limits<std::int64_t>::min();
    while (!in_a.at_end() || !in_b.at_end()) {
        const std::int64_t a_begin = in_a.begin(at);
        const std::int64_t b_begin = in_b.begin(at);
        const std::int64_t lo = std::min(a_begin, b_begin);
        const std::int64_t hi =
            std::min(a_begin == lo ? in_a.end() : a_begin, b_begin == lo ? in_b.end() : b_begin);
        if (!f(lo, hi, a_begin == lo ? in_a.slab() : Boxes{},
               b_begin == lo ? in_b.slab() : Boxes{}))
            return false;
        in_a.advance(hi);
        in_b.advance(hi);
        at = hi;
    }
    return true;
}

/// The boxes of a cross-section along dimension d that overlap [lo, hi) there: O(log n), since slabs are
/// sorted.
[[nodiscard]] inline Boxes boxes_within(Boxes boxes, int d, std::int64_t lo,
                                        std::int64_t hi) noexcept {
    const auto first = std::partition_point(boxes.begin(), boxes.end(),
                                            [&](const Box& b) { return b.hi[d] <= lo; });
    const auto last =
        std::partition_point(first, boxes.end(), [&](const Box& b) { return b.lo[d] < hi; });
    return {first, last};
}
/// Those that overlap the other cross-section's extent along d.
[[nodiscard]] inline Boxes boxes_within(Boxes boxes, int d, Boxes other) noexcept {
    if (boxes.empty() || other.empty()) return {};
    return boxes_within(boxes, d, other.front().lo[d], other.back().hi[d]);
}

/// Whether the boxes are equal from dimension d on.
[[nodiscard]] inline bool same_from(Boxes a, Boxes b, int d) noexcept {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (int e = d; e < rank_max; ++e)
            if (a[i].lo[e] != b[i].lo[e] || a[i].hi[e] != b[i].hi[e]) return false;
    return true;
}

/// Appends the slabs of one cross-section along dimension d in normal form: a slab that touches the
/// previous one and has the same cross-section is merged into it.
class SlabWriter {
  public:
    SlabWriter(std::vector<Box>& out, int d) noexcept
        : out_(out), previous_(out.size()), current_(out.size()), d_(d) {}

    /// Boxes appended to the output between begin_slab and end_slab are one slab.
    void begin_slab() noexcept { current_ = out_.size(); }
    /// The slab may be empty.
    void end_slab() {
        if (current_ == out_.size()) return;
        const Boxes previous = Boxes(out_).subspan(previous_, current_ - previous_);
        const Boxes current = Boxes(out_).subspan(current_);
        if (previous.empty() || previous.front().hi[d_] != current.front().lo[d_] ||
            !same_from(previous, current, d_ + 1)) {
            previous_ = current_;
            return;
        }
        const std::int64_t end = current.front().hi[d_];
        for (std::size_t i = previous_; i < current_; ++i) out_[i].hi[d_] = end;
        out_.resize(current_);
    }

  private:
    std::vector<Box>& out_;
    std::size_t previous_;  ///< start of the previous slab
    std::size_t current_;
    int d_;
};

}  // namespace refrain::data
