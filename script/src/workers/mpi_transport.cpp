#include "workers/mpi_transport.hpp"

#include "leaves/plugin.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

namespace refrain::script {

std::optional<MpiLaunch> mpi_launch() {
    const auto launched = [](MpiLaunch::Kind kind, const char* rank,
                             const char* ranks) -> std::optional<MpiLaunch> {
        const auto own = read_number<std::uint32_t>(setting(rank));
        const auto all = read_number<std::uint32_t>(setting(ranks));
        return own && all ? std::optional(MpiLaunch{kind, *own, *all}) : std::nullopt;
    };
    if (auto made =
            launched(MpiLaunch::Kind::openmpi, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"))
        return made;
    return launched(MpiLaunch::Kind::mpich, "PMI_RANK", "PMI_SIZE");
}

std::unique_ptr<MpiTransport> open_mpi(const MpiLaunch& launch) {
    const bool open = launch.kind == MpiLaunch::Kind::openmpi;
    void* const symbol = open
                             ? plugin_symbol("refrain-script-openmpi.so", "refrain_script_open_mpi",
                                             "a run by Open MPI", "libopenmpi-dev")
                             : plugin_symbol("refrain-script-mpich.so", "refrain_script_open_mpi",
                                             "a run by MPICH", "libmpich-dev");
    std::unique_ptr<MpiTransport> made(reinterpret_cast<OpenMpi>(symbol)());
    if (made == nullptr) throw ScriptError("MPI does not begin");
    if (made->rank() != launch.rank || made->ranks() != launch.ranks)
        throw ScriptError("MPI says that this is rank ", made->rank(), " of ", made->ranks(),
                          ", the environment rank ", launch.rank, " of ", launch.ranks,
                          "; was the program started by another MPI's mpirun?");
    return made;
}

}  // namespace refrain::script
