/// Who launched something and from where: the task's name and the line of the launch.
///
///     rt.launch("saxpy", ...)      a LaunchSite is made from the name at the call, without effort
///
/// Threads: a value of three pointers; the name must outlive the runtime, as string literals do.
#pragma once

#include <cstdint>
#include <string>

namespace refrain {

struct LaunchSite {
    const char* name = "";
    const char* file = "";
    std::uint32_t line = 0;

    LaunchSite() = default;
    LaunchSite(const char* task_name, const char* at_file = __builtin_FILE(),
               std::uint32_t at_line = __builtin_LINE()) noexcept
        : name(task_name), file(at_file), line(at_line) {}

    /// "main.cpp:41", without the folders.
    [[nodiscard]] std::string where() const {
        std::string path(file);
        const std::size_t slash = path.find_last_of('/');
        if (slash != std::string::npos) path.erase(0, slash + 1);
        return path + ":" + std::to_string(line);
    }
    /// "'saxpy' (main.cpp:41)"
    [[nodiscard]] std::string describe() const {
        return "'" + std::string(name) + "' (" + where() + ")";
    }
};

}  // namespace refrain
