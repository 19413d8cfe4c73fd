#pragma once

#include "base/assertion.hpp"
#include "base/pages.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace refrain::analysis {

/// A hash table from two words to a small value, for look-ups that hit the first slot they try. It
/// doubles without a pause: each insertion moves a few slots of the table before, and later gives a
/// few of its pages back. `first` is not 0.
///
/// Hot path: find, one cache line.
/// Complexity: find, insert O(1) expected; insert moves moved_per_insert slots at most.
template <class Value>
class StepTable {
  public:
    StepTable() : StepTable(slots_initial) {}

    /// The value at its first slot, or null: then probe() tells.
    [[nodiscard]] const Value* find(std::uint64_t first, std::uint64_t second) const noexcept {
        const Slot& slot = slots_[home_slot(first, second, mask_)];
        return slot.first == first && slot.second == second ? &slot.value : nullptr;
    }
    /// The value wherever it is, or null.
    [[nodiscard]] const Value* probe(std::uint64_t first, std::uint64_t second) const noexcept {
        if (const Value* value = probe(slots_, mask_, first, second)) return value;
        return old_ == nullptr ? nullptr : probe(old_, old_mask_, first, second);
    }
    /// Precondition: probe() is null.
    void insert(std::uint64_t first, std::uint64_t second, const Value& value) {
        move_some();
        if (2 * size_ >= mask_ + 1) grow();
        put({first, second, value, 1});
        ++size_;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return pages_.bytes() + old_pages_.bytes(); }

  private:
    static constexpr std::size_t slots_initial = 1024;
    static constexpr std::size_t moved_per_insert = 8;
    static constexpr std::size_t bytes_given_back = std::size_t{64} << 10;  // per insertion

    struct Slot {
        std::uint64_t first = 0, second = 0;
        Value value;
        std::uint64_t used = 0;
    };
    static_assert(sizeof(Slot) == 32, "two slots per cache line");

    /// Slots of zero bytes are free.
    explicit StepTable(std::size_t slots)
        : pages_(slots * sizeof(Slot)), slots_(slots_in(pages_)), mask_(slots - 1) {}
    [[nodiscard]] static Slot* slots_in(const base::ZeroPages& pages) noexcept {
        return reinterpret_cast<Slot*>(pages.begin());
    }
    [[nodiscard]] static std::size_t home_slot(std::uint64_t first, std::uint64_t second,
                                               std::size_t mask) noexcept {
        const std::uint64_t hash = (first ^ (second * 0x9e3779b97f4a7c15U)) * 0xd6e8feb86659fd93U;
        return static_cast<std::size_t>(hash >> 32) & mask;
    }
    [[nodiscard]] static const Value* probe(const Slot* slots, std::size_t mask,
                                            std::uint64_t first, std::uint64_t second) noexcept {
        for (std::size_t at = home_slot(first, second, mask); slots[at].used != 0;
             at = (at + 1) & mask)
            if (slots[at].first == first && slots[at].second == second) return &slots[at].value;
        return nullptr;
    }
    void put(const Slot& slot) noexcept {
        std::size_t at = home_slot(slot.first, slot.second, mask_);
        while (slots_[at].used != 0) at = (at + 1) & mask_;
        slots_[at] = slot;
    }
    /// Half of the new table is free when all old slots have been moved: they are at most a quarter
    /// of it, and moved_per_insert > 2.
    void grow() {
        REFRAIN_ASSERT(old_ == nullptr, "a table grows before its old slots have been moved");
        base::ZeroPages larger(2 * pages_.bytes());
        old_pages_ = std::exchange(pages_, std::move(larger));
        old_ = std::exchange(slots_, slots_in(pages_));
        old_mask_ = std::exchange(mask_, 2 * mask_ + 1);
        moved_ = 0;
    }
    /// Copies: old slots stay valid for probe() until the last one is moved.
    void move_some() noexcept {
        if (old_ == nullptr) return old_pages_.give_back(bytes_given_back);
        for (std::size_t i = 0; i < moved_per_insert && old_ != nullptr; ++i) {
            if (old_[moved_].used != 0) put(old_[moved_]);
            if (++moved_ > old_mask_) old_ = nullptr;
        }
    }

    base::ZeroPages pages_, old_pages_;
    Slot* slots_;
    std::size_t mask_;
    std::size_t size_ = 0;
    Slot* old_ = nullptr;  // the table before, until all its slots have been moved; or null
    std::size_t old_mask_ = 0;
    std::size_t moved_ = 0;
};

}  // namespace refrain::analysis
