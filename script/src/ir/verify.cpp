#include "ir/verify.hpp"

#include "base/assertion.hpp"
#include "base/exchanged.hpp"
#include "values/steps.hpp"

#include <utility>
#include <vector>

namespace refrain::script::ir {
namespace {

class Verifier {
  public:
    Verifier(const ProgramIndex& program, const Function& function)
        : program_(program),
          function_(function),
          visible_(function.variables.size()),
          made_(function.variables.size()) {}

    std::string run() {
        for (const VariableId each : function_.inputs) declare_made(each);
        for (const VariableId each : function_.outputs) declare(each);
        in_task([&] { check(function_.body); });
        return fault_.empty() ? "" : "function '" + function_.name + "': " + fault_;
    }

  private:
    using Storage = Variable::Storage;

    void fault(std::string what) {
        if (fault_.empty()) fault_ = std::move(what);
    }
    [[nodiscard]] const std::string& name(VariableId id) const {
        return function_.variables[id].name;
    }
    void declare(VariableId id) {
        if (!is_there(id)) return fault("a block declares a variable that is not there");
        if (visible_[id]) fault("'" + name(id) + "' is declared twice (V1)");
        visible_[id] = true;
    }
    /// A value that is known from the beginning.
    void declare_made(VariableId id) {
        declare(id);
        if (is_there(id)) made_[id] = true;
    }
    void hide(VariableId id) {
        if (is_there(id)) visible_[id] = false;
    }
    [[nodiscard]] bool is_there(VariableId id) const { return id < visible_.size(); }
    [[nodiscard]] bool is_local(const Operand& operand) const {
        return operand.is_variable() && !operand.is_element() && is_there(operand.variable) &&
               function_.variables[operand.variable].storage == Storage::local;
    }
    void use(const Operand& operand) {
        step();
        if (is_local(operand) && !made_[operand.variable])
            fault("'" + name(operand.variable) + "' is used before it is made (V7)");
        if (operand.is_variable() && (!is_there(operand.variable) || !visible_[operand.variable]))
            fault("'" + (is_there(operand.variable) ? name(operand.variable) : std::string("?")) +
                  "' is used where it is not declared (V1)");
        for (const Operand& key : operand.path) {
            if (key.is_element()) fault("a key is an element itself");
            use(key);
        }
    }

    void check(const Block& block) {
        for (const VariableId each : block.variables) declare(each);
        for (const Statement& each : block.statements)
            std::visit([&](const auto& is) { check_one(is); }, each.is);
        for (const VariableId each : block.variables) hide(each);
    }
    /// What a task of its own may load and call.
    template <class Check>
    void in_task(Check check_inside) {
        const base::Exchanged<std::vector<Operand>> awaited(awaited_, {});
        const base::Exchanged call(may_call_, true);
        check_inside();
    }
    template <class Check>
    void in_branch(Check check_inside) {
        const base::Exchanged call(may_call_, false);
        check_inside();
    }
    void check_one(const Branch& is) {
        use(is.value);
        if (!is.value.is_constant() && !is_local(is.value))
            fault("a condition is no local value (V6)");
        if (is.blocks.size() != is.choice.count()) fault("a branch has no block for its default");
        in_branch([&] {
            for (const Block& each : is.blocks) check(each);
        });
    }
    void check_one(const Wait& is) {
        bool waits = is.task;
        for (const Operand& each : is.operands) {
            use(each);
            waits |= each.is_variable() && !is_local(each);
        }
        if (!waits) return in_branch([&] { check(is.body); });
        in_task([&] {
            awaited_ = is.operands;
            check(is.body);
        });
    }
    void check_one(const Foreach& is) {
        use(is.array);
        with({is.key, is.element}, is.body);
    }
    void check_one(const RangeLoop& is) {
        for (const Operand* each : {&is.begin, &is.end, &is.step}) use(*each);
        with({is.counter, is.index}, is.body);
    }
    void check_one(const CarriedLoop& is) {
        for (const Operand& each : is.initial) {
            use(each);
            if (!each.is_variable() || each.is_element())
                fault("a carried loop begins with what is no variable");
        }
        if (is.initial.size() != is.carried.size())
            fault("a carried loop has another number of initial values");
        carried_.push_back(is.carried.size());
        with(is.carried, is.body);
        carried_.pop_back();
    }
    void with(const std::vector<VariableId>& own, const Block& body) {
        for (const VariableId each : own)
            if (each != no_variable) declare_made(each);
        in_task([&] { check(body); });
        for (const VariableId each : own) hide(each);
    }

    void check_one(const Instruction& is) {
        for (const Operand& each : is.ins) use(each);
        const bool makes_values = traits_of(is.op).makes == Makes::values;
        for (const Operand& each : is.outs) {
            if (makes_values && is_local(each)) made_[each.variable] = true;
            use(each);
            if (!each.is_variable())
                fault(std::string(traits_of(is.op).name) + " assigns what is no variable (V2)");
            if (is_local(each) && !makes_values)
                fault("'" + name(each.variable) + "', a local value, is assigned (V2)");
        }
        if (traits_of(is.op).need == Need::value)
            for (const Operand& each : is.ins)
                if (!each.is_constant() && !is_local(each))
                    fault(std::string(traits_of(is.op).name) + " takes local values");
        if (is.op == Op::load) check_load(is);
        if (calls_where_it_stands(is.op) && !std::exchange(may_call_, false))
            fault("a leaf_now in a branch, or a second one in its task (V8)");
        if (traits_of(is.op).long_running) check_leaf(is);
        if (is.op == Op::call) check_call(is);
        if (is.op == Op::next && (carried_.empty() || carried_.back() != is.ins.size()))
            fault("a next outside of its loop (V5)");
    }
    void check_load(const Instruction& is) {
        for (const Operand& each : awaited_)
            if (same_place(each, is.ins[0])) return;
        fault("a load of what is not waited for (V3)");
    }
    void check_leaf(const Instruction& is) {
        const LeafDefinition* leaf = program_.leaf(is.callee);
        if (leaf == nullptr) return fault("there is no leaf '" + is.callee + "' (V4)");
        const std::size_t ins = is.ins.size() - (is.placed ? 1 : 0);
        if ((leaf->variable_count ? ins + 1 < leaf->inputs.size() : ins != leaf->inputs.size()) ||
            is.outs.size() != leaf->outputs.size())
            fault("'" + is.callee + "' is called with another number of operands (V4)");
    }
    void check_call(const Instruction& is) {
        const Function* callee = program_.function(is.callee);
        if (callee == nullptr) return fault("there is no function '" + is.callee + "' (V4)");
        if (callee->inputs.size() != is.ins.size() || callee->outputs.size() != is.outs.size())
            fault("'" + is.callee + "' is called with another number of operands (V4)");
        for (const Operand& each : is.outs)
            if (each.is_element()) fault("an output of a call is an element (V4)");
        for (std::size_t i = 0; i < is.ins.size() && i < callee->inputs.size(); ++i) {
            const Operand& each = is.ins[i];
            if (callee->inputs[i] >= callee->variables.size())
                return fault("'" + is.callee + "' has an input that is not there");
            const bool by_value = callee->variables[callee->inputs[i]].storage == Storage::local;
            const bool is_value = each.is_constant() || is_local(each);
            if (by_value != is_value || (each.is_element() && !each.type.is_container()))
                fault("an input of a call is no " + std::string(by_value ? "value" : "variable") +
                      " (V4)");
        }
    }

    const ProgramIndex& program_;
    const Function& function_;
    std::vector<bool> visible_;  // per variable
    std::vector<bool> made_;
    std::vector<Operand> awaited_;
    bool may_call_ = true;  // a leaf_now may stand here
    std::vector<std::size_t> carried_;
    std::string fault_;
};

}  // namespace

std::string fault_of(const Program& program) {
    const ProgramIndex index(program);
    for (const Function& each : program.functions)
        if (std::string fault = Verifier(index, each).run(); !fault.empty()) return fault;
    return {};
}

void verify(const Program& program, const std::string& made_by) {
    const std::string fault = fault_of(program);
    REFRAIN_ASSERT(fault.empty(), "intermediate code of " + made_by + " is malformed: " + fault);
}

}  // namespace refrain::script::ir
