// What happened to values, and failed tasks, reach the program: at waits, with the line that issued the
// operation.
#include "refrain/launch_site.hpp"

#include <string>

#include "ndarray/core.hpp"

namespace refrain::ndarray {
namespace {

/// NumPy's: two bits and more for divide, over, under, invalid.
constexpr unsigned default_mask = 521;
constexpr unsigned mode_of(unsigned mask, unsigned kind) noexcept {
    return mask >> (3 * kind) & 7U;
}
constexpr unsigned warns = 1;

/// numpy.seterr is per thread.
thread_local unsigned error_mask = default_mask;

/// A line for the runtime: asked on the launching thread, with or without the interpreter lock, also
/// after the interpreter's end. It takes no memory of Python's: the name was encoded when the code
/// became known.
SiteResolver::Place place_of(std::uint64_t word, std::uint32_t detail) {
    auto* code = reinterpret_cast<PyCodeObject*>(static_cast<std::uintptr_t>(word));
    if (code == nullptr) return {};
    const char* file = PyUnicode_AsUTF8(code->co_filename);
    const auto offset = static_cast<std::int32_t>(detail);
    const int line = offset < 0 ? -1 - offset : PyCode_Addr2Line(code, offset);
    return {file == nullptr ? "" : file, static_cast<std::uint32_t>(line)};
}

}  // namespace

void resolve_sites() noexcept {
    core.machine->set_site_resolver(core.sites ? place_of : nullptr);
}

void apply_error_mask() noexcept {
    unsigned wanted = 0;
    bool at_once = core.errors_now;
    for (unsigned kind = 0; kind < 4; ++kind) {
        const unsigned mode = mode_of(error_mask, kind);
        if (mode != 0) wanted |= 1U << kind;
        at_once = at_once || mode > warns;
    }
    core.machine->set_value_policy(
        {static_cast<std::uint8_t>(wanted), static_cast<std::uint16_t>(error_mask)});
    core.machine->set_waits_at_once(at_once);
}

PyObject* set_error_mask(unsigned mask) {
    error_mask = mask;
    if (core.machine != nullptr) {
        static_cast<void>(machine());
        apply_error_mask();
    }
    Py_RETURN_NONE;
}

void tell_values() {
    Machine& entered = machine();
    if (entered.waits_at_once()) without_lock([&] { entered.wait(); });
    const std::vector<array::ValueEvent> events = entered.take_value_events();
    if (events.empty() || core.hooks.values == nullptr) return;
    const Reference list(checked(PyList_New(0)));
    for (const array::ValueEvent& event : events) {
        const Reference place(checked(resolved_site(event.site)));
        const Reference row(checked(Py_BuildValue("(Os#II)", place.get(), event.function.data(),
                                                  static_cast<Py_ssize_t>(event.function.size()),
                                                  event.flags, unsigned{event.tag})));
        if (PyList_Append(list.get(), row.get()) < 0) throw PythonError();
    }
    const Reference told(checked(PyObject_CallOneArg(core.hooks.values, list.get())));
}

}  // namespace refrain::ndarray
