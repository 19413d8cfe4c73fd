/// The name of a task and the source line that launched it.
///
///     rt.launch("saxpy", ...)                            converts the name to a LaunchSite with
///     rt.launch("tile " + std::to_string(i), ...)        the caller's file and line
///
/// A name may be any text; it need not outlive the call. A string literal is kept by its address
/// and costs nothing. Any other text is copied once per process and looked up afterwards (some ten
/// nanoseconds). At most 16 MiB of different texts are kept: beyond that, a new one is replaced by
/// names::beyond_limit.
///
/// Threads: a plain value, safe to copy, and to make on any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace refrain {

/// Texts that live as long as the process.
namespace names {

extern const char* const beyond_limit;  ///< "(a name beyond the 16 MiB that are kept)"

/// The kept copy of `text`. Equal texts have equal addresses.
[[nodiscard]] const char* keep(std::string_view text) noexcept;
/// The same; null counts as empty. Fastest if the thread asked for the same address before.
[[nodiscard]] const char* keep(const char* text) noexcept;

}  // namespace names

struct LaunchSite {
    const char* name = "";  ///< these two live as long as the process
    const char* file = "";
    std::uint32_t line = 0;

    LaunchSite() = default;
#ifdef __clang__
    /// Preferred for string literals, whose addresses alone are constant for this builtin.
    LaunchSite(const char* task_name, const char* at_file = __builtin_FILE(),
               std::uint32_t at_line = __builtin_LINE()) noexcept
        __attribute__((enable_if(__builtin_constant_p(task_name) && __builtin_constant_p(at_file),
                                 "literals")))
        : name(task_name), file(at_file), line(at_line) {}
    LaunchSite(const char* task_name, const char* at_file = __builtin_FILE(),
               std::uint32_t at_line = __builtin_LINE()) noexcept
        : name(names::keep(task_name)), file(names::keep(at_file)), line(at_line) {}
#else
    /// The builtin is true for string literals alone, once optimisation has inlined this.
    [[gnu::always_inline]] LaunchSite(const char* task_name, const char* at_file = __builtin_FILE(),
                                      std::uint32_t at_line = __builtin_LINE()) noexcept
        : name(__builtin_constant_p(task_name) ? task_name : names::keep(task_name)),
          file(__builtin_constant_p(at_file) ? at_file : names::keep(at_file)),
          line(at_line) {}
#endif
    LaunchSite(std::string_view task_name, const char* at_file = __builtin_FILE(),
               std::uint32_t at_line = __builtin_LINE()) noexcept
        : LaunchSite("", at_file, at_line) {
        name = names::keep(task_name);
    }
    LaunchSite(const std::string& task_name, const char* at_file = __builtin_FILE(),
               std::uint32_t at_line = __builtin_LINE()) noexcept
        : LaunchSite(std::string_view(task_name), at_file, at_line) {}

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
