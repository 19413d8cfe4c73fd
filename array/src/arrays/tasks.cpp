// The library's tasks (refrain/array/task.hpp) as work (refrain/array/work.hpp).
#include "refrain/array/task.hpp"
#include "refrain/array/work.hpp"

#include <array>
#include <span>
#include <vector>

#include "stores/store_table.hpp"

namespace refrain::array {

namespace {

constexpr std::size_t few = 4;

/// So many elements: of the array, or of the vector if they are too many.
template <class T>
std::span<T> room_for(std::size_t count, std::array<T, few>& inside, std::vector<T>& outside) {
    if (count <= few) return std::span(inside).first(count);
    outside.resize(count);
    return outside;
}

void run_body(const WorkFrame& frame) {
    std::array<TaskView, few> inside;
    std::vector<TaskView> outside;
    const std::span views = room_for(frame.views.size(), inside, outside);
    for (std::size_t i = 0; i < views.size(); ++i)
        views[i] = {frame.views[i].address, &frame.views[i].layout, frame.views[i].dtype};
    frame.parameters<const Task*>()->body({views, frame.numbers});
}

}  // namespace

void Machine::run(const Task& task, std::span<const Array> written, std::span<const Array> read,
                  std::span<const std::int64_t> numbers) {
    std::array<WorkUse, few> inside;
    std::vector<WorkUse> outside;
    const std::span uses = room_for(written.size() + read.size(), inside, outside);
    std::size_t count = 0;
    std::int64_t bytes = 0;
    const auto add = [&](const Array& array, Privilege privilege) {
        uses[count++] = {&array, privilege};
        bytes += array.size() * static_cast<std::int64_t>(bytes_of(array.dtype()));
    };
    for (const Array& array : written) {
        if (!array.store().writable)
            throw ArrayError(ErrorKind::value, "assignment destination is read-only");
        add(array, Privilege::read_write);
    }
    for (const Array& array : read) add(array, Privilege::read);
    Work work;
    work.name = task.name;
    work.function = &run_body;
    work.uses = uses;
    work.cost = bytes * task.cost;
    work.numbers = numbers;
    work.hashes_bytes = false;  // an address: the name stands for it
    issue(std::move(work).with(&task));
}

}  // namespace refrain::array
