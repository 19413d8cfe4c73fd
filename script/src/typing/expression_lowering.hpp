#pragma once

#include "syntax/diagnostics.hpp"
#include "typing/catalogue.hpp"
#include "typing/code_builder.hpp"
#include "typing/overload.hpp"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace refrain::script {

/// `global` variables and constants, by name.
struct Global {
    Type type;
    Position at;
    Value constant;  // empty: a variable, which functions get as a hidden input
};
using Globals = std::map<std::string, Global>;
/// The variable of the function for a global one; a hidden input if it has none yet.
ir::VariableId own_global(ir::Function& function, const ir::Variable& global);

/// A variable or an element of one, as written in a script.
struct Place {
    ir::Operand operand;
    Symbol* symbol = nullptr;
    std::vector<std::string> part;
};

/// Expressions to IR-1: each operation becomes an asynchronous instruction with an output of its own.
///
/// Errors: Rejection.
class ExpressionLowering {
  public:
    ExpressionLowering(CodeBuilder& builder, const Catalogue& catalogue, const Globals& globals,
                       Diagnostics& diagnostics)
        : builder_(builder), catalogue_(catalogue), globals_(globals), diagnostics_(diagnostics) {}

    /// Where it is computed, and the types are equal, into the target if there is one.
    [[nodiscard]] ir::Operand lower(const Expression& expression,
                                    const ir::Operand* target = nullptr);
    /// Of an updateable variable: its value as it is now.
    [[nodiscard]] ir::Operand current(const Expression& expression);
    /// Computes into the place; without a detour where the types are equal.
    void lower_into(const Expression& expression, const ir::Operand& target) {
        assign(target, lower(expression, &target), expression);
    }
    /// What the expression has made goes to the place, unless it is there.
    void assign(const ir::Operand& target, const ir::Operand& made, const Expression& expression);
    /// All outputs of a call, or the parts of a tuple; where it may be, into the targets that are variables.
    [[nodiscard]] std::vector<ir::Operand> lower_several(const Expression& expression,
                                                         std::size_t wanted,
                                                         std::span<const ir::Operand> targets = {});

    [[nodiscard]] Place place_of(const Expression& expression);
    [[nodiscard]] ir::Operand converted(const ir::Operand& operand, const Type& to, Position at);
    void copy(const ir::Operand& target, const ir::Operand& source, Position at);
    ir::Operand compute(const char* callee, std::vector<ir::Operand> ins, const Type& type,
                        Position at, const ir::Operand* target = nullptr);
    /// A variable with the value, where a local value does not do.
    [[nodiscard]] ir::Operand as_datum(const ir::Operand& operand, Position at);
    /// The same, and for elements, too.
    [[nodiscard]] ir::Operand as_variable(const ir::Operand& operand, Position at);
    [[nodiscard]] Symbol* symbol_of(const Expression& name);
    /// The variable that an assignment to the expression begins with.
    [[nodiscard]] static const Expression& root_of(const Expression& expression);
    [[nodiscard]] ir::Operand key_of(const Expression& expression);

  private:
    ir::Operand read(const Expression& expression);
    ir::Operand operation(const Expression& expression, const ir::Operand* target);
    ir::Operand arithmetic(const Expression& expression, ir::Operand left, ir::Operand right,
                           const ir::Operand* target);
    ir::Operand comparison(const Expression& expression, ir::Operand left, ir::Operand right,
                           const ir::Operand* target);
    ir::Operand array_literal(const Expression& expression);
    ir::Operand dictionary_literal(const Expression& expression);
    ir::Operand range_literal(const Expression& expression);
    std::vector<ir::Operand> call(const Expression& expression,
                                  std::span<const ir::Operand> targets);
    std::vector<ir::Operand> emit_call(const Match& match, std::vector<ir::Operand> ins,
                                       Position at, std::span<const ir::Operand> targets,
                                       const std::optional<ir::Operand>& location = {});
    std::vector<ir::Operand> arguments_of(const Expression& expression,
                                          const std::vector<const Signature*>& candidates);
    Type common_type(std::vector<ir::Operand>& elements, Position at);
    ir::Operand array_of(const std::vector<ir::Operand>& keys, std::vector<ir::Operand> elements,
                         const Type& key, Position at);
    ir::Operand priority_of(const Expression& expression);
    /// What @location says, as the code of a Location.
    std::optional<ir::Operand> location_of(const Expression& call, const Signature& function,
                                           const ir::Operand& priority);
    [[nodiscard]] bool may_be_target(const ir::Operand* target, const Type& type) const;
    /// How what stands there is given the type.
    [[nodiscard]] Help help_for(const Type& from, const Type& to, Position at) const;

    CodeBuilder& builder_;
    const Catalogue& catalogue_;
    const Globals& globals_;
    Diagnostics& diagnostics_;
    std::set<Position> int_quotients_;  // where ints are divided to a float
};

}  // namespace refrain::script
