#pragma once

#include <string>
#include <string_view>

namespace refrain::script {

/// A helper process with a Python interpreter (HelperProcess::Serve). Python's library is opened here, never before: by
/// the name in REFRAIN_LIBPYTHON, else the newest that the system has.
int serve_python(int socket);

/// The request that it understands.
[[nodiscard]] std::string python_request(std::string_view code, std::string_view expression,
                                         bool keeps_state);

}  // namespace refrain::script
