#include "syntax/macro.hpp"

#include "syntax/letters.hpp"

#include <algorithm>
#include <cctype>
#include <deque>
#include <iterator>

namespace refrain::script {
namespace {

/// What an argument is between # and its end: blanks are one, strings keep their quotes and backslashes.
std::string as_string(const std::vector<MacroWord>& words) {
    std::string text = "\"";
    for (const MacroWord& each : words) {
        if (each.blank_before && text.size() > 1) text += ' ';
        const bool quoted = each.text.front() == '"';
        for (const char letter : each.text) {
            if (quoted && (letter == '"' || letter == '\\')) text += '\\';
            text += letter;
        }
    }
    return text + "\"";
}

/// How many parentheses are open at the end; 0 once the first one is closed.
int open_parentheses(const std::deque<MacroWord>& words) {
    int depth = 0;
    for (const MacroWord& each : words) {
        depth += each.text == "(" ? 1 : each.text == ")" ? -1 : 0;
        if (depth == 0) return 0;
    }
    return depth;
}

std::string misuse(const std::string& name, const Macro& macro, std::size_t given) {
    const std::size_t takes = macro.arguments.size() - (macro.variable_count ? 1 : 0);
    return "the macro '" + name + "' takes " + std::to_string(takes) +
           (macro.variable_count ? " or more arguments"
            : takes == 1         ? " argument"
                                 : " arguments") +
           ", not " + std::to_string(given);
}

}  // namespace

bool MacroWord::is_name() const {
    return begins_name(text.front());
}

std::size_t end_of_string(std::string_view text, std::size_t at, std::string_view mark) {
    const bool one_line = mark.size() == 1;
    for (std::size_t i = at + mark.size(); i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text.substr(i, mark.size()) == mark)
            return i + mark.size();
        else if (one_line && text[i] == '\n')
            break;
    }
    return one_line ? std::min(text.find('\n', at), text.size()) : text.size();
}

std::vector<MacroWord> macro_words(std::string_view text, Position at) {
    std::vector<MacroWord> words;
    bool blank = false;
    for (std::size_t i = 0; i < text.size();) {
        if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
            blank = true;
            ++i;
            continue;
        }
        std::size_t end = i + 1;
        if (text[i] == '"')
            end = end_of_string(text, i);
        else if (in_name(text[i]))
            while (end < text.size() &&
                   (in_name(text[end]) || (text[end] == '.' && is_digit(text[i]))))
                ++end;
        else if (text.substr(i, 2) == "##")
            end = i + 2;
        words.push_back({std::string(text.substr(i, end - i)), at, blank, {}});
        blank = false;
        i = end;
    }
    return words;
}

const Macro* MacroTable::find(const std::string& name) const {
    const auto found = all_.find(name);
    return found == all_.end() ? nullptr : &found->second;
}

std::vector<MacroWord> MacroTable::expanded(
    std::vector<MacroWord> words,
    const std::function<std::vector<MacroWord>(int open)>& more) const {
    std::deque<MacroWord> left(std::make_move_iterator(words.begin()),
                               std::make_move_iterator(words.end()));
    Words made;
    while (!left.empty()) {
        MacroWord word = std::move(left.front());
        left.pop_front();
        const Macro* macro = word.is_name() ? find(word.text) : nullptr;
        if (macro == nullptr || word.hidden.contains(word.text)) {
            made.push_back(std::move(word));
            continue;
        }
        std::set<std::string> hidden = word.hidden;
        std::vector<Words> given;
        if (macro->has_arguments) {
            if (left.empty() && more)
                for (MacroWord& each : more(0)) left.push_back(std::move(each));
            if (left.empty() || left.front().text != "(") {
                made.push_back(std::move(word));
                continue;
            }
            if (const int open = open_parentheses(left); open != 0 && more)
                for (MacroWord& each : more(open)) left.push_back(std::move(each));
            given.emplace_back();
            int depth = 0;
            bool closed = false;
            std::size_t used = 0;
            for (const MacroWord& each : left) {
                ++used;
                if (each.text == "(" && depth++ == 0) continue;
                if (each.text == ")" && --depth == 0) {
                    closed = true;
                    std::set<std::string> both;
                    std::set_intersection(hidden.begin(), hidden.end(), each.hidden.begin(),
                                          each.hidden.end(), std::inserter(both, both.end()));
                    hidden = std::move(both);
                    break;
                }
                const bool all_taken =
                    macro->variable_count && given.size() == macro->arguments.size();
                if (each.text == "," && depth == 1 && !all_taken)
                    given.emplace_back();
                else
                    given.back().push_back(each);
            }
            const bool fits =
                given.size() == macro->arguments.size() ||
                (macro->arguments.empty() && given.size() == 1 && given[0].empty()) ||
                (macro->variable_count && given.size() + 1 == macro->arguments.size());
            if (!closed || !fits) {
                if (closed && on_misuse)
                    on_misuse(word.at, misuse(word.text, *macro, given.size()));
                made.push_back(std::move(word));
                continue;
            }
            left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(used));
        }
        hidden.insert(word.text);
        Words body = substituted(*macro, given, hidden, word);
        if (!body.empty()) body.front().blank_before = word.blank_before;
        left.insert(left.begin(), std::make_move_iterator(body.begin()),
                    std::make_move_iterator(body.end()));
    }
    return made;
}

/// The body with its arguments put in: as they are beside # and ##, else expanded.
MacroTable::Words MacroTable::substituted(const Macro& macro, const std::vector<Words>& given,
                                          const std::set<std::string>& hidden,
                                          const MacroWord& use) const {
    const auto argument = [&](const MacroWord& word) -> const Words* {
        static const Words none;
        const auto found = std::ranges::find(macro.arguments, word.text);
        if (!macro.has_arguments || found == macro.arguments.end()) return nullptr;
        const auto index = static_cast<std::size_t>(found - macro.arguments.begin());
        return index < given.size() ? &given[index] : &none;
    };
    Words made;
    bool pastes = false;  // the word before was ##
    for (std::size_t i = 0; i < macro.body.size(); ++i) {
        const MacroWord& word = macro.body[i];
        if (word.text == "##" && i != 0 && i + 1 < macro.body.size()) {
            pastes = true;
            continue;
        }
        const bool pasted_next = i + 2 < macro.body.size() && macro.body[i + 1].text == "##";
        Words part;
        const Words* next = i + 1 < macro.body.size() ? argument(macro.body[i + 1]) : nullptr;
        if (word.text == "#" && macro.has_arguments && next != nullptr) {
            part = {{as_string(*next), use.at, word.blank_before, {}}};
            ++i;
        } else if (const Words* is = argument(word)) {
            part = pastes || pasted_next ? *is : expanded(*is);
            if (!part.empty()) part.front().blank_before = word.blank_before;
        } else {
            part = {word};
        }
        if (pastes && !made.empty() && !part.empty()) {
            made.back().text += part.front().text;
            part.erase(part.begin());
        }
        pastes = false;
        made.insert(made.end(), part.begin(), part.end());
    }
    for (MacroWord& each : made) {
        each.hidden.insert(hidden.begin(), hidden.end());
        each.at = use.at;
    }
    return made;
}

}  // namespace refrain::script
