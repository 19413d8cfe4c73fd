#include "passes/coalesce.hpp"

#include <algorithm>
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
        while (push_down_one(is)) {
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
    bool push_down_one(Block& is) {
        for (std::size_t i = 0; i < is.statements.size(); ++i) {
            auto* wait = std::get_if<ir::Wait>(&is.statements[i].is);
            if (wait == nullptr) continue;
            for (const Operand& each : wait->operands) {
                if (!is_datum(function_, each)) continue;
                for (std::size_t j = 0; j < is.statements.size(); ++j) {
                    if (j == i) continue;
                    auto* writer = std::get_if<ir::Wait>(&is.statements[j].is);
                    if (writer == nullptr) continue;
                    Block* to = assigning(writer->body, each);
                    if (to == nullptr || !sees(is, i, j)) continue;
                    // First there, then away from here: erasing moves the blocks behind.
                    Statement moved = std::move(is.statements[i]);
                    to->statements.push_back(std::move(moved));
                    is.statements.erase(is.statements.begin() + static_cast<std::ptrdiff_t>(i));
                    return true;
                }
            }
        }
        return false;
    }
    /// The local values that statement i uses are made before statement j.
    [[nodiscard]] bool sees(Block& is, std::size_t i, std::size_t j) const {
        if (i < j) return true;
        std::set<VariableId> made;
        for (std::size_t k = j; k < i; ++k)
            if (const auto* one = std::get_if<Instruction>(&is.statements[k].is))
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
