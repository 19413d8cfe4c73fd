#pragma once

#include "ir/program.hpp"
#include "leaves/leaf.hpp"

namespace refrain::script {

/// A C function whose inputs are all floats, or all ints, up to four of them, and whose output is one float, one int or
/// nothing.
///
/// Errors: the constructor throws ScriptError for another signature.
class CLeaf : public Leaf {
  public:
    CLeaf(const ir::LeafDefinition& definition, void* symbol);
    void call(std::span<const Value> arguments, std::span<Value> results,
              Services& services) const override;
    [[nodiscard]] bool may_be_brief() const override { return true; }

  private:
    ir::LeafDefinition definition_;
    void* symbol_;
};

}  // namespace refrain::script
