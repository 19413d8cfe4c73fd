#include "passes/expand.hpp"

#include "library/builtin.hpp"
#include "passes/rewriting.hpp"

#include <algorithm>

namespace refrain::script::passes {
namespace {

class Expansion {
  public:
    explicit Expansion(ir::Function& function) : function_(function), maker_(function) {}

    void run() {
        replace_statements(function_.body, [&](Statement& each) -> std::optional<Block> {
            const auto* is = std::get_if<Instruction>(&each.is);
            if (is == nullptr || !is_expandable(*is)) return std::nullopt;
            return expanded(*is);
        });
    }

  private:
    static bool may_be_output(const Operand& operand) {
        return operand.type.is_scalar() ||
               (operand.type.is(Kind::array) && operand.type.element().is_scalar());
    }
    static bool may_be_input(const Operand& operand) {
        return !operand.type.is(Kind::updateable) && !operand.type.is(Kind::none);
    }
    static bool is_expandable(const Instruction& is) {
        const bool outputs = std::ranges::all_of(is.outs, may_be_output);
        const bool inputs = std::ranges::all_of(is.ins, may_be_input);
        const ir::Traits& traits = ir::traits_of(is.op);
        if (!outputs || !inputs || !traits.immediate) return false;
        const auto is_scalar = [](const Operand& each) { return each.type.is_scalar(); };
        if (traits.need != ir::Need::deep)  // containers keep their parts
            return is_scalar(is.outs[0]) && std::ranges::all_of(is.ins, is_scalar);
        const Builtin* builtin = find_builtin(is.callee);
        return traits.long_running || (builtin != nullptr && !builtin->sleeps);
    }

    /// The statements that stand for the instruction.
    Block expanded(Instruction is) {
        ir::Wait keys{.body = {}, .at = is.at, .priority = is.priority};
        for (std::vector<Operand>* side : {&is.ins, &is.outs})
            for (Operand& each : *side)
                for (Operand& key : each.path) load(keys, key, is.at);
        Block inner = on_values(std::move(is));
        if (keys.operands.empty()) return inner;
        append_block(keys.body, std::move(inner));
        Block made;
        made.statements.push_back({std::move(keys)});
        return made;
    }
    /// Waits for the operand and puts the local value in its place.
    void load(ir::Wait& wait, Operand& operand, Position at) {
        if (function_.is_immediate(operand)) return;
        for (const Statement& each : wait.body.statements) {
            const auto& known = std::get<Instruction>(each.is);
            if (!same_place(known.ins[0], operand)) continue;
            operand = known.outs[0];
            return;
        }
        wait.operands.push_back(operand);
        wait.deep |= operand.type.is_container();
        operand = maker_.load(wait.body, operand, at);
    }
    Block on_values(Instruction is) {
        ir::Wait wait{.body = {}, .at = is.at, .priority = is.priority};
        wait.task = ir::traits_of(is.op).long_running;
        for (Operand& each : is.ins) load(wait, each, is.at);
        std::vector<Operand> results = is.ins;
        const Op now = *ir::traits_of(is.op).immediate;
        if (ir::traits_of(now).makes == ir::Makes::values) {
            results.clear();
            for (const Operand& out : is.outs)
                results.push_back(maker_.make_local(wait.body, "v", out.type, is.at));
            const int priority = wait.task ? is.priority : 0;  // of a call, wherever it is moved
            wait.body.statements.push_back(
                {Instruction{now, is.callee, results, is.ins, is.at, priority, is.placed}});
        }
        for (std::size_t i = 0; i < is.outs.size(); ++i)
            wait.body.statements.push_back(
                {Instruction{Op::store, {}, {is.outs[i]}, {results[i]}, is.at, 0}});
        if (wait.operands.empty() && !wait.task) return std::move(wait.body);
        Block made;
        made.statements.push_back({std::move(wait)});
        return made;
    }

    ir::Function& function_;
    VariableMaker maker_;
};

}  // namespace

ir::Program expand_operations(ir::Program program) {
    for (ir::Function& each : program.functions) Expansion(each).run();
    return program;
}

}  // namespace refrain::script::passes
