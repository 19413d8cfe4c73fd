#pragma once

#include "ir/program.hpp"
#include "leaves/leaf.hpp"
#include "refrain/script/leaf_functions.hpp"

namespace refrain::script {

/// The function that register_leaf_function was given; null if none.
[[nodiscard]] LeafFunction find_leaf_function(const std::string& name);

/// What team() says.
[[nodiscard]] Team& team_of_this_thread();

/// A C++ function, called by the interface of refrain/script/leaf_functions.hpp.
class NativeLeaf : public Leaf {
  public:
    NativeLeaf(const ir::LeafDefinition& definition, LeafFunction function)
        : definition_(definition), function_(function) {}
    void call(Arguments arguments, Results results, Services& services) const override;
    [[nodiscard]] bool may_be_brief() const override { return !definition_.policy.by_team; }

  private:
    ir::LeafDefinition definition_;
    LeafFunction function_;
};

}  // namespace refrain::script
