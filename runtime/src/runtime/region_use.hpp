#pragma once

#include "refrain/privilege.hpp"

#include <cstdint>

namespace refrain::runtime {

/// Which privileges a region admits: that depends on whether anything has written it, and on what the
/// host program holds views of it for.
///
/// Threads:  the launching thread only.
class RegionUse {
  public:
    /// Whether a task, or another view, may use it so.
    [[nodiscard]] bool admits(Privilege privilege) const {
        return (refused_ >> static_cast<unsigned>(privilege) & 1U) == 0;
    }
    [[nodiscard]] bool is_written() const { return is_written_; }
    [[nodiscard]] bool host_writes() const { return host_writes_; }

    /// Something was launched that writes it.
    void write() {
        if (is_written_) return;
        is_written_ = true;
        update();
    }
    void host_begins(Privilege privilege) {
        if (privilege == Privilege::read)
            ++host_readers_;
        else
            host_writes_ = is_written_ = true;
        update();
    }
    void host_ends(Privilege privilege) {
        if (privilege == Privilege::read)
            --host_readers_;
        else
            host_writes_ = false;
        update();
    }

  private:
    static constexpr std::uint32_t all = 0x0f;
    static constexpr std::uint32_t all_but(Privilege privilege) {
        return all & ~(1U << static_cast<unsigned>(privilege));
    }
    void update() {
        refused_ = host_writes_ ? all : 0;
        if (!is_written_) refused_ |= all_but(Privilege::write);
        if (host_readers_ != 0) refused_ |= all_but(Privilege::read);
    }

    std::uint32_t refused_ = all_but(Privilege::write);  // a bit per privilege; follows from:
    bool is_written_ = false;  // something was launched that writes it, or the host did
    bool host_writes_ = false;
    std::uint32_t host_readers_ = 0;
};

}  // namespace refrain::runtime
