#pragma once

#include "base/pages.hpp"
#include "trace/trace_template.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace refrain::trace {

/// Records fragments, one after the other, while they are analysed. The memory serves the next one
/// too: what is kept of a recording is a copy, which takes no more than it needs.
///
/// Threads:  the launching thread only.
class Recorder {
  public:
    /// Starts at operation `first`. `serial` is unique among recordings and replays.
    void begin(std::uint64_t serial, OperationNumber first);
    /// Continues a replay that left its template after `length` operations. Their regions are
    /// already bound under `serial`.
    void begin(std::uint64_t serial, OperationNumber first, const TraceTemplate& prefix,
               std::size_t length);

    /// Records the next operation: `accesses` with the sources of each requirement, `edges` merged.
    /// Precondition: no later operation has used its regions.
    void operation(const OperationSignature& signature, std::span<const analysis::Access> accesses,
                   std::span<const Source> edges);

    [[nodiscard]] std::size_t length() const { return recorded_.length(); }
    /// A copy of what is recorded.
    [[nodiscard]] TraceTemplate copy();
    /// Gives the memory back.
    void clear() { recorded_ = {}; }

  private:
    void requirement(const RequirementShape& shape, RegionHistory& region,
                     const analysis::Access& access);
    void bind(RegionHistory& region, const analysis::Access& access);

    std::uint64_t serial_ = 0;
    OperationNumber first_ = 0;
    TraceTemplate recorded_;
    base::PagesAhead pages_;
};

}  // namespace refrain::trace
