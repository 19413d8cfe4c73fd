#include "passes/coalesce.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "passes/rewriting.hpp"

namespace refrain::script::passes {
namespace {

using ir::Block;
using ir::Instruction;
using ir::Op;
using ir::Operand;
using ir::Statement;
using ir::VariableId;

void note_reads(const Operand& operand, std::set<VariableId>& used) {
    if (operand.is_variable()) used.insert(operand.variable);
    for (const Operand& key : operand.path) note_reads(key, used);
}
/// All variables that a statement names, inside it, too.
std::set<VariableId> names_in(Statement& statement) {
    std::set<VariableId> used;
    for_each_operand(statement, [&](Operand& each) { note_reads(each, used); });
    ir::for_each_block(statement, [&](Block& inner) {
        for_each_operand(inner, [&](Operand& each) { note_reads(each, used); });
    });
    return used;
}

class Coalescing {
  public:
    explicit Coalescing(ir::Function& function) : function_(function) {}

    void run() { block(function_.body); }

  private:
    void block(Block& is) {
        while (push_down(is)) {
        }
        for (Statement& each : is.statements)
            ir::for_each_block(each, [&](Block& inner) { block(inner); });
        merge_equal(is);
        for (Statement& each : is.statements) {
            if (auto* wait = std::get_if<ir::Wait>(&each.is)) {
                collapse(*wait);
                fuse_wait(*wait);
            }
            if (auto* loop = std::get_if<ir::RangeLoop>(&each.is)) fuse_body(loop->body);
            if (auto* loop = std::get_if<ir::Foreach>(&each.is)) fuse_body(loop->body);
        }
    }

    // ---- push down
    [[nodiscard]] bool is_child(const ir::Wait& wait) const {
        return wait.task ||
               std::any_of(wait.operands.begin(), wait.operands.end(),
                           [&](const Operand& each) { return is_datum(function_, each); });
    }
    /// The block, of a wait or of one inside it, that assigns the place whenever it runs.
    Block* assigning(Block& in, const Operand& place) {
        for (Statement& each : in.statements) {
            if (auto* is = std::get_if<Instruction>(&each.is)) {
                if (is->op == Op::store && same_place(is->outs[0], place)) return &in;
            } else if (auto* wait = std::get_if<ir::Wait>(&each.is)) {
                if (Block* found = assigning(wait->body, place)) return found;
            }
        }
        return nullptr;
    }
    /// The variables that a wait, or one inside it, assigns.
    static void note_assigned(Statement& statement, std::set<VariableId>& assigned) {
        auto* wait = std::get_if<ir::Wait>(&statement.is);
        if (wait == nullptr) return;
        for (Statement& each : wait->body.statements) {
            if (auto* is = std::get_if<Instruction>(&each.is); is != nullptr && is->op == Op::store)
                assigned.insert(is->outs[0].variable);
            note_assigned(each, assigned);
        }
    }
    bool push_down(Block& is) {
        std::multimap<VariableId, std::size_t> writers;
        std::vector<std::set<VariableId>> assigned(is.statements.size());
        for (std::size_t i = 0; i < is.statements.size(); ++i) {
            note_assigned(is.statements[i], assigned[i]);
            for (const VariableId each : assigned[i]) writers.emplace(each, i);
        }
        std::vector<bool> moved(is.statements.size(), false);
        for (std::size_t i = 0; i < is.statements.size(); ++i) {
            const std::optional<Target> to = target_of(is, i, writers, moved);
            if (!to) continue;
            for (const VariableId each : assigned[i]) writers.emplace(each, to->statement);
            assigned[to->statement].insert(assigned[i].begin(), assigned[i].end());
            to->block->statements.push_back(std::move(is.statements[i]));
            moved[i] = true;
        }
        std::size_t index = 0;
        return std::erase_if(is.statements,
                             [&](const Statement&) { return bool(moved[index++]); }) != 0;
    }
    /// Where a wait goes: behind an assignment of what it waits for, in another wait of its block.
    struct Target {
        std::size_t statement;
        Block* block;
    };
    std::optional<Target> target_of(Block& is, std::size_t i,
                                    const std::multimap<VariableId, std::size_t>& writers,
                                    const std::vector<bool>& moved) {
        const auto* wait = std::get_if<ir::Wait>(&is.statements[i].is);
        if (wait == nullptr) return std::nullopt;
        for (const Operand& each : wait->operands) {
            if (!is_datum(function_, each)) continue;
            const auto [begin, end] = writers.equal_range(each.variable);
            for (auto writer = begin; writer != end; ++writer) {
                const std::size_t j = writer->second;
                if (j == i || moved[j]) continue;
                Block* to = assigning(std::get<ir::Wait>(is.statements[j].is).body, each);
                if (to != nullptr && sees(is, i, j)) return Target{j, to};
            }
        }
        return std::nullopt;
    }
    /// The local values that statement i uses are made before statement j.
    [[nodiscard]] bool sees(Block& is, std::size_t i, std::size_t j) const {
        if (i < j) return true;
        std::set<VariableId> made;
        for (std::size_t k = j; k < i; ++k)
            if (const auto* one =
                    std::get_if<Instruction>(&is.statements[k].is))  // moved ones: waits
                for (const Operand& out : one->outs)
                    if (!is_datum(function_, out)) made.insert(out.variable);
        const std::set<VariableId> used = names_in(is.statements[i]);
        return std::none_of(made.begin(), made.end(),
                            [&](VariableId each) { return used.contains(each); });
    }

    // ---- merge
    static bool same_operands(const std::vector<Operand>& a, const std::vector<Operand>& b) {
        return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const Operand& each) {
                   return std::any_of(b.begin(), b.end(), [&](const Operand& other) {
                       return same_place(each, other);
                   });
               });
    }
    /// The first of two equal waits moves to the second, unless a call stands between.
    void merge_equal(Block& is) {
        for (std::size_t i = 0; i < is.statements.size(); ++i) {
            auto* first = std::get_if<ir::Wait>(&is.statements[i].is);
            if (first == nullptr || first->task) continue;
            for (std::size_t j = i + 1; j < is.statements.size(); ++j) {
                const auto* between = std::get_if<Instruction>(&is.statements[j].is);
                if (between != nullptr && between->op == Op::leaf_now) break;
                auto* second = std::get_if<ir::Wait>(&is.statements[j].is);
                if (second == nullptr || second->task || second->deep != first->deep ||
                    second->priority != first->priority ||
                    !same_operands(first->operands, second->operands))
                    continue;
                prepend(std::move(first->body), second->body);
                is.statements.erase(is.statements.begin() + static_cast<std::ptrdiff_t>(i));
                --i;
                break;
            }
        }
    }
    static void prepend(Block first, Block& to) {
        to.variables.insert(to.variables.begin(), first.variables.begin(), first.variables.end());
        to.statements.insert(to.statements.begin(),
                             std::make_move_iterator(first.statements.begin()),
                             std::make_move_iterator(first.statements.end()));
    }

    // ---- collapse
    static bool is_quiet(const Statement& statement) {
        const auto* is = std::get_if<Instruction>(&statement.is);
        return is != nullptr && (is->op == Op::load || (is->op == Op::compute_now && is_pure(*is)));
    }
    /// The wait in a block that holds nothing else but operations on values; null if there is more.
    static ir::Wait* only_wait(Block& is) {
        ir::Wait* found = nullptr;
        for (Statement& each : is.statements) {
            if (is_quiet(each)) continue;
            auto* wait = std::get_if<ir::Wait>(&each.is);
            if (wait == nullptr || found != nullptr) return nullptr;
            found = wait;
        }
        return found;
    }
    [[nodiscard]] static bool has_container(const std::vector<Operand>& operands) {
        return std::any_of(operands.begin(), operands.end(),
                           [](const Operand& each) { return each.type.is_container(); });
    }
    void collapse(ir::Wait& outer) {
        while (ir::Wait* inner = only_wait(outer.body)) {
            if (!is_child(outer) || !is_child(*inner) || outer.task) return;
            if (outer.deep != inner->deep &&
                has_container(outer.deep ? inner->operands : outer.operands))
                return;
            std::set<VariableId> used;
            for (const Operand& each : inner->operands) note_reads(each, used);
            if (std::any_of(outer.body.variables.begin(), outer.body.variables.end(),
                            [&](VariableId each) { return used.contains(each); }))
                return;
            outer.deep |= inner->deep;
            outer.task = inner->task;
            outer.priority = std::max(outer.priority, inner->priority);
            for (const Operand& each : inner->operands)
                if (std::none_of(outer.operands.begin(), outer.operands.end(),
                                 [&](const Operand& one) { return same_place(one, each); }))
                    outer.operands.push_back(each);
            splice_last(outer.body);
        }
    }
    /// Puts the content of the only wait at the end of its block.
    static void splice_last(Block& is) {
        const auto at = std::find_if(is.statements.begin(), is.statements.end(),
                                     [](const Statement& each) { return !is_quiet(each); });
        Block body = std::move(std::get<ir::Wait>(at->is).body);
        is.statements.erase(at);
        is.variables.insert(is.variables.end(), body.variables.begin(), body.variables.end());
        std::move(body.statements.begin(), body.statements.end(),
                  std::back_inserter(is.statements));
    }

    // ---- fuse
    /// A task that does nothing but start one call makes it.
    static bool fuse_body(Block& body) {
        const ir::Wait* inner = only_wait(body);
        if (inner == nullptr || !inner->task || !inner->operands.empty()) return false;
        splice_last(body);
        return true;
    }
    void fuse_wait(ir::Wait& wait) {
        if (!wait.task && is_child(wait) && fuse_body(wait.body)) wait.task = true;
    }

    ir::Function& function_;
};

}  // namespace

ir::Program coalesce_tasks(ir::Program program) {
    for (ir::Function& each : program.functions) Coalescing(each).run();
    return program;
}

}  // namespace refrain::script::passes
