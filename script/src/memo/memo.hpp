#pragma once

#include "library/services.hpp"
#include "memo/content_hash.hpp"
#include "memo/record_log.hpp"
#include "values/value.hpp"

#include <atomic>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace refrain::script {

/// A call, as far as its results depend on it: what is called, with what.
struct MemoCall {
    /// One thing that results depend on: ("argument 2", hash of its text).
    struct Part {
        std::string label;
        std::uint64_t hash = 0;
        friend bool operator==(const Part&, const Part&) = default;
    };
    std::string function;
    std::vector<Part> parts;
    std::vector<std::string>
        mapped;  // of each result: the name of its file; empty: none, or a temporary one

    [[nodiscard]] Hash128 key() const;
    /// Calls that are likely to be the same one in two runs: of one function, with equal names of outputs.
    [[nodiscard]] std::uint64_t identity() const;
};

/// Remembers the results of calls in a folder: `results.log`, and files by content below `files/`.
///
/// find(call) gives the results if the call is known by all its parts. Files that are gone or were changed are made again
/// from what is kept; where nothing is kept, the call is not known.
///
/// Errors:  the constructor throws ScriptError if the folder cannot be used. remember() does not throw: warning() says
///          what went wrong first.
/// Threads: any; several processes may use one folder.
class Memo {
  public:
    enum class Keep : std::uint8_t {
        all,  // a copy of each file
        temporaries,  // another name of temporary files, where the file system can; mapped files stay where they are
        nothing  // but values: the folder is the file itself
    };
    Memo(std::string folder, Keep keep);

    [[nodiscard]] std::optional<std::vector<Value>> find(const MemoCall& call, Services& services,
                                                         ContentHashes& hashes);
    void remember(const MemoCall& call, std::span<const Value> results, ContentHashes& hashes);
    /// Why the call is not known: which part differs from those of the nearest call that is.
    [[nodiscard]] std::string why_unknown(const MemoCall& call);

    [[nodiscard]] std::uint64_t size();
    /// Bytes of a torn record that were cut when the folder was opened.
    [[nodiscard]] std::uint64_t cut_bytes() const { return log_.cut_bytes(); }
    [[nodiscard]] std::string warning();
    /// Deletes the kept files: nothing will be found that needs them.
    void drop_files();

  private:
    struct Stored {
        MemoCall call;
        std::vector<Value> results;
        std::vector<Hash128> contents;  // of each result; says something of files only
    };

    void index(std::string_view payload, std::uint64_t at);
    [[nodiscard]] Stored stored(std::uint64_t at) const;
    [[nodiscard]] std::string kept_path(const Hash128& content) const;
    void keep_file(const Value& file, bool mapped, const Hash128& content);
    [[nodiscard]] std::optional<Value> file_again(const std::string& mapped, const Hash128& content,
                                                  Services& services, ContentHashes& hashes);

    std::string folder_;
    Keep keep_;
    std::mutex mutex_;  // of the two indexes and the warning
    std::map<Hash128, std::uint64_t> by_key_;
    std::map<std::uint64_t, std::deque<std::uint64_t>> by_identity_;  // the latest few
    std::string warning_;
    std::atomic<std::uint64_t> copies_{0};
    RecordLog log_;
};

}  // namespace refrain::script
