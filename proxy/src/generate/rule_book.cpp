#include "generate/rule_book.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace refrain::proxy {
namespace {

/// 1: b, 2: c, ... 26: ba
std::string letters(int number) {
    std::string text;
    for (; number > 0; number /= 26)
        text.insert(text.begin(), static_cast<char>('a' + number % 26));
    return text;
}

}  // namespace

RuleBook::RuleBook(const Recording& recording)
    : recording_(recording),
      ends_(recording.rules.size()),
      lengths_(strings::expanded_lengths(recording.rules)) {
    std::map<std::uint64_t, int> seen;
    for (std::uint32_t rule = 0; rule < recording.rules.size(); ++rule) {
        find_ends(rule);
        std::string name = "step_of_" + std::to_string(lengths_[rule]);
        const int times = ++seen[lengths_[rule]];
        if (times > 1) name += std::string("_") + letters(times - 1);
        names_.push_back(name);
    }
}

std::string RuleBook::name(const strings::Run& run) const {
    if (run.is_rule) return names_[run.symbol];
    std::string name = info(recording_.events[run.symbol].function).name;
    for (char& letter : name) letter = static_cast<char>(std::tolower(letter));
    return name;
}

std::string RuleBook::contents(const strings::Run& run) const {
    if (!run.is_rule) return info(recording_.events[run.symbol].function).name;
    std::vector<std::pair<std::string, std::uint64_t>> parts;
    const auto add = [&](const std::string& name, std::uint64_t count) {
        const auto known = std::find_if(parts.begin(), parts.end(),
                                        [&](const auto& part) { return part.first == name; });
        if (known == parts.end())
            parts.emplace_back(name, count);
        else
            known->second += count;
    };
    for (const strings::Run& each : recording_.rules[run.symbol])
        add(each.is_rule ? names_[each.symbol] : info(recording_.events[each.symbol].function).name,
            each.count);
    std::string text;
    for (const auto& [name, count] : parts)
        text += (text.empty() ? "" : ", ") + (count > 1 ? std::to_string(count) + " " : "") + name;
    return text;
}

void RuleBook::find_ends(std::uint32_t rule) {
    // Rules lie behind those that use them or before: follow the chain without recursion.
    std::vector<std::uint32_t> stack{rule};
    while (!stack.empty()) {
        const std::uint32_t at = stack.back();
        const strings::Run& first = recording_.rules[at].front();
        const strings::Run& last = recording_.rules[at].back();
        bool ready = true;
        for (const strings::Run* run : {&first, &last})
            if (run->is_rule && !ends_[run->symbol].known) {
                stack.push_back(run->symbol);
                ready = false;
            }
        if (!ready) continue;
        ends_[at] = {first_of(first), last_of(last), true};
        stack.pop_back();
    }
}

}  // namespace refrain::proxy
