#include "passes/value_number.hpp"

#include "library/builtin.hpp"
#include "passes/rewriting.hpp"
#include "passes/sole_writers.hpp"
#include "values/script_error.hpp"

#include <algorithm>
#include <deque>
#include <optional>

namespace refrain::script::passes {
namespace {

Operand typed(Operand operand, const Type& type) {
    operand.type = type;
    return operand;
}

/// What is known at one point of a block, and in all that it starts: what the blocks around know, and what is new.
class Known {
  public:
    explicit Known(const Known* outer = nullptr) : outer_(outer) {}

    Substitution locals;                  // what a local value is instead
    std::map<std::string, Operand> data;  // the value of a datum or element, as the task has it
    std::map<std::string, std::vector<Operand>> numbers;  // what an operation on values has made
    std::map<VariableId, Instruction> made_by;
    std::set<VariableId> sound;  // local values that cannot have failed

    /// What one of the maps holds, here or further out; null if nothing.
    template <class Map>
    [[nodiscard]] const typename Map::mapped_type* find(Map Known::*map,
                                                        const typename Map::key_type& key) const {
        for (const Known* each = this; each != nullptr; each = each->outer_)
            if (const auto found = (each->*map).find(key); found != (each->*map).end())
                return &found->second;
        return nullptr;
    }
    [[nodiscard]] bool is_sound(VariableId local) const {
        for (const Known* each = this; each != nullptr; each = each->outer_)
            if (each->sound.contains(local)) return true;
        return false;
    }
    /// Replaces local values by what is known of them.
    void apply_to(Operand& operand) const {
        for (Operand& key : operand.path) apply_to(key);
        if (!operand.is_variable() || operand.is_element()) return;
        const Operand* is = find(&Known::locals, operand.variable);
        if (is != nullptr) operand = typed(*is, operand.type);
    }

  private:
    const Known* outer_;
};

class Numbering {
  public:
    Numbering(ir::Function& function, const ValueNumbering& switches)
        : function_(function), writers_(function), maker_(function), switches_(switches) {}

    /// What has become part of a block may be known to what stood before it, and what is left may have become a sole writer.
    void run() {
        do {
            moved_ = false;
            Known known;
            block(function_.body, known);
        } while (std::exchange(writers_, SoleWriters(function_)) != writers_ || moved_);
    }

  private:
    [[nodiscard]] bool is_sound(const Operand& operand, const Known& known) const {
        return operand.is_constant() || known.is_sound(operand.variable);
    }

    /// Assignments of values come before what starts tasks, in the stretches between calls and branches.
    /// False if they stood there.
    static bool put_assignments_first(Block& is) {
        const auto is_fence = [](const Statement& each) {
            const auto* one = std::get_if<Instruction>(&each.is);
            return one == nullptr ? std::holds_alternative<ir::Branch>(each.is)
                                  : ir::calls_where_it_stands(one->op);
        };
        const auto is_first = [](const Statement& each) {
            const auto* one = std::get_if<Instruction>(&each.is);
            return one != nullptr && ir::runs_where_it_stands(one->op);
        };
        bool moved = false;
        auto begin = is.statements.begin();
        while (begin != is.statements.end()) {
            const auto end = std::find_if(begin, is.statements.end(), is_fence);
            moved |= !std::is_partitioned(begin, end, is_first);
            std::stable_partition(begin, end, is_first);
            begin = end == is.statements.end() ? end : end + 1;
        }
        return moved;
    }

    void block(Block& is, Known& known) {
        put_assignments_first(is);
        std::deque<Statement> left(std::make_move_iterator(is.statements.begin()),
                                   std::make_move_iterator(is.statements.end()));
        is.statements.clear();
        while (!left.empty()) {
            Statement each = std::move(left.front());
            left.pop_front();
            ir::for_each_own_operand(each, [&](Operand& operand) { known.apply_to(operand); });
            std::visit([&](auto& one) { statement(one, is, left, known); }, each.is);
        }
        moved_ |= put_assignments_first(is);
    }
    /// The block becomes part of the one around it.
    static void splice(Block inner, Block& into, std::deque<Statement>& left) {
        into.variables.insert(into.variables.end(), inner.variables.begin(), inner.variables.end());
        left.insert(left.begin(), std::make_move_iterator(inner.statements.begin()),
                    std::make_move_iterator(inner.statements.end()));
    }

    // ---- instructions
    void statement(Instruction& is, Block& into, std::deque<Statement>&, Known& known) {
        if (is.op == Op::load && load(is, known)) return;
        if (is.op == Op::compute_now && compute(is, known)) return;
        if (ir::traits_of(is.op).progress_enabling && switches_.finality &&
            keeps_value(function_, is.outs[0]) && writers_.is_sole(is.outs[0]))
            note(known, is.outs[0], is.ins[0]);
        if (!ir::runs_where_it_stands(is.op)) take_values(is, known);
        into.statements.push_back({std::move(is)});
    }
    [[nodiscard]] std::optional<Operand> value_of(const Operand& place, const Known& known) const {
        if (!switches_.finality || !function_.is_datum(place) || !keeps_value(function_, place))
            return std::nullopt;
        const Operand* found = known.find(&Known::data, place_name(place));
        if (found == nullptr) return std::nullopt;
        Operand value = *found;
        known.apply_to(value);  // a branch may know more than was known at the assignment
        return value;
    }
    /// The first value of a datum is its value, if there can be no second: all tasks must see the one that its owner has accepted.
    static void note(Known& known, const Operand& place, const Operand& value) {
        std::string name = place_name(place);
        if (known.find(&Known::data, name) == nullptr) known.data.emplace(std::move(name), value);
    }
    bool load(const Instruction& is, Known& known) const {
        const VariableId local = is.outs[0].variable;
        if (function_.is_immediate(is.ins[0])) {
            known.locals[local] = is.ins[0];
            return true;
        }
        if (const std::optional<Operand> value = value_of(is.ins[0], known)) {
            known.locals[local] = *value;
            return true;
        }
        known.sound.insert(local);
        if (switches_.finality && keeps_value(function_, is.ins[0]))
            note(known, is.ins[0], is.outs[0]);
        return false;
    }
    /// Asynchronous instructions take values that are known instead of data.
    void take_values(Instruction& is, const Known& known) const {
        if (ir::traits_of(is.op).need != ir::Need::nothing)
            for (Operand& each : is.ins) take_value(each, known);
        for (std::vector<Operand>* side : {&is.ins, &is.outs})
            for (Operand& each : *side) take_keys(each, known);
    }
    void take_value(Operand& operand, const Known& known) const {
        if (const std::optional<Operand> value = value_of(operand, known))
            operand = typed(*value, operand.type);
    }
    void take_keys(Operand& operand, const Known& known) const {
        for (Operand& key : operand.path) take_value(key, known);
    }

    bool compute(const Instruction& is, Known& known) const {
        const Builtin* builtin = find_builtin(is.callee);
        const VariableId result = is.outs.empty() ? ir::no_variable : is.outs[0].variable;
        const bool sound =
            builtin != nullptr && builtin->total &&
            std::ranges::all_of(is.ins, [&](const Operand& each) { return is_sound(each, known); });
        if (sound) known.sound.insert(result);
        if (!is_pure(is) || is.outs.size() != 1) return false;
        if (const std::optional<Operand> value = folded(is, *builtin)) {
            known.locals[result] = *value;
            return true;
        }
        if (!switches_.number) return false;
        std::string name = is.callee + "(";
        for (const Operand& each : is.ins) name += place_name(each);
        if (const std::vector<Operand>* same = known.find(&Known::numbers, name)) {
            known.locals[result] = typed((*same)[0], is.outs[0].type);
            return true;
        }
        known.numbers.emplace(std::move(name), is.outs);
        known.made_by[result] = is;
        return false;
    }
    [[nodiscard]] std::optional<Operand> folded(const Instruction& is,
                                                const Builtin& builtin) const {
        const bool constant =
            std::ranges::all_of(is.ins, [](const Operand& each) { return each.is_constant(); });
        // A blob has no text that stands for it in the code.
        if (!switches_.fold_constants || builtin.of_run || !constant ||
            !is.outs[0].type.is_scalar() || is.outs[0].type.is(Kind::blob))
            return std::nullopt;
        std::vector<Value> arguments;
        for (const Operand& each : is.ins) arguments.push_back(each.constant);
        Services services;
        try {
            return Operand::of(builtin.function(arguments, services), is.outs[0].type);
        } catch (const ScriptError&) {
            return std::nullopt;  // it fails when it is run
        }
    }
    // ---- branches
    void statement(ir::Branch& is, Block& into, std::deque<Statement>& left, Known& known) {
        if (is.value.is_constant() && switches_.fold_constants)
            return splice(std::move(is.blocks[is.choice.of(is.value.constant)]), into, left);
        const std::vector<std::int64_t>& labels = is.choice.labels;
        for (std::size_t i = 0; i < is.blocks.size(); ++i) {
            Known inner(&known);
            if (is.choice.by_truth)
                learn(is.value, i == 0, inner);
            else
                inner.sound.insert(is.value.variable);
            if (i < labels.size() && switches_.fold_constants)
                inner.locals[is.value.variable] = Operand::of(Value(labels[i]), is.value.type);
            block(is.blocks[i], inner);
        }
        into.statements.push_back({std::move(is)});
    }
    /// In a branch its condition is known, and what it was made of.
    void learn(const Operand& condition, bool truth, Known& known) const {
        if (!condition.is_variable() || !switches_.fold_constants) return;
        known.sound.insert(condition.variable);
        const bool is_boolean = function_.variables[condition.variable].type.is(Kind::boolean);
        if (is_boolean)
            known.locals[condition.variable] = Operand::of(Value::boolean(truth), condition.type);
        else if (!truth)
            known.locals[condition.variable] = Operand::of(Value(std::int64_t{0}), condition.type);
        const Instruction* made = known.find(&Known::made_by, condition.variable);
        if (made == nullptr) return;
        const Instruction how = *made;
        for (const Operand& each : how.ins)
            if (each.is_variable()) known.sound.insert(each.variable);
        if (how.callee == "negation") return learn(how.ins[0], !truth, known);
        if ((how.callee == "both" && truth) || (how.callee == "either" && !truth))
            for (const Operand& each : how.ins) learn(each, truth, known);
        const bool equal = (how.callee == "equal" && truth) || (how.callee == "unequal" && !truth);
        if (!equal) return;
        for (const std::size_t i : {0U, 1U}) {
            const Operand& variable = how.ins[i];
            const Operand& constant = how.ins[1 - i];
            // Floats that are equal may be 0.0 and -0.0.
            if (variable.is_variable() && constant.is_constant() &&
                variable.type == constant.type && !variable.type.is(Kind::floating))
                known.locals[variable.variable] = constant;
        }
    }

    // ---- waits
    void statement(ir::Wait& is, Block& into, std::deque<Statement>& left, Known& known) {
        std::vector<Operand> operands;
        std::set<std::string> names;
        bool is_task = is.task;
        for (Operand& each : is.operands) {
            const Operand before = each;
            take_keys(each, known);
            for_each_operand(is.body, [&](Operand& one) {  // loads name it as the wait did
                if (ir::same_place(one, before)) one.path = each.path;
            });
            Operand needed = each;
            take_value(needed, known);
            if (function_.is_immediate(needed)) {
                if (is_sound(needed, known) || !switches_.finality) continue;
                if (needs_value(is.body, each)) continue;
            } else {
                is_task = true;
            }
            if (names.insert(place_name(needed)).second) operands.push_back(std::move(needed));
        }
        is.operands = std::move(operands);
        if (is.operands.empty() && !is_task) return splice(std::move(is.body), into, left);
        Known inner(&known);
        std::vector<Operand> places;
        for (const Operand& each : is.operands) {
            if (function_.is_local(each))
                inner.sound.insert(each.variable);
            else if (switches_.finality && keeps_value(function_, each))
                places.push_back(each);
        }
        load_once(is.body, std::move(places), is.at);
        block(is.body, inner);
        into.statements.push_back({std::move(is)});
    }
    /// What is waited for is at hand in the task: blocks inside need not wait again.
    void load_once(Block& body, std::vector<Operand> places, Position at) {
        std::set<std::string> loaded;
        for (const Statement& each : body.statements)
            if (const auto* is = std::get_if<Instruction>(&each.is);
                is != nullptr && is->op == Op::load)
                loaded.insert(place_name(is->ins[0]));
        std::erase_if(places,
                      [&](const Operand& each) { return loaded.contains(place_name(each)); });
        if (places.empty()) return;
        std::set<VariableId> named;
        for_each_operand(body, [&](Operand& each) { note_variables(each, named); });
        std::vector<Statement> loads;
        for (const Operand& place : places) {
            if (!named.contains(place.variable)) continue;
            const Operand local = maker_.make_local(body, "v", place.type, at);
            loads.push_back({Instruction{Op::load, {}, {local}, {place}, at, 0}});
        }
        body.statements.insert(body.statements.begin(), std::make_move_iterator(loads.rbegin()),
                               std::make_move_iterator(loads.rend()));
    }

    // ---- loops
    void statement(ir::RangeLoop& is, Block& into, std::deque<Statement>&, Known& known) {
        for (Operand* each : {&is.begin, &is.end, &is.step}) take_value(*each, known);
        const bool empty = is.begin.is_constant() && is.end.is_constant() &&
                           is.step.is_constant() && is.step.constant.integer() > 0 &&
                           is.end.constant.integer() < is.begin.constant.integer();
        if (empty && switches_.fold_constants) return;
        loop({std::move(is)}, into, known);
    }
    void statement(ir::Foreach& is, Block& into, std::deque<Statement>&, Known& known) {
        take_keys(is.array, known);
        loop({std::move(is)}, into, known);
    }
    void statement(ir::CarriedLoop& is, Block& into, std::deque<Statement>&, Known& known) {
        loop({std::move(is)}, into, known);
    }
    /// Its own variables have not failed.
    void loop(Statement is, Block& into, Known& known) {
        Known inner(&known);
        ir::for_each_own_variable(is, [&](VariableId each) { inner.sound.insert(each); });
        ir::for_each_block(is, [&](Block& body) { block(body, inner); });
        into.statements.push_back(std::move(is));
    }

    ir::Function& function_;
    SoleWriters writers_;
    VariableMaker maker_;
    const ValueNumbering& switches_;
    bool moved_ = false;
};

}  // namespace

ir::Program number_values(ir::Program program, const ValueNumbering& switches) {
    for (ir::Function& each : program.functions) Numbering(each, switches).run();
    return program;
}

}  // namespace refrain::script::passes
