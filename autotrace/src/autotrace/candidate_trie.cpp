#include "autotrace/candidate_trie.hpp"

#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::autotrace {

CandidateTrie::CandidateTrie() {
    clear();
}

void CandidateTrie::clear() {
    steps_ = std::vector<Step>();  // assigning {} would keep the memory
    links_ = std::vector<Link>();
    lengths_ = std::vector<std::uint32_t>();
    pending_ = std::vector<NodeIndex>();
    children_ = std::vector<NodeIndex>(64, root);
    steps_.push_back(
        {.token = Token{}, .expected = root, .depth = 0, .output = root, .epoch = stale});
    links_.push_back(Link{});
    begin_epoch();
}

void CandidateTrie::begin_epoch() {
    if (++epoch_ == stale) {
        for (Step& step : steps_) step.epoch = stale;
        ++epoch_;
    }
    steps_[root].epoch = epoch_;
}

std::size_t CandidateTrie::bytes() const {
    return steps_.capacity() * sizeof(Step) + links_.capacity() * sizeof(Link) +
           (children_.capacity() + pending_.capacity() + lengths_.capacity()) * sizeof(NodeIndex);
}

void CandidateTrie::copy_tokens(NodeIndex node, std::vector<Token>& tokens) const {
    tokens.resize(steps_[node].depth);
    for (; node != root; node = links_[node].parent) {
        tokens[steps_[node].depth - 1] = steps_[node].token;
    }
}

NodeIndex CandidateTrie::child(NodeIndex node, const Token& token) const {
    const std::size_t mask = children_.size() - 1;
    for (std::size_t slot = slot_of(node, token) & mask;; slot = (slot + 1) & mask) {
        const NodeIndex found = children_[slot];
        if (found == root) return root;
        if (links_[found].parent == node && steps_[found].token == token) return found;
    }
}

NodeIndex CandidateTrie::add_child(NodeIndex node, const Token& token) {
    REFRAIN_ASSERT(node < steps_.size(), "a child is added to a node that is not there");
    REFRAIN_ASSERT(steps_.size() == links_.size(), "a node lacks its step or its link");
    if (2 * steps_.size() >= children_.size()) grow_children();
    const auto added = static_cast<NodeIndex>(steps_.size());
    steps_.push_back({.token = token,
                      .expected = root,
                      .depth = steps_[node].depth + 1,
                      .output = root,
                      .epoch = stale});
    links_.push_back(Link{.parent = node});
    if (steps_[node].expected == root) steps_[node].expected = added;
    const std::size_t mask = children_.size() - 1;
    std::size_t slot = slot_of(node, token) & mask;
    while (children_[slot] != root) slot = (slot + 1) & mask;
    children_[slot] = added;
    return added;
}

void CandidateTrie::grow_children() {
    children_.assign(2 * children_.size(), root);
    const std::size_t mask = children_.size() - 1;
    for (NodeIndex node = 1; node < steps_.size(); ++node) {
        std::size_t slot = slot_of(links_[node].parent, steps_[node].token) & mask;
        while (children_[slot] != root) slot = (slot + 1) & mask;
        children_[slot] = node;
    }
}

NodeIndex CandidateTrie::step_slowly(NodeIndex node, const Token& token) {
    for (;;) {
        if (steps_[node].expected != root) {
            const NodeIndex next = child(node, token);
            if (next != root) {
                steps_[node].expected = next;
                if (!fresh(next)) make_fresh(next);
                return next;
            }
        }
        if (node == root) return root;
        if (!fresh(node)) make_fresh(node);
        node = links_[node].fallback;
    }
}

/// Each node on the stack needs the one above it to be fresh first: its parent, a node on its
/// parent's chain of fallbacks, or its own fallback, all of smaller depth.
void CandidateTrie::make_fresh(NodeIndex node) {
    REFRAIN_ASSERT(pending_.empty(), "nodes were left waiting by an earlier call");
    pending_.push_back(node);
    while (!pending_.empty()) {
        const NodeIndex top = pending_.back();
        if (fresh(top)) {
            pending_.pop_back();
            continue;
        }
        NodeIndex found = root;
        if (!find_fallback(top, found)) {
            pending_.push_back(found);
            continue;
        }
        links_[top].fallback = found;
        steps_[top].output = links_[top].candidate != no_candidate ? top : steps_[found].output;
        steps_[top].epoch = epoch_;
        pending_.pop_back();
    }
}

bool CandidateTrie::find_fallback(NodeIndex node, NodeIndex& found) const {
    NodeIndex at = links_[node].parent;
    while (at != root) {
        if (!fresh(at)) {
            found = at;
            return false;
        }
        at = links_[at].fallback;
        const NodeIndex next = child(at, steps_[node].token);
        if (next != root) {
            found = next;
            return fresh(next);
        }
    }
    found = root;
    return true;
}

}  // namespace refrain::autotrace
