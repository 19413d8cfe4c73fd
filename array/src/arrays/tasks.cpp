// The library's tasks (refrain/array/task.hpp) as work (refrain/array/work.hpp).
#include "refrain/array/task.hpp"
#include "refrain/array/work.hpp"

#include "arrays/few.hpp"
#include "stores/store_table.hpp"

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

}  // namespace

void Machine::run(const Task& task, std::span<const Array> written, std::span<const Array> read,
                  std::span<const std::int64_t> numbers) {
    Few<WorkUse, arrays_few> uses(written.size() + read.size());
    std::size_t count = 0;
    std::int64_t bytes = 0;
    const auto add = [&](const Array& array, Privilege privilege) {
        uses[count].array = &array;
        uses[count++].privilege = privilege;
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
    work.uses = uses.all();
    work.cost = bytes * task.cost;
    work.numbers = numbers;
    work.hashes_bytes = false;  // an address: the name stands for it
    const Task* const which = &task;
    std::memcpy(work.bytes, &which, sizeof which);
    issue(work);
}

}  // namespace refrain::array
