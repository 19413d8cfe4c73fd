/// Views, each kept once: equal views of equal roots have one address.
///
/// Threads: the launching thread; tasks read layouts.
#pragma once

#include "refrain/array/layout.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace refrain::array {

/// A view of any store of one shape.
struct View {
    Extents root;
    Layout layout;
    std::uint64_t number = 0;  // in the order of first use; never used again
};

/// Views in use stay: those that nothing has asked for between two calls of age() go.
class ViewTable {
  public:
    /// The view that was asked for last by who keeps this, always of one root: mostly the next one, too.
    struct Last {
        const View* view = nullptr;
        std::uint64_t age = 0;
    };
    /// The one of that layout; valid until the next but one call of age().
    [[nodiscard]] const View& intern(const Extents& root, const Layout& layout);
    [[nodiscard]] const View& intern(Last& last, const Extents& root, const Layout& layout) {
        if (last.age != age_ || !(last.view->layout == layout))
            last = {&intern(root, layout), age_};
        return *last.view;
    }
    /// Changes when views may go: what intern() gave is valid while it is the same.
    [[nodiscard]] std::uint64_t generation() const noexcept { return age_; }
    /// Views that were asked for since the last call.
    [[nodiscard]] std::size_t young() const noexcept { return young_.size(); }
    void age() noexcept;

  private:
    using Views = std::unordered_multimap<std::uint64_t, std::unique_ptr<View>>;
    struct Recent {
        std::uint64_t hash = 0;
        const View* view = nullptr;
    };
    [[nodiscard]] static Views::iterator find(Views& views, std::uint64_t hash, const Extents& root,
                                              const Layout& layout);

    std::array<Recent, 256> recent_{};  // by hash; of the young ones
    Views young_;
    Views old_;
    std::uint64_t made_ = 0;
    std::uint64_t age_ = 1;  // one more after each call of age()
};

/// Hashes of shapes and layouts, the same in every process.
[[nodiscard]] inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) noexcept {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ (hash >> 32);
}
[[nodiscard]] std::uint64_t hash_of(std::uint64_t hash, const Extents& extents) noexcept;
[[nodiscard]] std::uint64_t hash_of(std::uint64_t hash, const Layout& layout) noexcept;

}  // namespace refrain::array
