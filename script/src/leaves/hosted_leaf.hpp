#pragma once

#include "ir/program.hpp"
#include "leaves/leaf.hpp"
#include "leaves/leaf_host.hpp"

#include <memory>

namespace refrain::script {

/// A leaf with all that the run adds to a call: known results instead of it, cores and memory held, further attempts, a
/// record of it.
class HostedLeaf : public Leaf {
  public:
    HostedLeaf(const ir::LeafDefinition& definition, std::unique_ptr<Leaf> leaf, LeafHost& host,
               std::string origin);

    void call(Arguments arguments, Results results, Services& services) const override;

  private:
    [[nodiscard]] MemoCall described(Arguments arguments, std::span<const Value> results) const;
    [[nodiscard]] bool is_app() const { return definition_.kind == ir::LeafDefinition::Kind::app; }
    [[nodiscard]] bool uses_cache() const;
    [[nodiscard]] bool has_checkpoints() const {
        return definition_.policy.checkpoint && !host_.checkpoints.empty();
    }
    [[nodiscard]] bool is_resumable() const { return is_app() || definition_.policy.checkpoint; }
    enum class Use : bool { find, keep };
    [[nodiscard]] std::vector<Memo*> memos(Use use) const;
    [[nodiscard]] bool recall(const MemoCall& call, Results results, Services& services,
                              TaskRecord& record) const;
    void try_call(Arguments arguments, Results results, Services& services,
                  TaskRecord& record) const;

    ir::LeafDefinition definition_;
    std::unique_ptr<Leaf> leaf_;
    LeafHost& host_;
    std::string origin_;  // of the function: its library, with what tells whether that has changed
    std::string definition_text_;
};

}  // namespace refrain::script
