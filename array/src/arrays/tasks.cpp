// The library's tasks (refrain/array/task.hpp) as work (refrain/array/work.hpp).
#include "refrain/array/task.hpp"
#include "refrain/array/work.hpp"

#include <vector>

#include "stores/store_table.hpp"

namespace refrain::array {

namespace {

void run_body(const WorkFrame& frame) {
    std::vector<TaskView> views;
    views.reserve(frame.views.size());
    for (const WorkView& view : frame.views)
        views.push_back({view.address, &view.layout, view.dtype});
    frame.parameters<const Task*>()->body({views, frame.numbers});
}

}  // namespace

void Machine::run(const Task& task, std::span<const Array> written, std::span<const Array> read,
                  std::span<const std::int64_t> numbers) {
    std::vector<WorkUse> uses;
    uses.reserve(written.size() + read.size());
    std::int64_t bytes = 0;
    const auto add = [&](const Array& array, Privilege privilege) {
        uses.push_back({&array, privilege});
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
