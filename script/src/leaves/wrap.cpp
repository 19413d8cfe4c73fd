#include "leaves/wrap.hpp"

#include "processes/process.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

namespace refrain::script {
namespace {

constexpr const char* place = "{cmd}";
constexpr std::size_t place_size = 5;

}  // namespace

std::vector<std::string> wrapped(const std::vector<std::string>& command,
                                 const std::string& pattern) {
    if (pattern.empty()) return command;
    std::vector<std::string> made;
    bool any = false;
    for (std::string word : quoted_words(pattern, "'\"")) {
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
