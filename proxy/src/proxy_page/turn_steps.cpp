#include "proxy_page/turn_steps.hpp"

#include <algorithm>
#include <map>

namespace refrain::proxy {
namespace {

using strings::Run;

constexpr std::size_t folded_steps_max = 200000;

class Steps {
  public:
    Steps(const Recording& recording, const RuleBook& book, bool folds, std::size_t most)
        : recording_(recording), book_(book), folds_(folds), most_(most) {}

    /// False if there are more.
    [[nodiscard]] bool find(std::span<const Run> runs, std::uint32_t before) {
        before_ = before;
        std::vector<Level> stack{{runs, 0, 0, 1}};
        while (!stack.empty() && steps_.size() <= most_) {
            Level& top = stack.back();
            if (top.run == top.runs.size()) {
                stack.pop_back();
                continue;
            }
            const Run& run = top.runs[top.run];
            if (!run.is_rule) {
                add_call(run, top.count);
                ++top.run;
                continue;
            }
            const std::uint64_t turns = folds_ ? 1 : run.count;
            if (top.turn == turns) {
                top.turn = 0;
                ++top.run;
                continue;
            }
            ++top.turn;
            const std::uint64_t count = top.count * (folds_ ? run.count : 1);
            if (folds_ && run.count > 1) before_ = book_.last_of(run);
            stack.push_back({recording_.rules[run.symbol], 0, 0, count});
        }
        return steps_.size() <= most_;
    }
    [[nodiscard]] std::vector<TurnStep> take() { return std::move(steps_); }

  private:
    struct Level {
        std::span<const Run> runs;
        std::size_t run = 0;
        std::uint64_t turn = 0;   // of the run
        std::uint64_t count = 1;  // for which one turn stands
    };

    void add_call(const Run& run, std::uint64_t count) {
        steps_.push_back({before_, run.symbol, count});
        if (run.count > 1) steps_.push_back({run.symbol, run.symbol, count * (run.count - 1)});
        before_ = run.symbol;
    }

    const Recording& recording_;
    const RuleBook& book_;
    bool folds_;
    std::size_t most_;
    std::uint32_t before_ = Work::start;
    std::vector<TurnStep> steps_;
};

/// Each step once, by the number of its call, which is given as the program first comes to it.
std::vector<TurnStep> tallied(const Recording& recording, const RuleBook& book,
                              std::span<const Run> runs, std::uint32_t before) {
    strings::Grammar grammar{{runs.begin(), runs.end()}};
    grammar.insert(grammar.end(), recording.rules.begin(), recording.rules.end());
    for (auto& rule : grammar)
        for (Run& run : rule) run.symbol += run.is_rule ? 1 : 0;
    const std::vector<std::uint64_t> uses = strings::expansions(grammar);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
    for (std::size_t rule = 0; rule < grammar.size(); ++rule) {
        if (uses[rule] == 0) continue;
        const std::span<const Run> own = rule == 0 ? runs : recording.rules[rule - 1];
        for (std::size_t i = 0; i < own.size(); ++i) {
            const std::uint32_t first = book.first_of(own[i]), last = book.last_of(own[i]);
            if (own[i].count > 1) counts[{first, last}] += uses[rule] * (own[i].count - 1);
            if (i > 0)
                counts[{first, book.last_of(own[i - 1])}] += uses[rule];
            else if (rule == 0)
                counts[{first, before}] += 1;
        }
    }
    std::vector<TurnStep> steps;
    for (const auto& [step, count] : counts) steps.push_back({step.second, step.first, count});
    return steps;
}

}  // namespace

std::vector<TurnStep> steps_of(const Recording& recording, const RuleBook& book,
                               std::span<const strings::Run> runs, std::uint32_t before,
                               std::size_t most) {
    for (const bool folds : {false, true}) {
        Steps steps(recording, book, folds, folds ? std::max(most, folded_steps_max) : most);
        if (steps.find(runs, before)) return steps.take();
    }
    return tallied(recording, book, runs, before);
}

}  // namespace refrain::proxy
