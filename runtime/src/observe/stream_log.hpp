#pragma once

#include "base/hash.hpp"
#include "base/output_file.hpp"
#include "refrain/launch_site.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

namespace refrain::observe {

/// Writes the stream of operations as automatic tracing sees it to a file, one line per operation,
/// in the format that `refrain mine` and `refrain report` read.
///
///     # 0x5b...91 'saxpy' (main.cpp:41)     before the first operation with this token
///     0x5b...91                             an operation
///     .                                     one in a trace of the program's own
///     ?                                     a wait, before which all held-back operations are issued
///
/// `refrain mine` finds in the file what the run found, if its options are those of the run. The
/// tokens of a program differ between runs that load its code at different addresses.
///
/// The file takes its name when the log ends (base/output_file.hpp).
///
/// Errors:   UsageError if the file cannot be opened. A later error, such as a full disk, is printed
///           once to standard error.
/// Threads:  the launching thread only.
class StreamLog {
  public:
    /// `force`: a file that no run has written may be replaced.
    explicit StreamLog(const std::string& file, bool force = false);
    ~StreamLog();
    StreamLog(const StreamLog&) = delete;
    StreamLog& operator=(const StreamLog&) = delete;
    StreamLog(StreamLog&&) = delete;
    StreamLog& operator=(StreamLog&&) = delete;

    void operation(const base::Hash128& token, const LaunchSite& site);
    void manually_traced();
    /// Writes one line for several waits in a row.
    void wait();

  private:
    /// The number of distinct tokens that get a line with their name.
    static constexpr std::size_t names_max = std::size_t{1} << 16;
    static constexpr std::size_t recent_count = 256;

    void name(const base::Hash128& token, const LaunchSite& site);
    void write(std::string_view text);
    void tell_of(const base::OutputError& why);

    std::string name_;
    std::unique_ptr<base::OutputFile> file_;
    std::array<base::Hash128, recent_count> recent_{};  // direct-mapped cache of named_
    std::unordered_set<base::Hash128, base::Hash128Hash> named_;
    bool waited_ = true;  // no operation since the latest wait
    bool failed_ = false;
};

}  // namespace refrain::observe
