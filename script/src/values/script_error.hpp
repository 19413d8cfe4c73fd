#pragma once

#include <stdexcept>

namespace refrain::script {

/// A statement of the script failed while it ran: an assertion, a leaf function, a second write.
class ScriptError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace refrain::script
