#pragma once

#include "page/memory_held.hpp"

#include <cstdint>

namespace refrain::observe {

/// Tells an Observer what memory the stages use at the moment.
class MemoryMeter {
  public:
    struct Bytes {
        std::uint64_t storage = 0;   // of regions
        std::uint64_t analysis = 0;  // of its tables
    };
    [[nodiscard]] virtual Bytes bytes_in_use() const = 0;
    /// The same, table by table and region by region. Looks at each region.
    [[nodiscard]] virtual page::MemoryHeld held() const = 0;

  protected:
    MemoryMeter() = default;
    MemoryMeter(const MemoryMeter&) = default;
    MemoryMeter& operator=(const MemoryMeter&) = default;
    ~MemoryMeter() = default;
};

}  // namespace refrain::observe
