/// Host views: access of the host program to the elements of a region.
///
///     double sum = 0;
///     {
///         auto view = rt.read(x);          // waits for the writers of x
///         for (double v : view.elements()) sum += v;
///     }                                    // from here on launches may write x
///
///     for (double v : rt.read(x).elements()) sum += v;   // the range owns the view
///
/// Runtime::read, write and read_write make host views. While one lives, launches that conflict
/// with it throw UsageError. What is taken from a view without a name lives as follows:
///
///     rt.read(x).elements()    a range that owns the view, so that a loop over it is guarded. A
///                              std::span made of it does not own it: pass it to a function, or
///                              name the view.
///     rt.read(x)[p]            a copy of the element
///     rt.write(x)[p] = 1       a reference, for this expression
///     rt.read(x).view()        does not compile: name the host view
///
/// Threads: the launching thread makes and destroys views; any thread may access the elements.
#pragma once

#include "refrain/privilege.hpp"
#include "refrain/rect.hpp"
#include "refrain/view.hpp"

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace refrain {

namespace regions {
struct RegionRoot;
void unmap(RegionRoot* region, Privilege privilege) noexcept;
}  // namespace regions

/// Ownership of a host access to a region; ends it in the destructor. Moved-from: owns nothing.
class HostMapping {
  public:
    /// `written`: marks for CheckOptions::strict_reads; null without.
    HostMapping(regions::RegionRoot* region, Privilege privilege, void* elements,
                const data::Box* bounds, const data::BoxSet* all,
                data::WrittenElements* written) noexcept
        : region_(region),
          privilege_(privilege),
          elements_(elements),
          bounds_(bounds),
          all_(all),
          written_(written) {}
    HostMapping(const HostMapping&) = delete;
    HostMapping& operator=(const HostMapping&) = delete;
    HostMapping(HostMapping&& other) noexcept
        : region_(std::exchange(other.region_, nullptr)),
          privilege_(other.privilege_),
          elements_(std::exchange(other.elements_, nullptr)),
          bounds_(other.bounds_),
          all_(other.all_),
          written_(other.written_) {}
    HostMapping& operator=(HostMapping&& other) noexcept {
        HostMapping ended(std::move(*this));
        region_ = std::exchange(other.region_, nullptr);
        privilege_ = other.privilege_;
        elements_ = std::exchange(other.elements_, nullptr);
        bounds_ = other.bounds_;
        all_ = other.all_;
        written_ = other.written_;
        return *this;
    }
    ~HostMapping() {
        if (region_ != nullptr) regions::unmap(region_, privilege_);
    }
    [[nodiscard]] void* elements() const noexcept { return elements_; }
    [[nodiscard]] const data::Box& bounds() const noexcept { return *bounds_; }
    [[nodiscard]] const data::BoxSet& all() const noexcept { return *all_; }
    [[nodiscard]] data::WrittenElements* written() const noexcept { return written_; }

  private:
    regions::RegionRoot* region_;
    Privilege privilege_;
    void* elements_;
    const data::Box* bounds_;
    const data::BoxSet* all_;
    data::WrittenElements* written_;
};

inline namespace REFRAIN_VIEWS {

/// The elements of a host view that had no name, in row-major order: owns the view.
template <class T>
class HostElements {
  public:
    using value_type = std::remove_const_t<T>;
    using iterator = T*;

    explicit HostElements(HostMapping mapping) noexcept : mapping_(std::move(mapping)) {}

    [[nodiscard]] T* data() const noexcept { return static_cast<T*>(mapping_.elements()); }
    [[nodiscard]] std::size_t size() const noexcept {
        return mapping_.elements() == nullptr
                   ? 0
                   : static_cast<std::size_t>(mapping_.bounds().volume());
    }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    [[nodiscard]] T* begin() const noexcept { return data(); }
    [[nodiscard]] T* end() const noexcept { return data() + size(); }
    [[nodiscard]] T& operator[](std::size_t i) const noexcept { return data()[i]; }
    [[nodiscard]] T& front() const noexcept { return data()[0]; }
    [[nodiscard]] T& back() const noexcept { return data()[size() - 1]; }
    /// For a function that takes a span; valid for this expression. (A span of constant elements
    /// converts by itself.)
    [[nodiscard]] operator std::span<T>() const noexcept requires(!std::is_const_v<T>) {
        return {data(), size()};
    }

  private:
    HostMapping mapping_;
};

/// All elements of a region, addressed like those of a View. T is const in views to read.
template <class T, int R>
class HostView {
    static constexpr bool is_to_read = std::is_const_v<T>;

  public:
    explicit HostView(HostMapping mapping) noexcept : mapping_(std::move(mapping)) {
#ifndef REFRAIN_CHECK_BOUNDS
        // This build does not mark what it writes.
        if (!is_to_read && mapping_.written() != nullptr) mapping_.written()->add(mapping_.all());
#endif
    }

    /// Valid while this host view lives.
    [[nodiscard]] View<T, R> view() const& noexcept {
        return View<T, R>(mapping_.elements(), mapping_.bounds(), mapping_.all(),
                          mapping_.written());
    }
    View<T, R> view() const&& = delete;  // name the host view: it would end with the expression

    [[nodiscard]] T& operator[](const Point<R>& point) const& {
        return view()[point];
    }
    /// Of a view to read without a name: a copy, which may be kept.
    [[nodiscard]] T operator[](const Point<R>& point) const&& requires(is_to_read) {
        return (*this)[point];
    }
    [[nodiscard]] T& operator[](const Point<R>& point) const&& requires(!is_to_read) {
        return (*this)[point];
    }
    template <std::integral... I>
    requires(sizeof...(I) == R) [[nodiscard]] T& operator()(I... i) const& {
        return (*this)[Point<R>(i...)];
    }
    template <std::integral... I>
    requires(sizeof...(I) == R) [[nodiscard]] decltype(auto) operator()(I... i) const&& {
        return std::move(*this)[Point<R>(i...)];
    }
    [[nodiscard]] Rect<R> domain() const noexcept {
        return data::rect_of<R>(mapping_.bounds());
    }

    /// All elements in row-major order; valid while this host view lives.
    [[nodiscard]] std::span<T> elements() const& {
        lend_all();
        return {static_cast<T*>(mapping_.elements()),
                static_cast<std::size_t>(mapping_.bounds().volume())};
    }
    /// The same of a host view without a name, which the range owns.
    [[nodiscard]] HostElements<T> elements() && {
        lend_all();
        return HostElements<T>(std::move(mapping_));
    }
    HostElements<T> elements() const&& = delete;

  private:
    void lend_all() const {
#ifdef REFRAIN_CHECK_BOUNDS
        if (mapping_.written() == nullptr) return;
        if constexpr (is_to_read)
            mapping_.written()->require(mapping_.bounds());
        else
            mapping_.written()->add(mapping_.bounds());
#endif
    }

    HostMapping mapping_;
};

}  // namespace REFRAIN_VIEWS
}  // namespace refrain
