#pragma once

#include "ir/program.hpp"
#include "syntax/diagnostics.hpp"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace refrain::script {

struct Symbol;

/// Where a statement stands among the branches and loops of its function, outermost first.
struct BranchStep {
    std::uint32_t node = 0;  // of the if, switch or loop
    std::uint32_t arm = 0;
    bool loop = false;
    bool wait = false;  // its body runs in any case
    friend bool operator==(const BranchStep&, const BranchStep&) = default;
};
using BranchPath = std::vector<BranchStep>;

/// A variable that is waited for: by what is assigned, or by the if, switch, wait or loop around the assignment.
struct Needed {
    const Symbol* symbol = nullptr;
    Position at{};               // where that is said
    const char* what = nullptr;  // "if"; null: what is assigned
};

/// A use of a variable or of a part of it.
struct SymbolUse {
    Position at;
    BranchPath path;
    std::vector<std::string>
        part;             // of elements and fields: constant keys as text, "?" for computed ones
    bool append = false;  // += to a bag
    std::vector<Needed> needs{};  // of a write
};

struct Symbol {
    enum class Role : std::uint8_t { local, input, output, loop, constant, global };
    Role role = Role::local;
    std::string name{};
    Type type{};
    Position at{};
    ir::VariableId variable = ir::no_variable;
    Value constant{};  // of constants
    BranchPath declared_in{};
    std::size_t awaited_outside = 0;  // how much is waited for before it is declared
    bool broken = false;              // its declaration was refused
    bool mapped = false;              // a file with a name
    std::vector<SymbolUse> writes{};
    std::vector<SymbolUse> reads{};
};

/// The names of a block; outer blocks are looked at next.
class Scope {
  public:
    Scope(Scope* outer, ir::Block* block) : outer_(outer), block_(block) {}

    [[nodiscard]] Symbol* find(const std::string& name) const {
        for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
            const auto found = scope->names_.find(name);
            if (found != scope->names_.end()) return found->second;
        }
        return nullptr;
    }
    void add(Symbol* symbol) { names_[symbol->name] = symbol; }
    /// Where variables of this scope are declared.
    [[nodiscard]] ir::Block& block() const { return *block_; }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const Scope* scope = this; scope != nullptr; scope = scope->outer_)
            for (const auto& [name, symbol] : scope->names_) all.push_back(name);
        return all;
    }

  private:
    Scope* outer_;
    ir::Block* block_;
    std::map<std::string, Symbol*> names_;
};

/// Reports what is certainly wrong in how a function uses its variables, and warns of what may be: two writes, a read
/// without a write, variables that wait for themselves, unused variables.
void check_usage(const std::deque<Symbol>& symbols, Diagnostics& diagnostics);

}  // namespace refrain::script
