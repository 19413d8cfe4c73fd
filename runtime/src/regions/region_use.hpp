#pragma once

#include "refrain/privilege.hpp"

#include <cstdint>

namespace refrain::regions {

/// Which privileges may be asked for on a region. Two things decide: whether the region has ever been
/// written, and which views of it the host program holds.
///
///     state                        admitted
///     never written                write
///     written, no view             all
///     the host holds a read view   read
///     the host holds a write view  none
///
/// Threads:  the launching thread only.
class RegionUse {
  public:
    /// Whether a task, or another view of the host, may be given this privilege.
    [[nodiscard]] bool admits(Privilege privilege) const {
        return (refused_ >> static_cast<unsigned>(privilege) & 1U) == 0;
    }
    /// Whether the host has opened it to write, or an operation that writes it was launched.
    [[nodiscard]] bool is_written() const { return is_written_; }
    [[nodiscard]] bool host_writes() const { return host_writes_; }

    /// An operation was launched that writes the region.
    void mark_written() {
        if (is_written_) return;
        is_written_ = true;
        update();
    }
    void begin_host_access(Privilege privilege) {
        if (privilege == Privilege::read)
            ++host_readers_;
        else
            host_writes_ = is_written_ = true;
        update();
    }
    void end_host_access(Privilege privilege) {
        if (privilege == Privilege::read)
            --host_readers_;
        else
            host_writes_ = false;
        update();
    }

  private:
    static constexpr std::uint8_t all = 0x0f;
    static constexpr std::uint8_t all_but(Privilege privilege) {
        return static_cast<std::uint8_t>(all & ~(1U << static_cast<unsigned>(privilege)));
    }
    void update() {
        refused_ = host_writes_ ? all : std::uint8_t{0};
        if (!is_written_) refused_ |= all_but(Privilege::write);
        if (host_readers_ != 0) refused_ |= all_but(Privilege::read);
    }

    std::uint32_t host_readers_ = 0;
    bool is_written_ = false;
    bool host_writes_ = false;
    std::uint8_t refused_ = all_but(Privilege::write);  // one bit per privilege; of the others
};

}  // namespace refrain::regions
