#include "machine/ownership.hpp"

#include "base/control_groups.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sched.h>
#include <unistd.h>

namespace refrain::machine {
namespace {

/// Open MPI, MPICH and Intel MPI, PMIx, Slurm, Flux, PALS, JSM, ALPS, MVAPICH.
constexpr std::array launcher_variables{"OMPI_COMM_WORLD_RANK", "PMI_RANK",           "PMIX_RANK",
                                        "SLURM_PROCID",         "FLUX_TASK_RANK",     "PALS_RANKID",
                                        "JSM_RANK_ID",          "JSM_NAMESPACE_RANK", "ALPS_APP_PE",
                                        "MV2_COMM_WORLD_RANK"};

/// Whether a control group bounds the process's time (versions 2 and 1).
[[nodiscard]] bool has_time_quota() {
    const auto quotas = base::group_settings(base::group_time);
    return std::any_of(quotas.begin(), quotas.end(), [](const std::string& quota) {
        return quota != "max" && !quota.starts_with('-');
    });
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
