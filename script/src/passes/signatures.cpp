#include "passes/signatures.hpp"

#include "passes/rewriting.hpp"
#include "values/text.hpp"

namespace refrain::script::passes {
namespace {

using Inputs = std::map<std::string, std::set<std::size_t>>;  // by function: which become values

class Passing {
  public:
    Passing(Function& function, const Inputs& inputs, const Inputs& already)
        : function_(function), inputs_(inputs), already_(already), maker_(function) {}

    void run() {
        if (const auto own = inputs_.find(function_.name); own != inputs_.end())
            for (const std::size_t each : own->second)
                function_.variables[function_.inputs[each]].storage = ir::Variable::Storage::local;
        replace_statements(function_.body, [&](Statement& each) { return rewritten(each); });
        substitute(function_.body, loaded_);
    }

  private:
    std::optional<Block> rewritten(Statement& each) {
        Block made;
        if (auto* one = std::get_if<Instruction>(&each.is)) {
            if (one->op == Op::load && function_.is_immediate(one->ins[0])) {
                substitute(one->ins[0], loaded_);
                loaded_[one->outs[0].variable] = one->ins[0];
                return made;
            }
            if (one->op == Op::call) {
                Statement call = passed(std::move(*one), made);
                made.statements.push_back(std::move(call));
                return made;
            }
            if (ir::traits_of(one->op).need == ir::Need::nothing) as_data(one->ins, made, {});
        }
        if (auto* loop = std::get_if<ir::CarriedLoop>(&each.is)) as_data(loop->initial, made, {});
        if (made.statements.empty()) return std::nullopt;
        made.statements.push_back(std::move(each));
        return made;
    }
    /// What was a datum and is now a value becomes a datum again where only that will do.
    void as_data(std::vector<Operand>& operands, Block& made, const std::set<std::size_t>& but) {
        for (std::size_t i = 0; i < operands.size(); ++i) {
            Operand& each = operands[i];
            if (but.contains(i) || !function_.is_immediate(each)) continue;
            const VariableId id =
                maker_.make(temporary_name, each.type, ir::Variable::Storage::datum, Position{});
            made.variables.push_back(id);
            const Operand datum = Operand::of(id, each.type);
            made.statements.push_back({Instruction{Op::store, {}, {datum}, {each}, {}, 0}});
            each = datum;
        }
    }
    Statement passed(Instruction call, Block& made) {
        const auto known = inputs_.find(call.callee);
        const std::set<std::size_t> values =
            known == inputs_.end() ? std::set<std::size_t>{} : known->second;
        std::set<std::size_t> all_values = values;  // with those that took values before
        if (const auto earlier = already_.find(call.callee); earlier != already_.end())
            all_values.insert(earlier->second.begin(), earlier->second.end());
        as_data(call.ins, made, all_values);
        ir::Wait wait{.body = {}, .at = call.at};
        for (const std::size_t each : values) {
            Operand& in = call.ins[each];
            if (function_.is_immediate(in)) continue;
            wait.operands.push_back(in);
            in = maker_.load(wait.body, in, call.at);
        }
        if (wait.operands.empty()) return {std::move(call)};
        wait.body.statements.push_back({std::move(call)});
        return {std::move(wait)};
    }

    Function& function_;
    const Inputs& inputs_;
    const Inputs& already_;
    VariableMaker maker_;
    Substitution loaded_;
};

}  // namespace

ir::Program pass_values(ir::Program program) {
    Inputs inputs;
    Inputs already;
    for (const Function& each : program.functions) {
        if (each.name == "main") continue;
        for (std::size_t i = 0; i < each.inputs.size(); ++i) {
            const ir::Variable& variable = each.variables[each.inputs[i]];
            if (variable.storage == ir::Variable::Storage::local)
                already[each.name].insert(i);
            else if (variable.type.is_scalar() &&
                     needs_value(each.body, Operand::of(each.inputs[i], variable.type)))
                inputs[each.name].insert(i);
        }
    }
    if (inputs.empty()) return program;
    for (Function& each : program.functions) Passing(each, inputs, already).run();
    return program;
}

}  // namespace refrain::script::passes
