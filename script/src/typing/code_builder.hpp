#pragma once

#include "base/exchanged.hpp"
#include "ir/program.hpp"
#include "typing/symbols.hpp"
#include "values/steps.hpp"
#include "values/text.hpp"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace refrain::script {

/// Where the lowering of a function stands: the code so far, the block that grows, the names in sight.
class CodeBuilder {
  public:
    ir::Function function;
    std::deque<Symbol> symbols;  // addresses are stable
    BranchPath path;
    std::vector<Needed> awaited;  // by the statements around

    /// Emits into `block` while it lives; with a scope of its own if asked.
    class Inside {
      public:
        Inside(CodeBuilder& builder, ir::Block& block, bool with_scope = true)
            : own_(builder.scope_, &block),
              block_(builder.block_, &block),
              scope_(builder.scope_, with_scope ? &own_ : builder.scope_) {}

      private:
        Scope own_;
        base::Exchanged<ir::Block*> block_;
        base::Exchanged<Scope*> scope_;
    };
    /// Stands in an arm of a branch, or in a loop, while it lives.
    class Branch {
      public:
        Branch(CodeBuilder& builder, BranchStep step)
            : builder_(builder), awaited_(builder.awaited.size()) {
            builder.path.push_back(step);
        }
        Branch(const Branch&) = delete;
        Branch& operator=(const Branch&) = delete;
        ~Branch() {
            builder_.path.pop_back();
            builder_.awaited.resize(awaited_);
        }

      private:
        CodeBuilder& builder_;
        std::size_t awaited_;
    };

    /// Does the work inside the block; `beside`, without a scope of its own.
    template <class Work>
    void within(ir::Block& block, Work work) {
        const Inside inside(*this, block);
        work();
    }
    template <class Work>
    void beside(ir::Block& block, Work work) {
        const Inside inside(*this, block, false);
        work();
    }
    /// Emits the loop, whose body the work makes.
    template <class Loop, class Work>
    void emit_loop(Loop loop, Work work) {
        {
            const Branch branch(*this, {new_node(), 0, true});
            within(loop.body, [&] { work(loop); });
        }
        emit(std::move(loop));
    }

    [[nodiscard]] Scope& scope() const { return *scope_; }
    [[nodiscard]] std::uint32_t new_node() { return ++nodes_; }

    template <class Is>
    void emit(Is is) {
        block_->statements.push_back({std::move(is)});
    }
    void emit(ir::Op op, std::vector<ir::Operand> outs, std::vector<ir::Operand> ins, Position at,
              std::string callee = {}) {
        emit(ir::Instruction{op, std::move(callee), std::move(outs), std::move(ins), at, priority});
    }
    int priority = 0;

    /// A variable of the function that no block declares.
    ir::VariableId make_variable(const std::string& name, Type type, ir::Variable::Storage storage,
                                 Position at) {
        const auto id = static_cast<ir::VariableId>(function.variables.size());
        std::string unique = name;
        for (int& i = next_[name]; !names_.insert(unique).second; ++i) {
            step();
            unique = name + "." + std::to_string(i + 2);
        }
        function.variables.push_back({std::move(unique), std::move(type), storage, false, at});
        return id;
    }
    /// One that is made where the code grows.
    ir::Operand make_here(const std::string& name, const Type& type, ir::Variable::Storage storage,
                          Position at) {
        const ir::VariableId id = make_variable(name, type, storage, at);
        block_->variables.push_back(id);
        return ir::Operand::of(id, type);
    }
    ir::Operand make_temporary(const Type& type, Position at) {
        return make_here(temporary_name, type, ir::Variable::Storage::datum, at);
    }
    /// Made by make_temporary().
    [[nodiscard]] bool is_temporary(const ir::Operand& operand) const {
        return script::is_temporary(function.variables[operand.variable].name);
    }
    Symbol& add_symbol(Symbol symbol) {
        symbol.declared_in = path;
        symbol.awaited_outside = awaited.size();
        symbols.push_back(std::move(symbol));
        scope_->add(&symbols.back());
        return symbols.back();
    }

  private:
    ir::Block* block_ = nullptr;
    Scope* scope_ = nullptr;
    std::uint32_t nodes_ = 0;
    std::set<std::string> names_;
    std::map<std::string, int> next_;  // by name: how many variables had it already
};

}  // namespace refrain::script
