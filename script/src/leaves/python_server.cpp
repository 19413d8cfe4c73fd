#include "leaves/language_servers.hpp"
#include "processes/helper_process.hpp"
#include "values/text.hpp"

#include <dlfcn.h>
#include <string>

namespace refrain::script {
namespace {

using processes::HelperProcess;

void* opened_python(std::string& tried) {
    const auto open = [&](const std::string& name) {
        // Modules in shared libraries look for Python's functions in the program.
        void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
        const char* problem = handle == nullptr ? dlerror() : nullptr;
        if (problem != nullptr && tried.empty()) tried = problem;
        return handle;
    };
    if (const std::string given = setting("REFRAIN_LIBPYTHON"); !given.empty()) return open(given);
    constexpr int newest = 19;
    constexpr int oldest = 8;
    for (int minor = newest; minor >= oldest; --minor)
        for (const char* suffix : {".so.1.0", ".so"})
            if (void* handle = open("libpython3." + std::to_string(minor) + suffix)) return handle;
    tried = "none of libpython3.8.so to libpython3.19.so opens; the first said: " + tried;
    return nullptr;
}

template <class Function>
Function function_of(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

int serve_python(int socket) {
    const auto refuse = [&](const std::string& why) {
        HelperProcess::answer(socket, HelperProcess::failed, why);
        return 1;
    };
    std::string problem;
    void* library = opened_python(problem);
    if (library == nullptr)
        return refuse("the library of Python cannot be opened: " + problem +
                      "; install the package libpython3-dev (or python3-dev), or set "
                      "REFRAIN_LIBPYTHON to the library's path");
    const auto initialize = function_of<void (*)(int)>(library, "Py_InitializeEx");
    const auto run = function_of<int (*)(const char*)>(library, "PyRun_SimpleString");
    if (initialize == nullptr || run == nullptr)
        return refuse(
            "what REFRAIN_LIBPYTHON names is no library of Python: it has no "
            "Py_InitializeEx or no PyRun_SimpleString");
    initialize(0);
    const std::string text =
        std::string(python_server_py) + "_refrain_serve(" + std::to_string(socket) + ")\n";
    return run(text.c_str()) == 0 ? 0 : 1;
}

}  // namespace refrain::script
