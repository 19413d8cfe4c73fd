#include "leaves/wrap.hpp"

#include "processes/process.hpp"
#include "values/script_error.hpp"

namespace refrain::script {
namespace {

constexpr const char* place = "{cmd}";
constexpr std::size_t place_size = 5;

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = '\0';
    for (const char letter : text) {
        if (quote != '\0') {
            if (letter == quote)
                quote = '\0';
            else
                word += letter;
        } else if (letter == '\'' || letter == '"') {
            quote = letter;
            in_word = true;
        } else if (letter != ' ' && letter != '\t') {
            word += letter;
            in_word = true;
        } else if (in_word) {
            words.push_back(std::move(word));
            word.clear();
            in_word = false;
        }
    }
    if (quote != '\0') throw ScriptError("the wrap '" + text + "' leaves a quote open");
    if (in_word) words.push_back(std::move(word));
    return words;
}

}  // namespace

std::vector<std::string> wrapped(const std::vector<std::string>& command,
                                 const std::string& pattern) {
    if (pattern.empty()) return command;
    std::vector<std::string> made;
    bool any = false;
    for (std::string word : words_of(pattern)) {
        if (word == place) {
            made.insert(made.end(), command.begin(), command.end());
            any = true;
            continue;
        }
        if (const std::size_t at = word.find(place); at != std::string::npos) {
            word.replace(at, place_size, processes::command_line(command));
            any = true;
        }
        made.push_back(std::move(word));
    }
    if (!any) throw ScriptError("the wrap '" + pattern + "' has no {cmd} in it");
    return made;
}

}  // namespace refrain::script
