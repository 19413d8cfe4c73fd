#include "base/atomic.hpp"
#include "base/mutex.hpp"
#include "refrain/launch_site.hpp"

#include <array>
#include <cstring>
#include <new>
#include <unordered_set>

namespace refrain::names {

const char* const beyond_limit = "(a name beyond the 16 MiB that are kept)";

namespace {

constexpr std::size_t bytes_max = std::size_t{16} << 20;

/// The kept texts.
///   keep   any thread
/// mutex_ guards all fields.
class Names {
  public:
    static Names& of_process() {
        static auto* names = new Names;  // never destroyed: addresses stay valid to the very end
        return *names;
    }

    [[nodiscard]] const char* keep(std::string_view text) {
        const base::LockGuard lock(mutex_);
        const auto known = texts_.find(text);
        if (known != texts_.end()) return known->data();
        constexpr std::size_t entry_bytes = 64;  // about what the table takes for one
        if (bytes_ + text.size() + entry_bytes > bytes_max) return beyond_limit;
        auto* const copy = new char[text.size() + 1];
        text.copy(copy, text.size());
        copy[text.size()] = '\0';
        try {
            texts_.insert(std::string_view(copy, text.size()));
        } catch (...) {
            delete[] copy;
            throw;
        }
        bytes_ += text.size() + entry_bytes;
        return copy;
    }

  private:
    base::Mutex mutex_;
    std::unordered_set<std::string_view> texts_ REFRAIN_GUARDED_BY(mutex_);
    std::size_t bytes_ REFRAIN_GUARDED_BY(mutex_) = 0;
};

/// The text last asked for at an address; the address may hold another text by now.
struct Recent {
    const char* address = nullptr;
    const char* kept = nullptr;
};

}  // namespace

const char* keep(std::string_view text) noexcept {
    try {
        return Names::of_process().keep(text);
    } catch (const std::bad_alloc&) {
        return beyond_limit;
    }
}

const char* keep(const char* text) noexcept {
    if (text == nullptr) return "";
    thread_local std::array<Recent, 64> recents;
    const auto address = reinterpret_cast<std::uintptr_t>(text);
    Recent& recent = recents[(address * 0x9e3779b97f4a7c15U) >> 58];
    if (recent.address == text && std::strcmp(recent.kept, text) == 0) return recent.kept;
    recent = {text, keep(std::string_view(text))};
    return recent.kept;
}

}  // namespace refrain::names

namespace refrain {
namespace {

constexpr std::uint32_t resolvers_max = 255;

/// The functions by number, from 1 on.
struct Resolvers {
    base::Mutex mutex;
    std::array<base::Atomic<SiteResolver::Function>, resolvers_max + 1> functions{};

    static Resolvers& of_process() {
        static auto* resolvers = new Resolvers;  // never destroyed: sites may outlive statics
        return *resolvers;
    }
};

}  // namespace

SiteResolver::SiteResolver(Function function) noexcept : number_(resolvers_max) {
    Resolvers& known = Resolvers::of_process();
    const base::LockGuard lock(known.mutex);
    for (std::uint32_t number = 1; number < resolvers_max; ++number) {
        auto& kept = known.functions[number];
        if (kept.load(std::memory_order_relaxed) == nullptr)  // written under this lock
            kept.store(function, std::memory_order_release);
        if (kept.load(std::memory_order_relaxed) != function) continue;
        number_ = number;
        return;
    }
}

void SiteResolver::resolve(std::uint32_t number, std::uint64_t word, std::uint32_t detail,
                           const char*& file, std::uint32_t& line) {
    const Function function = Resolvers::of_process().functions[number % (resolvers_max + 1)].load(
        std::memory_order_acquire);
    const Place place = function != nullptr ? function(word, detail) : Place{"(unknown)", 0};
    file = names::keep(std::string_view(place.file));
    line = place.line;
}

}  // namespace refrain
