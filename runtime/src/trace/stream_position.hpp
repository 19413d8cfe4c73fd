#pragma once

#include "base/ordinal.hpp"

#include <cstdint>
#include <optional>

namespace refrain::trace {

/// Index in the stream of operations that a recogniser looks at.
using Position = base::Ordinal<struct PositionKind>;

/// Compares the newest operations with those up to the precedent of the newest one.
class Context {
  public:
    /// Whether the newest `operations`, the newest one included, equal those up to the precedent, one
    /// by one. Compares descriptions, not hashes.
    [[nodiscard]] virtual bool agrees(std::uint32_t operations) = 0;

  protected:
    ~Context() = default;
};

/// An operation's index in the recognised stream and the earlier operation it repeats.
struct StreamPosition {
    Position position;                  // of its precedent, if it takes none of its own
    std::optional<Position> precedent;  // an earlier operation with the same description
    Context& context;                   // of this operation and its precedent
    bool is_equal = true;               // to the precedent, links included
    std::uint64_t loop = 0;  // operations per iteration, in a loop that takes no positions; else 0
};

/// Positions first + i, for i < count, that a recogniser assigned late, when a loop had ended: each
/// repeats the position `distance` before it.
struct Turn {
    Position first;
    std::uint64_t count;
    std::uint64_t distance;
};

}  // namespace refrain::trace
