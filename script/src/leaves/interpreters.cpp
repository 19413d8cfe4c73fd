#include "leaves/interpreters.hpp"

#include "leaves/python_server.hpp"
#include "library/builtin.hpp"

#include <set>

namespace refrain::script {
namespace {

using Language = ForeignCode::Language;

void add_needs(std::set<Language>& needs, const ir::Block& block) {
    for (const ir::Statement& each : block.statements) {
        if (const auto* is = std::get_if<ir::Instruction>(&each.is))
            if (const Builtin* builtin = find_builtin(is->callee);
                builtin != nullptr && (is->op == ir::Op::compute || is->op == ir::Op::compute_now))
                needs.insert(builtin->needs);
        ir::for_each_block(each, [&](const ir::Block& inner) { add_needs(needs, inner); });
    }
}

}  // namespace

void Interpreters::prepare(const ir::Program& program, std::uint32_t worker) {
    std::set<Language> needs;
    for (const ir::Function& each : program.functions) add_needs(needs, each.body);
    needs.erase(Language::none);
    for (const Language each : needs) {
        Slot& first = slot(each, worker);
        const std::lock_guard lock(first.mutex);
        if (first.helper == nullptr) start_assume_locked(first);
    }
}

Interpreters::Slot& Interpreters::slot(Language language, std::uint32_t worker) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Slot>& found = slots_[{language, worker}];
    if (found == nullptr) found = std::make_unique<Slot>();
    return *found;
}

void Interpreters::start_assume_locked(Slot& own) {
    own.helper = std::make_unique<HelperProcess>(serve_python, processes_);
    const HelperProcess::Answer answer = own.helper->greeting();
    if (answer.well()) return;
    own.helper.reset();
    throw ScriptError(answer.ended ? "the process of Python " + answer.text + " when it began"
                                   : answer.text);
}

std::string Interpreters::evaluate(const ForeignCode& code, std::uint32_t worker) {
    Slot& own = slot(code.language, worker);
    const std::lock_guard lock(own.mutex);
    if (own.helper == nullptr) start_assume_locked(own);
    HelperProcess::Answer answer =
        own.helper->ask(python_request(code.code, code.expression, code.keeps_state));
    if (answer.well()) return std::move(answer.text);
    if (!answer.ended) throw ForeignException(answer.text);
    own.helper.reset();
    throw ScriptError(
        "the process of Python " + answer.text +
        "; what python_persist has kept in it is lost, and the next call begins anew");
}

}  // namespace refrain::script
