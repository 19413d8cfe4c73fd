#pragma once

namespace refrain::processes {

/// Closes what this process has open from file number `first` on, but `kept`. Makes system calls only.
void close_files(int first, int kept);

}  // namespace refrain::processes
