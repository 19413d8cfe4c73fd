#include "script/processes.hpp"

#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace script_bench {

Folder::Folder()
    : path_(std::filesystem::temp_directory_path() / ("bench_script_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
}
Folder::~Folder() {
    std::filesystem::remove_all(path_);
}

Ended run_process(std::vector<std::string> words, const char* output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output != nullptr) posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0);
    std::vector<char*> arguments;
    for (std::string& each : words) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int failed =
        posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    rusage used{};
    if (failed != 0 || wait4(child, &status, 0, &used) < 0)
        throw std::runtime_error("cannot run " + words[0]);
    return {status, static_cast<double>(used.ru_maxrss) / 1024};
}

double cpu_seconds_with_children() {
    double sum = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(who, &used);
        for (const timeval& each : {used.ru_utime, used.ru_stime})
            sum += static_cast<double>(each.tv_sec) + 1e-6 * static_cast<double>(each.tv_usec);
    }
    return sum;
}

}  // namespace script_bench
