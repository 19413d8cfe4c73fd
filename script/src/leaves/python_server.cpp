#include "leaves/python_server.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

#include "processes/helper_process.hpp"

namespace refrain::script {
namespace {

/// Answers requests until the other end is closed. Code of calls that keep state runs in __main__, other code in a
/// new dictionary. Requests are read in Python, which releases the interpreter's lock: threads
/// that a call has started keep running between calls.
constexpr const char* server = R"python(
def _refrain_serve(fd):
    import builtins, os, sys
    names = globals()
    del names['_refrain_serve']
    read, write, order = os.read, os.write, sys.byteorder
    compiled = {}

    def compiled_anew(text, mode):
        name = '<expression>' if mode == 'eval' else '<code>'
        try:
            return compile(text, name, mode)
        except IndentationError:
            import textwrap
            return compile(textwrap.dedent(text), name, mode)

    def code_of(text, mode):
        code = compiled.get((text, mode))
        if code is None:
            if len(compiled) >= 1000:
                compiled.clear()
            code = compiled[text, mode] = compiled_anew(text, mode)
        return code

    def place(error, texts):
        if isinstance(error, SyntaxError):
            for name, text in texts.items():
                if error.filename == name and error.lineno:
                    return name, text, error.lineno
        step = error.__traceback__
        while step is not None:
            name = step.tb_frame.f_code.co_filename
            if name in texts and step.tb_frame.f_code.co_name == '<module>':
                return name, texts[name], step.tb_lineno
            step = step.tb_next

    def told(error, code, expression):
        import traceback
        said = traceback.format_exception_only(type(error), error)[-1].strip()
        found = place(error, {'<code>': code, '<expression>': expression})
        if found is None:
            return said
        name, text, number = found
        lines = text.splitlines()
        line = lines[number - 1].strip() if 0 < number <= len(lines) else ''
        where = 'the expression' if name == '<expression>' else f'line {number} of the code'
        return f'{said} (in {where}: {line})'

    def flush():
        for each in (sys.stdout, sys.stderr):
            try:
                each.flush()
            except (AttributeError, OSError, ValueError):
                pass  # the code has closed or replaced it

    def evaluated(keeps, code, expression):
        try:
            where = names if keeps else {'__name__': '__main__', '__builtins__': builtins}
            if code:
                exec(code_of(code, 'exec'), where)
            value = eval(code_of(expression.strip(), 'eval'), where) if expression else ''
            if isinstance(value, str):
                value.encode('utf-8', 'surrogateescape')  # raises if there is no such text
                return True, value
            text = repr(value)
            text = text if len(text) < 60 else text[:57] + '...'
            return False, (f"the expression '{expression}' is {text} of the type "
                           f"{type(value).__name__}, not a text; write repr({expression}) or str({expression})")
        except BaseException as error:
            return False, told(error, code, expression)
        finally:
            flush()

    def answer(well, text):
        data = text.encode('utf-8', 'surrogateescape' if well else 'backslashreplace')
        data = len(data).to_bytes(8, order) + (b'\1' if well else b'\0') + data
        while data:
            data = data[write(fd, data):]

    def request():
        data = read(fd, 65536)
        while len(data) < 9 or len(data) < 9 + int.from_bytes(data[:8], order):
            more = read(fd, 1 << 20)
            if not more:
                return b''
            data = bytearray(data) if isinstance(data, bytes) else data
            data += more
        return data

    answer(True, '')
    while True:
        data = request()
        if not data:
            break
        end = 18 + int.from_bytes(data[10:18], order)
        code = data[18:end].decode('utf-8', 'surrogateescape')
        answer(*evaluated(data[9] != 0, code, data[end:].decode('utf-8', 'surrogateescape')))
    import atexit
    atexit._run_exitfuncs()
    flush()
)python";

void* opened_python(std::string& tried) {
    const auto open = [&](const std::string& name) {
        // Modules in shared libraries look for Python's functions in the program.
        void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
        const char* problem = handle == nullptr ? dlerror() : nullptr;
        if (problem != nullptr && tried.empty()) tried = problem;
        return handle;
    };
    if (const char* given = std::getenv("REFRAIN_LIBPYTHON"); given != nullptr && *given != '\0')
        return open(given);
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
    std::string problem;
    void* library = opened_python(problem);
    if (library == nullptr) {
        processes::HelperProcess::answer(
            socket, processes::HelperProcess::failed,
            "the library of Python cannot be opened: " + problem +
                "; install the package libpython3-dev (or python3-dev), or set "
                "REFRAIN_LIBPYTHON to the library's path");
        return 1;
    }
    const auto initialize = function_of<void (*)(int)>(library, "Py_InitializeEx");
    const auto run = function_of<int (*)(const char*)>(library, "PyRun_SimpleString");
    if (initialize == nullptr || run == nullptr) {
        processes::HelperProcess::answer(
            socket, processes::HelperProcess::failed,
            "what REFRAIN_LIBPYTHON names is no library of Python: it has no "
            "Py_InitializeEx or no PyRun_SimpleString");
        return 1;
    }
    initialize(0);
    const std::string text =
        std::string(server) + "_refrain_serve(" + std::to_string(socket) + ")\n";
    return run(text.c_str()) == 0 ? 0 : 1;
}

std::string foreign_request(std::string_view code, std::string_view expression, bool keeps_state) {
    std::string request(1, keeps_state ? '\1' : '\0');
    const std::uint64_t size = code.size();
    request.append(reinterpret_cast<const char*>(&size), sizeof size);
    request += code;
    request += expression;
    return request;
}

std::pair<std::string, std::string> foreign_code_of(std::string_view request) {
    std::uint64_t size = 0;
    std::memcpy(&size, request.data() + 1, sizeof size);
    const std::string_view texts = request.substr(1 + sizeof size);
    return {std::string(texts.substr(0, size)), std::string(texts.substr(size))};
}

}  // namespace refrain::script
