#include "generate/rule_book.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace refrain::proxy {
namespace {

/// 1: b, 2: c, ... 26: ba
std::string letters(int number) {
    std::string text;
    for (; number > 0; number /= 26)
        text.insert(text.begin(), static_cast<char>('a' + number % 26));
    return text;
}

constexpr std::size_t functions_max = 2;  // in a name

/// "Solver_step" of "Solver::step(int)": what C takes for a name.
std::string identifier(const std::string& function) {
    constexpr std::size_t length_max = 40;
    std::string name;
    for (const char letter : function.substr(0, function.find('('))) {
        const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0;
        if (plain && (!name.empty() || std::isalpha(static_cast<unsigned char>(letter)) != 0))
            name += letter;
        else if (!name.empty() && name.back() != '_')
            name += '_';
    }
    name.resize(std::min(name.size(), length_max));
    while (!name.empty() && name.back() == '_') name.pop_back();
    return name;
}

/// "exchange_and_solve"; "step" if there are too many, or one of them is not known.
std::string named_by(const std::set<std::string>& functions) {
    std::string name;
    for (const std::string& function : functions) {
        const std::string one = identifier(function);
        if (one.empty() || functions.size() > functions_max) return "step";
        name += (name.empty() ? "" : "_and_") + one;
    }
    return name;
}

}  // namespace

RuleBook::RuleBook(const Recording& recording)
    : recording_(recording),
      ends_(recording.rules.size()),
      lengths_(strings::expanded_lengths(recording.rules)) {
    std::map<std::string, int> seen;
    for (std::uint32_t rule = 0; rule < recording.rules.size(); ++rule) {
        find_ends(rule);
        std::string name =
            named_by(ends_[rule].functions) + "_of_" + std::to_string(lengths_[rule]);
        const int times = ++seen[name];
        if (times > 1) name += std::string("_") + letters(times - 1);
        names_.push_back(name);
    }
}

/// Of a call whose place is not known, an empty one.
void RuleBook::add_functions(const strings::Run& run, std::set<std::string>& functions) const {
    if (run.is_rule) {
        functions.insert(ends_[run.symbol].functions.begin(), ends_[run.symbol].functions.end());
        return;
    }
    const std::uint32_t site = recording_.events[run.symbol].site;
    functions.insert(site == 0 ? std::string() : recording_.sites[site - 1].function);
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
    // Rules lie behind those that use them or before: go down without recursion.
    std::vector<std::uint32_t> stack{rule};
    while (!stack.empty()) {
        const std::uint32_t at = stack.back();
        if (ends_[at].known) {
            stack.pop_back();
            continue;
        }
        const std::vector<strings::Run>& runs = recording_.rules[at];
        bool ready = true;
        for (const strings::Run& run : runs)
            if (run.is_rule && !ends_[run.symbol].known) {
                stack.push_back(run.symbol);
                ready = false;
            }
        if (!ready) continue;
        std::set<std::string> functions;
        for (const strings::Run& run : runs)
            if (functions.size() <= functions_max) add_functions(run, functions);
        ends_[at] = {first_of(runs.front()), last_of(runs.back()), std::move(functions), true};
        stack.pop_back();
    }
}

}  // namespace refrain::proxy
