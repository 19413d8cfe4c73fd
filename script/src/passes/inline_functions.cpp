#include "passes/inline_functions.hpp"

#include "passes/rewriting.hpp"

#include <algorithm>

namespace refrain::script::passes {
namespace {

using ir::for_each_call;
/// Decides which functions are put where they are called: callees first, since their bodies make callers larger.
class Choice {
  public:
    explicit Choice(const ir::Program& program) : index_(program) {
        for (const Function& each : program.functions)
            for_each_call(each.body, [&](const Instruction& call) { ++calls_[call.callee]; });
        for (const Function& each : program.functions) visit(each);
    }
    [[nodiscard]] bool is_chosen(const std::string& function) const {
        return chosen_.contains(function);
    }
    [[nodiscard]] bool is_empty() const { return chosen_.empty(); }

  private:
    /// Of functions that call one another in a circle at least one stays: the first that the search has come to, and those on
    /// its way back to it.
    void visit(const Function& is) {
        if (!seen_.insert(is.name).second) {
            const auto open = std::ranges::find(path_, &is);
            in_circle_.insert(open, path_.end());
            return;
        }
        path_.push_back(&is);
        for_each_call(is.body,
                      [&](const Instruction& call) { visit(*index_.function(call.callee)); });
        path_.pop_back();
        if (!in_circle_.contains(&is)) decide(is);
    }
    void decide(const Function& is) {
        std::size_t size = instruction_count(is.body);
        for_each_call(is.body, [&](const Instruction& call) {
            if (const auto chosen = chosen_.find(call.callee); chosen != chosen_.end())
                size += chosen->second;
        });
        const auto calls = calls_.find(is.name);
        if (is.name == "main" || calls == calls_.end()) return;
        constexpr std::size_t instructions_max = 500;
        if (calls->second == 1 || size * calls->second < instructions_max)
            chosen_.emplace(is.name, size);
    }

    const ir::ProgramIndex index_;
    std::map<std::string, std::size_t> calls_;
    std::map<std::string, std::size_t> chosen_;  // with the size that they come to
    std::set<std::string> seen_;
    std::vector<const Function*> path_;  // whose calls are looked at
    std::set<const Function*> in_circle_;
};

class Inlining {
  public:
    Inlining(Function& function, const Choice& choice,
             const std::map<std::string, Function>& bodies)
        : function_(function), choice_(choice), bodies_(bodies), maker_(function) {}

    void run() { block(function_.body); }

  private:
    void block(Block& is) {
        replace_statements(is, [&](Statement& each) -> std::optional<Block> {
            const auto* call = std::get_if<Instruction>(&each.is);
            const Function* callee = call == nullptr ? nullptr : inlined(*call);
            if (callee == nullptr) return std::nullopt;
            const int priority = call->priority;
            Substitution given;
            for (std::size_t i = 0; i < call->ins.size(); ++i)
                given[callee->inputs[i]] = call->ins[i];
            for (std::size_t i = 0; i < call->outs.size(); ++i)
                given[callee->outputs[i]] = call->outs[i];
            Block body = maker_.copy(*callee, callee->body, std::move(given));
            block(body);
            if (priority != 0)
                raise(body, priority);  // with what was put in for calls of the callee
            return body;
        });
    }
    [[nodiscard]] const Function* inlined(const Instruction& is) const {
        if (is.op != Op::call || !choice_.is_chosen(is.callee)) return nullptr;
        const bool elements =
            std::ranges::any_of(is.ins, [](const Operand& each) { return each.is_element(); });
        return elements ? nullptr : &bodies_.at(is.callee);
    }

    /// The priority of a call is that of the leaves in it.
    static void raise(Block& block, int priority) {
        for (Statement& each : block.statements) {
            if (auto* is = std::get_if<Instruction>(&each.is);
                is != nullptr && is->priority == 0 && is->op != Op::call)
                is->priority = priority;
            if (auto* is = std::get_if<ir::Wait>(&each.is); is != nullptr && is->priority == 0)
                is->priority = priority;
            ir::for_each_block(each, [&](Block& inner) { raise(inner, priority); });
        }
    }

    Function& function_;
    const Choice& choice_;
    const std::map<std::string, Function>& bodies_;
    VariableMaker maker_;
};

}  // namespace

ir::Program inline_functions(ir::Program program) {
    constexpr int rounds_max = 10;  // functions that are called less often may be put in, too
    for (int round = 0; round < rounds_max; ++round) {
        const Choice choice(program);
        if (choice.is_empty()) break;
        std::map<std::string, Function> bodies;
        for (const Function& each : program.functions)
            if (choice.is_chosen(each.name)) bodies.emplace(each.name, each);
        // Calls with elements stay, and so do the functions that they call.
        std::map<std::string, Function*> chosen;
        std::vector<Function*> left;
        for (Function& each : program.functions) {
            if (choice.is_chosen(each.name))
                chosen.emplace(each.name, &each);
            else
                left.push_back(&each);
        }
        while (!left.empty()) {
            Function& each = *left.back();
            left.pop_back();
            Inlining(each, choice, bodies).run();
            for_each_call(each.body, [&](const Instruction& call) {
                const auto stays = chosen.find(call.callee);
                if (stays == chosen.end()) return;
                left.push_back(stays->second);
                chosen.erase(stays);
            });
        }
        const std::size_t before = program.functions.size();
        std::erase_if(program.functions,
                      [&](const Function& each) { return chosen.contains(each.name); });
        if (program.functions.size() == before) break;
    }
    return program;
}

}  // namespace refrain::script::passes
