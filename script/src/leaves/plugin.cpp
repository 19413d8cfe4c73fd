#include "leaves/plugin.hpp"

#include "values/script_error.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

namespace refrain::script {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> plugin_folders() {
    std::vector<fs::path> folders;
    if (const char* given = std::getenv("REFRAIN_SCRIPT_PLUGINS")) folders.emplace_back(given);
    std::error_code none;
    const fs::path self = fs::read_symlink("/proc/self/exe", none);
    folders.push_back((self.parent_path() / REFRAIN_SCRIPT_PLUGINS_BESIDE).lexically_normal());
    folders.emplace_back(REFRAIN_SCRIPT_PLUGINS_INSTALLED);
    return folders;
}

}  // namespace

void* plugin_symbol(const std::string& file, const char* symbol, const std::string& what,
                    const std::string& package) {
    std::string tried;
    for (const fs::path& folder : plugin_folders()) {
        tried += (tried.empty() ? "'" : ", '") + folder.string() + "'";
        if (!fs::exists(folder / file)) continue;
        void* handle = dlopen((folder / file).c_str(), RTLD_NOW | RTLD_LOCAL);
        void* found = handle == nullptr ? nullptr : dlsym(handle, symbol);
        if (found == nullptr)
            throw ScriptError(file, " cannot be opened: ", dlerror(), "; install the package ",
                              package);
        return found;
    }
    throw ScriptError("there is no " + file + " in " + tried + ": " + what +
                      " needs it; install the package " + package +
                      " and build again, or set REFRAIN_SCRIPT_PLUGINS to its folder");
}

}  // namespace refrain::script
