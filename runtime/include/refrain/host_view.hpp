/// Host views: access of the host program to the elements of a region.
///
///     double sum = 0;
///     {
///         auto view = rt.read(x);          // waits for the writers of x
///         for (double v : view.elements()) sum += v;
///     }                                    // from here on launches may write x
///
/// Runtime::read, write and read_write make host views. While one lives, launches that conflict
/// with it throw UsageError.
///
/// Threads: the launching thread makes and destroys views; any thread may access the elements.
#pragma once

#include "refrain/privilege.hpp"
#include "refrain/rect.hpp"
#include "refrain/view.hpp"

#include <span>
#include <utility>

namespace refrain {

namespace regions {
struct RegionRoot;
void unmap(RegionRoot* region, Privilege privilege) noexcept;
}  // namespace regions

/// Ownership of a host access to a region; ends it in the destructor. Moved-from: owns nothing.
class HostMapping {
  public:
    HostMapping(regions::RegionRoot* region, Privilege privilege, void* elements,
                const data::Box* bounds, const data::BoxSet* all) noexcept
        : region_(region), privilege_(privilege), elements_(elements), bounds_(bounds), all_(all) {}
    HostMapping(const HostMapping&) = delete;
    HostMapping& operator=(const HostMapping&) = delete;
    HostMapping(HostMapping&& other) noexcept
        : region_(std::exchange(other.region_, nullptr)),
          privilege_(other.privilege_),
          elements_(other.elements_),
          bounds_(other.bounds_),
          all_(other.all_) {}
    HostMapping& operator=(HostMapping&&) = delete;
    ~HostMapping() {
        if (region_ != nullptr) regions::unmap(region_, privilege_);
    }
    [[nodiscard]] void* elements() const noexcept { return elements_; }
    [[nodiscard]] const data::Box& bounds() const noexcept { return *bounds_; }
    [[nodiscard]] const data::BoxSet& all() const noexcept { return *all_; }

  private:
    regions::RegionRoot* region_;
    Privilege privilege_;
    void* elements_;
    const data::Box* bounds_;
    const data::BoxSet* all_;
};

/// All elements of a region, addressed like those of a View. T is const in views to read.
template <class T, int R>
class HostView {
  public:
    explicit HostView(HostMapping mapping) noexcept : mapping_(std::move(mapping)) {}

    [[nodiscard]] View<T, R> view() const noexcept {
        return View<T, R>(mapping_.elements(), mapping_.bounds(), mapping_.all());
    }
    [[nodiscard]] T& operator[](const Point<R>& point) const { return view()[point]; }
    template <std::integral... I>
    requires(sizeof...(I) == R) [[nodiscard]] T& operator()(I... i) const {
        return view()[Point<R>(i...)];
    }
    [[nodiscard]] Rect<R> domain() const noexcept { return data::rect_of<R>(mapping_.bounds()); }
    /// All elements in row-major order.
    [[nodiscard]] std::span<T> elements() const noexcept {
        return {static_cast<T*>(mapping_.elements()),
                static_cast<std::size_t>(mapping_.bounds().volume())};
    }

  private:
    HostMapping mapping_;
};

}  // namespace refrain
