#pragma once

namespace refrain::script {

/// A helper process with an interpreter of R (Serve); it takes a packed ForeignCode. R's library is
/// opened here, never before: lib/libR.so in R_HOME, or in /usr/lib/R. What code defines is there in later calls.
int serve_r(int socket);

}  // namespace refrain::script
