#pragma once

#include "events/event.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace refrain::proxy {

/// How many bytes an element of a datatype has, as a process goes on and makes datatypes.
class TypeSizes {
  public:
    /// An event of the process, in its order: one that makes a datatype makes it known.
    void follow(const Event& event);
    /// Nothing if it is not known: more digits than MPI_DOUBLE has (MPI_Type_create_f90_real), or made of such.
    [[nodiscard]] std::optional<std::int64_t> bytes(std::int64_t type) const;

  private:
    [[nodiscard]] std::optional<std::int64_t> made(const Event& event) const;
    std::unordered_map<std::int64_t, std::optional<std::int64_t>> derived_;
};

}  // namespace refrain::proxy
