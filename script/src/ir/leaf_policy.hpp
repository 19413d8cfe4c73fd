#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::script::ir {

/// How a leaf function is to be run: what the annotations of its definition say.
struct LeafPolicy {
    std::int64_t retries = -1;  // further attempts after a failure; -1: as the run says
    double timeout_s = 0;       // of an app; 0: none
    std::int64_t cpus = 1;      // held while it runs
    std::int64_t memory_bytes = 0;
    enum class Caching : std::uint8_t { by_default, on, off } caching = Caching::by_default;
    bool checkpoint = false;               // results are used again when the run is resumed
    bool by_team = false;                  // with @par: its last input is the size of the team
    std::string wrap;                      // of an app, around its command: "nice -n 5 {cmd}"
    std::vector<std::string> environment;  // variables that results depend on

    friend bool operator==(const LeafPolicy&, const LeafPolicy&) = default;
};

/// The annotations of these.
inline constexpr std::array<std::string_view, 8> leaf_setting_names = {
    "retries", "timeout", "cpus", "memory", "cache", "checkpoint", "wrap", "environment"};
[[nodiscard]] inline bool is_leaf_setting(std::string_view name) {
    return std::ranges::find(leaf_setting_names, name) != leaf_setting_names.end();
}
/// Takes an annotation and its value as text; empty if it has none. Returns what is wrong with it, or nothing.
///
///     set_leaf_policy(policy, "memory", "2GB") -> policy.memory_bytes is 2'000'000'000
[[nodiscard]] std::string set_leaf_policy(LeafPolicy& policy, const std::string& name,
                                          const std::string& value);

}  // namespace refrain::script::ir
