#pragma once

#include "typing/expression_lowering.hpp"

namespace refrain::script {

/// One function to IR-1. Errors: reported; the code is then not used.
class FunctionLowering {
  public:
    FunctionLowering(const Catalogue& catalogue, const Globals& globals, Diagnostics& diagnostics)
        : catalogue_(catalogue),
          globals_(globals),
          diagnostics_(diagnostics),
          expressions_(builder_, catalogue, globals, diagnostics) {}

    [[nodiscard]] ir::Function composite(const FunctionTree& tree, const std::string& code_name);
    /// The statements at the top level and the body of `main`. Its global variables become its own.
    [[nodiscard]] ir::Function main(const Statement::Block& body);
    /// An app, or a function of another language: calls the leaf, whose definition is filled in.
    [[nodiscard]] ir::Function leaf(const FunctionTree& tree, const std::string& code_name,
                                    ir::LeafDefinition& leaf);

  private:
    void declare_parameters(const FunctionTree& tree);
    void statements(const Statement::Block& block);
    /// A block of the statement becomes `code`; the statement waits for its values.
    void arm(const Statement& is, std::size_t block, BranchStep step, ir::Block& code);
    /// Of an if or a loop.
    ir::Operand condition_of(const Statement& is);
    /// Returns what a chain waits for before it goes on.
    std::vector<ir::Operand> statement(const Statement& is);
    std::vector<ir::Operand> declare(const Statement& is);
    std::vector<ir::Operand> assign(const Statement& is);
    std::vector<ir::Operand> call(const Statement& is);
    void update(const Statement& is, const ir::Operand& target);
    void append(const Statement& is, const ir::Operand& target);
    Place target_of(const Expression& expression, bool append = false);
    Place declare_by_assignment(const Expression& target, const Type& value);
    Symbol& declare_variable(const std::string& name, const Type& type, Position at);
    void check_new_name(const std::string& name, Position at);

    void branch_statement(const Statement& is);
    void foreach_statement(const Statement& is);
    void range_loop(const Statement& is);
    void for_statement(const Statement& is);
    void iterate_statement(const Statement& is);
    void wait_statement(const Statement& is);
    void chain_statement(const Statement& is) { chain(is.parts, 0); }
    void block_statement(const Statement& is);
    void chain(const std::vector<Statement>& links, std::size_t index);
    /// What follows in the chain waits for what it assigns; of an element, or of a call, for what its value needs.
    void note_link(const Statement& is);
    /// Runs `then` where the condition is a local value or a constant.
    template <class Then>
    void with_local(const ir::Operand& condition, Position at, Then then);
    /// A statement waits for the value; the branch, and what is noted, end together.
    void note_awaited(const Expression& value, Position at, const char* what);
    /// Adds the variables that must be final before the value is known; of updateable ones only what is `settled` itself.
    void add_needs(const Expression& value, std::vector<Needed>& needs, bool settled = false) const;
    ir::VariableId loop_variable(const std::string& name, const Type& type, Position at,
                                 ir::Variable::Storage storage);
    ir::Operand add_symbol(Symbol::Role role, const std::string& name, const Type& type,
                           Position at,
                           ir::Variable::Storage storage = ir::Variable::Storage::datum);
    /// Evaluates the words of the command: they are inputs of the leaf.
    void app(const FunctionTree& tree, ir::LeafDefinition& leaf, std::vector<ir::Operand>& ins);
    void extension(const FunctionTree& tree, ir::LeafDefinition& leaf);
    ir::LeafWord app_word(const Expression& word, const FunctionTree& tree,
                          std::vector<ir::Operand>& ins);
    [[nodiscard]] std::vector<ir::Operand> operands_of(
        const std::vector<ir::VariableId>& ids) const;
    void describe_leaf(const FunctionTree& tree, const std::string& code_name,
                       ir::LeafDefinition& leaf);
    ir::Function finished(const std::string& name, Position at);

    const Catalogue& catalogue_;
    const Globals& globals_;
    Diagnostics& diagnostics_;
    CodeBuilder builder_;
    ExpressionLowering expressions_;
    bool is_main_ = false;
};

}  // namespace refrain::script
