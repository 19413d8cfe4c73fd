#pragma once

#include <compare>
#include <concepts>
#include <cstdint>

namespace refrain::base {

/// The number of a thing of one kind in a sequence. Numbers of different kinds do not mix: they
/// neither compare nor convert. Their differences are counts.
///
/// using OperationNumber = base::Ordinal<struct OperationKind>;
/// OperationNumber next = 1;           // an int converts; other numbers by at()
/// const std::uint64_t waiting = next - oldest;
template <class Kind>
class Ordinal {
  public:
    constexpr Ordinal() = default;
    /// For constants. Counts and numbers have unsigned types, which do not convert.
    template <std::same_as<int> Constant>
    constexpr Ordinal(Constant value) : value_(static_cast<std::uint64_t>(value)) {}
    static constexpr Ordinal at(std::uint64_t value) {
        Ordinal made;
        made.value_ = value;
        return made;
    }
    /// After all others.
    static constexpr Ordinal greatest() { return at(~std::uint64_t{0}); }
    [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

    friend constexpr auto operator<=>(Ordinal a, Ordinal b) = default;
    friend constexpr bool operator==(Ordinal a, Ordinal b) = default;

    constexpr Ordinal& operator++() {
        ++value_;
        return *this;
    }
    constexpr Ordinal operator++(int) { return at(value_++); }
    constexpr Ordinal& operator+=(std::uint64_t count) {
        value_ += count;
        return *this;
    }
    constexpr Ordinal& operator-=(std::uint64_t count) {
        value_ -= count;
        return *this;
    }
    friend constexpr Ordinal operator+(Ordinal a, std::uint64_t count) {
        return at(a.value_ + count);
    }
    friend constexpr Ordinal operator-(Ordinal a, std::uint64_t count) {
        return at(a.value_ - count);
    }
    friend constexpr std::uint64_t operator-(Ordinal a, Ordinal b) { return a.value_ - b.value_; }
    /// The number `count` before; 0 if there is none.
    [[nodiscard]] constexpr Ordinal back_by(std::uint64_t count) const {
        return at(value_ - (count < value_ ? count : value_));
    }
    /// The slot in a ring of mask + 1 elements, a power of two.
    friend constexpr std::uint64_t operator&(Ordinal a, std::uint64_t mask) {
        return a.value_ & mask;
    }
    friend constexpr std::uint64_t operator%(Ordinal a, std::uint64_t period) {
        return a.value_ % period;
    }

  private:
    std::uint64_t value_ = 0;
};

}  // namespace refrain::base
