#include "passes/optimise.hpp"

#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "passes/coalesce.hpp"
#include "passes/dead_code.hpp"
#include "passes/expand.hpp"
#include "passes/expand_loops.hpp"
#include "passes/fuse_loops.hpp"
#include "passes/hoist.hpp"
#include "passes/inline_functions.hpp"
#include "passes/signatures.hpp"
#include "passes/value_number.hpp"
#include "refrain/error.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace refrain::script::passes {
namespace {

constexpr std::array built_passes = {
    PassInfo{"function-inline", 2, true, "small functions, and those called once"},
    PassInfo{"constant-fold", 1, true, "operations on constants, branches on constants"},
    PassInfo{"finalized-var", 1, true, "what is known to be final is not waited for"},
    PassInfo{"value-number", 1, true, "the same operation on values once"},
    PassInfo{"dead-code-elim", 1, true, "what nobody reads"},
    PassInfo{"dataflow-op-inline", 2, true, "operations on data become waits"},
    PassInfo{"wait-coalesce", 2, true, "tasks pushed down, and merged"},
    PassInfo{"hoisting", 2, true, "what all turns of a loop wait for is waited for once"},
    PassInfo{"expand-loops", 3, true, "loops of at most 15 turns that are known"},
    PassInfo{"function-signature", 2, true, "values instead of data as inputs of functions"},
    PassInfo{"controlflow-fusion", 1, true, "two loops over the same become one"},
    PassInfo{"merge-refcounts", 1, true, "the changes of counts of a block become one"},
    PassInfo{"cancel-refcounts", 1, true, "children take over the counts of their parent"},
    PassInfo{"piggyback-refcounts", 1, true, "changes of counts ride on other operations"},
    PassInfo{"batch-refcounts", 1, true, "the counts of all turns of a loop at once"},
    PassInfo{"hoist-refcounts", 1, true, "changes of counts at the start of a block"},
    PassInfo{"refcounting", 0, true, "data are freed"},
    // Not of the original.
    PassInfo{"value-carrying", 3, true, "a notification brings the value"},
    PassInfo{"batch-subscribe", 3, true, "one subscription for all elements of an array"},
    PassInfo{"range-tasks", 3, true, "a task is an interval of a loop"},
    PassInfo{"direct-join", 3, true, "a value goes straight to the one task that waits for it"},
    PassInfo{"weighted-references", 3, true, "a task is given the counts of its children"},
    PassInfo{"run-in-place", 3, true, "a task runs the call that it ends with"},
};

/// Names of the original that are accepted, and are never on by themselves.
const std::vector<std::string> accepted_names = parts_of(
    "algebra flatten-nested shared-constants demote-globals unroll-loops propagate-aliases "
    "array-build loop-simplify pipeline reorder-insts full-unroll full-function-inline "
    "checkpointing auto-declare disable-asserts",
    " ");

const std::vector<PassInfo> known_passes = [] {
    std::vector<PassInfo> all(built_passes.begin(), built_passes.end());
    for (const std::string& each : accepted_names) all.push_back({each, 4, false, {}});
    return all;
}();

std::size_t index_of(std::string_view name) {
    const auto found = std::ranges::find(known_passes, name, &PassInfo::name);
    return static_cast<std::size_t>(found - known_passes.begin());
}

}  // namespace

std::span<const PassInfo> pass_names() {
    return known_passes;
}

PassSet::PassSet(int level) {
    for (const PassInfo& each : known_passes) on_.push_back(each.level <= level);
}
void PassSet::set(std::string_view name, bool on) {
    const std::size_t index = index_of(name);
    if (index == known_passes.size()) {
        std::vector<std::string> known;
        for (const PassInfo& each : known_passes) known.emplace_back(each.name);
        throw UsageError("there is no pass '" + std::string(name) +
                         "'; there are: " + joined(known));
    }
    on_[index] = on;
}
bool PassSet::has(std::string_view name) const {
    return on_[index_of(name)];
}

ir::Program optimise(ir::Program program, const PassSet& passes, const PassObserver& observer) {
    constexpr int rounds_max = 10;
    const auto run = [&](std::string_view pass, bool on, const auto& work) {
        if (!on) return;
        program = work(std::move(program));
        ir::verify(program, std::string(pass));
        if (observer) observer(pass, program);
    };
    const ValueNumbering numbering{passes.has("constant-fold"), passes.has("finalized-var"),
                                   passes.has("value-number")};
    const bool numbers = numbering.fold_constants || numbering.finality || numbering.number;
    const auto number = [&](ir::Program is) { return number_values(std::move(is), numbering); };
    run("function-inline", passes.has("function-inline"), inline_functions);
    std::string text;  // of the code, as the round before has left it
    for (int round = 0; round < rounds_max; ++round) {
        run("dataflow-op-inline", passes.has("dataflow-op-inline") && round == 0,
            expand_operations);
        run("value-number", numbers, number);
        run("dead-code-elim", passes.has("dead-code-elim"), remove_dead_code);
        run("wait-coalesce", passes.has("wait-coalesce"), coalesce_tasks);
        run("hoisting", passes.has("hoisting"), hoist_waits);
        run("expand-loops", passes.has("expand-loops"), expand_loops);
        run("function-signature", passes.has("function-signature"), pass_values);
        if (std::string now = ir::print(program); now != std::exchange(text, now)) continue;
        // Last: turns wait for what the loops share no more, once hoisting has moved that out of both.
        run("controlflow-fusion", passes.has("controlflow-fusion"), fuse_loops);
        if (ir::print(program) == text) break;
    }
    return program;
}

}  // namespace refrain::script::passes
