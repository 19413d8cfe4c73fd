#include "ir/program.hpp"

namespace refrain::script::ir {

const Function* Program::function(const std::string& name) const {
    for (const Function& each : functions)
        if (each.name == name) return &each;
    return nullptr;
}

const LeafDefinition* Program::leaf(const std::string& name) const {
    for (const LeafDefinition& each : leaves)
        if (each.name == name) return &each;
    return nullptr;
}

bool same_place(const Operand& a, const Operand& b) {
    if (a.kind != b.kind || a.variable != b.variable || a.path.size() != b.path.size())
        return false;
    if (a.is_constant() && !(a.constant == b.constant)) return false;
    for (std::size_t i = 0; i < a.path.size(); ++i)
        if (!same_place(a.path[i], b.path[i])) return false;
    return true;
}

}  // namespace refrain::script::ir
