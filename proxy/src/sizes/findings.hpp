#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "sizes/number.hpp"

namespace refrain::proxy {

/// What was found while formulas were looked for.
struct Findings {
    std::vector<std::string> problems;  // what follows no formula, with values that contradict
    std::set<std::string> notes;        // arguments for which two formulas say the same
    bool has_grid = false;              // a formula asks for sides of a grid

    void add(const Findings& more) {
        problems.insert(problems.end(), more.problems.begin(), more.problems.end());
        notes.insert(more.notes.begin(), more.notes.end());
        has_grid = has_grid || more.has_grid;
    }
};

[[nodiscard]] std::string setting_words(const Setting& at);
/// "10", or "nobody".
[[nodiscard]] std::string value_words(std::int64_t value);

/// "10 (rank 0 of 4, size 64), 20 (rank 0 of 9, size 64)": what contradicts.
template <class Sample>
std::string samples_words(const std::vector<Sample>& samples) {
    constexpr std::size_t shown = 4;
    std::string text;
    std::set<std::int64_t> values;
    for (const Sample& each : samples) {
        if (values.size() == shown) return text + ", ...";
        if (!values.insert(each.value).second) continue;
        text += (text.empty() ? "" : ", ") + value_words(each.value) + " (" +
                setting_words(each.setting) + ")";
    }
    return text;
}

}  // namespace refrain::proxy
