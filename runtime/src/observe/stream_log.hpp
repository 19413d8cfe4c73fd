#pragma once

#include "base/hash.hpp"
#include "refrain/launch_site.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <unordered_set>

namespace refrain::observe {

/// Writes down the stream of operations as automatic tracing sees it, in the format that
/// `refrain mine` and `refrain report` read: one line per operation.
///
///     # 0x5b...91 'saxpy' (main.cpp:41)     before the first operation with this token
///     0x5b...91                             an operation
///     .                                     one in a trace of the program's own
///     ?                                     a wait that hands on what is held back
///
/// With the options of the run, mining the file gives what the run found. Tokens of one program
/// change from run to run where its code lies elsewhere in memory.
///
/// Errors:   UsageError if the file cannot be written; a disk that fills up later is told of on
///           standard error once.
/// Threads:  the launching thread only.
class StreamLog {
  public:
    explicit StreamLog(const std::string& file);
    ~StreamLog();
    StreamLog(const StreamLog&) = delete;
    StreamLog& operator=(const StreamLog&) = delete;
    StreamLog(StreamLog&&) = delete;
    StreamLog& operator=(StreamLog&&) = delete;

    void operation(const base::Hash128& token, const LaunchSite& site);
    void manually_traced();
    /// Two in a row are one.
    void wait();

  private:
    /// Tokens beyond so many distinct ones are not named.
    static constexpr std::size_t names_max = std::size_t{1} << 16;
    static constexpr std::size_t recent_count = 256;

    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    void name(const base::Hash128& token, const LaunchSite& site);
    void write(const char* text, std::size_t size);

    std::string name_;
    std::unique_ptr<std::FILE, Close> file_;
    std::array<base::Hash128, recent_count> recent_{};  // direct-mapped: named already
    std::unordered_set<base::Hash128, base::Hash128Hash> named_;
    bool waited_ = true;  // nothing has been launched since
    bool failed_ = false;
};

}  // namespace refrain::observe
