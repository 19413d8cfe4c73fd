#pragma once

#include "refrain/options.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

/// The one table of options: what parsing, checking and the help text read.
namespace refrain::options {

/// Which field of Options an option sets; its type is how its value is written.
using OptionField = std::variant<bool Options::*, unsigned Options::*, std::uint64_t Options::*,
                                 std::optional<std::uint64_t> Options::*, Recogniser Options::*,
                                 Batching Options::*, LogLevel Options::*, std::string Options::*>;

/// How a number is written and what it counts.
enum class Unit { none, bytes };

struct OptionRow {
    std::string_view name;  // as in --refrain:name
    OptionField field;
    std::uint64_t low = 0;  // the smallest and the largest number allowed
    std::uint64_t high = 0;
    Unit unit = Unit::none;
    std::string_view help;
};

[[nodiscard]] std::span<const OptionRow> option_table();

/// The row with this name, or nullptr.
[[nodiscard]] const OptionRow* find_option(std::string_view name);

/// The known name with the fewest letters to change, for a message.
[[nodiscard]] std::string_view nearest_option(std::string_view name);

/// REFRAIN_TRACE_MAX_LENGTH for trace-max-length.
[[nodiscard]] std::string environment_name(const OptionRow& row);

/// What --refrain:help prints.
[[nodiscard]] std::string help_text();

}  // namespace refrain::options
