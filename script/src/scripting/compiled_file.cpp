#include "scripting/compiled_file.hpp"

#include "engine/packed_message.hpp"
#include "ir/verify.hpp"
#include "library/builtin.hpp"
#include "memo/content_hash.hpp"
#include "refrain/error.hpp"
#include "values/format.hpp"

#include <algorithm>
#include <cinttypes>

namespace refrain::script {
namespace {

/// The second number grows whenever what is in the file, or the meaning of an operation, changes.
constexpr std::string_view version = "version " REFRAIN_VERSION ", format 7";

std::string checksum(std::string_view text) {
    return printed("%016" PRIx64, short_hash_of(text));
}

}  // namespace

/// A type, by what it is made of.
template <class Archive>
void transfer_fields(Archive& archive, Type& is) {
    Kind kind = is.kind();
    std::string name = is.name();
    std::vector<Type> parts = is.parts();
    std::vector<Type::Field> fields = is.fields();
    packing::transfer(archive, kind);
    packing::transfer(archive, name);
    packing::transfer(archive, parts);
    packing::transfer(archive, fields);
    if (kind > Kind::variable || (kind == Kind::array && parts.size() != 2) ||
        (kind == Kind::bag && parts.size() != 1))
        throw ScriptError("there is no such type");
    if (kind == Kind::structure) {
        is = Type::structure(name, fields);
    } else if (kind == Kind::variable) {
        is = Type::variable(name);
    } else {
        is = kind == Kind::array         ? Type::array(parts[0], parts[1])
             : kind == Kind::bag         ? Type::bag(parts[0])
             : kind == Kind::alternative ? Type::alternative(parts)
                                         : Type(kind);
        if (!name.empty()) is = is.renamed(name);
    }
}

bool is_compiled(std::string_view text) {
    return text.starts_with(compiled_mark);
}

std::string compiled_text(const CompiledScript& script) {
    return with_checksum(packed(script));
}

std::string with_checksum(const std::string& body) {
    return std::string(compiled_mark) + std::string(version) + "\n# Checksum " + checksum(body) +
           "\n" + body;
}

CompiledScript read_compiled(const std::string& name, const std::string& text) {
    const std::size_t first = text.find('\n');
    const std::string made_by =
        text.substr(compiled_mark.size(),
                    first == std::string::npos ? std::string::npos : first - compiled_mark.size());
    if (made_by != version)
        throw UsageError("'" + name + "' was compiled by " + made_by + "; this is " +
                         std::string(version) + ": compile the script again");
    const std::size_t second = std::min(text.find('\n', first + 1), text.size() - 1);
    const std::string body = text.substr(second + 1);
    if (text.substr(first + 1, second - first - 1) != "# Checksum " + checksum(body))
        throw UsageError("'" + name + "' is damaged: compile the script again");
    CompiledScript made;
    try {
        made = unpacked<CompiledScript>(body);
    } catch (const ScriptError& error) {
        throw UsageError("'" + name + "' is damaged: " + error.what());
    }
    std::string fault = ir::fault_of(made.program);
    for (const ir::Function& function : made.program.functions)
        ir::for_each_instruction(function.body, [&](const ir::Instruction& is) {
            if ((is.op == ir::Op::compute || is.op == ir::Op::compute_now) &&
                find_builtin(is.callee) == nullptr)
                fault = "the library has no function '" + is.callee + "'";
        });
    if (ir::ProgramIndex(made.program).function("main") == nullptr)
        fault = "there is no function 'main'";
    if (!fault.empty()) throw UsageError("'" + name + "' is damaged: " + fault);
    return made;
}

}  // namespace refrain::script
