#include "passes/expand_loops.hpp"

#include "passes/rewriting.hpp"

namespace refrain::script::passes {
namespace {

class LoopExpansion {
  public:
    explicit LoopExpansion(Function& function) : function_(function), maker_(function) {}

    void run() { block(function_.body); }

  private:
    void block(Block& is) {
        replace_statements(is, [&](Statement& each) -> std::optional<Block> {
            const auto* loop = std::get_if<ir::RangeLoop>(&each.is);
            if (loop == nullptr || !is_small(*loop)) return std::nullopt;
            Block all;
            for (std::uint64_t i = 0; i <= last_of(*loop); ++i) append_block(all, turn(*loop, i));
            return all;
        });
    }
    [[nodiscard]] bool is_small(const ir::RangeLoop& is) const {
        constexpr std::uint64_t turns_max = 15, instructions_max = 256;
        if (!has_known_ends(function_, is) || !is.begin.is_constant() || !is.end.is_constant() ||
            is.end.constant.integer() < is.begin.constant.integer() ||
            !is_brief(function_, is.body))
            return false;
        const std::uint64_t last = last_of(is);
        return last < turns_max && (last + 1) * instruction_count(is.body) <= instructions_max;
    }
    static std::uint64_t number(const Operand& constant) {
        return static_cast<std::uint64_t>(constant.constant.integer());
    }
    /// The number of the last turn; the ends may be so far apart that no int is their difference.
    static std::uint64_t last_of(const ir::RangeLoop& is) {
        return (number(is.end) - number(is.begin)) / number(is.step);
    }
    Block turn(const ir::RangeLoop& loop, std::uint64_t i) {
        const auto constant = [](std::uint64_t is) {
            return Operand::of(static_cast<std::int64_t>(is));
        };
        Substitution by{{loop.counter, constant(number(loop.begin) + i * number(loop.step))}};
        if (loop.index != ir::no_variable) by[loop.index] = constant(i);
        Block made = maker_.copy(function_, loop.body, std::move(by));
        block(made);  // the ends of loops in it may be constants now
        return made;
    }

    Function& function_;
    VariableMaker maker_;
};

}  // namespace

ir::Program expand_loops(ir::Program program) {
    for (Function& each : program.functions) LoopExpansion(each).run();
    return program;
}

}  // namespace refrain::script::passes
