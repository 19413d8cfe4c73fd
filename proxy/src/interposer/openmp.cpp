/// Regions of OpenMP between two calls: how many threads compute in them, and for how long. GCC compiles each to a call of one
/// of its library's functions, which these stand in front of. Regions of other compilers are not seen.

#include "interposer/runtime.h"

#ifndef SMPI_H
namespace refrain::proxy {
namespace {

/// A region that a thread begins: its first thread says how many there are.
struct Region {
    void (*body)(void*);
    void* data;
    std::uint32_t threads;
};

template <class Function>
Function* of_program(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}
/// The library's own function. It is behind this one, or known only to whoever calls: an extension of Python may bring a
/// library along.
template <class Function>
Function* behind_this(const char* name, void* caller) {
    void* found = dlsym(RTLD_NEXT, name);
    Dl_info place{};
    if (found == nullptr && dladdr(caller, &place) != 0) {
        void* const library = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
        if (library != nullptr) found = dlsym(library, name);
    }
    if (found == nullptr) {
        std::fprintf(stderr, "refrain proxy: %s is nowhere behind the recorder\n", name);
        std::abort();
    }
    return reinterpret_cast<Function*>(found);
}

void run_body(void* at) {
    auto& region = *static_cast<Region*>(at);
    static auto* const number = of_program<int()>("omp_get_thread_num");
    static auto* const count = of_program<int()>("omp_get_num_threads");
    if (number != nullptr && count != nullptr && number() == 0)
        region.threads = static_cast<std::uint32_t>(count());
    region.body(region.data);
}

/// Runs a region by `run(body, data)`. One within another is a part of that.
template <class Run>
void watch(void (*body)(void*), void* data, const Run& run) {
    if (!awake() || team_work.is_open()) return run(body, data);
    Region region{body, data, 1};
    team_work.open();
    run(run_body, static_cast<void*>(&region));
    team_work.close(region.threads);
}

}  // namespace
}  // namespace refrain::proxy

using refrain::proxy::behind_this;
using refrain::proxy::watch;
using Body = void (*)(void*);
#pragma GCC visibility push(default)
extern "C" {
void GOMP_parallel(Body body, void* data, unsigned threads, unsigned flags) {
    static auto* const real = behind_this<void(Body, void*, unsigned, unsigned)>(
        "GOMP_parallel", __builtin_return_address(0));
    watch(body, data, [=](Body run, void* with) { real(run, with, threads, flags); });
}
void GOMP_parallel_sections(Body body, void* data, unsigned threads, unsigned count,
                            unsigned flags) {
    static auto* const real = behind_this<void(Body, void*, unsigned, unsigned, unsigned)>(
        "GOMP_parallel_sections", __builtin_return_address(0));
    watch(body, data, [=](Body run, void* with) { real(run, with, threads, count, flags); });
}
#define REFRAIN_LOOP(name)                                                              \
    void name(Body body, void* data, unsigned threads, long first, long end, long step, \
              long chunk, unsigned flags) {                                             \
        static auto* const real =                                                       \
            behind_this<void(Body, void*, unsigned, long, long, long, long, unsigned)>( \
                #name, __builtin_return_address(0));                                    \
        watch(body, data, [=](Body run, void* with) {                                   \
            real(run, with, threads, first, end, step, chunk, flags);                   \
        });                                                                             \
    }
#define REFRAIN_RUNTIME_LOOP(name)                                                               \
    void name(Body body, void* data, unsigned threads, long first, long end, long step,          \
              unsigned flags) {                                                                  \
        static auto* const real =                                                                \
            behind_this<void(Body, void*, unsigned, long, long, long, unsigned)>(                \
                #name, __builtin_return_address(0));                                             \
        watch(body, data,                                                                        \
              [=](Body run, void* with) { real(run, with, threads, first, end, step, flags); }); \
    }
// clang-format off: a list of macros looks like a declaration without an end
REFRAIN_LOOP(GOMP_parallel_loop_static)
REFRAIN_LOOP(GOMP_parallel_loop_dynamic)
REFRAIN_LOOP(GOMP_parallel_loop_guided)
REFRAIN_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
REFRAIN_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
REFRAIN_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
REFRAIN_RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
REFRAIN_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)
// clang-format on
}
#pragma GCC visibility pop
#endif
