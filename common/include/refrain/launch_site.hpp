/// The name of a task and the source line that launched it.
///
///     rt.launch("saxpy", ...)                            converts the name to a LaunchSite with
///     rt.launch("tile " + std::to_string(i), ...)        the caller's file and line
///
/// A name may be any text; it need not outlive the call. A string literal is kept by its address.
/// Any other text is copied once per process and looked up afterwards (some ten nanoseconds). At
/// most 16 MiB of different texts are kept: beyond that, a new one is replaced by
/// names::beyond_limit.
///
/// A site may also be two words and a function that resolves them when somebody asks (SiteResolver).
///
/// Threads: a plain value, safe to copy, and to make on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

// Defined by the linker around a program. In a library they are null, or around that.
extern "C" __attribute__((weak, visibility("hidden"))) const char __executable_start[];
extern "C" __attribute__((weak, visibility("hidden"))) const char _end[];

namespace refrain {

/// Texts that live as long as the process.
namespace names {

extern const char* const beyond_limit;  ///< "(a name beyond the 16 MiB that are kept)"

/// The kept copy of `text`. Equal texts have equal addresses.
[[nodiscard]] const char* keep(std::string_view text) noexcept;
/// The same; null counts as empty. Fastest if the thread asked for the same address before.
[[nodiscard]] const char* keep(const char* text) noexcept;

/// Whether the text is in the memory of the program itself, as its literals are: not on a stack or the
/// heap, nor in a library, which may be unloaded.
[[nodiscard, gnu::always_inline]] inline bool is_of_program(const char* text) noexcept {
    const auto address = [](const char* at) { return reinterpret_cast<std::uintptr_t>(at); };
    const std::uintptr_t begin = address(__executable_start);
    return begin != 0 && address(text) - begin < address(_end) - begin;
}

}  // namespace names

/// A function that finds the source line of a launch when somebody asks: for programs in other
/// languages, where finding it takes far longer than a launch.
///
///     const SiteResolver python([](std::uint64_t code, std::uint32_t offset) { ... });
///     LaunchSite("add", python, reinterpret_cast<std::uintptr_t>(code), offset)
///
/// The function must give the same answer whenever it is called with the same words, as long as the
/// process lives. It is called on the thread that asks, which is the launching one for everything
/// that the runtime prints or throws.
///
/// Threads: a plain value, safe to copy; it may be made on any thread.
class SiteResolver {
  public:
    struct Place {
        std::string file;
        std::uint32_t line = 0;
    };
    using Function = Place (*)(std::uint64_t word, std::uint32_t detail);

    /// Equal functions give equal resolvers. At most 254 different ones are kept; those beyond
    /// answer "(unknown)".
    explicit SiteResolver(Function function) noexcept;
    [[nodiscard]] std::uint32_t number() const noexcept { return number_; }
    /// The answer of resolver `number` in a text that lives as long as the process.
    static void resolve(std::uint32_t number, std::uint64_t word, std::uint32_t detail,
                        const char*& file, std::uint32_t& line);

  private:
    std::uint32_t number_;
};

struct LaunchSite {
    const char* name = "";  ///< these two live as long as the process
    const char* file = "";
    std::uint32_t line = 0;
    std::uint32_t resolver = 0;  ///< not 0: `file` and `line` are words that it resolves

    LaunchSite() = default;
    /// A line that is found when somebody asks. `task_name` lives as long as the process.
    LaunchSite(const char* task_name, const SiteResolver& by, std::uint64_t word,
               std::uint32_t detail) noexcept
        : name(task_name),
          file(reinterpret_cast<const char*>(static_cast<std::uintptr_t>(word))),
          line(detail),
          resolver(by.number()) {}
    /// A literal, kept by its address; or a buffer, which is part of something that may end.
    template <std::size_t N>
    LaunchSite(const char (&task_name)[N], const char* at_file = __builtin_FILE(),
               std::uint32_t at_line = __builtin_LINE()) noexcept
        : name(names::is_of_program(task_name) ? task_name : names::keep(task_name + 0)),
          file(kept_file(at_file)),
          line(at_line) {}
    /// A buffer.
    template <std::size_t N>
    LaunchSite(char (&task_name)[N], const char* at_file = __builtin_FILE(),
               std::uint32_t at_line = __builtin_LINE()) noexcept
        : name(names::keep(task_name + 0)), file(kept_file(at_file)), line(at_line) {}
    /// Of a pointer nobody knows how long its text lives; null counts as empty.
    template <class Pointer>
    requires(std::is_same_v<Pointer, const char*> || std::is_same_v<Pointer, char*>)
        LaunchSite(const Pointer& task_name, const char* at_file = __builtin_FILE(),
                   std::uint32_t at_line = __builtin_LINE())
    noexcept : name(names::keep(task_name)), file(kept_file(at_file)), line(at_line) {}
    LaunchSite(std::string_view task_name, const char* at_file = __builtin_FILE(),
               std::uint32_t at_line = __builtin_LINE()) noexcept
        : name(names::keep(task_name)), file(kept_file(at_file)), line(at_line) {}
    LaunchSite(const std::string& task_name, const char* at_file = __builtin_FILE(),
               std::uint32_t at_line = __builtin_LINE()) noexcept
        : name(names::keep(std::string_view(task_name))), file(kept_file(at_file)), line(at_line) {}

    /// The same site with file and line as text.
    [[nodiscard]] LaunchSite resolved() const {
        LaunchSite known = *this;
        if (resolver == 0) return known;
        known.resolver = 0;
        SiteResolver::resolve(resolver, reinterpret_cast<std::uintptr_t>(file), line, known.file,
                              known.line);
        return known;
    }
    /// "main.cpp:41", without the folders.
    [[nodiscard]] std::string where() const {
        if (resolver != 0) return resolved().where();
        std::string path(file);
        const std::size_t slash = path.find_last_of('/');
        if (slash != std::string::npos) path.erase(0, slash + 1);
        return path + ":" + std::to_string(line);
    }
    /// "'saxpy' (main.cpp:41)"
    [[nodiscard]] std::string describe() const {
        return "'" + std::string(name) + "' (" + where() + ")";
    }

  private:
    /// The builtin is true for what __builtin_FILE() gives, once optimisation has inlined this.
    [[gnu::always_inline]] static const char* kept_file(const char* at_file) noexcept {
        if (at_file == nullptr) return "";
        return __builtin_constant_p(*at_file) ? at_file : names::keep(at_file);
    }
};

}  // namespace refrain
