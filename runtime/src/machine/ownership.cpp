#include "machine/ownership.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace refrain::machine {
namespace {

/// Open MPI, MPICH and Intel MPI, PMIx, Slurm, Flux, PALS, JSM, ALPS, MVAPICH.
constexpr std::array launcher_variables{"OMPI_COMM_WORLD_RANK", "PMI_RANK",           "PMIX_RANK",
                                        "SLURM_PROCID",         "FLUX_TASK_RANK",     "PALS_RANKID",
                                        "JSM_RANK_ID",          "JSM_NAMESPACE_RANK", "ALPS_APP_PE",
                                        "MV2_COMM_WORLD_RANK"};

/// The first word of a file; empty if it cannot be read.
[[nodiscard]] std::string first_word(const std::string& path) {
    std::ifstream file(path);
    std::string word;
    file >> word;
    return word;
}

/// The group of processes that this one belongs to, below /sys/fs/cgroup: "/user.slice/..."
[[nodiscard]] std::string control_group() {
    std::ifstream file("/proc/self/cgroup");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("0::")) return line.substr(3);
    return "/";
}

/// Calls visit(limit) for that of the process's group of version 2 and of each group around it; not for "max".
template <class Visit>
void for_each_limit(const char* file, Visit&& visit) {
    std::string group = control_group();
    while (true) {
        const std::string limit = first_word("/sys/fs/cgroup" + group + "/" + file);
        if (!limit.empty() && limit != "max") visit(limit);
        const std::size_t slash = group.rfind('/');
        if (group.size() <= 1 || slash == std::string::npos) break;
        group.resize(slash);
    }
}

/// Whether a control group bounds the process's time (versions 2 and 1).
[[nodiscard]] bool has_time_quota() {
    bool has_quota = false;
    for_each_limit("cpu.max", [&](const std::string&) { has_quota = true; });
    if (has_quota) return true;
    const std::string quota = first_word("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    return !quota.empty() && !quota.starts_with('-');
}

}  // namespace

std::vector<unsigned> allowed_processors() {
    constexpr unsigned most = 1U << 16;
    std::vector<unsigned> allowed;
    for (unsigned count = 1024; count <= most; count *= 2) {
        cpu_set_t* const set = CPU_ALLOC(count);
        if (set == nullptr) break;
        const std::size_t bytes = CPU_ALLOC_SIZE(count);
        CPU_ZERO_S(bytes, set);
        const bool is_known = sched_getaffinity(0, bytes, set) == 0;
        for (unsigned i = 0; is_known && i < count; ++i)
            if (CPU_ISSET_S(i, bytes, set)) allowed.push_back(i);
        CPU_FREE(set);
        if (is_known) break;  // else the system has more processors than the set has room for
    }
    return allowed;
}

std::size_t memory_bytes() {
    std::uint64_t least = SIZE_MAX;
    const auto at_most = [&](std::uint64_t bytes) {
        if (bytes != 0) least = std::min(least, bytes);
    };
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0)
        at_most(static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes));
    for (const int resource : {RLIMIT_AS, RLIMIT_DATA}) {
        rlimit limit{};
        if (getrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &limit) == 0 &&
            limit.rlim_cur != RLIM_INFINITY)
            at_most(limit.rlim_cur);
    }
    const auto at_most_text = [&](const std::string& bytes) {
        at_most(std::strtoull(bytes.c_str(), nullptr, 10));
    };
    for_each_limit("memory.max", at_most_text);
    at_most_text(first_word("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    return static_cast<std::size_t>(least);
}

std::string launcher_variable(const std::function<const char*(const char* name)>& variable) {
    for (const char* const name : launcher_variables)
        if (variable(name) != nullptr) return name;
    return {};
}

Surroundings Surroundings::of_this_process() {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return {.launcher = launcher_variable([](const char* name) { return std::getenv(name); }),
            .has_quota = has_time_quota(),
            .allowed = allowed_processors().size(),
            .processors = online < 0 ? 0 : static_cast<std::size_t>(online)};
}

std::string reason_not_owner(const Surroundings& surroundings, std::size_t workers) {
    if (workers < 2) return "there is one worker, the launching thread";
    if (!surroundings.launcher.empty())
        return "a launcher has started the process (" + surroundings.launcher + " is set)";
    if (surroundings.allowed != surroundings.processors)
        return "the process may run on " + std::to_string(surroundings.allowed) + " of " +
               std::to_string(surroundings.processors) + " processors";
    if (surroundings.has_quota) return "a control group bounds the process's time";
    return {};
}

std::string reason_not_owner(const std::vector<Core>& cores, std::size_t workers) {
    if (workers < cores.size())
        return std::to_string(workers) + " workers leave some of the " +
               std::to_string(cores.size()) + " cores to other programs";
    const std::size_t processors = count_processors(cores);
    if (workers > processors)
        return std::to_string(workers) + " workers share " + std::to_string(processors) +
               " processors";
    return {};
}

}  // namespace refrain::machine
