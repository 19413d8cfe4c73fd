#include "leaves/tcl_leaf.hpp"

#include "leaves/leaf_host.hpp"
#include "values/script_error.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <sstream>

namespace refrain::script {
namespace {

namespace fs = std::filesystem;

/// Where plug-ins of this library are: as the user says, beside the program, where they were installed.
std::vector<fs::path> plugin_folders() {
    std::vector<fs::path> folders;
    if (const char* given = std::getenv("REFRAIN_SCRIPT_PLUGINS")) folders.emplace_back(given);
    std::error_code none;
    const fs::path self = fs::read_symlink("/proc/self/exe", none);
    folders.push_back((self.parent_path() / REFRAIN_SCRIPT_PLUGINS_BESIDE).lexically_normal());
    folders.emplace_back(REFRAIN_SCRIPT_PLUGINS_INSTALLED);
    return folders;
}

OpenTcl opened_tcl() {
    constexpr const char* name = "refrain-script-tcl.so";
    std::string tried;
    for (const fs::path& folder : plugin_folders()) {
        const fs::path file = folder / name;
        tried += (tried.empty() ? "'" : ", '") + folder.string() + "'";
        if (!fs::exists(file)) continue;
        void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr)
            throw ScriptError("Tcl cannot be opened: " + std::string(dlerror()) +
                              "; install the package tcl");
        return reinterpret_cast<OpenTcl>(dlsym(handle, "refrain_script_open_tcl"));
    }
    throw ScriptError(std::string("there is no ") + name + " in " + tried +
                      ": functions of Tcl need it; install the package tcl-dev and build again, or "
                      "set REFRAIN_SCRIPT_PLUGINS to its folder");
}

/// As the original: SWIFT_PATH has colons, TURBINE_USER_LIB blanks.
std::vector<std::string> package_folders(const std::vector<std::string>& folders) {
    std::vector<std::string> all;
    const auto add = [&](const char* variable, char separator) {
        const char* value = std::getenv(variable);
        std::istringstream text(value == nullptr ? "" : value);
        for (std::string each; std::getline(text, each, separator);)
            if (!each.empty()) all.push_back(each);
    };
    add("SWIFT_PATH", ':');
    add("TURBINE_USER_LIB", ' ');
    for (const std::string& each : folders)
        if (!each.empty()) all.push_back(each);
    return all;
}

TclEvaluator& evaluator(LeafHost& host, const std::vector<std::string>& folders) {
    if (host.tcl == nullptr) host.tcl.reset(opened_tcl()(package_folders(folders)));
    return *host.tcl;
}

}  // namespace

TclLeaf::TclLeaf(const ir::LeafDefinition& definition, const std::vector<std::string>& folders,
                 LeafHost& host)
    : definition_(definition), tcl_(evaluator(host, folders)) {
    if (!host.options().dry_run) tcl_.prepare(definition_);
}

void TclLeaf::call(std::span<const Value> arguments, std::span<Value> results,
                   Services& services) const {
    tcl_.call(definition_, arguments, results, services);
}

}  // namespace refrain::script
