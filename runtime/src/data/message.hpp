/// Concatenates the parts of an error message.
///
///     message("tiles: counts is ", counts, "; every count must be at least 1")
#pragma once

#include <sstream>
#include <string>

namespace refrain::data {

template <class... Part>
[[nodiscard]] std::string message(const Part&... part) {
    std::ostringstream text;
    (text << ... << part);
    return text.str();
}

}  // namespace refrain::data
