#pragma once

#include "base/assertion.hpp"
#include "base/hash.hpp"
#include "refrain/autotrace.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::autotrace {

using CandidateIndex = std::uint32_t;
inline constexpr CandidateIndex no_candidate = 0xffffffffU;

using NodeIndex = std::uint32_t;

/// All candidates as one automaton (Aho and Corasick, 1975): its state is the longest end of the
/// stream that some candidate begins with, and stands for every shorter one too.
///
///     candidates  abc, bcd     root -a-> 1 -b-> 2 -c-> 3 (abc)
///                              root -b-> 4 -c-> 5 -d-> 6 (bcd)
///     fallback    2 -> 4, 3 -> 5, all others -> root
///
/// Reading abc leads to node 3; its fallback 5 says that bc, begun one operation later, is a match
/// under way as well. One step thus advances all of them, where a set of pointers into the trie
/// would advance one by one.
///
/// Fallbacks are computed when a node is first reached after a change of the trie and then kept
/// (`epoch`), so that adding a candidate costs its length and nothing else.
///
/// Hot path: a step to the expected child reads one 32-byte record that usually lies behind the
///     last one, and compares 16 bytes. Guarded by autotrace_launch_ns of tools/bench overhead.
///
/// T1  Node 0 is the root; no other node has depth 0 and no child is node 0.
/// T2  A node that was returned by step or fallback is fresh: its fallback and output are known.
///
/// Complexity:  step is amortised O(1) per token, one more hashed look-up for each fallback.
class CandidateTrie {
  public:
    static constexpr NodeIndex root = 0;

    CandidateTrie();

    /// Adds a candidate; `token_at(i)` gives its i-th token. Returns the node where it ends, or
    /// root if an equal one is there. The caller starts again from the root: no node is fresh.
    template <class TokenAt>
    NodeIndex insert(CandidateIndex candidate, std::uint32_t length, TokenAt token_at);

    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t node_count() const { return steps_.size(); }
    /// No trie of so many nodes takes more, whatever its arrays hold in reserve.
    static constexpr std::size_t bytes_bound(std::size_t node_count) {
        return node_count * bytes_per_node_max + 4096;
    }

    /// The child taken last, if it is the one for this token and fresh; else root.
    [[nodiscard]] NodeIndex expected(NodeIndex node, const Token& token) const {
        const NodeIndex child = steps_[node].expected;
        return steps_[child].token == token && steps_[child].epoch == epoch_ ? child : root;
    }
    /// The longest end of (string of node, token) that a candidate begins with.
    [[nodiscard]] NodeIndex step(NodeIndex node, const Token& token) {
        const NodeIndex child = steps_[node].expected;
        if (child != root && steps_[child].token == token && steps_[child].epoch == epoch_) {
            return child;
        }
        return step_slowly(node, token);
    }

    /// The longest proper end of the node's string that a candidate begins with.
    [[nodiscard]] NodeIndex fallback(NodeIndex node) const { return links_[node].fallback; }

    /// The longest candidate that ends the node's string (the string itself included), as the node
    /// where it ends, or root; next_output gives the next shorter one.
    [[nodiscard]] NodeIndex output(NodeIndex node) const { return steps_[node].output; }
    [[nodiscard]] NodeIndex next_output(NodeIndex node) const {
        return output(links_[node].fallback);
    }

    [[nodiscard]] std::uint32_t depth(NodeIndex node) const { return steps_[node].depth; }
    [[nodiscard]] CandidateIndex candidate_at(NodeIndex node) const {
        return links_[node].candidate;
    }
    /// The longest and the shortest candidate that go on after the node's string; needs goes_on.
    [[nodiscard]] CandidateIndex longest_below(NodeIndex node) const {
        return links_[node].longest_below;
    }
    [[nodiscard]] CandidateIndex shortest_below(NodeIndex node) const {
        return links_[node].shortest_below;
    }
    /// Whether a candidate goes on after the node's string.
    [[nodiscard]] bool goes_on(NodeIndex node) const { return steps_[node].expected != root; }

    [[nodiscard]] bool empty() const { return steps_.size() == 1; }

    /// Copies a candidate's tokens, given the node where it ends.
    void spell(NodeIndex node, std::vector<Token>& tokens) const;

    /// Gives all memory back.
    void clear();

  private:
    static constexpr std::uint32_t stale = 0;

    /// What a step reads.
    struct alignas(32) Step {
        Token token;         ///< on the edge from the parent
        NodeIndex expected;  ///< the child taken last, or root
        std::uint32_t depth;
        NodeIndex output;
        std::uint32_t epoch;  ///< when fallback and output were computed
    };
    static_assert(sizeof(Step) == 32, "two records to a cache line");

    struct Link {
        NodeIndex parent = root;
        NodeIndex fallback = root;
        CandidateIndex candidate = no_candidate;
        CandidateIndex longest_below = no_candidate;
        CandidateIndex shortest_below = no_candidate;
    };

    /// Arrays that double hold at most twice what they need; the table of children four places a
    /// node; the stack of make_fresh and the lengths at most one entry a node.
    static constexpr std::size_t bytes_per_node_max =
        2 * (sizeof(Step) + sizeof(Link)) + (4 + 2 + 2) * sizeof(NodeIndex);

    NodeIndex step_slowly(NodeIndex node, const Token& token);
    [[nodiscard]] NodeIndex child(NodeIndex node, const Token& token) const;
    NodeIndex add_child(NodeIndex node, const Token& token);
    void grow_children();
    /// Makes every node but the root stale.
    void begin_epoch();
    void make_fresh(NodeIndex node);
    /// Fallback of a node whose parent is fresh, or the node that must be fresh before.
    bool find_fallback(NodeIndex node, NodeIndex& found) const;

    [[nodiscard]] bool fresh(NodeIndex node) const { return steps_[node].epoch == epoch_; }
    [[nodiscard]] std::size_t slot_of(NodeIndex node, const Token& token) const {
        return static_cast<std::size_t>(
            base::mix(token.low ^ (token.high * 3) ^ (std::uint64_t{node} << 40)));
    }

    std::vector<Step> steps_;
    std::vector<Link> links_;
    std::vector<NodeIndex> children_;  ///< open addressing by (parent, token); root: free
    std::vector<NodeIndex> pending_;   ///< of make_fresh
    std::vector<std::uint32_t> lengths_;
    std::uint32_t epoch_ = stale + 1;
};

template <class TokenAt>
NodeIndex CandidateTrie::insert(CandidateIndex candidate, std::uint32_t length, TokenAt token_at) {
    REFRAIN_ASSERT(length > 0, "a candidate has tokens");
    NodeIndex node = root;
    for (std::uint32_t i = 0; i < length; ++i) {
        const Token token = token_at(i);
        const NodeIndex next = child(node, token);
        node = next != root ? next : add_child(node, token);
    }
    if (links_[node].candidate != no_candidate) return root;
    links_[node].candidate = candidate;
    if (lengths_.size() <= candidate) lengths_.resize(candidate + 1);
    lengths_[candidate] = length;
    for (NodeIndex at = node; at != root;) {
        at = links_[at].parent;
        Link& link = links_[at];
        if (link.longest_below == no_candidate || lengths_[link.longest_below] < length) {
            link.longest_below = candidate;
        }
        if (link.shortest_below == no_candidate || lengths_[link.shortest_below] > length) {
            link.shortest_below = candidate;
        }
    }
    begin_epoch();
    return node;
}

}  // namespace refrain::autotrace
