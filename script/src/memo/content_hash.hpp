#pragma once

#include "base/hash.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace refrain::script {

/// 128 bits of XXH3.
using base::Hash128;
[[nodiscard]] Hash128 hash_of(std::string_view bytes);
[[nodiscard]] std::uint64_t short_hash_of(std::string_view bytes);

/// What tells whether a file has changed since it was looked at, without reading it.
struct FileStamp {
    std::uint64_t device = 0, number = 0, size = 0;
    std::int64_t written_ns = 0;  // programs may set it back
    std::int64_t changed_ns = 0;  // its content, its name or anything else
    friend auto operator<=>(const FileStamp&, const FileStamp&) = default;
};
/// Empty if there is no such file.
[[nodiscard]] std::optional<FileStamp> stamp_of(const std::string& path);
/// Whether another change would give another stamp: not of a file that was changed within the last tick of the clock.
[[nodiscard]] bool is_settled(const FileStamp& stamp);

/// Hashes files; one that has not changed is read once.
///
/// Threads: any.
class ContentHashes {
  public:
    /// Of a folder: of the names and contents of all files in it. Empty if there is nothing to read.
    [[nodiscard]] std::optional<Hash128> of(const std::string& path);

  private:
    std::mutex mutex_;
    std::map<FileStamp, Hash128> known_;
};

}  // namespace refrain::script
