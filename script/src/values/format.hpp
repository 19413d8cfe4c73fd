#pragma once

#include "base/text.hpp"
#include "values/value.hpp"

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

using base::duration_text;
using base::printed;

/// A time by the format of strftime, in the local zone; nothing if it is in no year of the calendar.
[[nodiscard]] std::optional<std::string> local_time(std::time_t seconds, const char* format);

}  // namespace refrain::script
