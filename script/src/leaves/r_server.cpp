#include "leaves/language_servers.hpp"
#include "library/services.hpp"
#include "memo/packed_value.hpp"
#include "processes/helper_process.hpp"
#include "values/text.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <string>

namespace refrain::script {
namespace {

using processes::HelperProcess;

using Object = void*;  // R's SEXP

/// What is used of R's library, by name.
struct R {
    void* library;
    int kept = 0;

    template <class T>
    T& variable(const char* name) const {
        return *static_cast<T*>(dlsym(library, name));
    }
    template <class Result = Object, class... Arguments>
    Result call(const char* name, Arguments... arguments) const {
        return reinterpret_cast<Result (*)(Arguments...)>(dlsym(library, name))(arguments...);
    }
    /// Kept from R's collector until evaluated() has ended.
    template <class... Arguments>
    Object made(const char* maker, Arguments... arguments) {
        ++kept;
        return call("Rf_protect", call(maker, arguments...));
    }
    Object text(const std::string& is) { return made("Rf_mkString", is.c_str()); }
    Object name(const char* is) const { return call("Rf_install", is); }
    /// Null after an error.
    Object evaluated(Object what) {
        int failed = 0;
        const Object value =
            call("R_tryEvalSilent", what, variable<Object>("R_GlobalEnv"), &failed);
        call<void>("Rf_unprotect", std::exchange(kept, 0));
        return failed != 0 ? nullptr : value;
    }
    void begin() {
        std::array<const char*, 5> words = {"R", "--vanilla", "--no-echo", "--no-readline",
                                            nullptr};
        variable<int>("R_SignalHandlers") = 0;
        call<int>("Rf_initialize_R", 4, const_cast<char**>(words.data()));
        // This thread is not the one whose stack R has measured.
        variable<std::uintptr_t>("R_CStackLimit") = ~std::uintptr_t{0};
        call<void>("setup_Rmainloop");
        const Object parsed = made("Rf_lang2", name("str2lang"), text(std::string(r_server_R)));
        evaluated(made("Rf_lang2", name("eval"), parsed));
    }
    void answer(int socket, const std::string& request) {
        const auto is = unpacked<ForeignCode>(request);
        const Object pair =
            evaluated(made("Rf_lang3", name(".refrain"), text(is.code), text(is.expression)));
        const auto part = [&](std::ptrdiff_t i) {
            return call<const char*>("R_CHAR", call("STRING_ELT", pair, i));
        };
        if (pair == nullptr)
            HelperProcess::answer(socket, HelperProcess::failed, "R gave up");
        else
            HelperProcess::answer(
                socket, *part(0) == '1' ? HelperProcess::done : HelperProcess::failed, part(1));
    }
};

}  // namespace

int serve_r(int socket) {
    const std::string home = setting("R_HOME", "/usr/lib/R");
    setenv("R_HOME", home.c_str(), 1);
    R r{dlopen((home + "/lib/libR.so").c_str(), RTLD_NOW | RTLD_GLOBAL)};
    if (r.library == nullptr) {
        HelperProcess::answer(socket, HelperProcess::failed,
                              std::string("the library of R cannot be opened: ") + dlerror() +
                                  "; install the package r-base-core, or set R_HOME to R's folder");
        return 1;
    }
    r.begin();
    HelperProcess::answer(socket, HelperProcess::done, {});
    for (std::string request; HelperProcess::receive(socket, request);) r.answer(socket, request);
    r.call<void>("Rf_endEmbeddedR", 0);
    return 0;
}

}  // namespace refrain::script
