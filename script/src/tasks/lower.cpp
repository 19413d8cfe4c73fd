#include "tasks/lower.hpp"

#include "base/assertion.hpp"
#include "tasks/direct_joins.hpp"
#include "values/steps.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace refrain::script::tasks {
namespace {

using ir::Op;
using ir::VariableId;

/// A task that is being made: the slots of the variables it sees.
struct Draft {
    std::uint32_t index = 0;
    std::uint32_t slot_count = 0;
    int priority = 0;  // of its call
    std::map<VariableId, Slot> slots;
    std::map<VariableId, std::vector<std::pair<ir::Operand, Slot>>> waited;  // for loads
    TaskDefinition definition;

    Slot new_slot() { return slot_count++; }
    [[nodiscard]] Slot slot_waited_for(const ir::Operand& operand) const {
        const auto of_variable = waited.find(operand.variable);
        if (of_variable != waited.end())
            for (const auto& [place, slot] : of_variable->second)
                if (ir::same_place(place, operand)) return slot;
        return no_slot;
    }
};

/// A carried loop around the code: `next` spawns its task with all that it captures.
struct OpenLoop {
    std::uint32_t task = 0;
    ir::UsageMap captured;
    std::vector<Slot> carried_slots;
    std::map<VariableId, Slot> slots;  // of the loop's task
};

class Lowering {
  public:
    Lowering(const ir::Program& program, const LeafTable& leaves, const LoweringOptions& options)
        : program_(program), index_(program), leaves_(leaves), options_(options) {
        if (options.switches.direct_joins) joins_.emplace(program);
    }

    TaskProgram run() {
        for (const ir::Function& each : program_.functions) {
            function_tasks_[each.name] = static_cast<std::uint32_t>(made_.tasks.size());
            made_.tasks.emplace_back();
        }
        for (const ir::Function& each : program_.functions) function(each);
        made_.main = function_tasks_.at("main");
        made_.switches = options_.switches;
        if (options_.switches.in_place)
            for (TaskDefinition& each : made_.tasks)
                if (each.call == nullptr) mark_last(each.code);
        TaskProgram counted = place_counts(std::move(made_), options_.counting);
        mark_chains(counted);
        return counted;
    }

  private:
    /// The last call of a task, on each path: the task has nothing else to do, and runs it.
    bool mark_last(CodeBlock& code) {
        for (auto each = code.rbegin(); each != code.rend(); ++each) {
            if (auto* spawn = std::get_if<Spawn>(&each->is)) {
                const TaskDefinition& task = made_.tasks[spawn->task];
                spawn->in_place = task.call == nullptr && task.inputs.empty();
                if (spawn->in_place) return true;
            } else if (std::vector<CodeBlock>* blocks = blocks_of(*each)) {
                bool all = true;  // of the blocks end so
                for (CodeBlock& inner : *blocks) all = mark_last(inner) && all;
                if (all) return true;
            }
        }
        return false;
    }

    // ---- functions and drafts
    void function(const ir::Function& is) {
        function_ = &is;
        Draft draft;
        draft.index = function_tasks_.at(is.name);
        draft.definition.name = ir::written_name(is.name);
        draft.definition.at = is.at;
        for (const VariableId each : is.inputs)
            receive(draft, each, function_->is_datum(each), false);
        for (const VariableId each : is.outputs) receive(draft, each, true, true);
        block(draft, is.body, draft.definition.code);
        finish(std::move(draft));
    }
    Draft begin(const std::string& name, Position at) {
        Draft draft;
        draft.index = static_cast<std::uint32_t>(made_.tasks.size());
        made_.tasks.emplace_back();
        draft.definition.name = ir::written_name(name);
        draft.definition.at = at;
        return draft;
    }
    std::uint32_t finish(Draft draft) {
        draft.definition.slot_count = draft.slot_count;
        made_.tasks[draft.index] = std::move(draft.definition);
        return draft.index;
    }
    static Slot receive(Draft& draft, VariableId variable, bool counted, bool writes) {
        const Slot slot = draft.new_slot();
        draft.slots[variable] = slot;
        draft.definition.captures.push_back({no_slot, slot, counted, writes});
        return slot;
    }
    /// What a statement uses; with a `next` in it, all that its loop captured.
    [[nodiscard]] ir::UsageMap usage(const ir::Statement& statement) const {
        ir::UsageMap all = ir::usage_of(statement);
        if (ir::has_next(statement) && !loops_.empty()) ir::add(all, loops_.back().captured);
        return all;
    }

    /// A child gets the variables that the statement uses; the captures of the spawn.
    std::vector<Capture> pass_on(const Draft& parent, Draft& child,
                                 const ir::UsageMap& used) const {
        std::vector<Capture> captures;
        for (const auto& [variable, how] : used) {
            step();
            const auto from = parent.slots.find(variable);
            if (from == parent.slots.end()) continue;
            const bool counted = function_->is_datum(variable);
            const Slot to = receive(child, variable, counted, counted && how.writes);
            captures.push_back({from->second, to, counted, counted && how.writes});
        }
        return captures;
    }

    // ---- operands
    static Source source(const Draft& draft, const ir::Operand& operand) {
        if (operand.is_constant()) return {no_slot, operand.constant};
        return {draft.slots.at(operand.variable), {}};
    }
    /// The keys of an element; those in the store are waited for.
    std::vector<Source> path(Draft& draft, const ir::Operand& operand) {
        std::vector<Source> keys;
        for (const ir::Operand& key : operand.path)
            keys.push_back(function_->is_immediate(key)
                               ? source(draft, key)
                               : Source{wait_for(draft, key, Mode::closed), {}});
        return keys;
    }
    Place place(Draft& draft, const ir::Operand& operand) {
        std::vector<Source> keys = path(draft, operand);
        return {draft.slots.at(operand.variable), std::move(keys)};
    }
    Slot wait_for(Draft& draft, const ir::Operand& operand, Mode mode) {
        Place from = place(draft, operand);
        const Slot into = draft.new_slot();
        const Type& type = operand.type;
        const bool table = (type.is(Kind::array) || type.is(Kind::bag)) && !operand.is_element();
        const bool scalar =
            table ? type.element().is_scalar() : !type.is_container() && !type.is(Kind::updateable);
        draft.definition.inputs.push_back({std::move(from), mode, into, scalar, false});
        if (mode == Mode::reference) draft.definition.references.push_back(into);
        return into;
    }
    /// The value of an operand in a task that waits for it.
    Source awaited(Draft& draft, const ir::Operand& operand, Mode mode) {
        if (function_->is_immediate(operand)) return source(draft, operand);
        return {wait_for(draft, operand, mode), {}};
    }

    /// As the run knows it.
    std::uint32_t variable_of(const ir::Variable& is) {
        made_.variables.push_back({is.name, is.type, is.mapped, is.at});
        return static_cast<std::uint32_t>(made_.variables.size() - 1);
    }

    // ---- blocks
    void block(Draft& draft, const ir::Block& is, CodeBlock& code) {
        Create create;
        CodeBlock behind;
        const std::set<VariableId> joined = open_inputs(draft, is, code, behind);
        for (const VariableId variable : is.variables) {
            if (joined.contains(variable)) continue;
            const Slot slot = draft.new_slot();
            draft.slots[variable] = slot;
            if (!function_->is_datum(variable)) continue;
            const ir::Variable& info = function_->variables[variable];
            create.data.push_back({variable_of(info), {slot, 1, 1}});
        }
        if (!create.data.empty()) code.push_back({std::move(create)});
        for (const ir::Statement& each : is.statements) {
            std::visit([&](const auto& statement) { lower(draft, each, statement, code); },
                       each.is);
            if (!is_call_point(each)) continue;
            std::move(behind.begin(), behind.end(), std::back_inserter(code));
            behind.clear();
        }
    }
    /// Data of the block that are inputs of tasks have no place in the store. Those that come behind the task's call are
    /// opened there: it may run on another rank than what stands before it.
    std::set<VariableId> open_inputs(Draft& draft, const ir::Block& is, CodeBlock& code,
                                     CodeBlock& behind) {
        std::set<VariableId> all;
        if (!joins_) return all;
        const auto call = std::ranges::find_if(is.statements, is_call_point);
        for (Join& each : joins_->of(*function_, is)) {
            if (each.data.size() > DatumId::inputs_max) each.data.resize(DatumId::inputs_max);
            OpenInputs open;
            open.task = draft.new_slot();
            for (const VariableId variable : each.data) {
                open.data.push_back(draft.slots[variable] = draft.new_slot());
                all.insert(variable);
            }
            opened_[&std::get<ir::Wait>(is.statements[each.reader].is)] = {open.task,
                                                                           std::move(each.data)};
            const bool before =
                call == is.statements.end() ||
                each.reader < static_cast<std::size_t>(call - is.statements.begin());
            (before ? code : behind).push_back({std::move(open)});
        }
        return all;
    }
    /// What happens instead of a statement if a value that it needs has failed: its outputs fail.
    CodeBlock failure_block(const Draft& draft, const ir::Statement& statement,
                            std::vector<Slot> values, Position at) const {
        FailData fail{{}, std::move(values), at};
        for (const auto& [variable, how] : usage(statement)) {
            const auto slot = draft.slots.find(variable);
            if (how.writes && function_->is_datum(variable) && slot != draft.slots.end())
                fail.data.push_back(slot->second);
        }
        CodeBlock block;
        block.push_back({std::move(fail)});
        return block;
    }

    void lower(Draft& draft, const ir::Statement& statement, const ir::Branch& is,
               CodeBlock& code) {
        const Source value = source(draft, is.value);
        Branch branch{{value.slot}, value, is.choice, {}};
        for (const ir::Block& each : is.blocks) block(draft, each, branch.blocks.emplace_back());
        branch.blocks.push_back(failure_block(draft, statement, branch.needs, {}));
        code.push_back({std::move(branch)});
    }

    /// Local values among the operands guard the statement where it stands; data are waited for by a task.
    void lower(Draft& draft, const ir::Statement& statement, const ir::Wait& is, CodeBlock& code) {
        std::vector<Slot> values;
        bool waits = is.task;
        for (const ir::Operand& each : is.operands) {
            if (!function_->is_immediate(each))
                waits = true;
            else if (each.is_variable())
                values.push_back(draft.slots.at(each.variable));
        }
        CodeBlock inner;
        CodeBlock& to = values.empty() ? code : inner;
        if (waits)
            spawn_wait(draft, statement, is, to);
        else
            block(draft, is.body, to);
        if (values.empty()) return;
        Branch guard{values, {}, {}, {}};
        guard.blocks.push_back(std::move(inner));
        guard.blocks.push_back(failure_block(draft, statement, values, is.at));
        code.push_back({std::move(guard)});
    }
    void spawn_wait(Draft& draft, const ir::Statement& statement, const ir::Wait& is,
                    CodeBlock& code) {
        Draft child = begin(is.task ? "task" : "wait", is.at);
        ir::UsageMap used = usage(statement);
        Slot opened = no_slot;
        if (const auto found = opened_.find(&is); found != opened_.end()) {
            opened = found->second.task;
            for (const VariableId each : found->second.data) {
                receive_delivery(child, each);
                used.erase(each);
            }
        }
        std::vector<Capture> captures = pass_on(draft, child, used);
        for (const ir::Operand& each : is.operands)
            if (!function_->is_immediate(each) && child.slot_waited_for(each) == no_slot)
                child.waited[each.variable].emplace_back(
                    each, wait_for(child, each,
                                   each.type.is(Kind::updateable) ? Mode::settled
                                   : is.deep                      ? Mode::deep
                                                                  : Mode::closed));
        block(child, is.body, child.definition.code);
        Spawn spawn{finish(std::move(child)), std::move(captures), is.priority};
        spawn.opened = opened;
        code.push_back({std::move(spawn)});
    }

    /// Delivered inputs come first: their numbers are known before the others.
    void receive_delivery(Draft& child, VariableId variable) {
        const ir::Variable& info = function_->variables[variable];
        const Slot into = child.new_slot();
        child.waited[variable].emplace_back(ir::Operand::of(variable, info.type), into);
        child.definition.inputs.push_back(
            {{}, Mode::delivered, into, true, false, variable_of(info)});
    }

    void lower(Draft& draft, const ir::Statement& statement, const ir::Foreach& is,
               CodeBlock& code) {
        spawn(draft, statement, "foreach", is.at, 0, code, [&](Draft& loop) {
            ForEach each;
            each.table = wait_for(loop, is.array, Mode::closed);
            Draft body = begin("foreach body", is.at);
            each.body.captures = pass_on(loop, body, ir::usage_of(is.body));
            if (is.key != ir::no_variable) each.key = receive(body, is.key, false, false);
            each.counted_element = function_->is_datum(is.element);
            each.element = receive(body, is.element, each.counted_element, false);
            finish_body(std::move(body), is.body, each.body);
            loop.definition.code.push_back({std::move(each)});
        });
    }
    void finish_body(Draft body, const ir::Block& is, Spawn& spawn) {
        block(body, is, body.definition.code);
        spawn.priority = body.priority;
        spawn.task = finish(std::move(body));
    }

    void lower(Draft& draft, const ir::Statement& statement, const ir::RangeLoop& is,
               CodeBlock& code) {
        // With known ends, the task that the loop stands in makes the interval.
        const bool here = options_.switches.range_tasks && function_->is_immediate(is.begin) &&
                          function_->is_immediate(is.end) && function_->is_immediate(is.step);
        if (here) return range_loop(draft, is, code);
        spawn(draft, statement, "foreach", is.at, 0, code,
              [&](Draft& loop) { range_loop(loop, is, loop.definition.code); });
    }
    void range_loop(Draft& around, const ir::RangeLoop& is, CodeBlock& code) {
        ForRange range;
        range.begin = awaited(around, is.begin, Mode::closed);
        range.end = awaited(around, is.end, Mode::closed);
        range.step = awaited(around, is.step, Mode::closed);
        Draft body = begin("foreach body", is.at);
        range.body.captures = pass_on(around, body, ir::usage_of(is.body));
        range.at = is.at;
        const auto own = [&](VariableId variable) {
            return body.slots[variable] = body.new_slot();
        };
        body.definition.counter = own(is.counter);
        if (is.index != ir::no_variable) body.definition.index = own(is.index);
        finish_body(std::move(body), is.body, range.body);
        code.push_back({std::move(range)});
    }

    void lower(Draft& draft, const ir::Statement&, const ir::CarriedLoop& is, CodeBlock& code) {
        Draft turn = begin("for", is.at);
        OpenLoop open;
        open.task = turn.index;
        open.captured = ir::usage_of(is.body);
        for (const VariableId each : is.carried) open.captured.erase(each);
        std::erase_if(open.captured,
                      [&](const auto& each) { return !draft.slots.contains(each.first); });
        std::vector<Capture> captures = pass_on(draft, turn, open.captured);
        for (std::size_t i = 0; i < is.carried.size(); ++i) {
            const Slot to = receive(turn, is.carried[i], true, false);
            captures.push_back({draft.slots.at(is.initial[i].variable), to, true, false});
            open.carried_slots.push_back(to);
        }
        open.slots = turn.slots;
        loops_.push_back(std::move(open));
        block(turn, is.body, turn.definition.code);
        loops_.pop_back();
        code.push_back({Spawn{finish(std::move(turn)), std::move(captures), 0}});
    }

    // ---- instructions
    void lower(Draft& draft, const ir::Statement& statement, const ir::Instruction& is,
               CodeBlock& code) {
        if (is.op == Op::load) return load(draft, is, code);
        if (is.op == Op::store) return store(draft, is, code);
        if (is.op == Op::compute_now) return compute_now(draft, is, code);
        if (is.op == Op::leaf_now) return leaf_now(draft, is, code);
        if (is.op == Op::call) return call(draft, statement, is, code);
        if (is.op == Op::next) return next(draft, is, code);
        spawn(draft, statement, is.callee.empty() ? std::string(ir::in_words(is.op)) : is.callee,
              is.at, is.priority, code, [&](Draft& child) { instruction(child, is); });
    }

    void load(Draft& draft, const ir::Instruction& is, CodeBlock& code) {
        const Slot from = draft.slot_waited_for(is.ins[0]);
        REFRAIN_ASSERT(from != no_slot, "a load stands outside of a wait for what it loads");
        code.push_back({Move{draft.slots.at(is.outs[0].variable), {from, {}}}});
    }
    void store(Draft& draft, const ir::Instruction& is, CodeBlock& code) {
        code.push_back({Store{place(draft, is.outs[0]), source(draft, is.ins[0]), is.at}});
    }

    void compute_now(Draft& draft, const ir::Instruction& is, CodeBlock& code) {
        Evaluate evaluate{&leaves_.builtin(is.callee), ir::written_name(is.callee), {}, {}, is.at};
        for (const ir::Operand& each : is.ins) evaluate.arguments.push_back(source(draft, each));
        for (const ir::Operand& each : is.outs)
            evaluate.results.push_back(draft.slots.at(each.variable));
        code.push_back({std::move(evaluate)});
    }
    std::unique_ptr<Call> made_call(const Leaf& leaf, const ir::Instruction& is, auto source_of) {
        auto call = std::make_unique<Call>();
        call->leaf = &leaf;
        call->name = ir::written_name(is.callee);
        for (const ir::Operand& each : is.ins) call->arguments.push_back(source_of(each));
        if (is.placed) {  // the last input says where it runs
            call->location = std::move(call->arguments.back());
            call->arguments.pop_back();
        }
        const ir::LeafDefinition* definition = index_.leaf(is.callee);
        call->by_team = definition != nullptr && definition->policy.by_team;
        if (definition == nullptr || definition->work_type.empty()) return call;
        std::vector<std::string>& types = made_.work_types;
        const auto found = std::ranges::find(types, definition->work_type);
        call->work_type = static_cast<std::uint32_t>(found - types.begin()) + 1;
        if (found == types.end()) types.push_back(definition->work_type);
        return call;
    }
    /// The call of the task in which it stands.
    void leaf_now(Draft& draft, const ir::Instruction& is, CodeBlock& code) {
        REFRAIN_ASSERT(draft.definition.call == nullptr && &code == &draft.definition.code,
                       "a task has one call, which stands in no branch");
        auto call = made_call(leaves_.leaf(is.callee), is,
                              [&](const ir::Operand& each) { return source(draft, each); });
        for (const ir::Operand& each : is.outs)
            call->results.push_back(draft.slots.at(each.variable));
        call->mappings.assign(is.outs.size(), no_slot);
        draft.definition.call = std::move(call);
        draft.definition.name = ir::written_name(is.callee);
        draft.definition.at = is.at;
        draft.priority = is.priority;
        code.push_back({CallPoint{}});
    }

    /// The element arguments of a call are containers: a task gets their ids first.
    void call(Draft& draft, const ir::Statement& statement, const ir::Instruction& is,
              CodeBlock& code) {
        const bool waits =
            std::ranges::any_of(is.ins, [](const ir::Operand& each) { return each.is_element(); });
        if (!waits) return spawn_function(draft, is, code);
        spawn(draft, statement, "call " + is.callee, is.at, is.priority, code,
              [&](Draft& child) { spawn_function(child, is, child.definition.code); });
    }
    void spawn_function(Draft& draft, const ir::Instruction& is, CodeBlock& code) {
        const ir::Function& callee = *index_.function(is.callee);
        Spawn spawn;
        spawn.task = function_tasks_.at(is.callee);
        spawn.priority = is.priority;
        Slot to = 0;  // function() receives inputs, then outputs, from slot 0 on
        for (const ir::Operand& each : is.ins) {
            const bool local = function_->is_immediate(each);
            Slot from = no_slot;
            if (each.is_constant()) {
                from = draft.new_slot();
                code.push_back({Move{from, {no_slot, each.constant}}});
            } else {
                from = each.is_element() ? wait_for(draft, each, Mode::reference)
                                         : draft.slots.at(each.variable);
            }
            spawn.captures.push_back({from, to++, !local, false});
        }
        REFRAIN_ASSERT(to == callee.inputs.size(),
                       "a call has another number of inputs than its function");
        for (const ir::Operand& each : is.outs)
            spawn.captures.push_back({draft.slots.at(each.variable), to++, true, true});
        code.push_back({std::move(spawn)});
    }

    void next(Draft& draft, const ir::Instruction& is, CodeBlock& code) {
        const OpenLoop& loop = loops_.back();
        Spawn spawn;
        spawn.task = loop.task;
        for (const auto& [variable, how] : loop.captured) {
            const bool counted = function_->is_datum(variable);
            spawn.captures.push_back({draft.slots.at(variable), loop.slots.at(variable), counted,
                                      counted && how.writes});
        }
        for (std::size_t i = 0; i < is.ins.size(); ++i)
            spawn.captures.push_back(
                {draft.slots.at(is.ins[i].variable), loop.carried_slots[i], true, false});
        code.push_back({std::move(spawn)});
    }

    /// A task that does what `fill` puts into it, with the variables that the statement uses.
    template <class Fill>
    void spawn(const Draft& parent, const ir::Statement& statement, const std::string& name,
               Position at, int priority, CodeBlock& code, Fill fill) {
        Draft child = begin(name, at);
        std::vector<Capture> captures = pass_on(parent, child, usage(statement));
        fill(child);
        code.push_back({Spawn{finish(std::move(child)), std::move(captures), priority}});
    }
    /// An asynchronous instruction is a task: it waits for its inputs, calls, and assigns its outputs.
    void instruction(Draft& child, const ir::Instruction& is) {
        CodeBlock& code = child.definition.code;
        if (is.op == Op::copy) return copy(child, is);
        if (is.op == Op::compute) return call_leaf(child, is, leaves_.builtin(is.callee));
        if (is.op == Op::leaf) return call_leaf(child, is, leaves_.leaf(is.callee));
        if (is.op == Op::file_name)
            return assign(child, is.outs[0], awaited(child, is.ins[0], Mode::name), is.at);
        if (is.op == Op::size) {
            const Source table = awaited(child, is.ins[0], Mode::closed);
            const Slot count = child.new_slot();
            code.push_back({Count{count, table.slot}});
            assign(child, is.outs[0], {count, {}}, is.at);
        } else if (is.op == Op::contains || is.op == Op::exists) {
            ir::Operand element = is.ins[0];
            element.path.push_back(is.ins[1]);
            const Mode mode = is.op == Op::contains ? Mode::contains : Mode::presence;
            assign(child, is.outs[0], {wait_for(child, element, mode), {}}, is.at);
        } else if (is.op == Op::map_file) {
            code.push_back({MapFile{child.slots.at(is.outs[0].variable),
                                    awaited(child, is.ins[0], Mode::closed), is.at}});
        } else if (is.op == Op::append) {
            const Source value = element_value(child, is.ins[0]);
            code.push_back({Store{place(child, is.outs[0]), value, is.at, true}});
        } else {
            REFRAIN_ASSERT(is.op == Op::update, "an instruction without a lowering");
            Place to = place(child, is.outs[0]);
            code.push_back(
                {Update{std::move(to), awaited(child, is.ins[0], Mode::closed), is.callee, is.at}});
        }
    }

    /// An element that is a container becomes another name of the source; everything else is copied.
    Source element_value(Draft& child, const ir::Operand& from) {
        if (!from.type.is_container() || from.is_constant())
            return awaited(child, from, Mode::closed);
        if (from.is_element()) return {wait_for(child, from, Mode::reference), {}};
        return {child.slots.at(from.variable), {}};
    }
    void copy(Draft& child, const ir::Instruction& is) {
        const ir::Operand& to = is.outs[0];
        const ir::Operand& from = is.ins[0];
        if (to.is_element()) {
            const Source value = element_value(child, from);
            child.definition.code.push_back({Store{place(child, to), value, is.at}});
        } else {
            assign(child, to, awaited(child, from, Mode::closed), is.at);
        }
    }

    void call_leaf(Draft& child, const ir::Instruction& is, const Leaf& leaf) {
        auto call = made_call(
            leaf, is, [&](const ir::Operand& each) { return awaited(child, each, Mode::deep); });
        for (const ir::Operand& each : is.outs) {
            const bool file = each.type.is(Kind::file) && !each.is_element();
            call->mappings.push_back(file ? wait_for(child, each, Mode::mapping) : no_slot);
            call->results.push_back(child.new_slot());
            store_file(child, each, call->results.back(), call->mappings.back(), is.at);
        }
        child.definition.call = std::move(call);
    }
    void store_file(Draft& child, const ir::Operand& to, Slot value, Slot mapping, Position at) {
        if (mapping != no_slot) child.definition.code.push_back({PutFile{value, mapping}});
        child.definition.code.push_back({Store{place(child, to), {value, {}}, at}});
    }
    /// Stores into a variable; a file is copied if the variable is mapped.
    void assign(Draft& child, const ir::Operand& to, const Source& from, Position at) {
        if (to.type.is(Kind::file) && !to.is_element())
            return store_file(child, to, from.slot, wait_for(child, to, Mode::mapping), at);
        child.definition.code.push_back({Store{place(child, to), from, at}});
    }

    const ir::Program& program_;
    const ir::ProgramIndex index_;
    const LeafTable& leaves_;
    LoweringOptions options_;
    std::optional<DirectJoins> joins_;
    UncountedTasks made_;
    std::map<std::string, std::uint32_t> function_tasks_;
    const ir::Function* function_ = nullptr;
    std::vector<OpenLoop> loops_;
    struct Opened {
        Slot task = no_slot;
        std::vector<VariableId> data;
    };
    std::map<const ir::Wait*, Opened> opened_;  // waits whose inputs stand for data
};

}  // namespace

TaskProgram lower_to_tasks(const ir::Program& program, const LeafTable& leaves,
                           const LoweringOptions& options) {
    return Lowering(program, leaves, options).run();
}

}  // namespace refrain::script::tasks
