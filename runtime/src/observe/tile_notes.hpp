#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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

/// The tiles of the launches that have not been issued. Most are issued at once, and nobody asks for
/// their tiles: of the newest launch only how to find out is known, unless it may be held back.
///
/// Threads:  the launching thread only.
class TileNotes {
  public:
    /// `window`: operations that may be pending, a power of two.
    explicit TileNotes(std::uint64_t window) : notes_(4 * window) {}

    using TileOf = std::optional<Tile> (*)(const void* launch);
    /// As long as it lives, an operation is being launched, whose tile is tile_of(launch).
    class [[nodiscard]] Launching {
      public:
        Launching(TileNotes& notes, std::uint64_t operation, const void* launch, TileOf tile_of)
            : notes_(notes) {
            notes.newest_ = operation;
            notes.launch_ = launch;
            notes.tile_of_ = tile_of;
        }
        Launching(const Launching&) = delete;
        Launching& operator=(const Launching&) = delete;
        Launching(Launching&&) = delete;
        Launching& operator=(Launching&&) = delete;
        ~Launching() { notes_.launch_ = nullptr; }

      private:
        TileNotes& notes_;
    };
    /// This operation may be issued later.
    void keep(std::uint64_t operation) {
        if (launch_ == nullptr || operation != newest_) return;  // a fence
        if (const auto tile = tile_of_(launch_))
            notes_[operation % notes_.size()] = {operation, *tile};
    }
    /// Empty if the operation was launched on none.
    [[nodiscard]] std::string text(std::uint64_t operation) const {
        if (launch_ != nullptr && operation == newest_) {
            const auto tile = tile_of_(launch_);
            return tile ? tile->to_string() : std::string();
        }
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
    // The operation that is being launched:
    std::uint64_t newest_ = 0;
    const void* launch_ = nullptr;  // null: none is
    TileOf tile_of_ = nullptr;
};

}  // namespace refrain::observe
