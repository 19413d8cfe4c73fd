#pragma once

#include "options/option_table.hpp"
#include "refrain/options.hpp"

#include <string>
#include <string_view>

/// How the values of options are read and written.
namespace refrain::options {

/// Sets the field of `row` to what `text` says.
///
/// Errors:      UsageError that names `source` (as the user wrote the option), the text and what is
///              allowed.
void set_value(Options& options, const OptionRow& row, std::string_view text,
               std::string_view source);

/// Switches the field of `row` on, as its bare name does.
///
/// Errors:      UsageError if the option is more than on or off.
void set_flag(Options& options, const OptionRow& row, std::string_view source);

/// Checks that the number in the field of `row` is in bounds.
///
/// Errors:      UsageError as for set_value.
void check_bounds(const Options& options, const OptionRow& row, std::string_view source);

/// The value of the field of `row`, as set_value reads it: "on", "16M", "mined".
[[nodiscard]] std::string print_value(const Options& options, const OptionRow& row);

/// "on or off", "0 to 1024", "1K to 1024T bytes", "off, warning, info, debug".
[[nodiscard]] std::string allowed_values(const OptionRow& row);

}  // namespace refrain::options
