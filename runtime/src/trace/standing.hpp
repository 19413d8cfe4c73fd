#pragma once

#include <cstdint>
#include <optional>

namespace refrain::trace {

/// Tells how far the newest operations equal those up to the precedent of the newest one.
class Context {
  public:
    /// Whether the newest `operations`, itself included, have the same descriptions as as many up to
    /// the precedent, one by one; by comparison, not by hash.
    [[nodiscard]] virtual bool agrees(std::uint32_t operations) = 0;

  protected:
    ~Context() = default;
};

/// Where an operation stands in the stream that a recogniser looks at.
struct Standing {
    using Position = std::uint64_t;
    Position position;                  // its own, or, if it takes none, that of its precedent
    std::optional<Position> precedent;  // of an earlier operation with the same description
    Context& context;                   // of the two
    bool is_equal = true;               // to the precedent, links included
    std::uint64_t loop =
        0;  // operations of a turn, if it is in a loop whose turns take no positions
};

/// Positions first + i, for i < count, that stand where those `distance` before them do: what a
/// recogniser left out of a loop while that went on.
struct Turn {
    Standing::Position first;
    std::uint64_t count;
    std::uint64_t distance;
};

}  // namespace refrain::trace
