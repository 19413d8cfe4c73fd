// Whether two views share an element: a bounded equation in whole numbers. With all strides made
// positive, elements meet where
//     x1*s1 + x2*s2 + ... = distance,    0 <= xi <= reach_i.
// Strides of views are usually nested (one step of a row is longer than all its columns together), so
// that a search from the longest stride down looks at two values for each; where it would look at too
// many, the answer is yes.
#include "refrain/array/layout.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace refrain::array {

namespace {

struct Term {
    Extent stride;      // positive
    Extent reach;       // the greatest factor
    Extent rest = 0;    // the greatest sum of the terms behind this one
    Extent common = 0;  // the greatest common divisor of their strides; 0 if there are none
};

class Search {
  public:
    void add(const Layout& view) noexcept {
        for (int i = 0; i < view.rank(); ++i)
            if (view.shape[i] > 1 && view.strides[i] != 0)
                terms_[static_cast<std::size_t>(count_++)] = {.stride = std::abs(view.strides[i]),
                                                              .reach = view.shape[i] - 1};
    }
    bool reaches(Extent distance) noexcept {
        const auto end = terms_.begin() + count_;
        std::sort(terms_.begin(), end,
                  [](const Term& a, const Term& b) { return a.stride > b.stride; });
        int kept = 0;
        for (int i = 0; i < count_; ++i) {
            if (kept > 0 && term(kept - 1).stride == term(i).stride)
                term(kept - 1).reach += term(i).reach;
            else
                term(kept++) = term(i);
        }
        count_ = kept;
        for (int i = count_ - 1; i-- > 0;) {
            const Term& next = term(i + 1);
            term(i).rest = next.rest + next.stride * next.reach;
            term(i).common = std::gcd(next.common, next.stride);
        }
        return search(0, distance);
    }

  private:
    Term& term(int i) noexcept { return terms_[static_cast<std::size_t>(i)]; }

    bool search(int i, Extent distance) noexcept {
        if (i == count_) return distance == 0;
        const Term& now = term(i);
        if (now.common == 0)
            return distance % now.stride == 0 && distance / now.stride <= now.reach;
        if (distance % std::gcd(now.common, now.stride) != 0) return false;
        const Extent most = std::min(now.reach, distance / now.stride);
        const Extent missing = distance - now.rest;
        const Extent least = missing > 0 ? (missing + now.stride - 1) / now.stride : 0;
        for (Extent factor = most; factor >= least; --factor) {
            if (--steps_left_ <= 0 || search(i + 1, distance - factor * now.stride)) return true;
        }
        return false;
    }

    std::array<Term, 2 * rank_max> terms_{};
    int count_ = 0;
    int steps_left_ = 100;
};

}  // namespace

bool may_overlap(const Layout& a, const Layout& b) {
    const auto hull_a = a.hull();
    const auto hull_b = b.hull();
    if (!hull_a || !hull_b) return false;
    if (hull_a->second < hull_b->first || hull_b->second < hull_a->first) return false;
    // a's least element plus its steps = b's greatest one minus its steps.
    Search search;
    search.add(a);
    search.add(b);
    return search.reaches(hull_b->second - hull_a->first);
}

}  // namespace refrain::array
