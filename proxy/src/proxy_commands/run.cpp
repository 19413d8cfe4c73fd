#include "proxy_commands/run.hpp"

#include "refrain/error.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace refrain::proxy {
namespace {

namespace fs = std::filesystem;

fs::path library_folder() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return (self.parent_path() / REFRAIN_PROXY_LIBRARIES).lexically_normal();
}

/// The file that a shell would run for a word; empty if there is none.
fs::path program_file(const std::string& word) {
    std::error_code error;
    const auto runs = [&](const fs::path& file) {
        return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
    };
    if (word.find('/') != std::string::npos) return runs(word) ? fs::path(word) : fs::path();
    std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (runs(fs::path(folder) / word)) return fs::path(folder) / word;
    return {};
}

std::vector<char*> arguments(const std::vector<std::string>& words) {
    std::vector<char*> all;
    for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
    all.push_back(nullptr);
    return all;
}

/// What a program prints; empty if it fails.
std::string output_of(const std::vector<std::string>& words) {
    int ends[2];
    if (pipe(ends) != 0) return {};
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (std::freopen("/dev/null", "w", stderr) != nullptr)
            execvp(words[0].c_str(), arguments(words).data());
        _exit(127);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return {};
    return text;
}

/// "openmpi", "mpich" or nothing: by the libraries that the loader finds, also those of libraries.
std::string mpi_of(const fs::path& file) {
    const std::string libraries = output_of({"ldd", file.string()});
    if (libraries.find("libmpi.so") != std::string::npos) return "openmpi";
    if (libraries.find("libmpich.so") != std::string::npos) return "mpich";
    return {};
}

void set_environment(const Target& target, const std::string& folder) {
    std::string preload = target.interposer + ":" + target.counter;
    if (const char* before = std::getenv("LD_PRELOAD"); before != nullptr && *before != '\0')
        preload += std::string(":") + before;
    setenv("LD_PRELOAD", preload.c_str(), 1);
    setenv("REFRAIN_PROXY_RUN", fs::absolute(folder).c_str(), 1);
}

std::string rank_file(const std::string& folder, std::uint32_t rank) {
    return folder + "/rank-" + std::to_string(rank) + ".rpr";
}

int status_of(int wait_status) {
    if (WIFEXITED(wait_status)) return WEXITSTATUS(wait_status);
    return 128 + WTERMSIG(wait_status);
}

}  // namespace

Target find_target(const std::vector<std::string>& words, const std::string& mpi) {
    Target target;
    target.mpi = mpi;
    target.program = words.size();
    for (std::size_t i = 0; i < words.size(); ++i) {
        const fs::path file = program_file(words[i]);
        if (file.empty()) continue;
        const std::string found = mpi_of(file);
        if (found.empty() || (!mpi.empty() && found != mpi)) continue;
        target.program = i;
        target.mpi = found;
        break;
    }
    if (target.mpi.empty())
        throw UsageError(
            "none of the words of the command is a program that uses MPI as a shared "
            "library; if a script starts one, name its MPI: --mpi openmpi");
    const fs::path folder = library_folder();
    target.interposer = folder / ("librefrain-proxy-" + target.mpi + ".so");
    target.counter = folder / ("librefrain-proxy-counter-" + target.mpi + ".so");
    if (!fs::exists(target.interposer) || !fs::exists(target.counter))
        throw UsageError("there is no interposer for " + target.mpi + ": " + target.interposer +
                         " is missing; build Refrain where the development files of this MPI are "
                         "installed");
    return target;
}

int run_program(const std::vector<std::string>& words) {
    const pid_t child = fork();
    if (child == 0) {
        execvp(words[0].c_str(), arguments(words).data());
        std::fprintf(stderr, "refrain proxy: cannot run %s: %s\n", words[0].c_str(),
                     std::strerror(errno));
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 127;
    return status_of(status);
}

int record(const std::vector<std::string>& words, const Target& target, const std::string& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw UsageError("cannot make the folder '" + folder + "': " + error.message() +
                         "; name another one with -o");
    // What an earlier run left there must not be taken for this one.
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename();
        if (name.starts_with("rank-") || name.starts_with("counts-") || name == "launch.rpl")
            fs::remove(entry.path());
    }
    Launch launch;
    launch.words = words;
    launch.program = target.program;
    const auto began = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        set_environment(target, folder);
        execvp(words[0].c_str(), arguments(words).data());
        std::fprintf(stderr, "refrain proxy: cannot run %s: %s\n", words[0].c_str(),
                     std::strerror(errno));
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        throw std::runtime_error("cannot start a process");
    launch.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    launch.status = status_of(status);
    if (!replace_file(folder + "/launch.rpl", write(launch)))
        throw std::runtime_error("cannot write into '" + folder + "': " + std::strerror(errno));
    return launch.status;
}

void become(const std::vector<std::string>& words, const Target& target,
            const std::string& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    set_environment(target, folder);
    execvp(words[0].c_str(), arguments(words).data());
    throw std::runtime_error("cannot run '" + words[0] + "': " + std::strerror(errno));
}

std::string incomplete(const std::string& folder) {
    std::error_code error;
    if (!fs::exists(rank_file(folder, 0), error))
        return "no process with rank 0 called MPI_Init under the interposer";
    try {
        const Recording recording = merge_folder(folder);
        for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
            if (recording.ranks[rank].ending == Ending::aborted)
                return "rank " + std::to_string(rank) + " called MPI_Abort";
            if (recording.ranks[rank].ending == Ending::unfinished)
                return "rank " + std::to_string(rank) + " did not reach MPI_Finalize";
        }
    } catch (const std::runtime_error& problem) {
        return problem.what();
    }
    return {};
}

Recording merge_folder(const std::string& folder) {
    std::vector<RankRecording> ranks;
    std::uint32_t size = 1;
    for (std::uint32_t rank = 0; rank < size; ++rank) {
        const std::string name = rank_file(folder, rank);
        ranks.push_back(read_rank(read_whole_file(name), name));
        if (rank == 0) size = ranks[0].size;
        if (ranks.back().rank != rank || ranks.back().size != size)
            throw UsageError("'" + name + "' is of rank " + std::to_string(ranks.back().rank) +
                             " of " + std::to_string(ranks.back().size) +
                             "; the folder holds parts of several runs");
    }
    Launch launch;
    std::error_code error;
    const std::string launch_file = folder + "/launch.rpl";
    if (fs::exists(launch_file, error))
        launch = read_launch(read_whole_file(launch_file), launch_file);
    Recording recording = merge(ranks, launch);
    for (std::uint32_t rank = 0; rank < size; ++rank) {
        const std::string name = folder + "/counts-" + std::to_string(rank) + ".txt";
        if (!fs::exists(name, error)) break;
        recording.counts.push_back(read_whole_file(name));
    }
    return recording;
}

Recording load(const std::string& name) {
    std::error_code error;
    if (fs::is_directory(name, error)) return merge_folder(name);
    return read_recording(read_whole_file(name), name);
}

}  // namespace refrain::proxy
