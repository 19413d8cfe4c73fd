#include "leaves/tcl_leaf.hpp"

#include "leaves/leaf_host.hpp"
#include "leaves/plugin.hpp"
#include "values/script_error.hpp"

#include <cstdlib>
#include <sstream>

namespace refrain::script {
namespace {

/// As the original: SWIFT_PATH has colons, TURBINE_USER_LIB blanks.
std::vector<std::string> package_folders(const std::vector<std::string>& folders) {
    std::vector<std::string> all;
    const auto add = [&](const char* variable, char separator) {
        const char* value = std::getenv(variable);
        std::istringstream text(value == nullptr ? "" : value);
        for (std::string each; std::getline(text, each, separator);)
            if (!each.empty()) all.push_back(each);
    };
    add("SWIFT_PATH", ':');
    add("TURBINE_USER_LIB", ' ');
    for (const std::string& each : folders)
        if (!each.empty()) all.push_back(each);
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

void TclLeaf::call(std::span<const Value> arguments, std::span<Value> results,
                   Services& services) const {
    tcl_.call(definition_, arguments, results, services);
}

}  // namespace refrain::script
