#pragma once

#include "values/value.hpp"

#include <cstdio>
#include <ctime>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace refrain::script {

/// Formats as Tcl's `format` does.
///
///     format_values("%03i-%s", {7, "a"}) -> "007-a"
///
/// Too many values are no error. Errors: ScriptError for too few, for a value that is no number where one is
/// needed, for %i of a float, and for an unknown conversion.
[[nodiscard]] std::string format_values(std::string_view format, std::span<const Value> values);

/// What printf prints.
template <class... Values>
[[nodiscard]] std::string printed(const char* format, Values... values) {
    std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, format, values...)) + 1, 0);
    std::snprintf(text.data(), text.size(), format, values...);
    text.pop_back();
    return text;
}
/// "120 µs", "3.5 ms", "2.50 s"
[[nodiscard]] std::string duration_text(double seconds);
/// A time by the format of strftime, in the local zone; nothing if it is in no year of the calendar.
[[nodiscard]] std::optional<std::string> local_time(std::time_t seconds, const char* format);

}  // namespace refrain::script
