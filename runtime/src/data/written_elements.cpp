#include "refrain/detail/written_elements.hpp"

#include "data/message.hpp"
#include "refrain/error.hpp"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace refrain::data {
namespace {

/// Calls f(row, count) for each line of the box along the last dimension.
template <class F>
void for_each_row(const Box& box, const F& f) {
    if (box.empty()) return;
    const auto count = static_cast<std::size_t>(box.extent(2));
    for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
        for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j) f(Coordinates{i, j, box.lo[2]}, count);
}

}  // namespace

void WrittenElements::Free::operator()(unsigned char* block) const noexcept {
    std::free(block);
}

/// Zeroed pages come from the system when they are touched.
WrittenElements::WrittenElements(const Box& bounds, int rank, std::string region)
    : bounds_(bounds),
      rank_(rank),
      region_(std::move(region)),
      marks_(
          static_cast<unsigned char*>(std::calloc(static_cast<std::size_t>(bounds.volume()), 1))) {
    if (marks_ == nullptr)
        throw OutOfMemory(region_, static_cast<std::size_t>(bounds.volume()),
                          "the marks of strict-reads take a byte per element");
}

void WrittenElements::add(const Box& piece) noexcept {
    for_each_row(piece, [&](const Coordinates& row, std::size_t count) {
        std::memset(marks() + linear_index(bounds_, row), 1, count);
    });
}

void WrittenElements::add(const BoxSet& elements) noexcept {
    elements.for_each_box([&](const Box& box) { add(box); });
}

void WrittenElements::require(const Box& piece) const {
    for_each_row(piece, [&](Coordinates row, std::size_t count) {
        const unsigned char* const first = marks() + linear_index(bounds_, row);
        const void* const unwritten = std::memchr(first, 0, count);
        if (unwritten == nullptr) return;
        row[2] += static_cast<const unsigned char*>(unwritten) - first;
        refuse(row, &piece);
    });
}

void WrittenElements::refuse(const Coordinates& point, const Box* piece) const {
    throw UsageError(
        message("view: element ", point_text(point.data(), rank_), " of ", region_,
                piece == nullptr ? "" : ", lent as part of " + to_string(*piece, rank_),
                piece == nullptr ? "" : ",",
                " was never written, and is read (strict-reads); fill the region, or "
                "write the element first"));
}

TaskWrites*& TaskWrites::of_this_thread() noexcept {
    thread_local TaskWrites* writes = nullptr;
    return writes;
}

WrittenElements* written_elements_of(std::size_t index) noexcept {
    const TaskWrites* const task = TaskWrites::of_this_thread();
    if (task == nullptr || index >= task->count) return nullptr;
    task->arguments[index].was_asked = true;
    return task->arguments[index].elements;
}

}  // namespace refrain::data
