#pragma once

#include "refrain/options.hpp"

#include <cstdio>
#include <string>

namespace refrain::runtime {

/// What the runtime says on standard error, down to a level.
///
/// Threads:  the launching thread only.
class Log {
  public:
    explicit Log(LogLevel level) : level_(level) {}

    [[nodiscard]] bool says(LogLevel level) const {
        return level <= level_ && level_ != LogLevel::off;
    }
    void say(LogLevel level, const std::string& text) const {
        if (says(level)) std::fprintf(stderr, "refrain: %s\n", text.c_str());
    }

  private:
    LogLevel level_;
};

}  // namespace refrain::runtime
