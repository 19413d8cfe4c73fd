#pragma once

#include "ir/program.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

/// What several passes need.
namespace refrain::script::passes {

using ir::Block;
using ir::Function;
using ir::Instruction;
using ir::Op;
using ir::Operand;
using ir::Statement;
using ir::VariableId;

/// A key that two operands share exactly if they are the same variable, element or constant. Each begins with `c` or
/// `v`, and paths are in brackets: keys that are joined are unambiguous.
[[nodiscard]] std::string place_name(const ir::Operand& operand);
/// Adds the variable of an operand, and those of its keys.
void note_variables(const ir::Operand& operand, std::set<ir::VariableId>& into);

/// Replaces local values by what they are known to be, everywhere in the block.
using Substitution = std::map<ir::VariableId, ir::Operand>;
void substitute(ir::Operand& operand, const Substitution& by);
void substitute(ir::Block& block, const Substitution& by);

/// Makes variables with names that the function does not have yet. Most passes make none: names are read when one does.
class VariableMaker {
  public:
    explicit VariableMaker(ir::Function& function) : function_(function) {}
    /// Declared by no block yet.
    ir::VariableId make(const std::string& name, const Type& type, ir::Variable::Storage storage,
                        Position at);
    /// A local value that the block declares.
    ir::Operand make_local(ir::Block& block, const std::string& name, const Type& type,
                           Position at);
    /// A local value that the block loads: of a datum that is waited for around it.
    ir::Operand load(ir::Block& block, const ir::Operand& datum, Position at);
    /// The block with new variables instead of those that it declares, and what `by` says instead of others.
    ir::Block copy(const ir::Function& from, ir::Block block, Substitution by);

  private:
    void renew(const ir::Function& from, ir::Block& block, Substitution& by);

    ir::Function& function_;
    std::unordered_set<std::string> names_;
};

/// Calls visit on each operand of the block, reads and outputs, and of the blocks in it.
void for_each_operand(ir::Block& block, const std::function<void(ir::Operand&)>& visit);

/// True if all that the block does to others needs the operand's value: then, if that has failed, everything that the block
/// would assign fails without asking the operand first.
[[nodiscard]] bool needs_value(const ir::Block& block, const ir::Operand& operand);

/// Puts the variables and statements of a block behind those of another.
void append_block(ir::Block& to, ir::Block from);

/// What ties statements of a block to one another: who wants a name is tied to who has offered it before.
struct Ties {
    std::set<std::string> wanted, offered;
};
/// Statements that are tied become one: the first of two moves to the second, its block before the other one, unless a call
/// stands between. True if something has changed.
bool join_tied(ir::Block& block, const std::function<Ties(ir::Statement&)>& ties_of,
               const std::function<void(ir::Statement& first, ir::Statement& second)>& adjust);

/// Puts in what stands for a statement, inner blocks first: rewrite(statement) is a block, or nothing if it stays.
template <class Rewrite>
void replace_statements(ir::Block& block, const Rewrite& rewrite) {
    ir::Block made{std::move(block.variables), {}};
    for (ir::Statement& each : block.statements) {
        ir::for_each_block(each, [&](ir::Block& inner) { replace_statements(inner, rewrite); });
        if (std::optional<ir::Block> instead = rewrite(each))
            append_block(made, std::move(*instead));
        else
            made.statements.push_back(std::move(each));
    }
    block = std::move(made);
}

[[nodiscard]] bool is_pure(const ir::Instruction& instruction);
/// Makes local values, and nothing else happens.
[[nodiscard]] bool is_quiet(const ir::Statement& statement);
/// The operand is among them.
[[nodiscard]] bool has_place(const std::vector<ir::Operand>& operands, const ir::Operand& operand);
[[nodiscard]] std::size_t instruction_count(const ir::Block& block);
/// Once final, the datum is one value. Keys of elements that are data themselves are no names, and updates change values.
[[nodiscard]] bool keeps_value(const ir::Function& function, const ir::Operand& place);
/// The task in which it stands knows its turns, and there is no fault in them.
[[nodiscard]] bool has_known_ends(const ir::Function& function, const ir::RangeLoop& loop);
/// Nothing but operations on values, and tasks that wait for data. What starts a call is none: as a turn of a loop that costs
/// nothing of its own.
[[nodiscard]] bool is_brief(const ir::Function& function, const ir::Block& block);

}  // namespace refrain::script::passes
