#pragma once

#include "ir/program.hpp"
#include "refrain/script/script.hpp"
#include "syntax/sources.hpp"

#include <string>

#include "passes/optimise.hpp"

namespace refrain::script {

/// A script, compiled.
class Session {
  public:
    /// Errors: CompileFailure; UsageError for an unknown pass.
    Session(const std::string& name, std::string text, const RunOptions& options,
            const passes::PassObserver& observer = {});

    [[nodiscard]] const ir::Program& program() const { return program_; }
    [[nodiscard]] const std::string& warnings() const { return warnings_; }
    [[nodiscard]] const Sources& sources() const { return sources_; }
    [[nodiscard]] RunResult run(const RunOptions& options) const;

  private:
    std::string name_;
    Sources sources_;
    passes::PassSet passes_;
    ir::Program program_;
    std::string warnings_;
};

/// Errors: UsageError.
[[nodiscard]] std::string read_script(const std::string& path);

}  // namespace refrain::script
