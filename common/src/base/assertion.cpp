#include "base/assertion.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace refrain::base {

void internal_failure(std::string_view condition, std::string_view message, std::string_view file,
                      int line) {
    std::string text = "refrain: internal failure: ";
    text.append(message).append(" [").append(condition).append("] at ");
    text.append(file).append(":").append(std::to_string(line));
    if (throw_on_internal_failure.load(std::memory_order_relaxed)) throw InternalError(text);
    text.append("\n");
    std::fputs(text.c_str(), stderr);
    std::abort();
}

}  // namespace refrain::base
