// The library's tasks (refrain/array/task.hpp) as work (refrain/array/work.hpp).
#include "refrain/array/task.hpp"
#include "refrain/array/work.hpp"

#include <algorithm>
#include <array>

#include "arrays/few.hpp"
#include "arrays/parts.hpp"

namespace refrain::array {

namespace {

constexpr std::size_t arrays_few = 8;

void run_body(const WorkFrame& frame) {
    Few<TaskView, arrays_few> views(frame.views.size());
    for (std::size_t i = 0; i < frame.views.size(); ++i) {
        const WorkView& view = frame.views[i];
        views[i] = {view.address, &view.layout, view.dtype};
    }
    frame.parameters<const Task*>()->body({views.all(), frame.numbers});
}

std::int64_t bytes_of_all(std::span<const Array> arrays) noexcept {
    std::int64_t bytes = 0;
    for (const Array& array : arrays)
        bytes += array.size() * static_cast<std::int64_t>(bytes_of(array.dtype()));
    return bytes;
}

}  // namespace

bool Machine::Parts::run_at_once(const Task& task, std::span<const Array> written,
                                 std::span<const Array> read,
                                 std::span<const std::int64_t> numbers) {
    if (hashing || written.size() + read.size() > arrays_few) return false;
    for (const Array& array : written)
        if (array.store().may_be_used || array.store().is_pending(Privilege::write)) return false;
    for (const Array& array : read)
        if (array.store().may_be_written || array.store().is_pending(Privilege::read)) return false;
    std::array<TaskView, arrays_few> seen;
    std::size_t count = 0;
    const auto place = [&](const Array& array, Privilege privilege) {
        Store& store = array.store();
        if (!store.is_placed()) locate(store);
        const auto offset = array.layout().offset * static_cast<Extent>(bytes_of(array.dtype()));
        seen[count++] = {store.memory_for(privilege) + offset, &array.layout(), array.dtype()};
    };
    for (const Array& array : written) place(array, Privilege::read_write);
    for (const Array& array : read) place(array, Privilege::read);
    ++order;
    ++counts.immediate;
    task.body({{seen.data(), count}, numbers});
    return true;
}

void Machine::run(const Task& task, std::span<const Array> written, std::span<const Array> read,
                  std::span<const std::int64_t> numbers) {
    for (const Array& array : written)
        if (!array.store().writable)
            throw ArrayError(ErrorKind::value, "assignment destination is read-only");
    const std::int64_t bytes = bytes_of_all(written) + bytes_of_all(read);
    const bool is_small = bytes * std::max(task.cost, 1) <= parts_->tuning.at_once_bytes;
    if (is_small && parts_->run_at_once(task, written, read, numbers)) return;
    Few<WorkUse, arrays_few> uses(written.size() + read.size());
    std::size_t count = 0;
    const auto add = [&](const Array& array, Privilege privilege) {
        uses[count].array = &array;
        uses[count++].privilege = privilege;
    };
    for (const Array& array : written) add(array, Privilege::read_write);
    for (const Array& array : read) add(array, Privilege::read);
    Work work;
    work.name = task.name;
    work.function = &run_body;
    work.uses = uses.all();
    work.cost = bytes * task.cost;
    work.numbers = numbers;
    work.hashes_bytes = false;  // an address: the name stands for it
    const Task* const which = &task;
    std::memcpy(work.bytes, &which, sizeof which);
    issue(work);
}

}  // namespace refrain::array
