#pragma once

#include "ir/program.hpp"
#include "leaves/leaf.hpp"

#include <array>
#include <string>
#include <vector>

namespace refrain::script {

/// A program with arguments and redirections. Arrays among the arguments expand to their elements, in the order of keys.
///
/// Errors: ScriptError if it cannot be started, ends with a status that is not 0 or by a signal (with the command, the
///         directory and the last lines of its standard error), or does not make a declared output.
class AppLeaf : public Leaf {
  public:
    explicit AppLeaf(const ir::LeafDefinition& definition) : definition_(definition) {}

    void call(std::span<const Value> arguments, std::span<Value> results,
              Services& services) const override;

  private:
    struct Command {
        std::vector<std::string> words;
        std::array<std::string, 3> streams;
        std::string error_log;  // what its standard error is kept in
    };
    [[nodiscard]] Command command_of(std::span<const Value> arguments,
                                     std::span<const Value> results, Services& services) const;

    ir::LeafDefinition definition_;
};

}  // namespace refrain::script
