#pragma once

namespace refrain::script {

/// A helper process with a Python interpreter (Serve); it takes a packed ForeignCode. Python's library is opened here, never before: by
/// the name in REFRAIN_LIBPYTHON, else the newest that the system has.
int serve_python(int socket);

}  // namespace refrain::script
