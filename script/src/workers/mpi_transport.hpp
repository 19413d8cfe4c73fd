#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace refrain::script {

/// Bytes between the processes that mpirun has started. The program links no MPI: one of the plug-ins in mpi_plugin/
/// implements this, and is opened by open_mpi().
///
/// Threads: one at a time.
class MpiTransport {
  public:
    MpiTransport() = default;
    MpiTransport(const MpiTransport&) = delete;
    MpiTransport& operator=(const MpiTransport&) = delete;
    virtual ~MpiTransport() = default;

    [[nodiscard]] virtual std::uint32_t rank() const = 0;
    [[nodiscard]] virtual std::uint32_t ranks() const = 0;
    /// Does not wait. Messages to one rank arrive in their order.
    virtual void send(std::uint32_t to, std::string bytes) = 0;
    /// What has arrived, with its sender; does not wait.
    [[nodiscard]] virtual std::optional<std::pair<std::uint32_t, std::string>> receive() = 0;
    /// Collective: what rank `from` gives, on all ranks.
    [[nodiscard]] virtual std::string broadcast(std::string text, std::uint32_t from) = 0;
    /// Collective among the ranks of a team, in the same order, which then have a communicator of their own until they
    /// leave it. True if all of them are ready.
    [[nodiscard]] virtual bool join_team(const std::vector<std::uint32_t>& ranks, bool ready) = 0;
    /// An MPI_Comm.
    [[nodiscard]] virtual const void* team_communicator() const = 0;
    virtual void leave_team() = 0;
    /// Collective: how many messages all ranks have sent to this one. `sent` says, by rank, how many this one has.
    [[nodiscard]] virtual std::uint64_t sent_here(std::vector<std::uint64_t> sent) = 0;
    /// Collective, when all that was sent has been received: ends MPI.
    virtual void finish() = 0;
    /// Ends all processes.
    virtual void abort() = 0;
};

/// How this process was started, as environment variables say it.
struct MpiLaunch {
    enum class Kind : std::uint8_t { openmpi, mpich } kind = Kind::openmpi;
    std::uint32_t rank = 0;
    std::uint32_t ranks = 1;
};
/// By Open MPI (OMPI_COMM_WORLD_RANK, _SIZE) or MPICH (PMI_RANK, PMI_SIZE); nothing if by neither.
[[nodiscard]] std::optional<MpiLaunch> mpi_launch();
/// Opens the plug-in of the MPI that has started this process, and begins MPI. Errors: ScriptError.
[[nodiscard]] std::unique_ptr<MpiTransport> open_mpi(const MpiLaunch& launch);

/// What a plug-in exports as refrain_script_open_mpi; null if MPI does not begin.
using OpenMpi = MpiTransport* (*)();

}  // namespace refrain::script
