#pragma once

#include "refrain/script/script.hpp"

#include <string>

namespace refrain::script {

/// "123 done, 4 running, 10 ready, 7 waiting, 0 failed, 61/s"
[[nodiscard]] std::string progress_text(const Progress& progress);

/// A line on standard error that is rewritten in place; nothing where that is no terminal.
class ProgressLine {
  public:
    /// Threads: show and clear may be called from different threads.
    void show(const Progress& progress);
    static void clear();
    [[nodiscard]] static bool has_terminal();
};

}  // namespace refrain::script
