#include "passes/hoist.hpp"

#include "passes/rewriting.hpp"

#include <algorithm>

namespace refrain::script::passes {
namespace {

class Hoisting {
  public:
    explicit Hoisting(ir::Function& function) : function_(function), maker_(function) {}

    void run() {
        replace_statements(function_.body, [&](Statement& each) -> std::optional<Block> {
            auto* loop = std::get_if<ir::RangeLoop>(&each.is);
            if (loop == nullptr || !has_known_ends(function_, *loop)) return std::nullopt;
            std::vector<Operand> common = awaited_by_all(*loop);
            if (common.empty()) return std::nullopt;
            return hoisted(std::move(*loop), std::move(common));
        });
    }

  private:
    [[nodiscard]] std::vector<Operand> awaited_by_all(const ir::RangeLoop& loop) const {
        std::set<VariableId> own(loop.body.variables.begin(), loop.body.variables.end());
        own.insert({loop.counter, loop.index});
        std::optional<std::vector<Operand>> common;
        for (const Statement& each : loop.body.statements) {
            if (is_quiet(each)) continue;
            const auto* wait = std::get_if<ir::Wait>(&each.is);
            if (wait == nullptr) return {};
            if (!common) common = wait->operands;
            std::erase_if(*common, [&](const Operand& one) {
                return !may_move(one, own) || !has_place(wait->operands, one);
            });
        }
        return common.value_or(std::vector<Operand>{});
    }
    [[nodiscard]] bool may_move(const Operand& operand, const std::set<VariableId>& own) const {
        std::set<VariableId> named;
        note_variables(operand, named);
        return function_.is_datum(operand) && keeps_value(function_, operand) &&
               std::ranges::none_of(named, [&](VariableId each) { return own.contains(each); });
    }

    Block hoisted(ir::RangeLoop loop, std::vector<Operand> common) {
        Block made;
        const Operand some = maker_.make_local(made, "some", Kind::boolean, loop.at);
        made.statements.push_back({Instruction{
            Op::compute_now, "at_most_int", {some}, {loop.begin, loop.end}, loop.at, 0}});
        ir::Wait wait{.body = {}, .at = loop.at};
        Substitution by;
        for (const Operand& each : common)
            replace_loads(loop.body, each, maker_.load(wait.body, each, loop.at), by);
        wait.operands = std::move(common);
        stop_waiting(loop.body, wait.operands);
        substitute(loop.body, by);
        wait.body.statements.push_back({std::move(loop)});
        ir::Branch branch = ir::branch_on(some);
        branch.blocks[0].statements.push_back({std::move(wait)});
        made.statements.push_back({std::move(branch)});
        return made;
    }
    static void replace_loads(Block& is, const Operand& place, const Operand& local,
                              Substitution& by) {
        std::erase_if(is.statements, [&](Statement& each) {
            ir::for_each_block(each, [&](Block& inner) { replace_loads(inner, place, local, by); });
            const auto* load = std::get_if<Instruction>(&each.is);
            if (load == nullptr || load->op != Op::load || !same_place(load->ins[0], place))
                return false;
            by[load->outs[0].variable] = local;
            return true;
        });
    }
    /// The waits of the loop's body wait for the rest, or for nothing.
    static void stop_waiting(Block& body, const std::vector<Operand>& places) {
        for (Statement& each : body.statements)
            if (auto* wait = std::get_if<ir::Wait>(&each.is))
                std::erase_if(wait->operands,
                              [&](const Operand& one) { return has_place(places, one); });
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
