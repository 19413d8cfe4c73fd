#include "options/option_value.hpp"

#include "base/assertion.hpp"
#include "refrain/error.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <type_traits>

namespace refrain::options {
namespace {

template <class Value>
struct Named {
    std::string_view name;
    Value value;
};

constexpr std::array switch_names{
    Named<bool>{"on", true},  Named<bool>{"off", false},   Named<bool>{"true", true},
    Named<bool>{"yes", true}, Named<bool>{"false", false}, Named<bool>{"no", false},
    Named<bool>{"1", true},   Named<bool>{"0", false},
};
constexpr std::array recogniser_names{Named<Recogniser>{"inline", Recogniser::inline_},
                                      Named<Recogniser>{"mined", Recogniser::mined}};
constexpr std::array batching_names{Named<Batching>{"none", Batching::none},
                                    Named<Batching>{"tiny", Batching::tiny},
                                    Named<Batching>{"all", Batching::all}};
constexpr std::array lane_names{
    Named<LaneUse>{"auto", LaneUse::automatic}, Named<LaneUse>{"none", LaneUse::none},
    Named<LaneUse>{"all", LaneUse::all}, Named<LaneUse>{"turns", LaneUse::turns}};
constexpr std::array analysis_names{Named<Analysis>{"auto", Analysis::automatic},
                                    Named<Analysis>{"walk", Analysis::walk},
                                    Named<Analysis>{"states", Analysis::states}};
constexpr std::array binding_names{Named<Binding>{"auto", Binding::automatic},
                                   Named<Binding>{"none", Binding::none},
                                   Named<Binding>{"cores", Binding::cores}};
constexpr std::array log_names{
    Named<LogLevel>{"off", LogLevel::off},
    Named<LogLevel>{"warning", LogLevel::warning},
    Named<LogLevel>{"info", LogLevel::info},
    Named<LogLevel>{"debug", LogLevel::debug},
};

/// The names of a field's values; numbers have none.
template <class Value>
constexpr const auto& names_of() {
    if constexpr (std::is_same_v<Value, bool>) {
        return switch_names;
    } else if constexpr (std::is_same_v<Value, Recogniser>) {
        return recogniser_names;
    } else if constexpr (std::is_same_v<Value, Batching>) {
        return batching_names;
    } else if constexpr (std::is_same_v<Value, LaneUse>) {
        return lane_names;
    } else if constexpr (std::is_same_v<Value, Analysis>) {
        return analysis_names;
    } else if constexpr (std::is_same_v<Value, Binding>) {
        return binding_names;
    } else {
        static_assert(std::is_same_v<Value, LogLevel>);
        return log_names;
    }
}

template <class Value>
constexpr bool is_number = std::is_same_v<Value, unsigned> || std::is_same_v<Value, std::uint64_t>;

/// A number that the runtime chooses if the user does not: "auto".
using Choosable = std::optional<std::uint64_t>;
template <class Value>
constexpr bool is_choosable = std::is_same_v<Value, Choosable>;
constexpr std::string_view left_open = "auto";

/// A file to write, or none.
template <class Value>
constexpr bool is_file = std::is_same_v<Value, std::string>;
constexpr std::string_view no_file = "off";

constexpr std::string_view suffixes = "KMGT";

/// "16M" -> 16 * 2^20. Nothing if it is no number, or none that 64 bits hold.
std::optional<std::uint64_t> parse_number(std::string_view text, Unit unit) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{}) return std::nullopt;
    if (rest == end) return number;
    const char suffix = *rest >= 'a' && *rest <= 'z' ? static_cast<char>(*rest - 'a' + 'A') : *rest;
    const std::size_t power = suffixes.find(suffix);
    if (unit != Unit::bytes || rest + 1 != end || power == std::string_view::npos)
        return std::nullopt;
    const std::size_t shift = 10 * (power + 1);
    if (number > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
    return number << shift;
}

std::string print_number(std::uint64_t number, Unit unit) {
    std::size_t power = 0;
    while (unit == Unit::bytes && power < suffixes.size() && number != 0 && number % 1024 == 0) {
        number /= 1024;
        ++power;
    }
    std::string text = std::to_string(number);
    if (power > 0) text.push_back(suffixes[power - 1]);
    return text;
}

[[noreturn]] void refuse(const OptionRow& row, std::string_view source, std::string_view problem) {
    std::string text = "option ";
    text.append(source).append(": ").append(problem);
    text.append("; '").append(row.name).append("' takes ").append(allowed_values(row));
    throw UsageError(text);
}

std::string quoted(std::string_view text) {
    return "'" + std::string(text) + "'";
}

bool in_bounds(std::uint64_t number, const OptionRow& row) {
    return number >= row.low && number <= row.high;
}

std::uint64_t parse_in_bounds(const OptionRow& row, std::string_view text,
                              std::string_view source) {
    const std::optional<std::uint64_t> number = parse_number(text, row.unit);
    if (!number) refuse(row, source, quoted(text) + " is not a number");
    if (!in_bounds(*number, row)) refuse(row, source, quoted(text) + " is out of bounds");
    return *number;
}

template <class Value>
Value parse(const OptionRow& row, std::string_view text, std::string_view source) {
    if constexpr (is_number<Value>) {
        return static_cast<Value>(parse_in_bounds(row, text, source));
    } else if constexpr (is_choosable<Value>) {
        return text == left_open ? Choosable{} : Choosable{parse_in_bounds(row, text, source)};
    } else if constexpr (is_file<Value>) {
        if (text.empty()) refuse(row, source, "the name is missing");
        return text == no_file ? std::string() : std::string(text);
    } else {
        for (const auto& [name, value] : names_of<Value>()) {
            if (name == text) return value;
        }
        refuse(row, source, quoted(text) + " is not one of its values");
    }
}

void require_bounds(std::uint64_t number, const OptionRow& row, std::string_view source) {
    if (in_bounds(number, row)) return;
    refuse(row, source, quoted(print_number(number, row.unit)) + " is out of bounds");
}

template <class Value>
std::string print(const Value& value, const OptionRow& row) {
    if constexpr (is_number<Value>) {
        return print_number(value, row.unit);
    } else if constexpr (is_choosable<Value>) {
        return value ? print_number(*value, row.unit) : std::string(left_open);
    } else if constexpr (is_file<Value>) {
        return value.empty() ? std::string(no_file) : value;
    } else {
        for (const auto& named : names_of<Value>()) {
            if (named.value == value) return std::string(named.name);
        }
        base::internal_failure("named value", "an option's value has no name", __FILE__, __LINE__);
    }
}

std::string allowed_numbers(const OptionRow& row) {
    std::string text = print_number(row.low, row.unit) + " to " + print_number(row.high, row.unit);
    return row.unit == Unit::bytes ? text + " bytes" : text;
}

template <class Value>
std::string allowed(const OptionRow& row) {
    if constexpr (is_number<Value>) {
        return allowed_numbers(row);
    } else if constexpr (is_choosable<Value>) {
        return std::string(left_open) + ", " + allowed_numbers(row);
    } else if constexpr (is_file<Value>) {
        return "the name of a file, or off";
    } else if constexpr (std::is_same_v<Value, bool>) {
        return "on or off";
    } else {
        std::string text;
        for (const auto& entry : names_of<Value>()) {
            text.append(text.empty() ? "" : ", ").append(entry.name);
        }
        return text;
    }
}

}  // namespace

void set_value(Options& options, const OptionRow& row, std::string_view text,
               std::string_view source) {
    std::visit(
        [&]<class Value>(OptionField<Value> field) {
            field.in(options) = parse<Value>(row, text, source);
        },
        row.field);
}

void set_flag(Options& options, const OptionRow& row, std::string_view source) {
    const auto* field = std::get_if<OptionField<bool>>(&row.field);
    if (field == nullptr) refuse(row, source, "the value is missing");
    field->in(options) = true;
}

void check_bounds(const Options& options, const OptionRow& row, std::string_view source) {
    std::visit(
        [&]<class Value>(OptionField<Value> field) {
            const Value& value = field.of(options);
            if constexpr (is_number<Value>) {
                require_bounds(value, row, source);
            } else if constexpr (is_choosable<Value>) {
                if (value) require_bounds(*value, row, source);
            }
        },
        row.field);
}

std::string print_value(const Options& options, const OptionRow& row) {
    return std::visit([&](auto field) { return print(field.of(options), row); }, row.field);
}

std::string allowed_values(const OptionRow& row) {
    return std::visit([&]<class Value>(OptionField<Value>) { return allowed<Value>(row); },
                      row.field);
}

}  // namespace refrain::options
