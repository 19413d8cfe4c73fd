#include "proxy_commands/target.hpp"

#include "base/text.hpp"
#include "cli/output_of.hpp"
#include "events/block_file.hpp"
#include "proxy_commands/built_mpi.hpp"
#include "proxy_commands/processes.hpp"
#include "refrain/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace refrain::proxy {
namespace {

namespace fs = std::filesystem;

fs::path smpi_recorder() {
    const fs::path file = library_folder() / "refrain-proxy-smpi.o";
    if (!fs::exists(file))
        throw UsageError(
            "there is no recorder for smpi: " + file.string() +
            " is missing; build Refrain where smpicc is installed (Debian: libsimgrid-dev)");
    return file;
}

/// Whether a program was linked with its recorder: each reads the folder of a recording from a variable of the environment.
/// A script that speaks of it is none.
bool has_recorder(const fs::path& program) {
    const std::string content = read_whole_file(program);
    return content.starts_with("\177ELF") && content.find("REFRAIN_PROXY_RUN") != std::string::npos;
}

void check_has_recorder(const fs::path& program) {
    if (has_recorder(program)) return;
    const bool in_fortran = read_whole_file(program).find("mpi_init_") != std::string::npos;
    throw UsageError(
        "'" + program.string() +
        "' was linked without its recorder, which each simulated rank needs a copy of: " +
        (in_fortran ? "smpif90" : "smpicc") + " -o " + program.filename().string() + " ... " +
        smpi_link_words());
}

}  // namespace

std::string mpi_of(const std::string& file) {
    const std::string libraries = cli::output_of({"ldd", file});
    if (libraries.find("libsimgrid.so") != std::string::npos) return "smpi";
    if (libraries.find("libmpi.so") != std::string::npos) return "openmpi";
    if (libraries.find("libmpich.so") != std::string::npos) return "mpich";
    return {};
}

std::string mpi_of_python(const std::string& file) {
    std::string python = file;
    std::ifstream content(file, std::ios::binary);
    if (std::string first; content.get() == '#' && content.get() == '!') {
        std::getline(content, first);  // "/usr/bin/env python3"
        for (const std::string& word : base::parts_of(first, " \t\r")) python = word;
    }
    if (!fs::path(python).filename().string().starts_with("python")) return {};
    // Where mpi4py lies, without loading it: that would begin MPI.
    const std::string module = cli::output_of(
        {python, "-c",
         "import importlib.util; print(importlib.util.find_spec('mpi4py.MPI').origin, end='')"});
    return module.empty() ? std::string() : mpi_of(module);
}

std::string mpi_of_launcher(const std::string& word) {
    const std::string name = fs::path(word).filename();
    const std::string file = program_file(word);
    if (file.empty() || (!name.starts_with("mpirun") && !name.starts_with("mpiexec"))) return {};
    const std::string said = cli::output_of({file, "--version"});
    if (said.find("Open MPI") != std::string::npos || said.find("OpenRTE") != std::string::npos)
        return "openmpi";
    return said.find("HYDRA") != std::string::npos ? "mpich" : "";
}

fs::path library_folder() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return (self.parent_path() / REFRAIN_PROXY_LIBRARIES).lexically_normal();
}

std::string program_file(const std::string& word) {
    std::error_code error;
    const auto runs = [&](const fs::path& file) {
        return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
    };
    if (word.find('/') != std::string::npos) return runs(word) ? word : std::string();
    std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (runs(fs::path(folder) / word)) return (fs::path(folder) / word).string();
    return {};
}

std::string source_folder() {
    return (library_folder() / REFRAIN_PROXY_SOURCES).lexically_normal();
}

std::string smpi_link_words() {
    return smpi_recorder().string() + " -lstdc++";
}

std::optional<std::size_t> find_smpirun(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (fs::path(words[i]).filename() == "smpirun") return i;
    return std::nullopt;
}

Target find_target(const std::vector<std::string>& words, const std::string& mpi) {
    if (mpi.find('/') != std::string::npos) return built_target(words, mpi);
    Target target;
    target.mpi = mpi;
    target.program = words.size();
    std::string other;  // what speaks against --mpi
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string file = program_file(words[i]);
        if (file.empty()) continue;
        std::string found = mpi_of(file);
        if (found.empty()) found = mpi_of_python(file);
        // A static program, say: nothing is preloaded into it.
        const bool is_program = fs::path(file).filename() != "refrain-proxy";
        if (found != "smpi" && is_program && has_recorder(file)) {
            target.program = i;
            target.mpi = found;
            return target;
        }
        if (!found.empty() && !mpi.empty() && found != mpi && other.empty())
            other = "'" + words[i] + "' uses " + found + ", not " + mpi +
                    ", whose recorder would break it; leave --mpi out";
        if (found.empty() || (!mpi.empty() && found != mpi)) continue;
        target.program = i;
        target.mpi = found;
        other.clear();
        break;
    }
    if (!other.empty()) throw UsageError(other);
    if (target.mpi.empty())
        throw UsageError(
            "none of the words of the command is a program that uses MPI as a shared "
            "library; if a script starts one, name its MPI: --mpi openmpi; if it is a static one, "
            "link "
            "it with its recorder: " +
            (library_folder() / "refrain-proxy-MPI.o -lstdc++").string());
    if (target.is_simulated()) {
        (void)smpi_recorder();
        if (target.program < words.size()) check_has_recorder(program_file(words[target.program]));
        return target;
    }
    const fs::path folder = library_folder();
    target.interposer = folder / ("librefrain-proxy-" + target.mpi + ".so");
    target.counter = folder / ("librefrain-proxy-counter-" + target.mpi + ".so");
    if (!fs::exists(target.interposer) || !fs::exists(target.counter))
        throw UsageError("there is no interposer for " + target.mpi + ": " + target.interposer +
                         " is missing; build Refrain where the development files of this MPI are "
                         "installed");
    return target;
}

}  // namespace refrain::proxy
