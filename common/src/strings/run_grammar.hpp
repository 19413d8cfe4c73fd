#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::strings {

/// A symbol of a grammar, repeated: a^3.
struct Run {
    std::uint64_t count = 1;  // at least 1
    std::uint32_t symbol = 0;
    bool is_rule = false;  // `symbol` is the index of a rule; otherwise a terminal

    friend bool operator==(const Run&, const Run&) = default;
};

/// Rules of a grammar that generates one sequence. Rule 0 is the whole sequence, no rule uses itself.
using Grammar = std::vector<std::vector<Run>>;

/// The number of terminals each rule expands to, with saturation at 2^63.
///
/// Returns an empty vector if the grammar is none: a rule that is not there, one that uses itself, a
/// count of 0.
[[nodiscard]] std::vector<std::uint64_t> expanded_lengths(const Grammar& grammar);

/// How often each rule is expanded where rule 0 is expanded once. The grammar is valid (expanded_lengths).
[[nodiscard]] std::vector<std::uint64_t> expansions(const Grammar& grammar);

/// Compresses a growing sequence into a grammar, online: Sequitur with run lengths.
///
///     append a b b a b b a b b c      rule 0: R1^3 c      rule 1: a b^2
///
/// Symbols in a row are one run with a count, so that loops of any number of iterations, and loops of
/// loops, have constant size.
///
/// Invariants after each append, checked by `check`:
///   I1  Neighbours differ.
///   I2  A digram (two neighbours, with their counts) is found once in all rules.
///   I3  A rule is used by two runs or by one with a count of 2 or more.
///   I4  All rules but rule 0 have two runs or more.
/// The last run of the sequence stays outside the rules until the next symbol differs from it: that
/// makes a run of polls one addition per symbol.
///
/// What follows a use of a rule, R^3, is first compared with R. As long as it agrees the rules stay as
/// they are; when all of R has come again, its count grows; when a run differs, those that agreed are
/// appended as what they are in R, rules included. So an iteration of a known loop is compared, not
/// compressed. The invariants hold for all but the runs that are being compared.
///
/// Complexity: amortised constant time per symbol, memory linear in the grammar's size.
/// Threads:    one at a time.
/// Source:     Nevill-Manning and Witten, Sequitur (1997); run lengths as in Dorier et al., Omnisc'IO
///             (2015). Changed: digrams are checked from a queue instead of by recursion, since a rule
///             that is dissolved can have equal neighbours at both ends.
class RunGrammar {
  public:
    RunGrammar();

    /// Terminals are below 2^31.
    void append(std::uint32_t terminal, std::uint64_t count = 1);

    /// The grammar of all that was appended.
    [[nodiscard]] Grammar grammar() const;
    [[nodiscard]] std::uint64_t length() const { return length_; }
    /// Runs that are stored: in all rules together, without those that are being compared.
    [[nodiscard]] std::size_t size() const { return live_nodes_ + (last_.count != 0 ? 1 : 0); }
    [[nodiscard]] std::size_t bytes() const;
    /// Whether the invariants hold; for tests, in time linear in the size.
    [[nodiscard]] bool check() const;

  private:
    using Index = std::uint32_t;
    static constexpr Index none = ~Index{0};
    static constexpr std::uint32_t rule_bit = std::uint32_t{1} << 31;

    /// A run within a rule. Rules are rings closed by a guard, whose value is the rule.
    struct Node {
        std::uint64_t count = 0;
        std::uint32_t value = 0;  // with rule_bit: a rule
        Index previous = none;
        Index next = none;
        bool guard = false;
        bool alive = false;
        bool queued = false;
    };
    struct Rule {
        Index guard = none;
        std::uint32_t users = 0;     // runs that use the rule
        std::uint32_t user_xor = 0;  // their indices, combined: the index itself if there is one
        bool alive = false;
    };

    /// A place within a use of a rule, or a terminal (iteration 0).
    struct Place {
        Index node = none;
        std::uint64_t iteration = 0;
    };

    // Kept out of the code that compares an iteration of a known loop.
    [[gnu::noinline]] void append_unexpected(const Run& run);
    void append_run(const Run& run);
    void follow();
    [[nodiscard]] bool is_expected(const Run& run) const;
    void advance();
    void advance_to_other_rule();
    [[gnu::noinline]] void count_iteration();
    void stop_following();
    void descend(Index node);

    [[nodiscard]] bool is_digram(Index left) const;
    [[nodiscard]] std::uint64_t hash_of(Index left) const;
    [[nodiscard]] bool same_digram(Index a, Index b) const;
    [[nodiscard]] std::size_t slot_of(Index left) const;
    Index find_or_insert(Index left);
    void forget(Index left);
    void grow();

    Index new_node(std::uint32_t value, std::uint64_t count);
    void free_node(Index node);
    std::uint32_t new_rule();
    void free_rule(std::uint32_t rule);
    void link(Index left, Index right);
    void use(Index node);
    void unuse(Index node);
    void queue(Index left);

    void settle();
    void check_digram(Index left);
    void join(Index left);
    void replace(Index left, std::uint32_t rule);
    void dissolve_if_single(std::uint32_t rule);
    void unwrap_if_short(std::uint32_t rule);
    [[nodiscard]] std::uint32_t rule_of_whole_body(Index left) const;

    std::vector<Node> nodes_;
    std::vector<Rule> rules_;
    std::vector<Index> free_nodes_, freed_nodes_;
    std::vector<std::uint32_t> free_rules_;
    std::vector<Index> table_;  // left nodes of digrams, by hash; a power of two
    std::size_t digrams_ = 0;
    std::vector<Index> to_check_;
    std::vector<std::uint32_t> to_count_;    // rules that lost a user
    std::vector<std::uint32_t> to_measure_;  // rules that lost a run
    std::size_t live_nodes_ = 0;
    std::uint64_t length_ = 0;
    Run last_{0, 0, false};
    // Follows the rule at the end of rule 0: from a run of its body down to the terminal that comes next.
    // Empty if the sequence does not end in a rule. Rules do not change while runs agree.
    std::vector<Place> expected_;
    bool agreed_ = false;  // runs have agreed since the beginning of the rule
};

/// Expands a grammar one run at a time, in memory of its depth.
///
///     for (GrammarCursor at(grammar); !at.done(); at.next()) use(at.terminal(), at.count());
class GrammarCursor {
  public:
    /// `grammar` outlives the cursor and is valid (expanded_lengths).
    explicit GrammarCursor(const Grammar& grammar, std::uint32_t rule = 0);

    [[nodiscard]] bool done() const { return path_.empty(); }
    /// The terminal, and how often it is repeated here.
    [[nodiscard]] std::uint32_t terminal() const { return run().symbol; }
    [[nodiscard]] std::uint64_t count() const { return run().count; }
    void next();

    struct Place {
        std::uint32_t rule = 0;
        std::uint32_t index = 0;
        std::uint64_t iteration = 0;
    };
    /// From rule 0 down to the terminal.
    [[nodiscard]] const std::vector<Place>& path() const { return path_; }

  private:
    [[nodiscard]] const Run& run() const {
        return (*grammar_)[path_.back().rule][path_.back().index];
    }
    void descend();

    const Grammar* grammar_;
    std::vector<Place> path_;
};

}  // namespace refrain::strings
