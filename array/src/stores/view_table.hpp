/// Views, each kept once: equal views of equal roots have one address.
///
/// Threads: the launching thread; tasks read layouts.
#pragma once

#include "refrain/array/layout.hpp"

#include <cstdint>
#include <deque>
#include <unordered_map>

namespace refrain::array {

/// A view of any store of one shape.
struct View {
    Extents root;
    Layout layout;
    std::uint64_t number = 0;  // in the order of first use
};

class ViewTable {
  public:
    /// The one of that layout; valid until clear().
    [[nodiscard]] const View& intern(const Extents& root, const Layout& layout);
    [[nodiscard]] std::size_t size() const noexcept { return views_.size(); }
    void clear() noexcept;

  private:
    std::unordered_multimap<std::uint64_t, const View*> by_hash_;
    std::deque<View> views_;
};

/// Hashes of shapes and layouts, the same in every process.
[[nodiscard]] inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) noexcept {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ (hash >> 32);
}
[[nodiscard]] std::uint64_t hash_of(std::uint64_t hash, const Extents& extents) noexcept;
[[nodiscard]] std::uint64_t hash_of(std::uint64_t hash, const Layout& layout) noexcept;

}  // namespace refrain::array
