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

}  // namespace refrain::script::ir
