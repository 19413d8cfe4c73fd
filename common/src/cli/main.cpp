/// The program `refrain`: runs refrain-NAME for `refrain NAME`, and lists the installed commands.
///
/// A command is an executable refrain-NAME beside this program or in a folder of PATH; the first
/// one found is used.

#include "base/edit_distance.hpp"
#include "cli/output_of.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;
namespace cli = refrain::cli;

constexpr std::string_view prefix = "refrain-";
constexpr int exit_user_error = 2;

/// The folder of this program, then those of PATH.
std::vector<fs::path> folders() {
    std::vector<fs::path> found;
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (!error) found.push_back(self.parent_path());
    if (const char* path = std::getenv("PATH")) {
        std::istringstream parts(path);
        for (std::string part; std::getline(parts, part, ':');)
            if (!part.empty()) found.emplace_back(part);
    }
    return found;
}

bool is_command(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

/// The installed commands by name, without the prefix.
std::map<std::string, fs::path> commands() {
    std::map<std::string, fs::path> found;
    for (const fs::path& folder : folders()) {
        std::error_code error;
        for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
             entry.increment(error)) {
            const std::string name = entry->path().filename().string();
            if (name.starts_with(prefix) && is_command(entry->path()))
                found.emplace(name.substr(prefix.size()), entry->path());
        }
    }
    return found;
}

/// The first line that `refrain-NAME --summary` prints; empty if that fails.
std::string summary_of(const fs::path& command) {
    const std::string text = cli::output_of({command.string(), "--summary"});
    return text.substr(0, text.find('\n'));
}

void print_help() {
    std::puts(
        "Refrain: runtimes and tools for parallel programs that repeat themselves.\n"
        "\n"
        "Usage: refrain COMMAND [arguments]\n");
    const auto found = commands();
    if (found.empty())
        std::puts(
            "No commands are installed: there is no refrain-NAME beside this program or in PATH.");
    else
        std::puts("Commands:");
    std::size_t width = 0;
    for (const auto& [name, path] : found) width = std::max(width, name.size());
    for (const auto& [name, path] : found)
        std::printf("  %-*s  %s\n", static_cast<int>(width), name.c_str(),
                    summary_of(path).c_str());
    std::puts(
        "\nrefrain COMMAND --help describes a command; refrain --version prints the version.");
}

int run(const std::string& name, char** arguments) {
    for (const fs::path& folder : folders()) {
        const fs::path command = folder / (std::string(prefix) + name);
        if (!is_command(command)) continue;
        execv(command.c_str(), arguments);
        std::fprintf(stderr, "refrain: cannot run %s: %s\n", command.c_str(), std::strerror(errno));
        return exit_user_error;
    }
    std::vector<std::string> names;
    for (const auto& [installed, path] : commands()) names.push_back(installed);
    const std::string nearest = refrain::base::nearest_name(name, names);
    const std::string meant = nearest.empty() ? "" : " Did you mean '" + nearest + "'?";
    std::fprintf(stderr,
                 "refrain: no command '%s': no program refrain-%s beside this one or in PATH.%s\n"
                 "refrain --help lists the commands that are installed.\n",
                 name.c_str(), name.c_str(), meant.c_str());
    return exit_user_error;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view first = argc > 1 ? argv[1] : "--help";
    if (first == "--help" || first == "-h" || first == "help") {
        print_help();
        return 0;
    }
    if (first == "--version") {
        std::puts("refrain " REFRAIN_VERSION);
        return 0;
    }
    if (first.starts_with('-')) {
        std::fprintf(stderr, "refrain: unknown option '%s'; refrain --help shows the usage.\n",
                     argv[1]);
        return exit_user_error;
    }
    return run(argv[1], argv + 1);
}
