#pragma once

#include "runtime/inline_host.hpp"
#include "runtime/pipeline.hpp"
#include "trace/saved_history.hpp"

#include <string>

namespace refrain::runtime {

/// Keeps what was learned in a file between runs of a program (Options::traces).
///
///     begin   file --SavedHistory--> Rehearsal --operations--> InlineHost::rehearse
///     end     InlineRecogniser, FootprintTable --SavedHistory--> file
///
/// The file is written to another name and then takes its own, so that it is whole at any time. Of
/// several runs at a time the last one to end has it.
///
/// Errors:   UsageError, when it is made, if the file is something else than a file or could not be
///           written. Whatever is in the file is no error: what cannot be used is told of in a line
///           (LogLevel::warning) and ignored.
/// Threads:  the launching thread only.
class WarmStart {
  public:
    WarmStart(const Options& options, Pipeline& pipeline, InlineHost& host);

    /// Takes over what is in the file. Nothing has been launched.
    void load();
    /// Writes the file, if there is something new. All operations have retired, and those of a folded
    /// loop have their positions.
    void save() noexcept;

  private:
    [[nodiscard]] bool check_file() const;
    [[nodiscard]] std::string read(std::vector<std::uint64_t>& words) const;
    /// Takes over as much as there is room for. Why that is not all, if it is not.
    [[nodiscard]] std::string rehearse(const trace::SavedHistory& history);
    void launch(const trace::SavedHistory& history, std::size_t first);
    void say(LogLevel level, const std::string& what) const;
    void warn(const std::string& what) const;
    /// Whether it was.
    bool write(std::span<const std::uint64_t> words) const;
    [[nodiscard]] bool has_news() const;

    const std::string file_;
    const std::size_t table_bytes_;  // that what is loaded may take
    Pipeline& pipeline_;
    InlineHost& host_;
    std::uint32_t window_;
    bool exists_ = false;
    bool is_loaded_ = false;  // as a whole
};

}  // namespace refrain::runtime
