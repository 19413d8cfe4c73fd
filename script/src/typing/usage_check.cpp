#include "typing/symbols.hpp"
#include "values/steps.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace refrain::script {
namespace {

/// Whether the two can never both run: other arms of one branch.
bool exclude_each_other(const BranchPath& a, const BranchPath& b) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (a[i].node != b[i].node) return false;
        if (a[i].arm != b[i].arm) return true;
    }
    return false;
}
/// Whether `earlier` has certainly run where `later` runs.
bool is_certain_at(const BranchPath& earlier, const BranchPath& later) {
    return std::ranges::all_of(earlier, [&](const BranchStep& step) {
        return step.wait || std::ranges::find(later, step) != later.end();
    });
}
bool is_prefix(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
}
bool is_known(const std::vector<std::string>& part) {
    return std::ranges::find(part, "?") == part.end();
}

/// Two writes of one thing, or of a whole and its part. Elements with computed keys may differ.
bool overlap(const SymbolUse& a, const SymbolUse& b) {
    if (a.append && b.append) return false;
    if (a.part.empty() || b.part.empty()) return true;
    return is_known(a.part) && is_known(b.part) &&
           (is_prefix(a.part, b.part) || is_prefix(b.part, a.part));
}

std::string shown(const Symbol& symbol, const SymbolUse& use) {
    std::string text = symbol.name;
    for (const std::string& each : use.part)
        text += each.starts_with('.') ? each : "[" + (each == "?" ? "..." : each) + "]";
    return text;
}

class UsageCheck {
  public:
    UsageCheck(const Symbol& symbol, Diagnostics& diagnostics)
        : symbol_(symbol), diagnostics_(diagnostics) {}

    /// True if it is assigned twice.
    bool run() {
        if (symbol_.broken || symbol_.role == Symbol::Role::constant) return false;
        const bool twice = check_double_writes();
        if (!twice) check_loops();
        if (symbol_.role == Symbol::Role::local) check_missing();
        return twice;
    }

  private:
    /// Only writes of one element, or of the whole, are compared: an array may have thousands of others. True if a message was
    /// made.
    bool check_double_writes() {
        std::map<std::string, std::vector<const SymbolUse*>> earlier;  // by their first key
        std::vector<const SymbolUse*> all;
        for (const SymbolUse& each : symbol_.writes) {
            const std::string first = each.part.empty() ? "" : each.part[0];
            const auto judged = [&](const SymbolUse* one) { return judge(*one, each); };
            const auto among = [&](const std::vector<const SymbolUse*>& some) {
                return std::ranges::any_of(some, judged);
            };
            if (each.part.empty() ? among(all) : among(earlier[""]) || among(earlier[first]))
                return true;
            earlier[first].push_back(&each);
            all.push_back(&each);
        }
        return false;
    }
    /// True if a message was made: one per variable is enough.
    bool judge(const SymbolUse& first, const SymbolUse& second) {
        step();
        if (symbol_.type.is(Kind::updateable)) return false;
        if (!overlap(first, second) || exclude_each_other(first.path, second.path)) return false;
        const bool whole_and_part = first.part.empty() != second.part.empty();
        const bool certain = is_certain_at(first.path, second.path);
        Diagnostic found{
            code::assigned_twice, second.at, {}, {}, {{first.at, "the first assignment is here"}}};
        if (whole_and_part)
            found.text = "'" + symbol_.name + "' is assigned as a whole and in parts";
        else if (certain)
            found.text = "'" + shown(symbol_, second) + "' is assigned a second time";
        else
            found.text = "'" + shown(symbol_, second) + "' may be assigned a second time";
        found.warning = !certain && !whole_and_part;
        if (found.warning) found.code = code::maybe_assigned_twice;
        if (!found.warning)
            found.help = "a variable is assigned once; use another one for the new value";
        diagnostics_.error(std::move(found));
        return true;
    }

    void check_loops() {
        if (symbol_.type.is(Kind::updateable)) return;
        for (const SymbolUse& each : symbol_.writes) {
            if (each.append || !is_known(each.part)) continue;
            for (std::size_t i = symbol_.declared_in.size(); i < each.path.size(); ++i) {
                if (!each.path[i].loop) continue;
                diagnostics_.warning(
                    code::maybe_assigned_twice, each.at,
                    "'" + shown(symbol_, each) +
                        "' may be assigned a second time: the loop may run its body twice",
                    {}, {{symbol_.at, "it is declared outside the loop"}});
                return;
            }
        }
    }

    void check_missing() {
        if (symbol_.writes.empty() && symbol_.reads.empty())
            return warn(symbol_.mapped ? "the mapped file '" + symbol_.name + "' is never written"
                                       : "'" + symbol_.name + "' is not used");
        if (symbol_.type.is(Kind::array) || symbol_.type.is(Kind::bag)) return;
        for (const SymbolUse& read : symbol_.reads) {
            const bool written = std::ranges::any_of(symbol_.writes, [&](const SymbolUse& write) {
                return is_prefix(write.part, read.part) || is_prefix(read.part, write.part);
            });
            if (written) continue;
            return diagnostics_.error(code::never_assigned, read.at,
                                      "'" + shown(symbol_, read) + "' is read and never assigned",
                                      symbol_.mapped
                                          ? "assign it; a file that is there is input(\"NAME\")"
                                          : "assign it, or remove it",
                                      {{symbol_.at, "it is declared here"}});
        }
        if (!symbol_.type.is(Kind::structure) && !symbol_.writes.empty())
            warn_if_missing_somewhere();
    }
    /// Not beside errors: what is refused may be the only use.
    void warn(std::string text) {
        if (!diagnostics_.failed()) diagnostics_.warning(code::unused, symbol_.at, std::move(text));
    }
    /// All writes stand in one arm of an if that has no other: a reader may wait forever.
    void warn_if_missing_somewhere() {
        const SymbolUse& write = symbol_.writes[0];
        if (symbol_.writes.size() != 1 || write.path.size() <= symbol_.declared_in.size()) return;
        for (const SymbolUse& read : symbol_.reads) {
            if (is_certain_at(write.path, read.path)) continue;
            diagnostics_.warning(
                code::maybe_unassigned, read.at,
                "'" + symbol_.name + "' may never be assigned: its only assignment is conditional",
                {}, {{write.at, "the assignment is here"}});
            return;
        }
    }

    const Symbol& symbol_;
    Diagnostics& diagnostics_;
};

/// Variables that wait for themselves, or for each other.
///
///     int a; int b; a = b + 1; wait (a) { b = 2; }
class CycleCheck {
  public:
    explicit CycleCheck(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    void pass_over(const Symbol& symbol) { open_.emplace(&symbol, false); }
    /// What has been looked at before is passed over.
    void run(const Symbol& symbol) {
        step();
        if (!open_.emplace(&symbol, true).second) return;
        for (const SymbolUse& write : symbol.writes)
            for (const Needed& each : write.needs) {
                if (!is_certain(symbol, write, each)) continue;
                way_.push_back({&symbol, &write, &each});
                if (const auto seen = open_.find(each.symbol); seen != open_.end() && seen->second)
                    report({std::ranges::find(way_, each.symbol, &Step::symbol), way_.end()});
                else
                    run(*each.symbol);
                way_.pop_back();
            }
        open_[&symbol] = false;
    }

  private:
    struct Step {
        const Symbol* symbol;
        const SymbolUse* write;
        const Needed* needed;
    };
    /// A variable waits for what all of its writes need; one with many writers, for each that there is in any case. A write that
    /// needs what it assigns waits whenever it runs.
    static bool is_certain(const Symbol& symbol, const SymbolUse& write, const Needed& needed) {
        const bool own = needed.symbol == &symbol;
        if (symbol.type.is_container() || symbol.type.is(Kind::updateable))
            return own || write.path.size() <= symbol.declared_in.size();
        const auto has_it = [&](const SymbolUse& other) {
            return std::ranges::find(other.needs, needed.symbol, &Needed::symbol) !=
                   other.needs.end();
        };
        if (own && needed.what == nullptr) return true;
        return &write == &symbol.writes[0] && std::ranges::all_of(symbol.writes, has_it);
    }
    void report(std::span<const Step> cycle) {
        const auto name = [](const Symbol* symbol) { return "'" + symbol->name + "'"; };
        const Needed& first = *cycle[0].needed;
        Diagnostic found{code::waits_for_itself, first.at,
                         name(cycle[0].symbol) + " waits for " + name(first.symbol)};
        if (cycle.size() == 1) {
            const std::string what = first.what == nullptr ? "" : first.what;
            found.text = what.empty() ? name(first.symbol) + " waits for itself"
                                      : "this " + what + " waits for " + name(first.symbol) +
                                            ", which its own " +
                                            (what == "chain" ? "end" : "body") + " assigns";
            found.notes = {{cycle[0].write->at, "the assignment is here"}};
        }
        for (const auto& [symbol, write, needed] : cycle.subspan(1)) {
            const std::string waits = " waits for " + name(needed->symbol);
            found.text += ", which" + waits;
            found.notes.push_back({needed->at, name(symbol) + waits + " here"});
        }
        diagnostics_.error(std::move(found));
    }

    Diagnostics& diagnostics_;
    std::vector<Step> way_;
    std::map<const Symbol*, bool> open_;  // those looked at: whether they stand on the way
};

}  // namespace

void check_usage(const std::deque<Symbol>& symbols, Diagnostics& diagnostics) {
    CycleCheck cycles(diagnostics);
    for (const Symbol& each : symbols)
        if (UsageCheck(each, diagnostics).run()) cycles.pass_over(each);
    for (const Symbol& each : symbols) cycles.run(each);
}

}  // namespace refrain::script
