/// Regions of OpenMP between two calls: how many threads compute in them, for how long, and what each of them counts. GCC
/// compiles each to a call of one of its library's functions, which these stand in front of. Regions of other compilers are not
/// seen.
///
/// Counts: each thread reads its own when it begins its part and when it has done it. What the library does before and behind
/// that, waiting for others above all, is nobody's work: it depends on who is late.

#include "interposer/teams.h"

#include <algorithm>
#include <dlfcn.h>
#include <vector>

#ifndef SMPI_H
namespace refrain::proxy {
namespace {

using State = TeamWatch::State;

/// A region that a thread begins: its first thread says how many there are. Each thread writes its own counts; the thread that
/// began the region reads them after the library has waited for all.
struct Region {
    void (*body)(void*);
    void* data;
    std::uint32_t threads;
    std::vector<Counts> counts;  // a place for each thread; empty if they are not counted
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
    if (region.counts.empty()) return region.body(region.data);
    const std::size_t me = number == nullptr ? 0 : static_cast<std::size_t>(number());
    const State around = team_watch.state();
    if (around == State::outside) {
        // Another thread than the one that began the region: until now it waited for one.
        process->source->read(counts_resumed);
        (void)team_watch.take_waited();
    }
    watch_team(State::working);
    region.body(region.data);
    watch_team(around);
    // It waits for its next part, as the thread that began the region does for the others.
    if (around == State::outside) process->source->rest_models(true);
    const Counts worked = team_watch.take_worked();
    if (me < region.counts.size()) region.counts[me] = worked;
}

/// The most threads that a region can have; `threads`: how many the program wants, 0 if it does not say.
std::size_t team_max(unsigned threads) {
    static auto* const most = of_program<int()>("omp_get_max_threads");
    if (threads != 0 || most == nullptr) return std::max(threads, 1U);
    return static_cast<std::size_t>(most());
}

/// Runs a region by `run(body, data)`. One within another is a part of that.
template <class Run>
void watch(void (*body)(void*), void* data, unsigned threads, const Run& run) {
    if (!awake() || team_work.is_open() || team_watch.state() != State::outside)
        return run(body, data);
    if (process->counts_teams) watch_team(State::waiting);
    Region region{body, data, 1, {}};
    if (process->counts_teams) region.counts.resize(team_max(threads));
    team_work.open();
    run(run_body, static_cast<void*>(&region));
    team_work.close(region.threads);
    if (process->counts_teams) {
        team_ledger.add_region(
            {region.counts.data(), std::min<std::size_t>(region.counts.size(), region.threads)});
        team_watch.note_waited(process->region_cost);
        watch_team(State::outside);
    }
}

/// Within a region, waits by `wait()`.
template <class Wait>
void watch_wait(const Wait& wait) {
    if (team_watch.state() != State::working) return wait();
    watch_team(State::waiting);
    wait();
    watch_team(State::working);
}

}  // namespace

/// Of a region with one thread that does nothing. The first time of each finds code and memory.
void measure_teams() {
    const auto do_nothing = [](void*) {};
    Region nothing{do_nothing, nullptr, 1, std::vector<Counts>(1)};
    watch_team(State::waiting);
    for (int turn = 0; turn < 2; ++turn) run_body(&nothing);
    watch_team(State::outside);
    process->team_cost = nothing.counts[0];
    for (int turn = 0; turn < 2; ++turn) {
        Counts before{}, then{}, after{};
        (void)team_watch.take_waited();
        process->source->read(before);
        process->source->read(then);
        watch(do_nothing, nullptr, 1, [](auto run, void* with) { run(with); });
        process->source->read(after);
        const Counts around = without(without(after, then), without(then, before));
        process->region_cost = turn == 0 ? Counts{} : without(around, team_watch.take_waited());
    }
    for (std::size_t i = 0; i < metric_count; ++i)  // these rest there
        if (is_modelled(i)) process->team_cost[i] = process->region_cost[i] = 0;
    (void)team_work.take();
    (void)team_watch.take_waited();
}

}  // namespace refrain::proxy

using refrain::proxy::behind_this;
using refrain::proxy::watch;
using refrain::proxy::watch_wait;
using Body = void (*)(void*);
#pragma GCC visibility push(default)
extern "C" {
void GOMP_parallel(Body body, void* data, unsigned threads, unsigned flags) {
    static auto* const real = behind_this<void(Body, void*, unsigned, unsigned)>(
        "GOMP_parallel", __builtin_return_address(0));
    watch(body, data, threads, [=](Body run, void* with) { real(run, with, threads, flags); });
}
void GOMP_parallel_sections(Body body, void* data, unsigned threads, unsigned count,
                            unsigned flags) {
    static auto* const real = behind_this<void(Body, void*, unsigned, unsigned, unsigned)>(
        "GOMP_parallel_sections", __builtin_return_address(0));
    watch(body, data, threads,
          [=](Body run, void* with) { real(run, with, threads, count, flags); });
}
#define REFRAIN_LOOP(name)                                                              \
    void name(Body body, void* data, unsigned threads, long first, long end, long step, \
              long chunk, unsigned flags) {                                             \
        static auto* const real =                                                       \
            behind_this<void(Body, void*, unsigned, long, long, long, long, unsigned)>( \
                #name, __builtin_return_address(0));                                    \
        watch(body, data, threads, [=](Body run, void* with) {                          \
            real(run, with, threads, first, end, step, chunk, flags);                   \
        });                                                                             \
    }
#define REFRAIN_RUNTIME_LOOP(name)                                                               \
    void name(Body body, void* data, unsigned threads, long first, long end, long step,          \
              unsigned flags) {                                                                  \
        static auto* const real =                                                                \
            behind_this<void(Body, void*, unsigned, long, long, long, unsigned)>(                \
                #name, __builtin_return_address(0));                                             \
        watch(body, data, threads,                                                               \
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
#define REFRAIN_WAIT(name)                                                                 \
    void name(void) {                                                                      \
        static auto* const real = behind_this<void()>(#name, __builtin_return_address(0)); \
        watch_wait(real);                                                                  \
    }
REFRAIN_WAIT(GOMP_barrier)
REFRAIN_WAIT(GOMP_loop_end)
REFRAIN_WAIT(GOMP_sections_end)
}
#pragma GCC visibility pop
#endif
