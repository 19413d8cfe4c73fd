#include "leaves/tcl_leaf.hpp"

#include "leaves/leaf_host.hpp"
#include "leaves/plugin.hpp"
#include "values/text.hpp"

#include <iterator>

namespace refrain::script {
namespace {

/// As the original: SWIFT_PATH has colons, TURBINE_USER_LIB blanks.
std::vector<std::string> package_folders(const std::vector<std::string>& folders) {
    std::vector<std::string> all = parts_of(setting("SWIFT_PATH"), ":");
    for (const auto& list : {parts_of(setting("TURBINE_USER_LIB"), " "), folders})
        std::ranges::remove_copy(list, std::back_inserter(all), "");
    return all;
}

TclEvaluator& evaluator(LeafHost& host, const std::vector<std::string>& folders) {
    if (host.tcl == nullptr) {
        void* const open = plugin_symbol("refrain-script-tcl.so", "refrain_script_open_tcl",
                                         "a function of Tcl", "tcl-dev");
        host.tcl.reset(reinterpret_cast<OpenTcl>(open)(package_folders(folders)));
    }
    return *host.tcl;
}

}  // namespace

TclLeaf::TclLeaf(const ir::LeafDefinition& definition, const std::vector<std::string>& folders,
                 LeafHost& host)
    : definition_(definition), tcl_(evaluator(host, folders)) {
    if (!host.options().dry_run) tcl_.prepare(definition_);
}

void TclLeaf::call(Arguments arguments, Results results, Services& services) const {
    tcl_.call(definition_, arguments, results, services);
}

std::string run_hook(const std::string& variable, const std::vector<std::string>& folders,
                     LeafHost& host, Services& services) {
    const std::string script = setting(variable);
    try {
        if (!script.empty() && !host.options().dry_run)
            evaluator(host, folders).run(script, services);
        return {};
    } catch (const ScriptError& error) {
        return variable + ": " + error.what();
    }
}

}  // namespace refrain::script
