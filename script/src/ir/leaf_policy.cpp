#include "ir/leaf_policy.hpp"

#include "values/text.hpp"

#include <cmath>
#include <optional>

namespace refrain::script::ir {
namespace {

/// "1500", "512M", "2GB", "2GiB"
std::optional<std::int64_t> bytes_of(const std::string& text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = read_number<std::int64_t>(text.substr(0, end));
    if (!number || *number <= 0) return std::nullopt;
    const std::string unit = text.substr(end);
    std::int64_t each = 1;
    if (!unit.empty() && unit != "B") {
        const std::size_t power = std::string_view("KMGT").find(unit[0]);
        const bool binary = unit.size() == 3 && unit.substr(1) == "iB";
        if (power == std::string_view::npos ||
            (unit.size() > 1 && unit.substr(1) != "B" && !binary))
            return std::nullopt;
        for (std::size_t i = 0; i <= power; ++i) each *= binary ? 1024 : 1000;
    }
    std::int64_t made = 0;
    if (__builtin_mul_overflow(*number, each, &made)) return std::nullopt;
    return made;
}

std::string set_count(std::int64_t& to, std::int64_t least, const std::string& name,
                      const std::string& value) {
    const auto number = read_number<std::int64_t>(value);
    if (!number || *number < least)
        return "@" + name + " takes an int from " + std::to_string(least) + " on, not '" + value +
               "'";
    to = *number;
    return {};
}

std::string set_timeout(LeafPolicy& policy, const std::string& value) {
    const auto number = read_number<double>(value);
    if (!number || !(*number > 0) || !std::isfinite(*number))
        return "@timeout takes seconds, not '" + value + "'";
    policy.timeout_s = *number;
    return {};
}

}  // namespace

std::string set_leaf_policy(LeafPolicy& policy, const std::string& name, const std::string& value) {
    if (name == "retries") return set_count(policy.retries, 0, name, value);
    if (name == "cpus") return set_count(policy.cpus, 1, name, value);
    if (name == "timeout") return set_timeout(policy, value);
    if (name == "memory") {
        const auto bytes = bytes_of(value);
        if (!bytes) return "@memory takes bytes, \"512MB\" or \"2GiB\", not '" + value + "'";
        policy.memory_bytes = *bytes;
    } else if (name == "cache") {
        if (!value.empty() && value != "1" && value != "0" && value != "true" && value != "false")
            return "@cache takes true or false, not '" + value + "'";
        policy.caching =
            value == "0" || value == "false" ? LeafPolicy::Caching::off : LeafPolicy::Caching::on;
    } else if (name == "checkpoint") {
        if (!value.empty()) return "@checkpoint takes no value";
        policy.checkpoint = true;
    } else if (name == "wrap") {
        if (value.find("{cmd}") == std::string::npos)
            return "@wrap takes a text with {cmd} in it, not '" + value + "'";
        policy.wrap = value;
    } else {
        policy.environment = parts_of(value, ", \t\n");
        if (policy.environment.empty()) return "@environment takes names of variables";
    }
    return {};
}

}  // namespace refrain::script::ir
