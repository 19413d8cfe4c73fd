/// Regions: logical arrays, the data of a program.
///
///     Region<double, 2> u = rt.create_region<double>(extents(64, 64), "u");
///     rt.fill(u, 0.0);
///
/// A region has bounds and elements but no memory of its own until the first task that writes it
/// starts. When its last handle dies it is destroyed: tasks that use it and are still pending run
/// as launched, and its memory is reused after them.
///
/// Threads: handles belong to the launching thread.
#pragma once

#include "refrain/detail/box.hpp"
#include "refrain/rect.hpp"

#include <string>
#include <utility>

namespace refrain {

namespace regions {
struct RegionRoot;
void retain(RegionRoot* region) noexcept;
void release(RegionRoot* region) noexcept;
[[nodiscard]] const data::Box& bounds_of(const RegionRoot& region) noexcept;
[[nodiscard]] std::string name_of(const RegionRoot& region);
}  // namespace regions

/// A shared handle to a region of elements of type T over R dimensions.
template <class T, int R>
class Region {
    static_assert(std::is_trivially_copyable_v<T>,
                  "regions hold elements that can be copied as bytes");

  public:
    using value_type = T;
    static constexpr int rank = R;

    Region() noexcept = default;
    /// Takes over one reference.
    explicit Region(regions::RegionRoot* root) noexcept : root_(root) {}
    Region(const Region& other) noexcept : root_(other.root_) { regions::retain(root_); }
    Region(Region&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
    Region& operator=(Region other) noexcept {
        std::swap(root_, other.root_);
        return *this;
    }
    ~Region() { regions::release(root_); }

    [[nodiscard]] Rect<R> bounds() const noexcept {
        return data::rect_of<R>(regions::bounds_of(*root_));
    }
    /// "region4 'u'"
    [[nodiscard]] std::string name() const { return regions::name_of(*root_); }
    [[nodiscard]] explicit operator bool() const noexcept { return root_ != nullptr; }
    /// Gives the handle up; the region is destroyed if it was the last one.
    void reset() noexcept { *this = Region(); }
    [[nodiscard]] regions::RegionRoot* root() const noexcept { return root_; }
    friend bool operator==(const Region& a, const Region& b) noexcept { return a.root_ == b.root_; }

  private:
    regions::RegionRoot* root_ = nullptr;
};

}  // namespace refrain
