#include "leaves/interpreters.hpp"

#include "leaves/language_servers.hpp"
#include "library/builtin.hpp"
#include "memo/packed_value.hpp"

#include <set>

namespace refrain::script {
namespace {

using Language = ForeignCode::Language;

std::string name_of(Language language) {
    return language == Language::r ? "R" : "Python";
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
        processes::HelperSlot& first = slot(each, worker);
        const std::lock_guard lock(first.mutex);
        start_assume_locked(first, each);
    }
}

processes::HelperSlot& Interpreters::slot(Language language, std::uint32_t worker) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<processes::HelperSlot>& found = slots_[{language, worker}];
    if (found == nullptr) found = std::make_unique<processes::HelperSlot>();
    return *found;
}

void Interpreters::start_assume_locked(processes::HelperSlot& slot, Language language) {
    slot.start_assume_locked(language == Language::r ? serve_r : serve_python, source_,
                             name_of(language));
}

std::string Interpreters::evaluate(const ForeignCode& code, std::uint32_t worker) {
    processes::HelperSlot& own = slot(code.language, worker);
    const std::lock_guard lock(own.mutex);
    start_assume_locked(own, code.language);
    processes::HelperProcess::Answer answer = own.helper->ask(packed(code));
    if (answer.well()) return std::move(answer.text);
    if (!answer.ended) throw ForeignException(answer.text);
    own.helper.reset();
    throw ScriptError("the process of " + name_of(code.language) + " " + answer.text +
                      "; what earlier calls have left in it is lost, and the next one begins anew");
}

}  // namespace refrain::script
