#include "passes/coalesce.hpp"

#include "passes/rewriting.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace refrain::script::passes {
namespace {

/// All variables that a statement names, inside it, too.
std::set<VariableId> names_in(Statement& statement) {
    std::set<VariableId> used;
    ir::for_each_own_operand(statement, [&](Operand& each) { note_variables(each, used); });
    ir::for_each_block(statement, [&](Block& inner) {
        for_each_operand(inner, [&](Operand& each) { note_variables(each, used); });
    });
    return used;
}

/// Moves waits of a block behind the assignments of what they wait for, into the tasks of other waits of the block.
///
/// First it is decided for each wait where it goes, while everything stays where it is; then all move at once.
class PushDown {
  public:
    PushDown(const ir::Function& function, Block& block) : function_(function), block_(block) {}

    /// True if something has moved.
    bool run() {
        if (!has_candidates()) return false;
        const std::size_t size = block_.statements.size();
        moved_into_.resize(size, nullptr);
        needs_.resize(size);
        for (std::size_t i = 0; i < size; ++i) root_.push_back(i);
        note_writers();
        note_needs();
        bool moved = false;
        for (std::size_t i = 0; i < size; ++i) moved |= decide(i);
        if (!moved) return false;
        std::vector<Statement> left;
        for (std::size_t i = 0; i < size; ++i) {
            if (moved_into_[i] != nullptr) continue;
            fill(block_.statements[i]);
            left.push_back(std::move(block_.statements[i]));
        }
        block_.statements = std::move(left);
        return true;
    }

  private:
    /// Where an assignment stands: the block, which runs whenever the wait `statement` of our block runs, or one in it.
    struct Writer {
        std::size_t statement;
        Block* block;
    };

    [[nodiscard]] bool has_candidates() const {
        return std::ranges::count_if(block_.statements, [](const Statement& each) {
                   return std::holds_alternative<ir::Wait>(each.is);
               }) > 1;
    }
    void note_writers() {
        for (std::size_t i = 0; i < block_.statements.size(); ++i)
            if (auto* wait = std::get_if<ir::Wait>(&block_.statements[i].is))
                note_writers(wait->body, i);
    }
    void note_writers(Block& block, std::size_t statement) {
        for (Statement& each : block.statements) {
            if (auto* is = std::get_if<Instruction>(&each.is)) {
                if (ir::traits_of(is->op).progress_enabling)
                    writers_[place_name(is->outs[0])].push_back({statement, &block});
            } else if (auto* wait = std::get_if<ir::Wait>(&each.is)) {
                note_writers(wait->body, statement);
            }
        }
    }
    /// Which local values, made by statements of this block, a wait uses: the last of them.
    void note_needs() {
        std::map<VariableId, std::size_t> made;
        for (std::size_t i = 0; i < block_.statements.size(); ++i) {
            if (auto* is = std::get_if<Instruction>(&block_.statements[i].is)) {
                for (const Operand& out : is->outs)
                    if (!function_.is_datum(out)) made[out.variable] = i;
            } else if (std::holds_alternative<ir::Wait>(block_.statements[i].is)) {
                for (const VariableId each : names_in(block_.statements[i]))
                    if (const auto found = made.find(each); found != made.end())
                        needs_[i] = std::max(needs_[i].value_or(0), found->second);
            }
        }
    }
    /// The statement of this block that a wait is in by now.
    std::size_t root_of(std::size_t statement) {
        while (root_[statement] != statement)
            statement = root_[statement] = root_[root_[statement]];
        return statement;
    }
    bool decide(std::size_t i) {
        const auto* wait = std::get_if<ir::Wait>(&block_.statements[i].is);
        if (wait == nullptr) return false;
        for (const Operand& each : wait->operands) {
            if (!function_.is_datum(each)) continue;
            const auto found = writers_.find(place_name(each));
            if (found == writers_.end()) continue;
            for (const Writer& writer : found->second) {
                const std::size_t to = root_of(writer.statement);
                if (to == i || (needs_[i] && *needs_[i] > to)) continue;
                moved_into_[i] = writer.block;
                goes_into_[writer.block].push_back(i);
                root_[i] = to;
                if (needs_[i]) needs_[to] = std::max(needs_[to].value_or(0), *needs_[i]);
                return true;
            }
        }
        return false;
    }
    /// Puts into a wait what goes there; inner blocks first, since outer ones move them.
    void fill(Statement& statement) {
        auto* wait = std::get_if<ir::Wait>(&statement.is);
        if (wait == nullptr) return;
        for (Statement& each : wait->body.statements) fill(each);
        const auto found = goes_into_.find(&wait->body);
        if (found == goes_into_.end()) return;
        for (const std::size_t each : found->second) {
            fill(block_.statements[each]);
            wait->body.statements.push_back(std::move(block_.statements[each]));
        }
    }

    const ir::Function& function_;
    Block& block_;
    std::map<std::string, std::vector<Writer>> writers_;  // by place
    std::vector<std::optional<std::size_t>> needs_;
    std::vector<std::size_t> root_;
    std::vector<Block*> moved_into_;  // per statement: null if it stays
    std::map<Block*, std::vector<std::size_t>> goes_into_;
};

class Coalescing {
  public:
    explicit Coalescing(ir::Function& function) : function_(function) {}

    /// Merged waits may be pushed down, and so on. It ends: a change leaves fewer waits, or one deeper inside others.
    void run() {
        while (block(function_.body)) {
        }
    }

  private:
    /// True if something has changed.
    bool block(Block& is) {
        bool changed = false;
        while (PushDown(function_, is).run()) changed = true;
        for (Statement& each : is.statements)
            ir::for_each_block(each, [&](Block& inner) { changed |= block(inner); });
        changed |= merge_equal(is);
        for (Statement& each : is.statements) {
            if (auto* wait = std::get_if<ir::Wait>(&each.is)) {
                changed |= collapse(*wait);
                changed |= fuse_wait(*wait);
            }
            if (auto* loop = std::get_if<ir::RangeLoop>(&each.is)) changed |= fuse_body(loop->body);
            if (auto* loop = std::get_if<ir::Foreach>(&each.is)) changed |= fuse_body(loop->body);
        }
        return changed;
    }

    // ---- merge
    /// Whether it waits for the last update of a variable, and not for a value only.
    static bool settles(const ir::Wait& is) {
        return std::ranges::any_of(
            is.operands, [](const Operand& each) { return each.type.is(Kind::updateable); });
    }
    /// A text that two waits share if they wait for the same, equally urgently.
    static std::string name_of(const ir::Wait& wait) {
        std::set<std::string> names;
        for (const Operand& each : wait.operands) names.insert(place_name(each));
        std::string all = std::to_string(wait.priority) + (wait.deep ? "deep" : "") +
                          (settles(wait) ? "last" : "");
        for (const std::string& each : names) all += "," + each;
        return all;
    }
    static bool merge_equal(Block& is) {
        const auto ties_of = [](Statement& each) -> Ties {
            const auto* wait = std::get_if<ir::Wait>(&each.is);
            if (wait == nullptr || wait->task) return {};
            return {{name_of(*wait)}, {name_of(*wait)}};
        };
        return join_tied(is, ties_of, [](Statement&, Statement&) {});
    }

    // ---- collapse
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
        return std::ranges::any_of(operands,
                                   [](const Operand& each) { return each.type.is_container(); });
    }
    bool collapse(ir::Wait& outer) {
        bool changed = false;
        while (ir::Wait* inner = only_wait(outer.body)) {
            if (!function_.is_task(outer) || !function_.is_task(*inner) || outer.task ||
                settles(outer) || settles(*inner))
                break;
            if (outer.deep != inner->deep &&
                has_container(outer.deep ? inner->operands : outer.operands))
                break;
            std::set<VariableId> used;
            for (const Operand& each : inner->operands) note_variables(each, used);
            if (std::ranges::any_of(outer.body.variables,
                                    [&](VariableId each) { return used.contains(each); }))
                break;
            outer.deep |= inner->deep;
            outer.task = inner->task;
            outer.priority = std::max(outer.priority, inner->priority);
            for (const Operand& each : inner->operands)
                if (!has_place(outer.operands, each)) outer.operands.push_back(each);
            splice_last(outer.body);
            changed = true;
        }
        return changed;
    }
    /// Puts the content of the only wait at the end of its block.
    static void splice_last(Block& is) {
        const auto at = std::ranges::find_if_not(is.statements, is_quiet);
        Block body = std::move(std::get<ir::Wait>(at->is).body);
        is.statements.erase(at);
        append_block(is, std::move(body));
    }

    // ---- fuse
    /// A task that does nothing but start one call makes it.
    static bool fuse_body(Block& body) {
        const ir::Wait* inner = only_wait(body);
        if (inner == nullptr || !inner->task || !inner->operands.empty()) return false;
        splice_last(body);
        return true;
    }
    bool fuse_wait(ir::Wait& wait) {
        const bool fused = !wait.task && function_.is_task(wait) && fuse_body(wait.body);
        wait.task |= fused;
        return fused;
    }

    ir::Function& function_;
};

}  // namespace

ir::Program coalesce_tasks(ir::Program program) {
    for (ir::Function& each : program.functions) Coalescing(each).run();
    return program;
}

}  // namespace refrain::script::passes
