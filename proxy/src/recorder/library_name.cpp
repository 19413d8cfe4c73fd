#include "recorder/library_name.hpp"

#include <algorithm>

namespace refrain::proxy {
namespace {

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

/// The first word of what is left, which it leaves.
std::string_view take_word(std::string_view& left) {
    constexpr const char* blanks = " \t";
    left.remove_prefix(std::min(left.find_first_not_of(blanks), left.size()));
    const std::string_view word = left.substr(0, left.find_first_of(blanks));
    left.remove_prefix(word.size());
    return word;
}

/// "4.1.4" of "v4.1.4", "3.32" of "3.32."; empty if the word is no number.
std::string_view version_in(std::string_view word) {
    if (word.starts_with('v')) word.remove_prefix(1);
    if (word.empty() || !is_digit(word.front())) return {};
    while (word.ends_with('.')) word.remove_suffix(1);
    return word;
}

}  // namespace

std::string library_name(std::string_view words) {
    const std::string_view line = words.substr(0, words.find_first_of(",\n"));
    std::string name;
    for (std::string_view left = line; !left.empty();) {
        const std::string_view word = take_word(left);
        const std::string_view version = version_in(word);
        if (!version.empty() && !name.empty()) return name + " " + std::string(version);
        if (word.empty() || word == "Version" || word == "Version:") continue;
        if (!name.empty()) name += ' ';
        name += word;
    }
    return std::string(line);
}

}  // namespace refrain::proxy
