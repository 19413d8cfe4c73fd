#pragma once

#include <string_view>

namespace refrain::script {

/// Helper processes with an interpreter (Serve); each takes a packed ForeignCode. The library of the language is opened here,
/// never before: Python's by the name in REFRAIN_LIBPYTHON, else the newest that the system has; R's is lib/libR.so in R_HOME,
/// or in /usr/lib/R. What code of R defines is there in later calls.
int serve_python(int socket);
int serve_r(int socket);

/// What runs in these interpreters: the files of servers/, embedded by the build (cmake/RefrainEmbed.cmake).
extern const std::string_view python_server_py;
extern const std::string_view r_server_R;

}  // namespace refrain::script
