#pragma once

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace refrain::base {

/// Why a file was not written, without its name: "it exists, and Refrain did not write it".
class OutputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A file that a program writes for its user: there is the whole of it, or what was there before.
///
///     OutputFile file("run.html", {.mark = "content=\"Refrain\""});
///     file.write(text);      into run.html.1234-0.tmp beside it
///     file.commit();         renamed to run.html; without it, nothing has changed
///
///   - A file that exists is replaced only if it is empty or of ours: `mark` is among its first
///     4 KiB, as among those of every file that we write. `force` replaces any file.
///   - A link is followed: it stays, and what it leads to is replaced. Mode and owner stay. A file
///     that has several names, or whose owner cannot be kept, or in a folder that takes no new files,
///     is written in place, and so is what is no plain file (/dev/stdout, a pipe).
///
/// Errors:   OutputError, from each function; commit says that all was written.
/// Threads:  one at a time; several processes may write one file: the last to commit wins.
class OutputFile {
  public:
    struct Policy {
        std::string_view mark;  // what tells a file of ours; empty: none is
        bool force = false;
    };
    OutputFile(const std::string& path, const Policy& policy);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    OutputFile(OutputFile&&) = delete;
    OutputFile& operator=(OutputFile&&) = delete;

    /// Throws if the file cannot be written, or the policy forbids to replace it. To be asked before
    /// long work.
    static void check(const std::string& path, const Policy& policy);

    void write(std::string_view text);
    /// Writes what is buffered and moves the file to its place.
    void commit();

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    void open_beside();

    std::string target_;  // `path`, with links resolved
    std::string beside_;  // the temporary; empty: written in place
    std::unique_ptr<std::FILE, Close> file_;
};

/// Writes the file as a whole.
void write_output(const std::string& path, std::string_view text, const OutputFile::Policy& policy);

}  // namespace refrain::base
