#include "base/memory_limit.hpp"

#include "base/control_groups.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <sys/resource.h>
#include <unistd.h>

namespace refrain::base {

std::uint64_t least_bytes(const std::vector<std::string>& words, std::uint64_t most) {
    for (const std::string& word : words)
        if (const auto bytes = read_number<std::uint64_t>(word).value_or(0); bytes != 0)
            most = std::min(most, bytes);
    return most;
}

std::uint64_t shared_memory_bytes() {
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    const bool is_known = pages > 0 && page_bytes > 0;
    return least_bytes(
        group_settings(group_memory),
        is_known ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes)
                 : memory_unknown);
}

std::uint64_t process_memory_bytes() {
    std::uint64_t least = shared_memory_bytes();
    for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
        rlimit limit{};
        if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
            least = std::min<std::uint64_t>(least, limit.rlim_cur);
    }
    return least;
}

}  // namespace refrain::base
