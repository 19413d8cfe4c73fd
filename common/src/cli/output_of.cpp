#include "cli/output_of.hpp"

#include <cerrno>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace refrain::cli {
namespace {

/// A system call, once more if a signal came.
template <class Call>
auto uninterrupted(const Call& call) {
    for (;;)
        if (const auto result = call(); result >= 0 || errno != EINTR) return result;
}

}  // namespace

std::string output_of(const std::vector<std::string>& words) {
    int ends[2];
    if (words.empty() || pipe(ends) != 0) return {};
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (std::freopen("/dev/null", "w", stderr) != nullptr)
            execvp(arguments[0], arguments.data());
        _exit(127);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t got;
         (got = uninterrupted([&] { return read(ends[0], buffer, sizeof buffer); })) > 0;)
        text.append(buffer, static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    if (child < 0 || uninterrupted([&] { return waitpid(child, &status, 0); }) != child ||
        status != 0)
        return {};
    return text;
}

}  // namespace refrain::cli
