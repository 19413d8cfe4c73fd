#include "processes/open_files.hpp"

#include <algorithm>
#include <unistd.h>

namespace refrain::processes {
namespace {

void close_all(unsigned first, unsigned last) {
    if (close_range(first, last, 0) == 0) return;
    const auto limit =
        static_cast<unsigned>(sysconf(_SC_OPEN_MAX));  // the system has no close_range
    for (unsigned each = first; each <= last && each < limit; ++each) close(static_cast<int>(each));
}

}  // namespace

void close_files(int first, int kept) {
    if (first < kept) close_all(static_cast<unsigned>(first), static_cast<unsigned>(kept - 1));
    close_all(static_cast<unsigned>(std::max(first, kept + 1)), ~0U);
}

}  // namespace refrain::processes
