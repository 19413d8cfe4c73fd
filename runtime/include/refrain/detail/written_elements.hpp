// room: data
/// Which elements of a region have been written, for CheckOptions::strict_reads.
///
/// Views of checked builds (REFRAIN_CHECK_BOUNDS) mark what is accessed through a writable view, and
/// refuse what is read and not marked.
///
/// Complexity: a byte per element, touched where elements are written.
/// Threads: as the elements: tasks that access one element, of which one writes, are ordered by the
///          runtime. Marks of different elements are different bytes.
#pragma once

#include "refrain/detail/box_set.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace refrain::data {

class WrittenElements {
  public:
    /// `region` names it in messages, such as "region4 'u'".
    /// Errors: OutOfMemory.
    WrittenElements(const Box& bounds, int rank, std::string region);

    void add(const Coordinates& point) noexcept { marks()[linear_index(bounds_, point)] = 1; }
    void add(const Box& piece) noexcept;
    void add(const BoxSet& elements) noexcept;

    /// Errors: UsageError naming the point and the region, if it was never written.
    void require(const Coordinates& point) const {
        if (marks()[linear_index(bounds_, point)] == 0) refuse(point, nullptr);
    }
    /// Errors: UsageError naming the first point of `piece` that was never written.
    void require(const Box& piece) const;
    [[nodiscard]] const Box& bounds() const noexcept { return bounds_; }

  private:
    struct Free {
        void operator()(unsigned char* block) const noexcept;
    };
    [[nodiscard]] unsigned char* marks() const noexcept { return marks_.get(); }
    [[noreturn]] void refuse(const Coordinates& point, const Box* piece) const;

    Box bounds_;
    int rank_;
    std::string region_;
    std::unique_ptr<unsigned char, Free> marks_;
};

/// The regions of the task that the calling thread runs, by region argument. Its views ask for them;
/// what they did not ask for was written by code that does not mark elements.
struct TaskWrites {
    struct Argument {
        WrittenElements* elements = nullptr;
        bool was_asked = false;
    };
    Argument* arguments = nullptr;
    std::size_t count = 0;

    /// Null without strict_reads.
    [[nodiscard]] static TaskWrites*& of_this_thread() noexcept;
};

/// The marks of the region argument `index` of the running task; null without strict_reads.
[[nodiscard]] WrittenElements* written_elements_of(std::size_t index) noexcept;

}  // namespace refrain::data
