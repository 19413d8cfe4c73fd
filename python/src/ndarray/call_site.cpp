// Where running code is. CPython 3.11: a few loads from the interpreter's frame, whose layout lies in an
// internal header; others: the public functions, which make a frame object.
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ndarray/convert.hpp"
#include "ndarray/core.hpp"

#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000 && !defined(REFRAIN_PUBLIC_FRAMES)
#define REFRAIN_FRAMES_311 1
#endif

namespace refrain::ndarray {
namespace {

#if REFRAIN_FRAMES_311
/// As _PyInterpreterFrame of CPython 3.11, internal/pycore_frame.h, which is no header of C++.
struct Frame {
    PyObject* function;
    PyObject* globals;
    PyObject* builtins;
    PyObject* locals;
    PyCodeObject* code;
    PyFrameObject* frame_object;
    Frame* previous;
    char* next_instruction;  // the one before it, to be exact
};
#endif

/// Code objects that sites refer to; each is kept alive. The value: whether it is the module's own.
std::unordered_map<PyCodeObject*, bool> known_code;
PyCodeObject* last_code = nullptr;
std::vector<std::string> own_folders;

bool is_own(PyCodeObject* code) {
    const char* file = PyUnicode_AsUTF8(code->co_filename);
    if (file == nullptr) {
        PyErr_Clear();
        return false;
    }
    const std::string_view name(file);
    if (name == "<__array_function__ internals>") return true;
    for (const std::string& folder : own_folders)
        if (name.substr(0, folder.size()) == folder) return true;
    return false;
}

/// Whether the code is a program's. Not remembered code becomes so.
bool is_program(PyCodeObject* code) {
    if (code == last_code) return true;
    auto found = known_code.find(code);
    if (found == known_code.end()) {
        Py_INCREF(code);
        found = known_code.emplace(code, is_own(code)).first;
    }
    if (found->second) return false;
    last_code = code;
    return true;
}

array::Site site_at(PyCodeObject* code, std::int64_t instruction_bytes) {
    return {
        {reinterpret_cast<std::uintptr_t>(code), static_cast<std::uint64_t>(instruction_bytes)}};
}

}  // namespace

array::Site running_site() noexcept {
    try {
#if REFRAIN_FRAMES_311
        const PyThreadState* thread = _PyThreadState_UncheckedGet();
        const auto* frame = reinterpret_cast<const Frame*>(thread->cframe->current_frame);
        while (frame != nullptr && !is_program(frame->code)) frame = frame->previous;
        if (frame == nullptr) return {};
        const char* first = frame->code->co_code_adaptive;
        return site_at(frame->code, frame->next_instruction - first);
#else
        PyFrameObject* frame = PyEval_GetFrame();
        Reference held;
        while (frame != nullptr) {
            PyCodeObject* code = PyFrame_GetCode(frame);
            Py_DECREF(code);  // the frame keeps it
            if (is_program(code)) {
#if PY_VERSION_HEX >= 0x030B0000
                return site_at(code, PyFrame_GetLasti(frame));
#else
                const int line = PyFrame_GetLineNumber(frame);
                return site_at(code, -1 - line);
#endif
            }
            PyFrameObject* back = PyFrame_GetBack(frame);
            held = Reference(reinterpret_cast<PyObject*>(back));
            frame = back;
        }
        return {};
#endif
    } catch (...) {
        return {};
    }
}

void note_site() {
    const array::Site site = running_site();
    if (core.counts_sites) count_operation(site);
    core.machine->set_site(site);
}

namespace {

struct SiteCounts {
    std::uint64_t operations = 0;
    std::uint64_t waits = 0;
};
struct SiteHash {
    std::size_t operator()(const array::Site& site) const noexcept {
        return static_cast<std::size_t>(site.words[0] * 0x9e3779b97f4a7c15u + site.words[1]);
    }
};
std::unordered_map<array::Site, SiteCounts, SiteHash> counts_by_site;

}  // namespace

void count_operation(const array::Site& site) {
    ++counts_by_site[site].operations;
}
void count_wait() noexcept {
    try {
        ++counts_by_site[running_site()].waits;
    } catch (...) {  // a count less
    }
}

PyObject* site_counts() {
    Reference list(checked(PyList_New(0)));
    for (const auto& [site, counts] : counts_by_site) {
        const Reference place(checked(resolved_site(site)));
        if (place.get() == Py_None) continue;
        const Reference row(checked(Py_BuildValue(
            "(OOKK)", PyTuple_GET_ITEM(place.get(), 0), PyTuple_GET_ITEM(place.get(), 1),
            static_cast<unsigned long long>(counts.operations),
            static_cast<unsigned long long>(counts.waits))));
        if (PyList_Append(list.get(), row.get()) < 0) throw PythonError();
    }
    return list.release();
}

PyObject* resolved_site(const array::Site& site) {
    auto* code = reinterpret_cast<PyCodeObject*>(site.words[0]);
    if (known_code.find(code) == known_code.end()) Py_RETURN_NONE;
    const auto offset = static_cast<std::int64_t>(site.words[1]);
    const int line = offset < 0 ? static_cast<int>(-1 - offset)
                                : PyCode_Addr2Line(code, static_cast<int>(offset));
    return Py_BuildValue("(Oi)", code->co_filename, line);
}

bool add_own_folder(PyObject* path) noexcept {
    const char* text = PyUnicode_AsUTF8(path);
    if (text == nullptr) return false;
    own_folders.push_back(std::string(text) + "/");
    return true;
}

}  // namespace refrain::ndarray
