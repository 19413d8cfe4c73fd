#include "tasks/mark_chains.hpp"

#include <algorithm>
#include <map>

namespace refrain::script::tasks {
namespace {

using Chain = TaskDefinition::Chain;

class Marks {
  public:
    explicit Marks(TaskProgram& program) : program_(program), slots_(program.tasks.size()) {
        for (std::size_t i = 0; i < slots_.size(); ++i)
            for (const Input& input : program.tasks[i].inputs)
                note(i, input.place.datum, Chain::of_tasks);
    }
    void run() {
        while (std::exchange(changed_, false))
            for (std::size_t i = 0; i < slots_.size(); ++i) visit(i, program_.tasks[i].code);
        for (std::size_t i = 0; i < slots_.size(); ++i)
            for (const auto& [slot, is] : slots_[i])
                program_.tasks[i].chain = std::max(program_.tasks[i].chain, is);
    }

  private:
    /// Only of data that the task has been given, and may assign.
    void note(std::size_t task, Slot slot, Chain is) {
        const auto given = [&](const Capture& each) { return each.writes && each.to == slot; };
        if (is == Chain::none || std::ranges::none_of(program_.tasks[task].captures, given)) return;
        Chain& known = slots_[task][slot];
        changed_ = changed_ || is > known;
        known = std::max(known, is);
    }
    void visit(std::size_t task, CodeBlock& code) {
        const auto add = [&](const Spawn& made, bool in_loop) {
            for (const Capture& each : made.captures) {
                const auto found = slots_[made.task].find(each.to);
                if (found != slots_[made.task].end())
                    note(task, each.from, in_loop ? Chain::of_loops : found->second);
            }
        };
        for (Code& each : code) {
            if (const auto* is = std::get_if<Spawn>(&each.is)) add(*is, false);
            if (const auto* is = std::get_if<ForEach>(&each.is)) add(is->body, true);
            if (const auto* is = std::get_if<ForRange>(&each.is)) add(is->body, true);
            if (std::vector<CodeBlock>* blocks = blocks_of(each))
                for (CodeBlock& block : *blocks) visit(task, block);
        }
    }

    TaskProgram& program_;
    std::vector<std::map<Slot, Chain>> slots_;  // of each task: data of chains
    bool changed_ = true;
};

}  // namespace

void mark_chains(TaskProgram& program) {
    Marks(program).run();
}

}  // namespace refrain::script::tasks
