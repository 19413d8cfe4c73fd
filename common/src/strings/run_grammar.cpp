#include "strings/run_grammar.hpp"

#include "base/assertion.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace refrain::strings {
namespace {

constexpr std::uint64_t saturated = std::uint64_t{1} << 63;

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
    return a != 0 && b > saturated / a ? saturated : std::min(saturated, a * b);
}

}  // namespace

std::vector<std::uint64_t> expanded_lengths(const Grammar& grammar) {
    // Depth first without recursion: a hostile grammar may be as deep as it has rules.
    std::vector<std::uint64_t> lengths(grammar.size(), 0);
    std::vector<std::uint8_t> state(grammar.size(), 0);  // 1: being measured, 2: measured
    std::vector<std::pair<std::uint32_t, std::size_t>> stack;
    for (std::uint32_t root = 0; root < grammar.size(); ++root) {
        if (state[root] == 0) stack.emplace_back(root, 0);
        while (!stack.empty()) {
            auto& [rule, index] = stack.back();
            state[rule] = 1;
            if (index == grammar[rule].size()) {
                state[rule] = 2;
                stack.pop_back();
                continue;
            }
            const Run& run = grammar[rule][index];
            if (run.count == 0) return {};
            std::uint64_t length = 1;
            if (run.is_rule) {
                if (run.symbol >= grammar.size() || state[run.symbol] == 1) return {};
                if (state[run.symbol] == 0) {
                    stack.emplace_back(run.symbol, 0);
                    continue;
                }
                length = lengths[run.symbol];
            }
            lengths[rule] =
                std::min(saturated, lengths[rule] + saturating_product(length, run.count));
            ++index;
        }
    }
    return lengths;
}

std::vector<std::uint64_t> expansions(const Grammar& grammar) {
    std::vector<std::uint32_t> users(grammar.size(), 0);
    for (const auto& body : grammar)
        for (const Run& run : body)
            if (run.is_rule) ++users[run.symbol];
    std::vector<std::uint64_t> times(grammar.size(), 0);
    times[0] = 1;
    // Rules that nobody uses, first; each is done when all that use it are.
    std::vector<std::uint32_t> ready;
    for (std::uint32_t rule = 0; rule < grammar.size(); ++rule)
        if (users[rule] == 0) ready.push_back(rule);
    while (!ready.empty()) {
        const std::uint32_t rule = ready.back();
        ready.pop_back();
        for (const Run& run : grammar[rule]) {
            if (!run.is_rule) continue;
            times[run.symbol] += times[rule] * run.count;
            if (--users[run.symbol] == 0) ready.push_back(run.symbol);
        }
    }
    return times;
}

RunGrammar::RunGrammar() : table_(64, none) {
    new_rule();
}

void RunGrammar::append(std::uint32_t terminal, std::uint64_t count) {
    REFRAIN_ASSERT(terminal < rule_bit, "the highest bit marks rules");
    if (count == 0) return;
    length_ += count;
    if (last_.count != 0 && last_.symbol == terminal) {
        last_.count += count;
        return;
    }
    // Field by field, as the next append reads them: a Run as a whole would be written in two pieces and read across them.
    const Run before = last_;
    last_.count = count;
    last_.symbol = terminal;
    if (is_expected(before))
        advance();
    else if (before.count != 0)
        append_unexpected(before);
}

void RunGrammar::append_unexpected(const Run& run) {
    stop_following();
    append_run(run);
    settle();
    follow();
}

/// Appends to rule 0; `settle` is due.
void RunGrammar::append_run(const Run& run) {
    const Index guard = rules_[0].guard;
    const Index node = new_node(run.is_rule ? run.symbol | rule_bit : run.symbol, run.count);
    link(nodes_[guard].previous, node);
    link(node, guard);
    queue(nodes_[node].previous);
}

// ---- following the rule at the end

void RunGrammar::follow() {
    expected_.clear();
    agreed_ = false;
    const Index last = nodes_[rules_[0].guard].previous;
    if (!nodes_[last].guard && (nodes_[last].value & rule_bit) != 0)
        descend(nodes_[rules_[nodes_[last].value & ~rule_bit].guard].next);
}

/// Goes on at `node`, down to a terminal.
void RunGrammar::descend(Index node) {
    expected_.push_back({node, 0});
    while ((nodes_[node].value & rule_bit) != 0) {
        node = nodes_[rules_[nodes_[node].value & ~rule_bit].guard].next;
        expected_.push_back({node, 0});
    }
}

bool RunGrammar::is_expected(const Run& run) const {
    if (expected_.empty()) return false;
    const Node& node = nodes_[expected_.back().node];
    return node.value == run.symbol && node.count == run.count;
}

/// The expected run has come.
void RunGrammar::advance() {
    agreed_ = true;
    Place& at = expected_.back();
    const Node& next = nodes_[nodes_[at.node].next];
    if (!next.guard && (next.value & rule_bit) == 0)
        at.node = nodes_[at.node].next;
    else
        advance_to_other_rule();
}

/// What follows the expected run is no terminal of the same rule.
void RunGrammar::advance_to_other_rule() {
    Index next = nodes_[expected_.back().node].next;
    expected_.pop_back();
    while (nodes_[next].guard && !expected_.empty()) {
        Place& use = expected_.back();
        next = nodes_[next].next;  // the beginning of the rule
        if (++use.iteration == nodes_[use.node].count) {
            next = nodes_[use.node].next;
            expected_.pop_back();
        }
    }
    if (nodes_[next].guard)
        count_iteration();
    else
        descend(next);
}

/// All of the rule at the end has come again.
void RunGrammar::count_iteration() {
    const Index last = nodes_[rules_[0].guard].previous;
    forget(nodes_[last].previous);
    ++nodes_[last].count;
    queue(nodes_[last].previous);
    settle();
    follow();
}

/// Appends the runs that have agreed: of each rule on the way the runs that are done, then the whole iterations of the
/// run that is not.
void RunGrammar::stop_following() {
    if (!agreed_) return;
    std::vector<Run> runs;
    for (const Place& place : expected_) {
        Index node = place.node;
        while (!nodes_[nodes_[node].previous].guard) node = nodes_[node].previous;
        const auto append_node = [&](Index at, std::uint64_t count) {
            const std::uint32_t value = nodes_[at].value;
            runs.push_back({count, value & ~rule_bit, (value & rule_bit) != 0});
        };
        for (; node != place.node; node = nodes_[node].next) append_node(node, nodes_[node].count);
        if (place.iteration != 0) append_node(node, place.iteration);
    }
    // All are in use before any rule can be dissolved.
    for (const Run& run : runs) append_run(run);
    expected_.clear();
    agreed_ = false;
    settle();
}

// ---- the table of digrams: linear probing, entries move back when one is removed

bool RunGrammar::is_digram(Index left) const {
    return nodes_[left].alive && !nodes_[left].guard && !nodes_[nodes_[left].next].guard;
}

std::uint64_t RunGrammar::hash_of(Index left) const {
    const Node& a = nodes_[left];
    const Node& b = nodes_[a.next];
    const std::uint64_t first = base::mix(a.count * 0x9e3779b97f4a7c15U + a.value);
    return base::mix(first ^ (b.count * 0xd6e8feb86659fd93U + b.value));
}

bool RunGrammar::same_digram(Index a, Index b) const {
    const auto key = [&](Index left) {
        const Node& first = nodes_[left];
        const Node& second = nodes_[first.next];
        return std::tie(first.value, first.count, second.value, second.count);
    };
    return key(a) == key(b);
}

/// Where the digram is, or the free place where it would be.
std::size_t RunGrammar::slot_of(Index left) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = hash_of(left) & mask;
    while (table_[slot] != none && !same_digram(table_[slot], left)) slot = (slot + 1) & mask;
    return slot;
}

/// The left node of the equal digram that is known; `left` itself if there was none.
RunGrammar::Index RunGrammar::find_or_insert(Index left) {
    if (2 * (digrams_ + 1) > table_.size()) grow();
    Index& entry = table_[slot_of(left)];
    if (entry == none) {
        entry = left;
        ++digrams_;
    }
    return entry;
}

/// Removes the digram that begins at `left`, if it is this one that the table knows.
void RunGrammar::forget(Index left) {
    if (!is_digram(left) || nodes_[left].value == nodes_[nodes_[left].next].value) return;
    const std::size_t mask = table_.size() - 1;
    std::size_t hole = slot_of(left);
    if (table_[hole] != left) return;
    --digrams_;
    for (std::size_t at = (hole + 1) & mask; table_[at] != none; at = (at + 1) & mask) {
        const std::size_t home = hash_of(table_[at]) & mask;
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            table_[hole] = table_[at];
            hole = at;
        }
    }
    table_[hole] = none;
}

void RunGrammar::grow() {
    std::vector<Index> before(2 * table_.size(), none);
    before.swap(table_);
    for (const Index left : before)
        if (left != none) table_[slot_of(left)] = left;
}

// ---- nodes and rules

RunGrammar::Index RunGrammar::new_node(std::uint32_t value, std::uint64_t count) {
    Index node = static_cast<Index>(nodes_.size());
    if (free_nodes_.empty())
        nodes_.emplace_back();
    else {
        node = free_nodes_.back();
        free_nodes_.pop_back();
    }
    nodes_[node] = {count, value, none, none, false, true, false};
    ++live_nodes_;
    use(node);
    return node;
}

/// The node is given out again only when no queue can name it.
void RunGrammar::free_node(Index node) {
    unuse(node);
    nodes_[node].alive = false;
    freed_nodes_.push_back(node);
    --live_nodes_;
}

std::uint32_t RunGrammar::new_rule() {
    std::uint32_t rule = static_cast<std::uint32_t>(rules_.size());
    if (free_rules_.empty())
        rules_.emplace_back();
    else {
        rule = free_rules_.back();
        free_rules_.pop_back();
    }
    const Index guard = new_node(rule, 1);
    --live_nodes_;
    nodes_[guard].guard = true;
    link(guard, guard);
    rules_[rule] = {guard, 0, 0, true};
    return rule;
}

void RunGrammar::free_rule(std::uint32_t rule) {
    const Index guard = rules_[rule].guard;
    nodes_[guard].alive = false;
    freed_nodes_.push_back(guard);
    rules_[rule].alive = false;
    free_rules_.push_back(rule);
}

void RunGrammar::link(Index left, Index right) {
    nodes_[left].next = right;
    nodes_[right].previous = left;
}

void RunGrammar::use(Index node) {
    if ((nodes_[node].value & rule_bit) == 0) return;
    Rule& rule = rules_[nodes_[node].value & ~rule_bit];
    ++rule.users;
    rule.user_xor ^= node;
}

void RunGrammar::unuse(Index node) {
    if ((nodes_[node].value & rule_bit) == 0) return;
    Rule& rule = rules_[nodes_[node].value & ~rule_bit];
    --rule.users;
    rule.user_xor ^= node;
    to_count_.push_back(nodes_[node].value & ~rule_bit);
}

void RunGrammar::queue(Index left) {
    if (nodes_[left].guard || nodes_[left].queued) return;
    nodes_[left].queued = true;
    to_check_.push_back(left);
}

// ---- restoring the invariants

void RunGrammar::settle() {
    while (!to_check_.empty() || !to_count_.empty() || !to_measure_.empty()) {
        if (!to_check_.empty()) {
            const Index left = to_check_.back();
            to_check_.pop_back();
            nodes_[left].queued = false;
            if (is_digram(left)) check_digram(left);
        } else if (!to_count_.empty()) {
            const std::uint32_t rule = to_count_.back();
            to_count_.pop_back();
            dissolve_if_single(rule);
        } else {
            const std::uint32_t rule = to_measure_.back();
            to_measure_.pop_back();
            unwrap_if_short(rule);
        }
    }
    free_nodes_.insert(free_nodes_.end(), freed_nodes_.begin(), freed_nodes_.end());
    freed_nodes_.clear();
}

/// I1 and I2 for the digram that begins at `left`.
void RunGrammar::check_digram(Index left) {
    if (nodes_[left].value == nodes_[nodes_[left].next].value) {
        join(left);
        return;
    }
    const Index known = find_or_insert(left);
    if (known == left) return;
    if (const std::uint32_t rule = rule_of_whole_body(known); rule != none) {
        replace(left, rule);
        return;
    }
    if (const std::uint32_t rule = rule_of_whole_body(left); rule != none) {
        // The new place is the whole of a rule: the known one is replaced.
        forget(known);
        table_[slot_of(left)] = left;
        ++digrams_;
        replace(known, rule);
        return;
    }
    const std::uint32_t rule = new_rule();
    const Node first = nodes_[known];
    const Node second = nodes_[first.next];
    const Index guard = rules_[rule].guard;
    const Index a = new_node(first.value, first.count);
    const Index b = new_node(second.value, second.count);
    link(guard, a);
    link(a, b);
    link(b, guard);
    forget(known);
    find_or_insert(a);
    replace(known, rule);
    replace(left, rule);
}

/// The rule whose body is just the digram; none if it is part of a longer one or of rule 0.
std::uint32_t RunGrammar::rule_of_whole_body(Index left) const {
    const Index guard = nodes_[left].previous;
    if (!nodes_[guard].guard || nodes_[nodes_[nodes_[left].next].next].guard == false) return none;
    return nodes_[guard].value == 0 ? none : nodes_[guard].value;
}

/// Two neighbours of one symbol become one run.
void RunGrammar::join(Index left) {
    const Index right = nodes_[left].next;
    const Index after = nodes_[right].next;
    forget(nodes_[left].previous);
    forget(right);
    nodes_[left].count += nodes_[right].count;
    link(left, after);
    free_node(right);
    queue(nodes_[left].previous);
    queue(left);
    if (nodes_[nodes_[left].previous].guard && nodes_[after].guard)
        to_measure_.push_back(nodes_[after].value);
}

/// The digram that begins at `left` becomes a use of the rule.
void RunGrammar::replace(Index left, std::uint32_t rule) {
    const Index right = nodes_[left].next;
    const Index before = nodes_[left].previous;
    const Index after = nodes_[right].next;
    forget(before);
    forget(left);
    forget(right);
    const Index node = new_node(rule | rule_bit, 1);
    link(before, node);
    link(node, after);
    free_node(left);
    free_node(right);
    queue(before);
    queue(node);
    if (nodes_[before].guard && nodes_[after].guard) to_measure_.push_back(nodes_[after].value);
}

/// I3: a rule with one use gives way to its runs.
void RunGrammar::dissolve_if_single(std::uint32_t rule) {
    if (!rules_[rule].alive || rules_[rule].users != 1) return;
    const Index node = rules_[rule].user_xor;
    if (nodes_[node].count != 1) return;
    const Index before = nodes_[node].previous;
    const Index after = nodes_[node].next;
    const Index guard = rules_[rule].guard;
    const Index first = nodes_[guard].next;
    const Index last = nodes_[guard].previous;
    forget(before);
    forget(node);
    link(before, first);
    link(last, after);
    free_node(node);
    free_rule(rule);
    queue(before);
    queue(last);
}

/// I4: a rule of one run is replaced by that run wherever it is used.
void RunGrammar::unwrap_if_short(std::uint32_t rule) {
    if (rule == 0 || !rules_[rule].alive) return;
    const Index only = nodes_[rules_[rule].guard].next;
    if (nodes_[only].next != rules_[rule].guard) return;
    const Node body = nodes_[only];
    for (Index node = 0; node < nodes_.size() && rules_[rule].users != 0; ++node) {
        if (!nodes_[node].alive || nodes_[node].guard || nodes_[node].value != (rule | rule_bit))
            continue;
        forget(nodes_[node].previous);
        forget(node);
        unuse(node);
        nodes_[node].value = body.value;
        nodes_[node].count *= body.count;
        use(node);
        queue(nodes_[node].previous);
        queue(node);
    }
    free_node(only);
    free_rule(rule);
}

// ---- answers

Grammar RunGrammar::grammar() const {
    if (agreed_) {
        RunGrammar stopped = *this;
        stopped.stop_following();
        return stopped.grammar();
    }
    // Rules are numbered as rule 0 reaches them, so that equal sequences give equal grammars.
    std::vector<std::uint32_t> number(rules_.size(), none);
    std::vector<std::uint32_t> order{0};
    number[0] = 0;
    Grammar result;
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::vector<Run>& body = result.emplace_back();
        const Index guard = rules_[order[i]].guard;
        for (Index node = nodes_[guard].next; node != guard; node = nodes_[node].next) {
            Run run{nodes_[node].count, nodes_[node].value & ~rule_bit,
                    (nodes_[node].value & rule_bit) != 0};
            if (run.is_rule) {
                if (number[run.symbol] == none) {
                    number[run.symbol] = static_cast<std::uint32_t>(order.size());
                    order.push_back(run.symbol);
                }
                run.symbol = number[run.symbol];
            }
            body.push_back(run);
        }
    }
    if (last_.count != 0) {
        std::vector<Run>& main = result[0];
        if (!main.empty() && !main.back().is_rule && main.back().symbol == last_.symbol)
            main.back().count += last_.count;
        else
            main.push_back(last_);
    }
    return result;
}

std::size_t RunGrammar::bytes() const {
    return nodes_.capacity() * sizeof(Node) + rules_.capacity() * sizeof(Rule) +
           table_.capacity() * sizeof(Index);
}

bool RunGrammar::check() const {
    std::set<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, std::uint64_t>> digrams;
    std::vector<std::uint64_t> uses(rules_.size(), 0), users(rules_.size(), 0);
    std::size_t nodes = 0;
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule) {
        if (!rules_[rule].alive) continue;
        const Index guard = rules_[rule].guard;
        std::size_t runs = 0;
        for (Index node = nodes_[guard].next; node != guard; node = nodes_[node].next) {
            const Node& at = nodes_[node];
            if (!at.alive || at.guard || at.count == 0 || nodes_[at.next].previous != node)
                return false;
            ++runs;
            if (at.value & rule_bit) {
                if (!rules_[at.value & ~rule_bit].alive) return false;
                uses[at.value & ~rule_bit] += at.count;
                ++users[at.value & ~rule_bit];
            }
            if (at.next == guard) continue;
            const Node& next = nodes_[at.next];
            if (at.value == next.value) return false;                                 // I1
            if (!digrams.emplace(at.value, at.count, next.value, next.count).second)  // I2
                return false;
            if (table_[slot_of(node)] != node) return false;
        }
        if (rule != 0 && runs < 2) return false;  // I4
        nodes += runs;
    }
    for (std::uint32_t rule = 1; rule < rules_.size(); ++rule) {
        if (!rules_[rule].alive) continue;
        if (uses[rule] < 2 || users[rule] != rules_[rule].users) return false;  // I3
    }
    return digrams.size() == digrams_ && nodes == live_nodes_;
}

GrammarCursor::GrammarCursor(const Grammar& grammar, std::uint32_t rule) : grammar_(&grammar) {
    if (grammar.empty() || grammar[rule].empty()) return;
    path_.push_back({rule, 0, 0});
    descend();
}

/// Goes down to a terminal.
void GrammarCursor::descend() {
    while (run().is_rule) path_.push_back({run().symbol, 0, 0});
}

void GrammarCursor::next() {
    ++path_.back().index;
    while (path_.back().index == (*grammar_)[path_.back().rule].size()) {
        path_.pop_back();
        if (path_.empty()) return;
        Place& place = path_.back();
        if (++place.iteration == run().count) {
            ++place.index;
            place.iteration = 0;
        } else
            break;
    }
    descend();
}

}  // namespace refrain::strings
