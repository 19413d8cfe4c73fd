#include "leaves/app.hpp"

#include "values/script_error.hpp"
#include "values/text.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace refrain::script {
namespace {

namespace fs = std::filesystem;

void add_words(std::vector<std::string>& words, const Value& value) {
    if (value.is<Value::TablePointer>()) {
        for (const auto& [key, element] : value.entries()) add_words(words, element);
        return;
    }
    words.push_back(text_of(value));
}

std::string command_line(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) {
        const bool plain =
            !word.empty() && word.find_first_of(" \t\n\"'\\$*?;&|<>(){}[]~`#") == std::string::npos;
        line += (line.empty() ? "" : " ") + (plain ? word : in_quotes(word));
    }
    return line;
}

/// The last lines of a file, each indented.
std::string last_lines(const std::string& path, std::size_t lines_max) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> lines;
    std::string line;
    for (const char letter : text + "\n") {
        if (letter != '\n') {
            line += letter;
        } else if (!line.empty()) {
            lines.push_back(std::exchange(line, {}));
        }
    }
    std::string all;
    for (std::size_t i = lines.size() > lines_max ? lines.size() - lines_max : 0; i < lines.size();
         ++i)
        all += "\n    " + lines[i];
    return all;
}

/// Actions of posix_spawn, destroyed at the end.
class SpawnActions {
  public:
    SpawnActions() { posix_spawn_file_actions_init(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }

    void open(int stream, const std::string& path) {
        const int flags = stream == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
        posix_spawn_file_actions_addopen(&actions_, stream, path.c_str(), flags, 0666);
    }
    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

std::string outcome(int status) {
    if (WIFSIGNALED(status))
        return std::string("was killed by signal ") + strsignal(WTERMSIG(status));
    return "ended with status " + std::to_string(WEXITSTATUS(status));
}

void remove_quietly(const std::string& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
}

}  // namespace

AppLeaf::Command AppLeaf::command_of(std::span<const Value> arguments,
                                     std::span<const Value> results, Services& services) const {
    Command command;
    const auto value_of = [&](const ir::LeafWord& word) -> const Value& {
        return word.output ? results[word.index] : arguments[word.index];
    };
    for (const ir::LeafWord& word : definition_.words) add_words(command.words, value_of(word));
    for (std::size_t i = 0; i < 3; ++i)
        if (definition_.streams[i].index != ir::no_variable)
            command.streams[i] = text_of(value_of(definition_.streams[i]));
    if (command.words.empty())
        throw ScriptError("the command of the app '" + definition_.name + "' is empty");
    if (command.streams[2].empty()) command.error_log = services.temporary_path();
    return command;
}

void AppLeaf::call(std::span<const Value> arguments, std::span<Value> results,
                   Services& services) const {
    std::vector<bool> temporary(results.size(), false);
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!definition_.outputs[i].is(Kind::file)) continue;
        temporary[i] = results[i].empty();
        if (temporary[i]) results[i] = Value(services.temporary_path());
        const fs::path folder = fs::path(results[i].string()).parent_path();
        if (!folder.empty()) fs::create_directories(folder);
    }
    const Command command = command_of(arguments, results, services);
    SpawnActions actions;
    for (int i = 0; i < 3; ++i)
        if (!command.streams[static_cast<std::size_t>(i)].empty())
            actions.open(i, command.streams[static_cast<std::size_t>(i)]);
    if (!command.error_log.empty()) actions.open(2, command.error_log);
    std::vector<char*> words;
    for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_t child = 0;
    const int started =
        posix_spawnp(&child, words[0], actions.get(), nullptr, words.data(), environ);
    if (started != 0) {
        remove_quietly(command.error_log);
        throw ScriptError("cannot start '" + command.words[0] + "': " + std::strerror(started));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    const std::string said = command.error_log.empty() ? "" : last_lines(command.error_log, 10);
    if (!command.error_log.empty()) {
        // What an app that ends well says on standard error belongs to the run's own.
        if (status == 0 && !said.empty()) {
            std::ifstream file(command.error_log, std::ios::binary);
            const std::string text{std::istreambuf_iterator<char>(file), {}};
            [[maybe_unused]] const auto written = ::write(2, text.data(), text.size());
        }
        remove_quietly(command.error_log);
    }
    if (status != 0)
        throw ScriptError("app '" + definition_.name + "' " + outcome(status) +
                          "\n  command: " + command_line(command.words) +
                          "\n  directory: " + fs::current_path().string() +
                          (said.empty() ? "" : "\n  standard error:" + said));
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!definition_.outputs[i].is(Kind::file)) {
            results[i] = Void{};
            continue;
        }
        const std::string path = results[i].string();
        if (!fs::exists(path))
            throw ScriptError("app '" + definition_.name + "' ended well, but made no file '" +
                              path + "' for its output '" + definition_.output_names[i] +
                              "'\n  command: " + command_line(command.words));
        results[i] = Value::file(path, temporary[i]);
    }
}

}  // namespace refrain::script
