#include "typing/annotations.hpp"

#include "typing/rejection.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace refrain::script {
namespace {

/// Those of Swift/T; ours are in ir/leaf_policy.hpp.
constexpr std::array<std::string_view, 16> known_annotations = {
    "pure",       "sideeffectfree", "deterministic", "commutative", "minmax",     "copy",
    "assertion",  "sync",           "par",           "deprecated",  "checkpoint", "dispatch",
    "builtin_op", "implements",     "stc_intrinsic", "suppress"};
constexpr std::array<std::string_view, 7> ours = {"retries", "timeout", "cpus",       "memory",
                                                  "cache",   "wrap",    "environment"};

/// A literal's text; -1 is one, too.
std::string value_of(const Annotation& annotation) {
    if (annotation.value.empty()) return {};
    const Expression& value = annotation.value[0];
    if (value.kind == Expression::Kind::literal) return text_of(value.literal);
    if (value.kind == Expression::Kind::name && (value.text == "true" || value.text == "false"))
        return value.text;
    reject(value.at, "@" + annotation.name + " takes a literal");
}

}  // namespace

void check_annotations(const FunctionTree& tree) {
    for (const Annotation& each : tree.annotations) {
        if (ir::is_leaf_setting(each.name)) {
            if (tree.kind == FunctionTree::Kind::composite)
                reject(each.at,
                       "@" + each.name + " stands before '" + tree.name +
                           "', which is no app and no function of another language",
                       "write it before the functions that this one calls");
            continue;
        }
        if (std::find(known_annotations.begin(), known_annotations.end(), each.name) !=
            known_annotations.end())
            continue;
        std::vector<std::string> names(known_annotations.begin(), known_annotations.end());
        names.insert(names.end(), ours.begin(), ours.end());
        const std::string near = nearest_name(each.name, names);
        reject(each.at, "there is no annotation '@" + each.name + "' for functions",
               near.empty() ? "" : "did you mean '@" + near + "'?");
    }
}

ir::LeafPolicy leaf_policy_of(const FunctionTree& tree) {
    ir::LeafPolicy policy;
    for (const Annotation& each : tree.annotations) {
        if (!ir::is_leaf_setting(each.name)) continue;
        const bool of_apps = each.name == "timeout" || each.name == "wrap";
        if (of_apps && tree.kind != FunctionTree::Kind::app)
            reject(each.at, "@" + each.name + " is for apps, and '" + tree.name + "' is none");
        const std::string wrong = ir::set_leaf_policy(policy, each.name, value_of(each));
        if (!wrong.empty()) reject(each.at, wrong);
    }
    return policy;
}

}  // namespace refrain::script
