#pragma once

#include "trace/trace_template.hpp"

#include <memory>

namespace refrain::trace {

/// Writes down a fragment while it is analysed.
///
/// Threads:  the launching thread only.
class Recorder {
  public:
    /// Recording `serial` (never used twice, nor by a replay) begins with operation `first`.
    Recorder(std::uint64_t serial, OperationNumber first);
    /// Goes on where a replay left its template: the first `length` operations are the same, and
    /// their regions are numbered under `serial` already.
    Recorder(std::uint64_t serial, OperationNumber first, const TraceTemplate& prefix,
             std::size_t length);

    /// The operation that follows, with what was found for each requirement and for all together.
    /// Its regions must not have been used by later operations yet.
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
