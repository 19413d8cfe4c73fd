#include "processes/process_places.hpp"

#include "processes/process.hpp"

#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <sys/mman.h>

namespace refrain::processes {

ProcessPlaces::ProcessPlaces() {
    void* const shared =
        mmap(nullptr, sizeof *all_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        throw ProcessError(std::string("no memory for processes: ") + std::strerror(errno));
    all_ = static_cast<std::array<ProcessPlace, places_max>*>(shared);  // zero: all are free
    free_.reserve(places_max);
    for (std::size_t i = places_max; i-- > 0;) free_.push_back(&(*all_)[i]);
}

ProcessPlaces::~ProcessPlaces() {
    munmap(static_cast<void*>(all_), sizeof *all_);
}

ProcessPlace* ProcessPlaces::take() {
    if (free_.empty()) return nullptr;
    ProcessPlace* const taken = free_.back();
    free_.pop_back();
    return taken;
}

void ProcessPlaces::give_back(ProcessPlace& place) {
    place.process.store(0, std::memory_order_relaxed);
    place.problem.store(0, std::memory_order_relaxed);
    free_.push_back(&place);
}

}  // namespace refrain::processes
