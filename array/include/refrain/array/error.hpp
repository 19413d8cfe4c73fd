/// Mistakes of the program, by the exception that NumPy raises.
///
// room: stores
#pragma once

#include "refrain/error.hpp"

#include <cstdint>
#include <string>

namespace refrain::array {

enum class ErrorKind : std::uint8_t {
    value,
    type,
    index,
    axis,
    ufunc_type,
    casting,
    memory,
    zero_division,
    linear_algebra  // numpy.linalg.LinAlgError
};
class ArrayError : public UsageError {
  public:
    ArrayError(ErrorKind kind, const std::string& message) : UsageError(message), kind_(kind) {}
    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

  private:
    ErrorKind kind_;
};

}  // namespace refrain::array
