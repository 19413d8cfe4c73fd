#include "ir/leaf_policy.hpp"

#include "values/script_error.hpp"
#include "values/text.hpp"

#include <cmath>

namespace refrain::script::ir {
namespace {

std::string set_count(std::int64_t& to, std::int64_t least, const std::string& name,
                      const std::string& value) {
    const auto number = read_number<std::int64_t>(value);
    if (!number || *number < least)
        return "@" + name + " takes an int from " + std::to_string(least) + " on, not '" + value +
               "'";
    to = *number;
    return {};
}

}  // namespace

std::string set_leaf_policy(LeafPolicy& policy, const std::string& name, const std::string& value) {
    if (name == "retries") return set_count(policy.retries, 0, name, value);
    if (name == "cpus") return set_count(policy.cpus, 1, name, value);
    if (name == "timeout") {
        const auto number = read_number<double>(value);
        if (!number || !(*number > 0) || !std::isfinite(*number))
            return "@timeout takes seconds, not '" + value + "'";
        policy.timeout_s = *number;
    } else if (name == "memory") {
        const auto bytes = base::read_bytes(value, 1000);
        if (!bytes || *bytes == 0)
            return "@memory takes bytes, \"512MB\" or \"2GiB\", not '" + value + "'";
        policy.memory_bytes = static_cast<std::int64_t>(*bytes);
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
        try {
            static_cast<void>(quoted_words(value, "'\""));
        } catch (const ScriptError& error) {
            return std::string("@wrap: ") + error.what();
        }
        policy.wrap = value;
    } else {
        policy.environment = parts_of(value, ", \t\n");
        if (policy.environment.empty()) return "@environment takes names of variables";
    }
    return {};
}

}  // namespace refrain::script::ir
