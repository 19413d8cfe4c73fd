#pragma once

#include "refrain/options.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

/// The table of options, which parsing, checking and the help text read.
namespace refrain::options {

/// Where the value of an option lies in Options. Its type decides how it is written.
template <class Value>
struct OptionField {
    Value& (*in)(Options& options);
    const Value& (*of)(const Options& options);
};
using AnyOptionField =
    std::variant<OptionField<bool>, OptionField<unsigned>, OptionField<std::uint64_t>,
                 OptionField<std::optional<std::uint64_t>>, OptionField<Recogniser>,
                 OptionField<Batching>, OptionField<LaneUse>, OptionField<Analysis>,
                 OptionField<Binding>, OptionField<LogLevel>, OptionField<std::string>>;

/// How a number is written and what it counts.
enum class Unit { none, bytes };

struct OptionRow {
    std::string_view name;  // as in --refrain:name
    AnyOptionField field;
    std::uint64_t low = 0;  // the smallest and the largest number allowed
    std::uint64_t high = 0;
    Unit unit = Unit::none;
    std::string_view help;
};

[[nodiscard]] std::span<const OptionRow> option_table();

/// The row with this name, or nullptr.
[[nodiscard]] const OptionRow* find_option(std::string_view name);

/// The known name at the smallest edit distance, for a message.
[[nodiscard]] std::string_view nearest_option(std::string_view name);

/// REFRAIN_TRACE_MAX_LENGTH for trace-max-length.
[[nodiscard]] std::string environment_name(const OptionRow& row);

/// The row that this environment variable sets, or nullptr; and the variable of the nearest one.
[[nodiscard]] const OptionRow* find_variable(std::string_view variable);
[[nodiscard]] std::string nearest_variable(std::string_view variable);

/// What --refrain:help prints.
[[nodiscard]] std::string help_text();

}  // namespace refrain::options
