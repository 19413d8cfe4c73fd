#include "library/builtin.hpp"

#include "library/modules.hpp"

#include <array>
#include <map>
#include <string_view>
#include <unordered_map>

namespace refrain::script {

std::span<const Module> modules() {
    static const std::array<Module, 17> all = {{{"operators", operator_functions},
                                                {"builtins", basic_functions},
                                                {"string", string_functions},
                                                {"math", math_functions},
                                                {"io", io_functions},
                                                {"files", file_functions},
                                                {"sys", sys_functions},
                                                {"assert", assert_functions},
                                                {"stats", stats_functions},
                                                {"random", random_functions},
                                                {"python", python_functions},
                                                {"R", r_functions},
                                                {"json", json_functions},
                                                {"blob", blob_functions},
                                                {"matrix", matrix_functions},
                                                {"location", location_functions},
                                                {"launch", launch_functions}}};
    return all;
}

std::span<const SourceModule> source_modules() {
    static const std::array<SourceModule, 2> all = {
        {{"location", location_swift}, {"unix", unix_swift}}};
    return all;
}

std::string declared_name(const char* declaration) {
    // The name stands before the last "(" that opens the inputs: behind ")" and blanks.
    const std::string_view text = declaration;
    std::size_t open = 0;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(' && depth++ == 0) open = i;
        if (text[i] == ')') --depth;
    }
    std::size_t end = open;
    while (end > 0 && text[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && text[begin - 1] != ' ' && text[begin - 1] != ')') --begin;
    return std::string(text.substr(begin, end - begin));
}

const std::vector<NamedBuiltin>& named_builtins() {
    static const auto all = [] {
        std::vector<NamedBuiltin> made;
        std::map<std::string, int> overloads;
        for (const Module& module : modules())
            for (const Builtin& each : module.functions) {
                const std::string name = declared_name(each.declaration);
                const int number = ++overloads[name];
                made.push_back({name, number > 1 ? name + "/" + std::to_string(number) : name,
                                module.name, &each});
            }
        return made;
    }();
    return all;
}

const Builtin* find_builtin(const std::string& name) {
    static const auto by_name = [] {
        std::unordered_map<std::string, const Builtin*> made;
        for (const NamedBuiltin& each : named_builtins())
            made.emplace(each.code_name, each.builtin);
        return made;
    }();
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : found->second;
}

}  // namespace refrain::script
