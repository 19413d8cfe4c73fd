#include "interpreter/interpreter.hpp"

#include "base/assertion.hpp"
#include "leaves/leaf_host.hpp"
#include "values/script_error.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <set>

namespace refrain::script {
namespace {

using engine::Failure;
using engine::FailurePointer;
using ir::Op;
using ir::Operand;
using ir::VariableId;

/// Numbers of calls.
using CallSet = std::set<std::size_t>;

/// A variable, or an element of one.
struct Cell;
using CellPointer = std::shared_ptr<Cell>;
struct Cell {
    Type type;
    std::string name;
    Position assigned;
    Value value;                            // of scalars and files
    std::map<Value, CellPointer> elements;  // of containers
    std::set<Value> nested;                 // elements made by an assignment to a part of them
    bool final = false;                     // of containers and updateable variables
    bool mapped = false;
    Value file_name;
    std::int64_t appended = 0;
    FailurePointer failure;
    CallSet made_by;  // the calls whose results are in its value, if calls are noted
};

struct Environment {
    const ir::Function* function = nullptr;
    std::map<VariableId, CellPointer> cells;
    std::map<VariableId, Value> locals;
    std::map<VariableId, FailurePointer> failed;  // local values that are not there, and why
    const ir::CarriedLoop* loop = nullptr;
    std::shared_ptr<Environment> loop_environment;
    CallSet after;  // the calls whose results decided that it runs, or are in its local values
};

/// Something still to be done.
struct Item {
    const ir::Statement* statement = nullptr;  // or
    const ir::Block* block = nullptr;
    Environment environment;
};

/// The operand is not there yet.
struct NotReady {};
/// What the operand needs has failed.
struct Failed {
    FailurePointer why;
};

class Interpreter {
  public:
    Interpreter(const ir::Program& program, const LeafTable& leaves, Services& services,
                const RunControl& control, FailurePolicy failures, InterpretedCalls* calls)
        : program_(program),
          leaves_(leaves),
          services_(services),
          control_(control),
          failures_(failures),
          calls_(calls) {}

    RunOutcome run() {
        Environment environment;
        environment.function = program_.function("main");
        items_.push_back({nullptr, &environment.function->body, environment});
        do {
            run_what_is_ready();
        } while (!stops() && finalise());
        outcome_.stopped = stops() && !items_.empty();
        for (const Item& each : items_) {
            if (outcome_.stopped)
                outcome_.unfinished.push_back({{place(each), "statement"}, 1});
            else
                outcome_.waiting.push_back({"statement", place(each), {}, {}});
        }
        outcome_.waiting_text = "waiting: " + counted(items_.size(), "statement") + "\n";
        outcome_.seconds = clock_.now_s();
        return std::move(outcome_);
    }

  private:
    [[nodiscard]] bool stops() const {
        return control_.stopped() ||
               (failures_ != FailurePolicy::independent && !outcome_.failures.empty());
    }

    // ---- the loop
    void run_what_is_ready() {
        for (bool progress = true; progress;) {
            progress = false;
            for (auto item = items_.begin(); item != items_.end();) {
                if (stops()) return;
                const bool done = attempt(*item);
                progress |= done;
                item = done ? items_.erase(item) : std::next(item);
            }
        }
    }
    bool attempt(Item& item) {
        reads_ = item.environment.after;
        try {
            if (item.block != nullptr)
                block(*item.block, item.environment);
            else
                std::visit([&](const auto& is) { execute(is, item.environment); },
                           item.statement->is);
            ++outcome_.tally.done;
            return true;
        } catch (const NotReady&) {
            return false;
        } catch (const Failed& failed) {
            ++outcome_.tally.skipped;
            outcome_.skipped.push_back({place(item), "statement"});
            fail(item, failed.why);
            return true;
        } catch (const ScriptError& error) {
            fail(item, noted(place(item), error.what()));
            return true;
        }
    }
    FailurePointer noted(Position at, const std::string& text) {
        ++outcome_.tally.failed;
        outcome_.failures.push_back({at, text});
        return std::make_shared<const Failure>(outcome_.failures.back());
    }
    static Position place(const Item& item) {
        const auto at = [](const auto& is) {
            if constexpr (requires { is.at; }) return is.at;
            return Position{};
        };
        return item.statement == nullptr ? Position{} : std::visit(at, item.statement->is);
    }

    /// What an item may still assign.
    static std::vector<CellPointer> writes_of(const Item& item) {
        std::vector<CellPointer> cells;
        const auto add = [&](const ir::UsageMap& usage, const Environment& environment) {
            for (const auto& [variable, how] : usage) {
                const auto found = environment.cells.find(variable);
                if (how.writes && found != environment.cells.end()) cells.push_back(found->second);
            }
        };
        add(item.block != nullptr ? ir::usage_of(*item.block) : ir::usage_of(*item.statement),
            item.environment);
        const bool next =
            item.block != nullptr ? ir::has_next(*item.block) : ir::has_next(*item.statement);
        if (next && item.environment.loop != nullptr)
            add(ir::usage_of(item.environment.loop->body), *item.environment.loop_environment);
        return cells;
    }
    /// Containers that nothing left could assign to are final. True if that is new for any.
    bool finalise() {
        std::set<const Cell*> open;
        for (const Item& each : items_)
            for (const CellPointer& cell : writes_of(each)) open.insert(cell.get());
        bool changed = false;
        for (const auto& weak : containers_) {
            const CellPointer cell = weak.lock();
            if (cell && !cell->final && !open.contains(cell.get())) changed |= make_final(*cell);
        }
        return changed;
    }
    bool make_final(Cell& cell) {
        cell.final = true;
        for (const Type::Field& field : cell.type.fields())
            if ((field.type.is(Kind::array) || field.type.is(Kind::bag)) &&
                !cell.elements.contains(Value(field.name)))
                static_cast<void>(nested(cell, Value(field.name)));
        for (const Value& key : cell.nested) make_final(*cell.elements.at(key));
        return true;
    }

    static void fail(const Item& item, const FailurePointer& why) {
        for (const CellPointer& cell : writes_of(item)) fail(*cell, why);
    }
    static void fail(Cell& cell, const FailurePointer& why) {
        const bool updated = cell.type.is(Kind::updateable);
        if (cell.failure != nullptr || (!cell.value.empty() && !updated)) return;
        cell.failure = why;
        for (const Value& key : cell.nested) fail(*cell.elements.at(key), why);
    }

    // ---- which calls need which
    void note_read(const CallSet& calls) { reads_.insert(calls.begin(), calls.end()); }
    void note_read(const Cell& cell) {
        note_read(cell.made_by);
        for (const auto& [key, element] : cell.elements) note_read(element->made_by);
    }
    /// Those that no other one of them needed.
    [[nodiscard]] CallSet last_of(const CallSet& calls) const {
        CallSet last = calls;
        for (const std::size_t each : calls)
            for (const std::size_t before : needed_[each]) last.erase(before);
        return last;
    }
    void note_call(const ir::Instruction& is, double began, bool failed) {
        if (calls_->all.size() == InterpretedCalls::most)
            return static_cast<void>(++calls_->left_out);
        CallSet all = reads_;
        for (const std::size_t each : reads_)
            all.insert(needed_[each].begin(), needed_[each].end());
        const CallSet after = last_of(reads_);
        calls_->all.push_back({ir::written_name(is.callee),
                               calls_->place_of(is.at),
                               0,
                               began,
                               began,
                               began,
                               clock_.now_s(),
                               failed,
                               LeafHost::held_up_s,
                               {after.begin(), after.end()}});
        needed_.push_back(std::move(all));
        reads_ = {needed_.size() - 1};
    }

    // ---- cells
    CellPointer made(const Type& type, const std::string& name, bool own = true) {
        auto cell = std::make_shared<Cell>();
        cell->type = type;
        cell->name = name;
        if (own && (cell->type.has_parts() || type.is(Kind::updateable)))
            containers_.push_back(cell);
        return cell;
    }
    /// Nested containers are final with those that they are in.
    CellPointer nested(Cell& cell, const Value& key) {
        const auto known = cell.elements.find(key);
        if (known != cell.elements.end()) return known->second;
        CellPointer element = made(engine::part_type(cell.type, key), name_of(cell, key), false);
        element->failure = cell.failure;
        cell.nested.insert(key);
        cell.elements[key] = element;
        return element;
    }
    CellPointer filled(const Type& type, const std::string& name, const Value& value, Position at) {
        CellPointer cell = made(type, name, false);
        assign(*cell, value, at);
        make_final(*cell);
        return cell;
    }
    void second_write(const std::string& what, Position first, Position at) {
        outcome_.failures.push_back(engine::second_write(what, first, at));
    }
    static std::string name_of(const Cell& cell, const Value& key) {
        return engine::part_name(cell.name, cell.type, key);
    }
    void assign(Cell& cell, const Value& value, Position at) {
        if (cell.type.has_parts()) {
            if (cell.assigned.line != 0) return second_write(cell.name, cell.assigned, at);
            cell.assigned = at;
            for (const auto& [key, element] : value.entries()) insert(cell, key, element, at);
            return;
        }
        if (!cell.value.empty()) return second_write(cell.name, cell.assigned, at);
        cell.value = value;
        cell.assigned = at;
        cell.made_by = reads_;
        if (cell.type.is(Kind::file) && cell.file_name.empty())
            cell.file_name = Value(value.path());
    }
    void insert(Cell& cell, const Value& key, CellPointer element, Position at) {
        const auto [known, is_new] = cell.elements.emplace(key, std::move(element));
        if (!is_new) second_write(name_of(cell, key), known->second->assigned, at);
    }
    void insert(Cell& cell, const Value& key, const Value& value, Position at) {
        const Type& type = engine::part_type(cell.type, key);
        insert(cell, key, filled(type, name_of(cell, key), value, at), at);
    }

    // ---- operands
    static Value local(const Operand& operand, const Environment& environment) {
        if (const auto why = environment.failed.find(operand.variable);
            !operand.is_constant() && why != environment.failed.end())
            throw Failed{why->second};
        return operand.is_constant() ? operand.constant : environment.locals.at(operand.variable);
    }
    /// The cell that an operand names. Throws NotReady, Failed.
    CellPointer cell_of(const Operand& operand, const Environment& environment) {
        CellPointer cell = environment.cells.at(operand.variable);
        for (const Operand& each : operand.path) {
            const Value index = deep(each, environment);
            const auto found = cell->elements.find(index);
            if (found != cell->elements.end()) {
                cell = found->second;
                continue;
            }
            if (!cell->final || (cell->type.is(Kind::structure) && cell->failure == nullptr))
                throw NotReady();
            if (cell->failure == nullptr) throw ScriptError(engine::no_element(cell->name, index));
            throw Failed{cell->failure};
        }
        return cell;
    }
    void expect_closed(const Cell& cell) {
        if (cell.failure != nullptr && !cell.type.is(Kind::updateable)) throw Failed{cell.failure};
        if (cell.type.has_parts() ? !cell.final : cell.value.empty()) throw NotReady();
        note_read(cell);
    }
    Value closed_value(const Cell& cell) {
        expect_closed(cell);
        return cell.value;
    }
    Value deep_value(const Cell& cell) {
        expect_closed(cell);
        if (!cell.type.has_parts()) return cell.value;
        Table table;
        for (const auto& [key, element] : cell.elements) table.emplace(key, deep_value(*element));
        return Value::table(std::move(table));
    }
    Value deep(const Operand& operand, const Environment& environment) {
        if (environment.function->is_immediate(operand)) return local(operand, environment);
        return deep_value(*cell_of(operand, environment));
    }

    // ---- statements
    void block(const ir::Block& is, Environment& environment) {
        environment.after = reads_;
        for (const VariableId each : is.variables) {
            const ir::Variable& variable = environment.function->variables[each];
            if (!environment.function->is_datum(each)) continue;
            environment.cells[each] = made(variable.type, variable.name);
            environment.cells[each]->mapped = variable.mapped;
        }
        for (const ir::Statement& each : is.statements) {
            reads_ = environment.after;
            Item item{&each, nullptr, environment};
            const auto* instruction = std::get_if<ir::Instruction>(&each.is);
            if (instruction != nullptr && ir::traits_of(instruction->op).makes == ir::Makes::values)
                values(*instruction, environment);
            else if (std::holds_alternative<ir::Branch>(each.is))
                attempt_now(item, environment);
            else
                items_.push_back(std::move(item));
        }
    }
    /// A branch: if its condition has failed, what it would assign fails, and the block goes on.
    void attempt_now(Item& item, Environment& environment) {
        try {
            std::visit([&](const auto& one) { execute(one, environment); }, item.statement->is);
        } catch (const Failed& failed) {
            fail(item, failed.why);
        }
    }
    /// An instruction that makes local values. One that fails leaves them failed.
    void values(const ir::Instruction& is, Environment& environment) {
        FailurePointer why;
        try {
            std::vector<Value> ins;
            for (const Operand& each : is.ins) ins.push_back(deep(each, environment));
            std::vector<Value> outs = ins;
            if (is.op != Op::load) {
                outs.assign(is.outs.size(), {});
                called(is,
                       is.op == Op::leaf_now ? leaves_.leaf(is.callee) : leaves_.builtin(is.callee),
                       ins, outs);
            }
            for (std::size_t i = 0; i < is.outs.size(); ++i)
                environment.locals[is.outs[i].variable] = outs[i];
            environment.after.insert(reads_.begin(), reads_.end());
            return;
        } catch (const Failed& failed) {
            why = failed.why;
        } catch (const ScriptError& error) {
            why = noted(is.at, error.what());
        }
        for (const Operand& each : is.outs) environment.failed[each.variable] = why;
    }
    void called(const ir::Instruction& is, const Leaf& leaf, const std::vector<Value>& ins,
                std::vector<Value>& outs) {
        const bool is_noted =
            calls_ != nullptr &&
            (leaf.is_long_running() || std::ranges::all_of(is.outs, [](const Operand& each) {
                 return each.type.is(Kind::void_);
             }));
        const double began = clock_.now_s();
        LeafHost::held_up_s = 0;
        try {
            leaf.call(std::span(ins).first(ins.size() - (is.placed ? 1 : 0)), outs, services_);
        } catch (const std::exception& error) {
            if (is_noted) note_call(is, began, true);
            throw ScriptError(ir::written_name(is.callee) + ": " + error.what());
        }
        if (is_noted) note_call(is, began, false);
    }
    void execute(const ir::Branch& is, Environment& environment) {
        Environment inner = environment;
        block(is.blocks[is.choice.of(local(is.value, environment))], inner);
    }
    void execute(const ir::Wait& is, Environment& environment) {
        for (const Operand& each : is.operands) {
            if (environment.function->is_immediate(each)) {
                static_cast<void>(local(each, environment));
                continue;
            }
            const CellPointer cell = cell_of(each, environment);
            if (each.type.is(Kind::updateable)) {
                if (cell->failure != nullptr) throw Failed{cell->failure};
                if (!cell->final) throw NotReady();
            }
            if (is.deep)
                static_cast<void>(deep_value(*cell));
            else
                expect_closed(*cell);
        }
        Environment inner = environment;
        block(is.body, inner);
    }
    void execute(const ir::Foreach& is, Environment& environment) {
        const CellPointer array = cell_of(is.array, environment);
        const CallSet before = reads_;
        expect_closed(*array);
        for (const auto& [key, element] : array->elements) {
            Environment inner = environment;
            reads_ = before;  // a turn needs its element only
            if (is.key != ir::no_variable) inner.locals[is.key] = key;
            if (environment.function->is_datum(is.element))
                inner.cells[is.element] = element;
            else
                inner.locals[is.element] = closed_value(*element);
            inner.after = reads_;
            items_.push_back({nullptr, &is.body, std::move(inner)});
        }
    }
    void execute(const ir::RangeLoop& is, Environment& environment) {
        const std::int64_t begin = deep(is.begin, environment).integer();
        const std::int64_t end = deep(is.end, environment).integer();
        const std::int64_t step = deep(is.step, environment).integer();
        if (step <= 0) throw ScriptError("the step of a range is ", step, "; it must be positive");
        std::int64_t index = 0;
        for (std::int64_t i = begin; i <= end; ++index) {
            Environment inner = environment;
            inner.locals[is.counter] = Value(i);
            inner.after = reads_;
            if (is.index != ir::no_variable) inner.locals[is.index] = Value(index);
            items_.push_back({nullptr, &is.body, std::move(inner)});
            if (__builtin_add_overflow(i, step, &i)) break;
        }
    }
    void execute(const ir::CarriedLoop& is, Environment& environment) {
        turn(is, std::make_shared<Environment>(environment), cells_of(is.initial, environment));
    }
    static std::vector<CellPointer> cells_of(const std::vector<Operand>& variables,
                                             const Environment& environment) {
        std::vector<CellPointer> cells;
        for (const Operand& each : variables) cells.push_back(environment.cells.at(each.variable));
        return cells;
    }
    void turn(const ir::CarriedLoop& is, const std::shared_ptr<Environment>& around,
              const std::vector<CellPointer>& values) {
        Environment inner = *around;
        inner.loop = &is;
        inner.loop_environment = around;
        inner.after = reads_;
        for (std::size_t i = 0; i < values.size(); ++i) inner.cells[is.carried[i]] = values[i];
        items_.push_back({nullptr, &is.body, std::move(inner)});
    }

    // ---- instructions
    void execute(const ir::Instruction& is, Environment& environment) {
        if (is.op == Op::copy || is.op == Op::store) return copy(is, environment);
        if (is.op == Op::compute) return call_leaf(is, environment, leaves_.builtin(is.callee));
        if (is.op == Op::leaf) return call_leaf(is, environment, leaves_.leaf(is.callee));
        if (is.op == Op::call) return call(is, environment);
        if (is.op == Op::next) {
            turn(*environment.loop, environment.loop_environment, cells_of(is.ins, environment));
        } else if (is.op == Op::size) {
            const CellPointer array = cell_of(is.ins[0], environment);
            expect_closed(*array);
            store(is.outs[0], Value(static_cast<std::int64_t>(array->elements.size())), environment,
                  is.at);
        } else if (is.op == Op::contains || is.op == Op::exists) {
            const CellPointer array = cell_of(is.ins[0], environment);
            const bool found = array->elements.contains(deep(is.ins[1], environment));
            if (!found && is.op == Op::contains) expect_closed(*array);
            store(is.outs[0], Value::boolean(found), environment, is.at);
        } else if (is.op == Op::file_name) {
            const CellPointer file = cell_of(is.ins[0], environment);
            if (file->file_name.empty() && file->failure != nullptr) throw Failed{file->failure};
            if (file->file_name.empty()) throw NotReady();
            store(is.outs[0], file->file_name, environment, is.at);
        } else if (is.op == Op::map_file) {
            Cell& file = *environment.cells.at(is.outs[0].variable);
            file.file_name = deep(is.ins[0], environment);
            file.made_by = reads_;
        } else if (is.op == Op::append) {
            const Operand& bag = is.outs[0];
            put(bag, element_of(is.ins[0], environment, is.at, bag.type.element()), environment,
                is.at, true);
        } else {
            REFRAIN_ASSERT(is.op == Op::update, "the interpreter does not know an instruction");
            Cell& cell = *environment.cells.at(is.outs[0].variable);
            const double now = closed_value(cell).floating();
            const double by = deep(is.ins[0], environment).floating();
            cell.made_by.insert(reads_.begin(), reads_.end());
            cell.value = Value(is.callee == "min"    ? std::min(now, by)
                               : is.callee == "incr" ? now + by
                                                     : now * by);
        }
    }

    /// An element that is a container becomes another name of it.
    CellPointer element_of(const Operand& from, const Environment& environment, Position at,
                           const Type& type) {
        if (environment.function->is_immediate(from))
            return filled(type, "", local(from, environment), at);
        const CellPointer cell = cell_of(from, environment);
        if (type.is_container()) return cell;
        return filled(type, "", closed_value(*cell), at);
    }
    void copy(const ir::Instruction& is, Environment& environment) {
        const Operand& to = is.outs[0];
        if (to.is_element()) {
            const CellPointer element = element_of(is.ins[0], environment, is.at, to.type);
            return put(to, element, environment, is.at);
        }
        if (environment.function->is_immediate(is.ins[0]))
            return store(to, local(is.ins[0], environment), environment, is.at);
        const CellPointer from = cell_of(is.ins[0], environment);
        expect_closed(*from);
        Cell& target = *environment.cells.at(to.variable);
        if (!target.type.has_parts()) return store(to, from->value, environment, is.at);
        if (target.assigned.line != 0) return second_write(target.name, target.assigned, is.at);
        target.assigned = is.at;
        for (const auto& [key, element] : from->elements) insert(target, key, element, is.at);
    }
    /// Makes an element of the cell, or appends it to the bag.
    void put(const Operand& to, const CellPointer& element, const Environment& environment,
             Position at, bool append = false) {
        std::vector<Value> keys;
        for (const Operand& each : to.path) keys.push_back(deep(each, environment));
        if (append) keys.emplace_back();  // the bag will number it
        CellPointer cell = environment.cells.at(to.variable);
        for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
            if (cell->elements.contains(keys[i]) && !cell->nested.contains(keys[i]))
                return second_write(name_of(*cell, keys[i]), cell->elements.at(keys[i])->assigned,
                                    at);
            cell = nested(*cell, keys[i]);
        }
        insert(*cell, append ? Value(cell->appended++) : keys.back(), element, at);
    }
    void store(const Operand& to, Value value, const Environment& environment, Position at) {
        if (to.is_element()) return put(to, filled(to.type, "", value, at), environment, at);
        Cell& cell = *environment.cells.at(to.variable);
        if (cell.type.is(Kind::file) && !cell.file_name.empty() &&
            cell.file_name.string() != value.path()) {
            services_.copy_file(value.path(), cell.file_name.string());
            value = Value::file(cell.file_name.string());
        }
        assign(cell, value, at);
    }
    void call_leaf(const ir::Instruction& is, Environment& environment, const Leaf& leaf) {
        std::vector<Value> arguments;
        for (const Operand& each : is.ins) arguments.push_back(deep(each, environment));
        std::vector<Value> results(is.outs.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!is.outs[i].type.is(Kind::file) || is.outs[i].is_element()) continue;
            const Cell& file = *environment.cells.at(is.outs[i].variable);
            if (file.mapped && file.file_name.empty()) throw NotReady();
            results[i] = file.file_name;
            note_read(file);
        }
        for (const Operand& each : is.outs)
            for (const Operand& index : each.path) static_cast<void>(deep(index, environment));
        called(is, leaf, arguments, results);
        for (std::size_t i = 0; i < results.size(); ++i)
            store(is.outs[i], results[i], environment, is.at);
    }
    void call(const ir::Instruction& is, Environment& environment) {
        const ir::Function& callee = *program_.function(is.callee);
        Environment inner;
        inner.function = &callee;
        inner.after = reads_;
        for (std::size_t i = 0; i < is.ins.size(); ++i) {
            if (callee.is_datum(callee.inputs[i]))
                inner.cells[callee.inputs[i]] = cell_of(is.ins[i], environment);
            else if (const auto why = environment.failed.find(is.ins[i].variable);
                     !is.ins[i].is_constant() && why != environment.failed.end())
                inner.failed[callee.inputs[i]] = why->second;
            else
                inner.locals[callee.inputs[i]] = local(is.ins[i], environment);
        }
        for (std::size_t i = 0; i < is.outs.size(); ++i)
            inner.cells[callee.outputs[i]] = environment.cells.at(is.outs[i].variable);
        items_.push_back({nullptr, &callee.body, std::move(inner)});
    }

    const ir::ProgramIndex program_;
    const LeafTable& leaves_;
    Services& services_;
    const RunControl& control_;
    FailurePolicy failures_;
    InterpretedCalls* calls_;
    RunClock clock_;
    CallSet reads_;                // the calls whose results the item that runs has needed so far
    std::vector<CallSet> needed_;  // by call, all that came before
    std::list<Item> items_;
    std::vector<std::weak_ptr<Cell>> containers_;
    RunOutcome outcome_;
};

}  // namespace

RunOutcome interpret(const ir::Program& program, const LeafTable& leaves, Services& services,
                     const RunControl& control, FailurePolicy failures, InterpretedCalls* calls) {
    return Interpreter(program, leaves, services, control, failures, calls).run();
}

}  // namespace refrain::script
