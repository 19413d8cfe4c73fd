#include "memo/content_hash.hpp"

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace refrain::script {
namespace {

namespace fs = std::filesystem;

std::optional<Hash128> hash_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    std::array<char, 1 << 16> part;
    while (file.read(part.data(), part.size()), file.gcount() != 0)
        XXH3_128bits_update(&state, part.data(), static_cast<std::size_t>(file.gcount()));
    if (file.bad()) return std::nullopt;
    const XXH128_hash_t made = XXH3_128bits_digest(&state);
    return Hash128{made.low64, made.high64};
}

}  // namespace

bool is_settled(const FileStamp& stamp) {
    using namespace std::chrono;
    const auto now = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
    constexpr std::int64_t second_ns = 1'000'000'000;
    const bool whole_seconds = stamp.changed_ns % second_ns == 0;  // as some file systems have them
    return now - stamp.changed_ns > (whole_seconds ? 2 * second_ns : 20'000'000);  // FAT's tick
}

Hash128 hash_of(std::string_view bytes) {
    const XXH128_hash_t made = XXH3_128bits(bytes.data(), bytes.size());
    return {made.low64, made.high64};
}

std::uint64_t short_hash_of(std::string_view bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::optional<FileStamp> stamp_of(const std::string& path) {
    struct stat is {};
    if (stat(path.c_str(), &is) != 0) return std::nullopt;
    const auto in_ns = [](const timespec& time) {
        return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    };
    return FileStamp{is.st_dev, is.st_ino, static_cast<std::uint64_t>(is.st_size),
                     in_ns(is.st_mtim), in_ns(is.st_ctim)};
}

std::optional<Hash128> ContentHashes::of(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        std::set<std::string> files;
        for (auto each = fs::recursive_directory_iterator(path, error);
             each != fs::recursive_directory_iterator(); each.increment(error)) {
            if (error) return std::nullopt;
            if (each->is_regular_file()) files.insert(each->path().string());
        }
        std::string all;
        for (const std::string& each : files) {
            const auto hash = of(each);
            if (!hash) return std::nullopt;
            all += each.substr(path.size()) + '\0' + std::to_string(hash->low) + ' ' +
                   std::to_string(hash->high) + '\n';
        }
        return hash_of(all);
    }
    const auto stamp = stamp_of(path);
    if (!stamp) return std::nullopt;
    {
        const std::lock_guard lock(mutex_);
        const auto found = known_.find(*stamp);
        if (found != known_.end()) return found->second;
    }
    const auto hash = hash_of_file(path);
    if (hash && is_settled(*stamp)) {
        const std::lock_guard lock(mutex_);
        known_.emplace(*stamp, *hash);
    }
    return hash;
}

}  // namespace refrain::script
