#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace refrain::observe {

/// The tile that a single task was launched on: a colour of a partition.
struct Tile {
    std::array<std::int64_t, 3> colour{};
    int rank = 0;

    /// "[2]", "[2,0]"
    [[nodiscard]] std::string to_string() const {
        std::string text = "[";
        for (int d = 0; d < rank; ++d)
            text += (d == 0 ? "" : ",") + std::to_string(colour[static_cast<std::size_t>(d)]);
        return text + "]";
    }
};

/// The tiles of the newest launches: those that have not been issued are among them.
///
/// Threads:  the launching thread only.
class TileNotes {
  public:
    /// `window`: operations that may be pending, a power of two.
    explicit TileNotes(std::uint64_t window) : notes_(4 * window) {}

    void note(std::uint64_t operation, const Tile& tile) {
        notes_[operation % notes_.size()] = {operation, tile};
    }
    /// Empty if the operation was launched on none.
    [[nodiscard]] std::string text(std::uint64_t operation) const {
        if (notes_.empty()) return {};
        const Note& note = notes_[operation % notes_.size()];
        return note.operation == operation ? note.tile.to_string() : std::string();
    }

  private:
    struct Note {
        std::uint64_t operation = 0;
        Tile tile;
    };
    std::vector<Note> notes_;  // ring, by operation
};

}  // namespace refrain::observe
