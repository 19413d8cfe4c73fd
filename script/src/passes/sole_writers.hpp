#pragma once

#include "passes/rewriting.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace refrain::script::passes {

/// Which scalars and elements a run can assign once only, whatever its values are. Elsewhere a task must not take what it has
/// assigned for the value of the datum: its owner may have accepted another assignment before.
///
///     foreach i in [0:9] { A[i] = f(i); B[i %% 2] = i; }     A[i] is assigned by one writer only, B[i %% 2] is not
///
/// One statement writes the place, and each loop between the declaration and that statement gives its counter as a key: two turns
/// write two elements. Or all writers of the variable name constant keys, of which no two are the same. What a function is given
/// to assign has writers that are not seen here.
class SoleWriters {
  public:
    explicit SoleWriters(const ir::Function& function) { visit(function.body); }
    friend bool operator==(const SoleWriters& a, const SoleWriters& b) {
        return a.writers_ == b.writers_;
    }
    [[nodiscard]] bool is_sole(const ir::Operand& place) const {
        const auto found = writers_.find(place.variable);
        if (found == writers_.end()) return false;
        const Writers& all = found->second;
        if (!has_constant_keys(place)) return all.others == 1 && all.by_place.empty();
        const auto same = all.by_place.find(place_name(place));
        return all.others == 0 && same != all.by_place.end() && same->second == 1;
    }

  private:
    struct Writers {
        std::size_t depth = 0;                  // loops around the declaration
        std::size_t others = 0;                 // writers of which keys are computed
        std::map<std::string, int> by_place{};  // those of constant keys
        friend bool operator==(const Writers&, const Writers&) = default;
    };
    static bool has_constant_keys(const ir::Operand& place) {
        return std::ranges::all_of(place.path, &ir::Operand::is_constant);
    }
    void visit(const ir::Block& block) {
        for (const ir::VariableId each : block.variables) writers_[each].depth = loops_.size();
        for (const ir::Statement& each : block.statements) {
            ir::for_each_own_operand(each, [&](const ir::Operand& operand, bool output) {
                if (output && operand.is_variable()) note(operand);
            });
            if (ir::is_loop(each)) loops_.push_back(&each);
            ir::for_each_block(each, [&](const ir::Block& inner) { visit(inner); });
            if (ir::is_loop(each)) loops_.pop_back();
        }
    }
    void note(const ir::Operand& place) {
        const auto found = writers_.find(place.variable);
        if (found == writers_.end()) return;
        constexpr std::size_t many = 2;
        std::size_t count = 1;
        for (std::size_t i = found->second.depth; i < loops_.size(); ++i)
            if (!is_key(*loops_[i], place)) count = many;
        if (!place.type.is_scalar()) count = many;  // a whole with its parts
        if (count == 1 && has_constant_keys(place))
            ++found->second.by_place[place_name(place)];
        else
            found->second.others += count;
    }
    /// The counter of the loop, of which each turn has another, is a key.
    static bool is_key(const ir::Statement& loop, const ir::Operand& place) {
        const auto is = [&](ir::VariableId counter) {
            return counter != ir::no_variable &&
                   std::ranges::any_of(place.path, [&](const ir::Operand& key) {
                       return key.is_variable() && key.variable == counter;
                   });
        };
        if (const auto* range = std::get_if<ir::RangeLoop>(&loop.is))
            return is(range->counter) || is(range->index);
        const auto* each = std::get_if<ir::Foreach>(&loop.is);
        return each != nullptr && is(each->key);
    }

    std::vector<const ir::Statement*> loops_;  // around the statement that is visited
    std::map<ir::VariableId, Writers> writers_;
};

}  // namespace refrain::script::passes
