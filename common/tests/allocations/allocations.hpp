#pragma once

#include <cstdint>

/// What a test program allocates: linked with refrain_allocations, it counts each operator new and
/// delete, on all threads, and lets a chosen one fail. With a sanitizer all counts are 0: it counts
/// differently. With the thread sanitizer none fails.
namespace refrain::testing {

/// Calls of operator new so far.
[[nodiscard]] std::uint64_t allocations();
/// Bytes that operator new has given and operator delete has not taken back.
[[nodiscard]] std::int64_t allocated_bytes();

/// Lets one operator new of this thread throw std::bad_alloc: `FailingAllocation failing(3)` the third
/// from now on, unless the object ends before; or that one and all that follow until it ends.
class FailingAllocation {
  public:
    enum class Until : std::uint8_t { next, end };
    /// `call` >= 1.
    explicit FailingAllocation(std::uint64_t call, Until until = Until::next);
    ~FailingAllocation();
    FailingAllocation(const FailingAllocation&) = delete;
    FailingAllocation& operator=(const FailingAllocation&) = delete;
    FailingAllocation(FailingAllocation&&) = delete;
    FailingAllocation& operator=(FailingAllocation&&) = delete;

    [[nodiscard]] bool has_failed() const;
};

}  // namespace refrain::testing
