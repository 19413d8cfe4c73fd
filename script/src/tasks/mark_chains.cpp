#include "library/location.hpp"
#include "tasks/lower.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace refrain::script::tasks {
namespace {

using Chain = TaskDefinition::Chain;

class Marks {
  public:
    explicit Marks(TaskProgram& program)
        : program_(program), slots_(program.tasks.size()), urgencies_(program.tasks.size(), none) {
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
        const bool any_may_be_urgent =
            std::ranges::any_of(program_.tasks, [](TaskDefinition& is) { return computes(is); });
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            int& urgency = program_.tasks[i].urgency;
            if (urgencies_[i] != none) urgency = urgencies_[i];
            if (any_may_be_urgent) urgency = std::numeric_limits<int>::max();
        }
    }

  private:
    /// Whether the function computes a priority of a call.
    static bool computes(const std::string& name, const std::vector<Source>& arguments) {
        if (name != "location_code") return name == "priority_code";
        const Source& priority = arguments.back();
        return priority.slot != no_slot || priority.constant.integer() != 0;
    }
    static bool computes(CodeBlock& code) {
        return std::ranges::any_of(code, [](Code& each) {
            if (const auto* is = std::get_if<Evaluate>(&each.is))
                return computes(is->name, is->arguments);
            std::vector<CodeBlock>* blocks = blocks_of(each);
            return blocks != nullptr &&
                   std::ranges::any_of(*blocks, [](CodeBlock& block) { return computes(block); });
        });
    }
    /// Whether it computes a priority, or makes a call that brings one that the compiler has computed.
    static bool computes(TaskDefinition& is) {
        const Call* call = is.call.get();
        const bool brings = call != nullptr && call->location && call->location->slot == no_slot &&
                            Location::of_code(call->location->constant.integer()).priority != 0;
        return brings || computes(is.code) ||
               (call != nullptr && computes(call->name, call->arguments));
    }
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
            const int urgency = std::max(made.priority, urgencies_[made.task]);
            changed_ = changed_ || urgency > urgencies_[task];
            urgencies_[task] = std::max(urgencies_[task], urgency);
            for (const Capture& each : made.captures) {
                const auto found = slots_[made.task].find(each.to);
                if (found != slots_[made.task].end())
                    note(task, each.from, in_loop ? Chain::of_loops : found->second);
            }
        };
        for (Code& each : code) {
            for_each_spawn(each, add);
            if (std::vector<CodeBlock>* blocks = blocks_of(each))
                for (CodeBlock& block : *blocks) visit(task, block);
        }
    }

    static constexpr int none = std::numeric_limits<int>::min();

    TaskProgram& program_;
    std::vector<std::map<Slot, Chain>> slots_;  // of each task: data of chains
    std::vector<int> urgencies_;
    bool changed_ = true;
};

}  // namespace

void mark_chains(TaskProgram& program) {
    Marks(program).run();
}

}  // namespace refrain::script::tasks
