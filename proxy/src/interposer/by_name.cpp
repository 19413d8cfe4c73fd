/// Calls that are recorded by their names.

#include "interposer/by_name.h"

#include "interposer/teams.h"

#include <cstdio>
#include <dlfcn.h>

namespace refrain::proxy {

std::string words_of_place(void* address) {
    Dl_info found{};
    if (dladdr(address, &found) == 0 || found.dli_fname == nullptr) return "an unknown place";
    char text[64];
    std::snprintf(text, sizeof text, "+0x%zx",
                  static_cast<std::size_t>(static_cast<char*>(address) -
                                           static_cast<char*>(found.dli_fbase)));
    std::string site = found.dli_fname + std::string(text);
    if (found.dli_sname != nullptr) site += std::string(" (") + found.dli_sname + ")";
    return site;
}

ByName::ByName(const char* name, void* from) noexcept {
    try {
        begin(name, from);
    } catch (const std::bad_alloc&) {
        give_up();
    }
    ++depth;
    this_mpi::forget_work();
    entered_ = this_mpi::time();
}

void ByName::begin(const char* name, void* from) {
    compute_ = stop_work();
    const std::lock_guard lock(process->mutex);
    if (process->ended) return;  // another thread gave up
    event_.values = {process->recorder.text(name), process->recorder.text(words_of_place(from))};
    event_.site = process->callers ? process->site_of(from) : 0;
    process->selection.pass(process->calls + 1,
                            this_mpi::time_of_call(work_clock.stopped()) - process->began);
    ++process->calls;
    event_.thread = process->enter_thread();
}

int ByName::end(int result) noexcept {
    try {
        record();
    } catch (const std::bad_alloc&) {
        give_up();
    }
    return result;
}

void ByName::record() {
    const double left = this_mpi::time();
    const std::lock_guard lock(process->mutex);
    if (process->ended) return;
    process->go_on_in_thread();
    if (process->selection.is_on())
        process->recorder.append(event_, process->left_something_out ? Recorder::no_work : compute_,
                                 left - entered_, counts());
    else
        ++process->left_out;
    process->left_something_out = !process->selection.is_on();
    process->leave_thread();
    (void)resume_work(process->recorder.latest().expects_long_work);
}

}  // namespace refrain::proxy
