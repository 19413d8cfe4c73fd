#include "processes/stray_processes.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <optional>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace refrain::processes {
namespace {

/// As the system writes the entries of a folder.
struct Entry {
    std::uint64_t number;
    std::int64_t next;
    std::uint16_t bytes;
    std::uint8_t kind;
    char name[1];  // and more, to its zero
};

}  // namespace

struct StrayProcesses::Found {
    /// A process as /proc/NUMBER/stat has it.
    struct Seen {
        pid_t process, parent, group, session;
        std::uint64_t began;  // in ticks of the clock: another one of the same number has another
        bool belongs;
    };
    std::array<Seen, 32768> all;    // of the machine
    std::array<pid_t, 32768> mine;  // of these: what belongs to the programs
    std::array<Seen, 4096> strays;
    std::size_t count, mine_count, stray_count;

    [[nodiscard]] static std::optional<Seen> seen(int proc, const char* name) {
        constexpr const char* file_name = "/stat";
        std::array<char, 32> path{};
        const std::size_t length = std::strlen(name);
        if (length + std::strlen(file_name) >= path.size()) return std::nullopt;
        std::memcpy(path.data(), name, length);
        std::memcpy(path.data() + length, file_name, std::strlen(file_name));
        const int file = openat(proc, path.data(), O_RDONLY | O_CLOEXEC);
        if (file < 0) return std::nullopt;
        std::array<char, 1024> text;  // NOLINT(cppcoreguidelines-pro-type-member-init)
        const ssize_t size = read(file, text.data(), text.size());
        close(file);
        if (size <= 0) return std::nullopt;
        // NUMBER (NAME) STATE PARENT GROUP SESSION ...: any letter may be in the name.
        const char* const end = text.data() + size;
        const char* at = end;
        while (at != text.data() && at[-1] != ')') --at;
        constexpr std::size_t parent = 1, group = 2, session = 3, began = 19;
        std::array<std::uint64_t, began + 1> words{};
        for (std::size_t word = 0; word < words.size(); ++word) {
            while (at != end && *at == ' ') ++at;
            if (at == end) return std::nullopt;
            for (; at != end && *at != ' '; ++at)
                if (*at >= '0' && *at <= '9')
                    words[word] = 10 * words[word] + static_cast<std::uint64_t>(*at - '0');
        }
        pid_t number = 0;
        for (const char* digit = name; *digit != '\0'; ++digit)
            number = 10 * number + (*digit - '0');
        return Seen{number,
                    static_cast<pid_t>(words[parent]),
                    static_cast<pid_t>(words[group]),
                    static_cast<pid_t>(words[session]),
                    words[began],
                    false};
    }
    void look() {
        count = mine_count = 0;
        const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (proc < 0) return;
        alignas(Entry) std::array<char, 8192>
            part;  // NOLINT(cppcoreguidelines-pro-type-member-init)
        long size = 0;
        while ((size = syscall(SYS_getdents64, proc, part.data(), part.size())) > 0) {
            for (long at = 0; at < size && count < all.size();) {
                const auto* const entry = reinterpret_cast<const Entry*>(part.data() + at);
                at += entry->bytes;
                if (entry->name[0] < '0' || entry->name[0] > '9') continue;
                if (const auto one = seen(proc, entry->name)) all[count++] = *one;
            }
        }
        close(proc);
    }
    void add(Seen& is) {
        is.belongs = true;
        mine[mine_count++] = is.process;
    }
    [[nodiscard]] bool is_stray(const Seen& is) const {
        return std::any_of(strays.data(), strays.data() + stray_count, [&](const Seen& each) {
            return each.process == is.process && each.began == is.began;
        });
    }
};

StrayProcesses::StrayProcesses() {
    void* const memory =
        mmap(nullptr, sizeof(Found), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) found_ = static_cast<Found*>(memory);  // zero: nothing is found
}

StrayProcesses::~StrayProcesses() {
    if (found_ != nullptr) munmap(static_cast<void*>(found_), sizeof(Found));
}

void StrayProcesses::look(std::span<const pid_t> roots) {
    if (found_ == nullptr) return;
    using Seen = Found::Seen;
    Found& is = *found_;
    is.look();
    const std::span<Seen> all(is.all.data(), is.count);
    const auto in_group = [&](const Seen& each) {
        return std::ranges::find(roots, each.group) != roots.end();
    };
    for (Seen& each : all)
        if (in_group(each) || is.is_stray(each)) is.add(each);
    for (std::size_t i = 0; i < is.mine_count; ++i) {
        const pid_t one = is.mine[i];
        for (Seen& each : all)
            if (!each.belongs && (each.parent == one || each.group == one || each.session == one))
                is.add(each);
    }
    is.stray_count = 0;
    for (const Seen& each : all)
        if (each.belongs && !in_group(each) && is.stray_count < is.strays.size())
            is.strays[is.stray_count++] = each;
}

bool StrayProcesses::signal(int number) const {
    bool any = false;
    for (std::size_t i = 0; found_ != nullptr && i < found_->stray_count; ++i)
        any |= ::kill(found_->strays[i].process, number) == 0;
    return any;
}

}  // namespace refrain::processes
