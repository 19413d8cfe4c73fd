/// The name of a task and the source line that launched it.
///
///     rt.launch("saxpy", ...)      converts the name to a LaunchSite with the caller's file and
///     line
///
/// Threads: a plain value, safe to copy; the strings must outlive the runtime, as literals do.
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
