#include "passes/hoist.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "passes/rewriting.hpp"

namespace refrain::script::passes {
namespace {

class Hoisting {
  public:
    explicit Hoisting(ir::Function& function) : function_(function), maker_(function) {}

    void run() { block(function_.body); }

  private:
    void block(Block& is) {
        Block made{std::move(is.variables), {}};
        for (Statement& each : is.statements) {
            ir::for_each_block(each, [&](Block& inner) { block(inner); });
            auto* loop = std::get_if<ir::RangeLoop>(&each.is);
            if (loop == nullptr || !has_known_ends(*loop)) {
                made.statements.push_back(std::move(each));
                continue;
            }
            std::vector<Operand> common = awaited_by_all(*loop);
            append_block(made, common.empty() ? Block{{}, one(std::move(each))}
                                              : hoisted(std::move(*loop), std::move(common)));
        }
        is = std::move(made);
    }
    static std::vector<Statement> one(Statement statement) {
        std::vector<Statement> list;
        list.push_back(std::move(statement));
        return list;
    }

    [[nodiscard]] bool has_known_ends(const ir::RangeLoop& is) const {
        return is_immediate(function_, is.begin) && is_immediate(function_, is.end) &&
               is.step.is_constant() && is.step.constant.integer() > 0;
    }
    static bool is_quiet(const Statement& statement) {
        const auto* is = std::get_if<Instruction>(&statement.is);
        return is != nullptr && is->op == Op::compute_now && is_pure(*is);
    }
    [[nodiscard]] std::vector<Operand> awaited_by_all(const ir::RangeLoop& loop) const {
        std::set<VariableId> own(loop.body.variables.begin(), loop.body.variables.end());
        own.insert({loop.counter, loop.index});
        std::optional<std::vector<Operand>> common;
        for (const Statement& each : loop.body.statements) {
            if (is_quiet(each)) continue;
            const auto* wait = std::get_if<ir::Wait>(&each.is);
            if (wait == nullptr) return {};
            if (!common) {
                common = wait->operands;
                std::erase_if(*common, [&](const Operand& one) { return !may_move(one, own); });
            }
            std::erase_if(*common, [&](const Operand& one) { return !has(wait->operands, one); });
        }
        return common.value_or(std::vector<Operand>{});
    }
    [[nodiscard]] bool may_move(const Operand& operand, const std::set<VariableId>& own) const {
        std::set<VariableId> named;
        note_variables(operand, named);
        return is_datum(function_, operand) && operand.type.is_scalar() &&
               std::ranges::none_of(named, [&](VariableId each) { return own.contains(each); }) &&
               std::ranges::all_of(
                   operand.path, [&](const Operand& key) { return is_immediate(function_, key); });
    }
    static bool has(const std::vector<Operand>& operands, const Operand& operand) {
        return std::ranges::any_of(
            operands, [&](const Operand& each) { return ir::same_place(each, operand); });
    }

    /// The statements that stand for the loop.
    Block hoisted(ir::RangeLoop loop, std::vector<Operand> common) {
        ir::Wait wait;
        wait.at = loop.at;
        std::vector<Operand> locals;
        for (const Operand& each : common) {
            locals.push_back(maker_.make_local(wait.body, "v", each.type, loop.at));
            wait.body.statements.push_back(
                {Instruction{Op::load, {}, {locals.back()}, {each}, loop.at, 0}});
        }
        wait.operands = std::move(common);
        Substitution by;
        replace_loads(loop.body, wait.operands, locals, by);
        stop_waiting(loop.body, wait.operands);
        substitute(loop.body, by);
        const Operand begin = loop.begin;
        const Operand end = loop.end;
        wait.body.statements.push_back({std::move(loop)});
        return if_any_turn(begin, end, std::move(wait));
    }
    static void replace_loads(Block& is, const std::vector<Operand>& places,
                              const std::vector<Operand>& locals, Substitution& by) {
        std::erase_if(is.statements, [&](Statement& each) {
            const auto* load = std::get_if<Instruction>(&each.is);
            if (load == nullptr || load->op != Op::load) return false;
            for (std::size_t i = 0; i < places.size(); ++i)
                if (ir::same_place(load->ins[0], places[i])) {
                    by[load->outs[0].variable] = locals[i];
                    return true;
                }
            return false;
        });
        for (Statement& each : is.statements)
            ir::for_each_block(each,
                               [&](Block& inner) { replace_loads(inner, places, locals, by); });
    }
    /// The waits of the loop's body wait for the rest; those without a rest become part of it.
    void stop_waiting(Block& body, const std::vector<Operand>& places) {
        Block made{std::move(body.variables), {}};
        for (Statement& each : body.statements) {
            auto* wait = std::get_if<ir::Wait>(&each.is);
            if (wait != nullptr)
                std::erase_if(wait->operands, [&](const Operand& one) { return has(places, one); });
            if (wait != nullptr && wait->operands.empty() && !wait->task)
                append_block(made, std::move(wait->body));
            else
                made.statements.push_back(std::move(each));
        }
        body = std::move(made);
    }
    Block if_any_turn(const Operand& begin, const Operand& end, ir::Wait wait) {
        Block made;
        const Position at = wait.at;
        if (begin.is_constant() && end.is_constant() &&
            begin.constant.integer() <= end.constant.integer()) {
            made.statements.push_back({std::move(wait)});
            return made;
        }
        const Operand some = maker_.make_local(made, "some", Type::of(Kind::boolean), at);
        made.statements.push_back(
            {Instruction{Op::compute_now, "at_most_int", {some}, {begin, end}, at, 0}});
        ir::If branch{some, {}, {}};
        branch.then.statements.push_back({std::move(wait)});
        made.statements.push_back({std::move(branch)});
        return made;
    }

    ir::Function& function_;
    VariableMaker maker_;
};

}  // namespace

ir::Program hoist_waits(ir::Program program) {
    for (ir::Function& each : program.functions) Hoisting(each).run();
    return program;
}

}  // namespace refrain::script::passes
