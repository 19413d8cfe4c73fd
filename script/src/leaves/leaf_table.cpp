#include "leaves/leaf_table.hpp"

#include "base/assertion.hpp"
#include "leaves/app.hpp"
#include "leaves/c_function.hpp"
#include "leaves/hosted_leaf.hpp"
#include "leaves/native.hpp"
#include "leaves/tcl_leaf.hpp"
#include "library/builtin.hpp"
#include "values/script_error.hpp"

#include <dlfcn.h>
#include <filesystem>

namespace refrain::script {
namespace {

class BuiltinLeaf : public Leaf {
  public:
    explicit BuiltinLeaf(const Builtin& builtin) : builtin_(builtin) {}
    void call(Arguments arguments, Results results, Services& services) const override {
        Value made = builtin_.function(arguments, services);
        if (!results.empty()) results[0] = std::move(made);
    }
    [[nodiscard]] bool is_long_running() const override { return builtin_.sleeps; }

  private:
    const Builtin& builtin_;
};

/// Libraries stay loaded until the process ends: their functions may be registered. `origin` tells whether one has changed.
void* opened(const ir::LeafDefinition& leaf, const std::vector<std::string>& folders,
             std::string& origin) {
    std::string path = leaf.library;
    for (const std::string& folder : folders) {
        const std::filesystem::path beside = std::filesystem::path(folder) / leaf.library;
        if (folder.empty() || !std::filesystem::exists(beside)) continue;
        path = beside.string();
        break;
    }
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle == nullptr)
        throw ScriptError("cannot open the library of '", leaf.symbol, "': ", dlerror());
    if (const auto stamp = stamp_of(path))
        origin = std::to_string(stamp->size) + " " + std::to_string(stamp->written_ns);
    return handle;
}

std::unique_ptr<Leaf> plain_leaf(const ir::LeafDefinition& definition,
                                 const std::vector<std::string>& folders, LeafHost& host,
                                 std::string& origin) {
    if (definition.kind == ir::LeafDefinition::Kind::app)
        return std::make_unique<AppLeaf>(definition, host);
    if (definition.kind == ir::LeafDefinition::Kind::tcl)
        return std::make_unique<TclLeaf>(definition, folders, host);
    if (definition.kind == ir::LeafDefinition::Kind::c) {
        void* symbol = dlsym(opened(definition, folders, origin), definition.symbol.c_str());
        if (symbol == nullptr)
            throw ScriptError("there is no function '" + definition.symbol + "' in " +
                              definition.library);
        return c_leaf(definition, symbol);
    }
    if (!definition.library.empty()) opened(definition, folders, origin);
    const LeafFunction function = find_leaf_function(definition.symbol);
    if (function == nullptr)
        throw ScriptError("no C++ function '" + definition.symbol + "' is registered" +
                          (definition.library.empty() ? "" : " by " + definition.library) +
                          "; write REFRAIN_SCRIPT_FUNCTION(" + definition.symbol + ") behind it");
    return std::make_unique<NativeLeaf>(definition, function);
}

/// Functions in C and C++ that nothing was said about are called as they are: they may be short.
std::unique_ptr<Leaf> made_leaf(ir::LeafDefinition definition,
                                const std::vector<std::string>& folders, LeafHost& host) {
    definition.name = ir::written_name(definition.name);  // for messages and records
    std::string origin;
    std::unique_ptr<Leaf> leaf = plain_leaf(definition, folders, host, origin);
    if (host.isolates() && definition.kind != ir::LeafDefinition::Kind::app)
        leaf = std::make_unique<IsolatedLeaf>(std::move(leaf), host.workers);
    ir::LeafPolicy plain;
    plain.by_team = definition.policy.by_team;
    if (definition.kind != ir::LeafDefinition::Kind::app && definition.policy == plain &&
        !host.options().dry_run)
        return leaf;
    return std::make_unique<HostedLeaf>(definition, std::move(leaf), host, std::move(origin));
}

}  // namespace

LeafTable::LeafTable(const ir::Program& program, const std::vector<std::string>& folders,
                     LeafHost& host) {
    for (const ir::LeafDefinition& each : program.leaves)
        leaves_[each.name] = made_leaf(each, folders, host);
    for (const ir::Function& function : program.functions)
        ir::for_each_instruction(function.body, [&](const ir::Instruction& is) {
            if (is.op != ir::Op::compute && is.op != ir::Op::compute_now) return;
            if (const Builtin* builtin = find_builtin(is.callee))
                builtins_.try_emplace(is.callee, std::make_unique<BuiltinLeaf>(*builtin));
        });
}

const Leaf& LeafTable::leaf(const std::string& name) const {
    return *leaves_.at(name);
}

const Leaf& LeafTable::builtin(const std::string& name) const {
    const auto found = builtins_.find(name);
    REFRAIN_ASSERT(found != builtins_.end(),
                   "intermediate code calls a function that the library does not have");
    return *found->second;
}

}  // namespace refrain::script
