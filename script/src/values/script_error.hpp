#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

namespace refrain::script {

/// A statement of the script failed while it ran: an assertion, a leaf function, a second write.
class ScriptError : public std::runtime_error {
  public:
    /// What it says is the parts one behind the other: texts and numbers.
    template <class... Parts>
    explicit ScriptError(const Parts&... parts)
        : std::runtime_error((std::string() + ... + as_text(parts))) {}

  private:
    template <class Part>
    static auto as_text(const Part& part) {
        if constexpr (std::is_same_v<Part, char>)
            return std::string(1, part);
        else if constexpr (std::is_arithmetic_v<Part>)
            return std::to_string(part);
        else
            return std::string(part);
    }
};

}  // namespace refrain::script
