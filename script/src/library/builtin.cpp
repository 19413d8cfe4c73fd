#include "library/builtin.hpp"

#include "library/modules.hpp"

#include <algorithm>
#include <array>
#include <vector>

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
    static const std::array<SourceModule, 7> all = {{{"blob", blob_swift},
                                                     {"location", location_swift},
                                                     {"matrix", matrix_swift},
                                                     {"reductions", reductions_swift},
                                                     {"stats", stats_swift},
                                                     {"sys", sys_swift},
                                                     {"unix", unix_swift}}};
    return all;
}

std::string_view declared_name(std::string_view text) {
    // The name stands before the last "(" that opens the inputs: behind ")" and blanks.
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
    return text.substr(begin, end - begin);
}

std::string NamedBuiltin::declaration() const {
    std::string text = builtin->declaration;
    const std::string_view names = declared_name(builtin->declaration);
    return text.replace(static_cast<std::size_t>(names.data() - builtin->declaration), names.size(),
                        name);
}

std::span<const NamedBuiltin> named_builtins() {
    static const auto all = [] {
        std::vector<NamedBuiltin> made;
        for (const Module& module : modules())
            for (const Builtin& each : module.functions) {
                std::string_view left = declared_name(each.declaration);
                while (!left.empty()) {
                    const std::string_view name = left.substr(0, left.find('|'));
                    left.remove_prefix(std::min(name.size() + 1, left.size()));
                    made.push_back({name, module.name, &each});
                }
            }
        std::ranges::stable_sort(made, {}, &NamedBuiltin::name);
        return made;
    }();
    return all;
}

std::span<const NamedBuiltin> builtins_named(std::string_view name) {
    const auto all = named_builtins();
    const auto begin = std::ranges::lower_bound(all, name, {}, &NamedBuiltin::name);
    const auto end = std::ranges::upper_bound(begin, all.end(), name, {}, &NamedBuiltin::name);
    return {begin, end};
}

std::string code_name_of(std::string_view name, std::size_t overload) {
    return std::string(name) + (overload == 0 ? "" : "/" + std::to_string(overload + 1));
}

const Builtin* find_builtin(std::string_view name) {
    const std::size_t slash = std::min(name.find('/'), name.size());
    const auto all = builtins_named(name.substr(0, slash));
    for (std::size_t i = 0; i < all.size(); ++i)
        if (name.size() == slash ? i == 0 : code_name_of(all[i].name, i) == name)
            return all[i].builtin;
    return nullptr;
}

}  // namespace refrain::script
