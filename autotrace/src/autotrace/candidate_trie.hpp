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

/// All candidates as one automaton (Aho and Corasick, 1975). Its state is the longest suffix of the
/// stream that is a prefix of a candidate; its fallbacks are all shorter ones.
///
///     candidates  abc, bcd     root -a-> 1 -b-> 2 -c-> 3 (abc)
///                              root -b-> 4 -c-> 5 -d-> 6 (bcd)
///     fallback    2 -> 4, 3 -> 5, all others -> root
///
/// Reading abc leads to node 3; its fallback 5 says that bc, begun one operation later, is a
/// current match as well. One step thus advances all matches, where a set of pointers into the trie
/// would advance one by one.
///
/// A node's fallback is computed when the node is first reached after a change of the trie, and
/// then kept (`epoch`), so adding a candidate costs only its length.
///
/// Hot path: a step to the expected child reads one 32-byte record, usually the one after the last,
///     and compares 16 bytes. Guarded by autotrace_launch_ns of tools/bench overhead.
///
/// T1  Node 0 is the root; no other node has depth 0, and no child is node 0.
/// T2  A node returned by step or fallback is fresh: its fallback and output are computed.
///
/// Complexity:  step is amortised O(1) per token, plus a hashed look-up for each fallback.
class CandidateTrie {
  public:
    static constexpr NodeIndex root = 0;

    CandidateTrie();

    /// Adds a candidate; `token_at(i)` returns its i-th token. Returns its last node, or root if an
    /// equal candidate exists. Afterwards no node is fresh: callers must restart from the root.
    template <class TokenAt>
    NodeIndex insert(CandidateIndex candidate, std::uint32_t length, TokenAt token_at);

    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t node_count() const { return steps_.size(); }
    /// Upper bound of bytes() for a trie with this many nodes, spare capacity included.
    static constexpr std::size_t bytes_bound(std::size_t node_count) {
        return node_count * bytes_per_node_max + 4096;
    }

    /// The last child taken, if it is fresh and has this token; otherwise root.
    [[nodiscard]] NodeIndex expected(NodeIndex node, const Token& token) const {
        const NodeIndex child = steps_[node].expected;
        return steps_[child].token == token && steps_[child].epoch == epoch_ ? child : root;
    }
    /// The longest suffix of the node's string plus `token` that is a prefix of a candidate.
    [[nodiscard]] NodeIndex step(NodeIndex node, const Token& token) {
        const NodeIndex child = steps_[node].expected;
        if (child != root && steps_[child].token == token && steps_[child].epoch == epoch_) {
            return child;
        }
        return step_slowly(node, token);
    }

    /// The longest proper suffix of the node's string that is a prefix of a candidate.
    [[nodiscard]] NodeIndex fallback(NodeIndex node) const { return links_[node].fallback; }

    /// The last node of the longest candidate that is a suffix of the node's string (possibly the
    /// whole string), or root; next_output returns the next shorter one.
    [[nodiscard]] NodeIndex output(NodeIndex node) const { return steps_[node].output; }
    [[nodiscard]] NodeIndex next_output(NodeIndex node) const {
        return output(links_[node].fallback);
    }

    [[nodiscard]] std::uint32_t depth(NodeIndex node) const { return steps_[node].depth; }
    [[nodiscard]] CandidateIndex candidate_at(NodeIndex node) const {
        return links_[node].candidate;
    }
    /// The longest and the shortest candidate of which the node's string is a proper prefix; only
    /// if has_children.
    [[nodiscard]] CandidateIndex longest_below(NodeIndex node) const {
        return links_[node].longest_below;
    }
    [[nodiscard]] CandidateIndex shortest_below(NodeIndex node) const {
        return links_[node].shortest_below;
    }
    /// Whether the node's string is a proper prefix of a candidate.
    [[nodiscard]] bool has_children(NodeIndex node) const { return steps_[node].expected != root; }

    [[nodiscard]] bool empty() const { return steps_.size() == 1; }

    /// Copies the tokens of a candidate, given its last node.
    void copy_tokens(NodeIndex node, std::vector<Token>& tokens) const;

    /// Removes all candidates and frees the memory.
    void clear();

  private:
    static constexpr std::uint32_t stale = 0;

    /// The part of a node that a step reads.
    struct alignas(32) Step {
        Token token;         ///< on the edge from the parent
        NodeIndex expected;  ///< the last child taken, or root
        std::uint32_t depth;
        NodeIndex output;
        std::uint32_t epoch;  ///< in which fallback and output were computed
    };
    static_assert(sizeof(Step) == 32, "two records to a cache line");

    struct Link {
        NodeIndex parent = root;
        NodeIndex fallback = root;
        CandidateIndex candidate = no_candidate;
        CandidateIndex longest_below = no_candidate;
        CandidateIndex shortest_below = no_candidate;
    };

    /// The arrays of nodes double, so they hold at most twice what they need. Per node, the table
    /// of children has at most four slots; the stack of make_fresh and the lengths have one entry,
    /// twice that when doubling.
    static constexpr std::size_t bytes_per_node_max =
        2 * (sizeof(Step) + sizeof(Link)) + (4 + 2 + 2) * sizeof(NodeIndex);

    NodeIndex step_slowly(NodeIndex node, const Token& token);
    [[nodiscard]] NodeIndex child(NodeIndex node, const Token& token) const;
    NodeIndex add_child(NodeIndex node, const Token& token);
    void grow_children();
    /// Makes every node but the root stale.
    void begin_epoch();
    void make_fresh(NodeIndex node);
    /// True: `found` is the node's fallback. False: `found` must be made fresh first.
    bool find_fallback(NodeIndex node, NodeIndex& found) const;

    [[nodiscard]] bool fresh(NodeIndex node) const { return steps_[node].epoch == epoch_; }
    [[nodiscard]] std::size_t slot_of(NodeIndex node, const Token& token) const {
        return static_cast<std::size_t>(
            base::mix(token.low ^ (token.high * 3) ^ (std::uint64_t{node} << 40)));
    }

    std::vector<Step> steps_;
    std::vector<Link> links_;
    std::vector<NodeIndex> children_;     ///< open addressing by (parent, token); root: free
    std::vector<NodeIndex> pending_;      ///< stack of make_fresh
    std::vector<std::uint32_t> lengths_;  ///< by candidate
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
