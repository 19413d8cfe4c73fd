#include "leaves/interpreters.hpp"

#include "leaves/language_servers.hpp"
#include "library/builtin.hpp"
#include "library/location.hpp"
#include "memo/packed_value.hpp"

#include <set>

namespace refrain::script {
namespace {

using Language = ForeignCode::Language;

std::string name_of(Language language) {
    return language == Language::r ? "R" : "Python";
}

/// Sets the environment of an interpreter.
ForeignCode rank_code(Language language, const Services& services) {
    std::string code = language == Language::r ? "Sys.setenv(" : "__import__('os').environ.update(";
    for (std::string each : rank_variables(services))
        code += each.insert(each.find('=') + 1, "'") + "',";
    code.back() = ')';
    return {language, true, std::move(code), {}};
}

}  // namespace

void Interpreters::prepare(const ir::Program& program, std::uint32_t worker) {
    std::set<Language> needs;
    for (const ir::Function& each : program.functions)
        ir::for_each_instruction(each.body, [&](const ir::Instruction& is) {
            if (is.op != ir::Op::compute && is.op != ir::Op::compute_now) return;
            if (const Builtin* builtin = find_builtin(is.callee)) needs.insert(builtin->needs);
        });
    needs.erase(Language::none);
    for (const Language each : needs) {
        Slot& first = slot(each, worker);
        const std::lock_guard lock(first.mutex);
        start_assume_locked(first, each);
    }
}

Interpreters::Slot& Interpreters::slot(Language language, std::uint32_t worker) {
    const std::lock_guard lock(mutex_);
    return slots_[{language, worker}];
}

void Interpreters::start_assume_locked(Slot& slot, Language language) {
    slot.start_assume_locked(language == Language::r ? serve_r : serve_python, source_,
                             name_of(language));
}

std::string Interpreters::evaluate(const ForeignCode& code, const Services& services) {
    Slot& own = slot(code.language, services.worker());
    const std::lock_guard lock(own.mutex);
    start_assume_locked(own, code.language);
    if (!std::exchange(own.knows_rank, true))
        static_cast<void>(own.helper->ask(packed(rank_code(code.language, services))));
    processes::HelperProcess::Answer answer = own.helper->ask(packed(code));
    if (answer.well()) return std::move(answer.text);
    if (!answer.ended) throw ForeignException(answer.text);
    own.helper.reset();
    own.knows_rank = false;
    throw ScriptError("the process of " + name_of(code.language) + " " + answer.text +
                      "; what earlier calls have left in it is lost, and the next one begins anew");
}

}  // namespace refrain::script
