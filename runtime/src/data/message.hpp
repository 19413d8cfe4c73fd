/// Concatenates the parts of an error message.
///
///     message("tiles: counts is ", counts, "; every count must be at least 1")
#pragma once

#include "refrain/detail/box_set.hpp"

#include <sstream>
#include <string>

namespace refrain::data {

template <class... Part>
[[nodiscard]] std::string message(const Part&... part) {
    std::ostringstream text;
    (text << ... << part);
    return text.str();
}

/// A set in a message, which may have millions of boxes: "{[0,1), [2,3), and 998 more}".
[[nodiscard]] std::string short_text(const BoxSet& set, int rank);

}  // namespace refrain::data
