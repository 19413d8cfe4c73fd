#pragma once

#include "trace/trace_template.hpp"

#include <memory>

namespace refrain::trace {

/// Records a fragment while it is analysed.
///
/// Threads:  the launching thread only.
class Recorder {
  public:
    /// Starts at operation `first`. `serial` is unique among recordings and replays.
    Recorder(std::uint64_t serial, OperationNumber first);
    /// Continues a replay that left its template after `length` operations. Their regions are
    /// already bound under `serial`.
    Recorder(std::uint64_t serial, OperationNumber first, const TraceTemplate& prefix,
             std::size_t length);

    /// Records the next operation: `accesses` with the sources of each requirement, `edges` merged.
    /// Precondition: no later operation has used its regions.
    void operation(const OperationSignature& signature, std::span<const analysis::Access> accesses,
                   std::span<const Source> edges);

    [[nodiscard]] std::size_t length() const { return recorded_.length(); }
    [[nodiscard]] TraceTemplate take() { return std::move(recorded_); }

  private:
    void requirement(const RequirementShape& shape, RegionHistory& region,
                     const analysis::Access& access);
    void bind(RegionHistory& region, const analysis::Access& access);

    std::uint64_t serial_;
    OperationNumber first_;
    TraceTemplate recorded_;
};

}  // namespace refrain::trace
