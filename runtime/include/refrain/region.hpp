/// Regions: logical arrays that hold a program's data.
///
///     Region<double, 2> u = rt.create_region<double>(extents(64, 64), "u");
///     rt.fill(u, 0.0);
///
/// A region has bounds and an element type. Its memory is allocated when the first task that writes
/// it starts. A region ends with its last handle: tasks already launched still run, and its memory
/// is recycled after them.
///
/// Errors:  without memory for the region, the task fails (TaskError caused by OutOfMemory), or the
///          host access throws OutOfMemory.
/// Threads: the launching thread only.
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
[[noreturn]] void refuse_empty_region(const char* question);
}  // namespace regions

/// A shared handle to a region of R dimensions with elements of type T, which must be trivially
/// copyable. A default-made handle is empty.
template <class T, int R>
class Region {
    static_assert(std::is_trivially_copyable_v<T>,
                  "regions hold elements that can be copied as bytes");

  public:
    using value_type = T;
    static constexpr int rank = R;

    Region() noexcept = default;
    /// Adopts one reference.
    explicit Region(regions::RegionRoot* root) noexcept : root_(root) {}
    Region(const Region& other) noexcept : root_(other.root_) { regions::retain(root_); }
    Region(Region&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
    Region& operator=(Region other) noexcept {
        std::swap(root_, other.root_);
        return *this;
    }
    ~Region() { regions::release(root_); }

    /// Errors: UsageError if the handle is empty.
    [[nodiscard]] Rect<R> bounds() const {
        return data::rect_of<R>(regions::bounds_of(checked("bounds")));
    }
    /// For messages, such as "region4 'u'".
    /// Errors: UsageError if the handle is empty.
    [[nodiscard]] std::string name() const { return regions::name_of(checked("name")); }
    /// Whether the handle is not empty.
    [[nodiscard]] explicit operator bool() const noexcept { return root_ != nullptr; }
    /// Empties the handle; ends the region if it was the last one.
    void reset() noexcept { *this = Region(); }
    [[nodiscard]] regions::RegionRoot* root() const noexcept { return root_; }
    friend bool operator==(const Region& a, const Region& b) noexcept { return a.root_ == b.root_; }

  private:
    [[nodiscard]] const regions::RegionRoot& checked(const char* question) const {
        if (root_ == nullptr) regions::refuse_empty_region(question);
        return *root_;
    }

    regions::RegionRoot* root_ = nullptr;
};

}  // namespace refrain
