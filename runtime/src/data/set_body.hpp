#pragma once

#include "refrain/detail/box_set.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace refrain::data {

/// What the copies of a set of several boxes share: the boxes, or the bits of a line.
///
/// Threads: any; the boxes of a line are made by the first thread that asks.
class SetBody {
  public:
    explicit SetBody(std::vector<Box>&& boxes) : content_(std::move(boxes)) {}
    explicit SetBody(BitLine&& bits) : content_(std::move(bits)) {}
    ~SetBody() { delete made_.load(std::memory_order_acquire); }
    SetBody(const SetBody&) = delete;
    SetBody& operator=(const SetBody&) = delete;
    SetBody(SetBody&&) = delete;
    SetBody& operator=(SetBody&&) = delete;

    /// Whether a set of that number of intervals within `bounds` is kept as bits. Depends on the set
    /// alone, since equal sets must have equal forms. An interval takes 48 bytes as a box, and at
    /// most 32 as bits.
    [[nodiscard]] static bool is_line_of_bits(std::size_t intervals, const Box& bounds) {
        constexpr std::uint64_t bits_per_interval_max = 256;
        return intervals >= intervals_min && is_on_axis(bounds) &&
               static_cast<std::uint64_t>(bounds.hi[0]) -
                       static_cast<std::uint64_t>(bounds.lo[0]) <=
                   bits_per_interval_max * intervals;
    }
    [[nodiscard]] static bool is_line_of_bits(std::span<const Box> normal) {
        if (normal.size() < intervals_min) return false;
        Box bounds = normal.front();  // intervals are sorted; else the last is not on the axis
        for (const Box& box : normal) {
            if (!is_on_axis(box)) return false;
            bounds.hi = box.hi;
        }
        return is_line_of_bits(normal.size(), bounds);
    }
    /// Whether a box has one dimension only.
    [[nodiscard]] static bool is_on_axis(const Box& box) {
        return box.lo[1] == 0 && box.hi[1] == 1 && box.lo[2] == 0 && box.hi[2] == 1;
    }

    [[nodiscard]] const BitLine* bits() const { return std::get_if<BitLine>(&content_); }
    [[nodiscard]] std::span<const Box> boxes() const;
    [[nodiscard]] std::size_t bytes() const;
    friend bool operator==(const SetBody& a, const SetBody& b) { return a.content_ == b.content_; }

    void retain() const noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
    void release() const noexcept {
        // Acquire and release: the last one sees what the others did before they let go.
        if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }

  private:
    static constexpr std::size_t intervals_min = 256;

    mutable std::atomic<std::uint32_t> references_{1};
    mutable std::atomic<const std::vector<Box>*> made_{nullptr};  // boxes of bits, once asked for
    std::variant<std::vector<Box>, BitLine> content_;
};

/// Operations on sets of which one at least is kept as bits.
namespace bits {

/// Whether one set is, and both are on the axis: the precondition of the following.
[[nodiscard]] bool concerns(const BoxSet& a, const BoxSet& b);
/// Whether their union, or difference, is worth making as bits: few words of it are neither's.
[[nodiscard]] bool unite_well(const BoxSet& a, const BoxSet& b);
[[nodiscard]] bool subtract_well(const BoxSet& a, const BoxSet& b);
[[nodiscard]] bool contains(const BoxSet& a, const BoxSet& b);
[[nodiscard]] bool overlaps(const BoxSet& a, const BoxSet& b);
[[nodiscard]] BoxSet unite(const BoxSet& a, const BoxSet& b);
[[nodiscard]] BoxSet intersect(const BoxSet& a, const BoxSet& b);
[[nodiscard]] BoxSet subtract(const BoxSet& a, const BoxSet& b);
/// Empty if not all are to be combined as bits.
[[nodiscard]] std::optional<BoxSet> unite_all(std::span<const BoxSet> sets);

}  // namespace bits
}  // namespace refrain::data
