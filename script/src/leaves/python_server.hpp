#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace refrain::script {

/// A helper process with a Python interpreter (Serve). Python's library is opened here, never before: by
/// the name in REFRAIN_LIBPYTHON, else the newest that the system has.
int serve_python(int socket);

/// The request that servers of other languages understand, and the code and the expression in one.
[[nodiscard]] std::string foreign_request(std::string_view code, std::string_view expression,
                                          bool keeps_state);
[[nodiscard]] std::pair<std::string, std::string> foreign_code_of(std::string_view request);

}  // namespace refrain::script
