#include "proxy_commands/processes.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace refrain::proxy {

std::vector<char*> arguments(const std::vector<std::string>& words) {
    std::vector<char*> all;
    for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
    all.push_back(nullptr);
    return all;
}

int status_of(int wait_status) {
    if (WIFEXITED(wait_status)) return WEXITSTATUS(wait_status);
    return 128 + WTERMSIG(wait_status);
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

int run_program_into(const std::vector<std::string>& words, const std::string& file) {
    const pid_t child = fork();
    if (child == 0) {
        if (std::freopen(file.c_str(), "w", stdout) != nullptr) dup2(STDOUT_FILENO, STDERR_FILENO);
        execvp(words[0].c_str(), arguments(words).data());
        std::fprintf(stderr, "cannot run %s: %s\n", words[0].c_str(), std::strerror(errno));
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 127;
    return status_of(status);
}

}  // namespace refrain::proxy
