#pragma once

#include "ir/program.hpp"
#include "passes/optimise.hpp"
#include "refrain/script/script.hpp"
#include "syntax/sources.hpp"

#include <string>
#include <vector>

namespace refrain::script {

/// A script, compiled.
class Session {
  public:
    /// `text` is a script, or what compiled() has made: then the options of the compiler say nothing.
    ///
    /// Errors: CompileFailure; UsageError for an unknown pass, and for a compiled file that is damaged or of another version.
    Session(const std::string& name, std::string text, const RunOptions& options,
            const passes::PassObserver& observer = {});

    [[nodiscard]] const ir::Program& program() const { return program_; }
    [[nodiscard]] const std::string& warnings() const { return warnings_; }
    [[nodiscard]] const std::vector<Message>& messages() const { return messages_; }
    [[nodiscard]] const Sources& sources() const { return sources_; }
    [[nodiscard]] RunResult run(const RunOptions& options) const;
    /// The text of a file that keeps all of this.
    [[nodiscard]] std::string compiled() const;

  private:
    [[nodiscard]] std::vector<std::string> arguments_of(const RunOptions& options) const;
    void compile(std::string text, const RunOptions& options, const passes::PassObserver& observer);
    void read(const std::string& text);

    std::string name_;
    std::vector<std::string> folders_;    // where plug-ins are looked for
    std::vector<std::string> arguments_;  // given when the script was compiled
    Sources sources_;
    passes::PassSet passes_;
    ir::Program program_;
    std::string warnings_;
    std::vector<Message> messages_;  // the same
};

/// Errors: UsageError.
[[nodiscard]] std::string read_script(const std::string& path);

}  // namespace refrain::script
