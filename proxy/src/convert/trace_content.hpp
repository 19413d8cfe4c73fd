#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "convert/call_values.hpp"
#include "convert/trace.hpp"
#include "convert/trace_collectives.hpp"

namespace refrain::proxy {

/// What the recording of a rank needs to know of the whole trace.
class TraceContent {
  public:
    /// Errors: std::runtime_error if ranks disagree about their collective operations, or some messages are sent and not received
    explicit TraceContent(const Trace& from);

    /// Whether ranks make it by a call: it is used, and neither MPI_COMM_WORLD nor MPI_COMM_SELF.
    [[nodiscard]] bool is_made(std::size_t communicator) const;

    const Trace& trace;
    std::vector<std::vector<std::optional<TraceRecord>>> ends;  // by rank and request begun
    std::vector<std::vector<Place>> places;                     // by rank and communicator
    TraceCollectives collectives;

  private:
    /// The one that all ranks are in, in their order.
    void find_world();
    void find_used();
    [[nodiscard]] std::vector<Place> places_of(std::uint32_t rank) const;
    void add_collectives(std::uint32_t rank);
    void add(std::uint32_t rank, const TraceRecord& record);
    void check_messages() const;

    std::size_t world_ = 0;
    std::vector<bool> used_;
};

}  // namespace refrain::proxy
