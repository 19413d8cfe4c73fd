#include "refrain/detail/box_set.hpp"

#include "base/assertion.hpp"
#include "base/hash.hpp"
#include "data/box_sweep.hpp"
#include "data/message.hpp"
#include "data/set_body.hpp"
#include "refrain/index_space.hpp"

#include <optional>
#include <ostream>
#include <sstream>

namespace refrain::data {
namespace {

enum class SetOperation { unite, intersect, subtract };

/// Combines two cross-sections by a set operation; writes the result in normal form.
class Combination {
  public:
    Combination(SetOperation operation, std::vector<Box>& out) : operation_(operation), out_(out) {}

    void run(Boxes a, Boxes b, int d) {
        if (operation_ != SetOperation::unite) b = boxes_within(b, d, a);
        if (operation_ == SetOperation::intersect) a = boxes_within(a, d, b);
        SlabWriter writer(out_, d);
        for_each_piece(a, b, d, [&](std::int64_t lo, std::int64_t hi, Boxes in_a, Boxes in_b) {
            frame_.lo[d] = lo;
            frame_.hi[d] = hi;
            writer.begin_slab();
            combine_slabs(in_a, in_b, d);
            writer.end_slab();
            return true;
        });
    }

  private:
    void combine_slabs(Boxes a, Boxes b, int d) {
        if (b.empty()) {
            if (operation_ != SetOperation::intersect) copy(a, d);
        } else if (a.empty()) {
            if (operation_ == SetOperation::unite) copy(b, d);
        } else if (same_from(a, b, d + 1)) {
            if (operation_ != SetOperation::subtract) copy(a, d);
        } else {
            run(a, b, d + 1);
        }
    }

    /// Appends a cross-section, with the current intervals in dimensions 0 to d.
    void copy(Boxes slab, int d) {
        for (Box box : slab) {
            for (int e = 0; e <= d; ++e) {
                box.lo[e] = frame_.lo[e];
                box.hi[e] = frame_.hi[e];
            }
            out_.push_back(box);
        }
    }

    SetOperation operation_;
    std::vector<Box>& out_;
    Box frame_;  ///< the current intervals of the outer dimensions
};

std::vector<Box> combine(SetOperation operation, Boxes a, Boxes b) {
    std::vector<Box> out;
    out.reserve(operation == SetOperation::unite       ? a.size() + b.size()
                : operation == SetOperation::intersect ? std::min(a.size(), b.size())
                                                       : a.size());
    Combination(operation, out).run(a, b, 0);
    return out;
}

bool any_common(Boxes a, Boxes b, int d) {
    b = boxes_within(b, d, a);
    a = boxes_within(a, d, b);
    return !for_each_piece(a, b, d, [&](std::int64_t, std::int64_t, Boxes in_a, Boxes in_b) {
        const bool common =
            !in_a.empty() && !in_b.empty() && (d + 1 == rank_max || any_common(in_a, in_b, d + 1));
        return !common;
    });
}

bool covers(Boxes a, Boxes b, int d) {
    a = boxes_within(a, d, b);
    return for_each_piece(a, b, d, [&](std::int64_t, std::int64_t, Boxes in_a, Boxes in_b) {
        if (in_b.empty()) return true;
        return !in_a.empty() && (d + 1 == rank_max || covers(in_a, in_b, d + 1));
    });
}

/// Appends the boxes of points, in normal form. The points are sorted, distinct, and equal in the
/// dimensions before d; `frame` holds these coordinates.
void write_points(std::span<const Coordinates> points, int d, Box& frame, std::vector<Box>& out) {
    SlabWriter writer(out, d);
    while (!points.empty()) {
        const std::int64_t at = points.front()[d];
        std::size_t size = 1;
        while (size < points.size() && points[size][d] == at) ++size;
        frame.lo[d] = at;
        frame.hi[d] = at + 1;
        writer.begin_slab();
        if (d + 1 == rank_max) {
            out.push_back(frame);
        } else {
            write_points(points.first(size), d + 1, frame, out);
        }
        writer.end_slab();
        points = points.subspan(size);
    }
}

bool on_one_line(Boxes boxes) {
    return std::all_of(boxes.begin(), boxes.end(),
                       [&](const Box& b) { return same_from(Boxes(&b, 1), boxes.first(1), 1); });
}

/// Unites boxes that differ only along dimension 0, sorted by lower end.
std::vector<Box> merge_line(Boxes sorted) {
    std::vector<Box> out;
    for (const Box& box : sorted) {
        if (!out.empty() && box.lo[0] <= out.back().hi[0]) {
            out.back().hi[0] = std::max(out.back().hi[0], box.hi[0]);
        } else {
            out.push_back(box);
        }
    }
    return out;
}

/// Unites neighbours first: tiles merge into large boxes early, so intermediate sets stay small.
BoxSet unite_sorted(Boxes sorted) {
    REFRAIN_ASSERT(!sorted.empty(), "a union of no boxes");
    if (sorted.size() == 1) return sorted.front();
    const std::size_t half = sorted.size() / 2;
    return unite_sorted(sorted.first(half)).unite(unite_sorted(sorted.subspan(half)));
}

bool lexicographic(const Box& a, const Box& b) {
    return a.lo != b.lo ? a.lo < b.lo : a.hi < b.hi;
}

}  // namespace

BoxSet::BoxSet(std::vector<Box>&& normal) {
    if (normal.empty()) return;
    bounds_ = normal.front();
    if (normal.size() == 1) return;
    for (const Box& box : normal) {
        for (int d = 0; d < rank_max; ++d) {
            bounds_.lo[d] = std::min(bounds_.lo[d], box.lo[d]);
            bounds_.hi[d] = std::max(bounds_.hi[d], box.hi[d]);
        }
    }
    if (SetBody::is_line_of_bits(normal)) {
        BitLine bits(bounds_.lo[0], bounds_.hi[0]);
        for (const Box& box : normal) bits.insert(box.lo[0], box.hi[0]);
        body_ = new SetBody(std::move(bits));
    } else {
        body_ = new SetBody(std::move(normal));
    }
}

BoxSet BoxSet::of_bits(BitLine bits) {
    bits.trim();
    const std::size_t runs = bits.runs();
    if (runs == 0) return {};
    BoxSet set;
    const std::uint64_t first = bits.words().front(), last = bits.words().back();
    set.bounds_ = {{bits.begin() + std::countr_zero(first), 0, 0},
                   {bits.end() - std::countl_zero(last), 1, 1}};
    if (runs == 1) return set;
    if (SetBody::is_line_of_bits(runs, set.bounds_)) {
        set.body_ = new SetBody(std::move(bits));
        return set;
    }
    std::vector<Box> boxes;
    boxes.reserve(runs);
    bits.for_each_run([&](std::int64_t lo, std::int64_t hi) {
        boxes.push_back({{lo, 0, 0}, {hi, 1, 1}});
    });
    set.body_ = new SetBody(std::move(boxes));
    return set;
}

void BoxSet::retain(const SetBody* body) noexcept {
    body->retain();
}
void BoxSet::release(const SetBody* body) noexcept {
    body->release();
}
bool BoxSet::same_body(const BoxSet& a, const BoxSet& b) noexcept {
    return a.body_ != nullptr && b.body_ != nullptr && *a.body_ == *b.body_;
}
std::span<const Box> BoxSet::body_boxes() const noexcept {
    return body_->boxes();
}
const BitLine* BoxSet::body_bits() const noexcept {
    return body_->bits();
}
std::size_t BoxSet::body_bytes() const noexcept {
    return body_->bytes();
}

BoxSet BoxSet::of_boxes(std::span<const Box> boxes) {
    std::vector<Box> sorted(boxes.begin(), boxes.end());
    std::erase_if(sorted, [](const Box& b) { return b.empty(); });
    if (sorted.empty()) return {};
    std::sort(sorted.begin(), sorted.end(), lexicographic);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (on_one_line(sorted)) return BoxSet(merge_line(sorted));
    return unite_sorted(sorted);
}

BoxSet BoxSet::of_points(std::vector<Coordinates>& points) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    std::vector<Box> out;
    Box frame;
    write_points(points, 0, frame, out);
    return BoxSet(std::move(out));
}

BoxSet BoxSet::unite_all(std::span<const BoxSet> sets) {
    if (sets.size() == 1) return sets.front();
    if (std::optional<BoxSet> together = bits::unite_all(sets)) return *std::move(together);
    std::vector<Box> boxes;
    for (const BoxSet& set : sets)
        boxes.insert(boxes.end(), set.boxes().begin(), set.boxes().end());
    return of_boxes(boxes);
}

std::int64_t BoxSet::volume() const noexcept {
    if (const BitLine* line = bits()) return line->count();
    std::int64_t v = 0;
    for (const Box& box : boxes()) v += box.volume();
    return v;
}

bool BoxSet::contains_slow(const BoxSet& other) const noexcept {
    if (bits::concerns(*this, other)) return bits::contains(*this, other);
    return covers(boxes(), other.boxes(), 0);
}

bool BoxSet::overlaps_slow(const BoxSet& other) const noexcept {
    if (bits::concerns(*this, other)) return bits::overlaps(*this, other);
    return any_common(boxes(), other.boxes(), 0);
}

BoxSet BoxSet::unite_slow(const BoxSet& other) const {
    if (bits::concerns(*this, other) && bits::unite_well(*this, other))
        return bits::unite(*this, other);
    return BoxSet(combine(SetOperation::unite, boxes(), other.boxes()));
}

BoxSet BoxSet::intersect_slow(const BoxSet& other) const {
    if (!bounds_.overlaps(other.bounds_)) return {};
    if (bits::concerns(*this, other)) return bits::intersect(*this, other);
    return BoxSet(combine(SetOperation::intersect, boxes(), other.boxes()));
}

BoxSet BoxSet::subtract_slow(const BoxSet& other) const {
    if (bits::concerns(*this, other) && bits::subtract_well(*this, other))
        return bits::subtract(*this, other);
    return BoxSet(combine(SetOperation::subtract, boxes(), other.boxes()));
}

std::uint64_t BoxSet::hash() const noexcept {
    base::Hasher hasher;
    if (const BitLine* line = bits()) {
        hasher.add(static_cast<std::uint64_t>(line->first_word()));
        for (const std::uint64_t word : line->words()) hasher.add(word);
        return hasher.finish().low;
    }
    for (const Box& box : boxes()) {
        for (int d = 0; d < rank_max; ++d) {
            hasher.add(static_cast<std::uint64_t>(box.lo[d]));
            hasher.add(static_cast<std::uint64_t>(box.hi[d]));
        }
    }
    return hasher.finish().low;
}

std::string BoxSet::to_string(int rank) const {
    if (is_box()) return data::to_string(bounds_, rank);
    std::string text = "{";
    for (const Box& box : boxes()) {
        if (text.size() > 1) text += ", ";
        text += data::to_string(box, rank);
    }
    return text + "}";
}

std::string short_text(const BoxSet& set, int rank) {
    constexpr std::size_t listed_max = 8;
    if (set.is_box()) return set.to_string(rank);
    std::size_t boxes = 0;
    std::string text = "{";
    set.for_each_box([&](const Box& box) {  // not boxes(): a bitmap would make and keep them
        if (boxes++ >= listed_max) return;
        if (text.size() > 1) text += ", ";
        text += data::to_string(box, rank);
    });
    if (boxes > listed_max) text += ", and " + std::to_string(boxes - listed_max) + " more";
    return text + "}";
}

void print_set(std::ostream& out, const BoxSet& set, int rank) {
    out << set.to_string(rank);
}

}  // namespace refrain::data
