#pragma once

#include "ir/program.hpp"
#include "leaves/leaf.hpp"
#include "leaves/leaf_host.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace refrain::script {

/// The leaves that a program calls, and the builtins of the library, by the names of IR-1.
class LeafTable {
  public:
    /// `folders` are where plug-ins are looked for first: that of the script, and others.
    ///
    /// Errors: ScriptError for a library or a function that is not there; the message names both.
    /// `host` must outlive the table.
    LeafTable(const ir::Program& program, const std::vector<std::string>& folders, LeafHost& host);

    [[nodiscard]] const Leaf& leaf(const std::string& name) const;
    /// Errors: REFRAIN_ASSERT for an unknown name.
    [[nodiscard]] const Leaf& builtin(const std::string& name) const;

  private:
    std::map<std::string, std::unique_ptr<Leaf>> leaves_;
    std::map<std::string, std::unique_ptr<Leaf>> builtins_;
};

}  // namespace refrain::script
