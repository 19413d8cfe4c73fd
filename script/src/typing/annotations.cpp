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

/// A literal's text; -1 is one, too.
std::string value_of(const Annotation& annotation) {
    if (annotation.value.empty()) return {};
    const Expression& value = annotation.value[0];
    if (value.kind == Expression::Kind::literal) return text_of(value.literal);
    if (value.kind == Expression::Kind::name && (value.text == "true" || value.text == "false"))
        return value.text;
    reject(code::annotation, value.at, "@" + annotation.name + " takes a literal");
}

/// `one` and `other` in the same list.
void refuse_both(const std::vector<Annotation>& all, std::string_view one, std::string_view other) {
    const auto first = std::ranges::find(all, one, &Annotation::name);
    const auto second = std::ranges::find(all, other, &Annotation::name);
    if (first == all.end() || second == all.end()) return;
    reject(code::annotation, second->at,
           "@" + std::string(other) + " contradicts @" + std::string(one), {},
           {{first->at, "@" + std::string(one) + " is here"}});
}
void refuse_twice(const std::vector<Annotation>& all) {
    for (auto each = all.begin(); each != all.end(); ++each) {
        const auto again = std::ranges::find(each + 1, all.end(), each->name, &Annotation::name);
        if (again != all.end() && !each->name.empty())
            reject(code::annotation, again->at, "@" + each->name + " stands here twice", {},
                   {{each->at, "the first one is here"}});
    }
}

constexpr std::array<std::string_view, 7> loop_annotations = {
    "unroll", "splitdegree", "leafdegree", "sync", "async", "nosplit", "waiton"};

}  // namespace

void check_annotations(const Statement& statement) {
    if (statement.annotations.empty()) return;
    const bool loop = statement.kind == Statement::Kind::foreach ||
                      statement.kind == Statement::Kind::for_ ||
                      statement.kind == Statement::Kind::iterate;
    if (statement.kind == Statement::Kind::call && !statement.values.empty() &&
        statement.values[0].kind == Expression::Kind::call)
        return;  // they are the call's
    for (const Annotation& each : statement.annotations) {
        if (!loop)
            reject(code::annotation, each.at,
                   "'@" + each.name + "' stands before a statement that takes none",
                   "annotations stand before functions, calls and loops");
        if (std::ranges::find(loop_annotations, each.name) != loop_annotations.end()) continue;
        reject(
            code::annotation, each.at, "there is no annotation '@" + each.name + "' for loops",
            did_you_mean(each.name, {loop_annotations.begin(), loop_annotations.end()}, {}, "'@"));
    }
    refuse_twice(statement.annotations);
    refuse_both(statement.annotations, "sync", "async");
    refuse_both(statement.annotations, "splitdegree", "nosplit");
}

void check_annotations(const FunctionTree& tree) {
    refuse_twice(tree.annotations);
    for (const Annotation& each : tree.annotations) {
        if (each.name == "par" && tree.kind != FunctionTree::Kind::extension)
            reject(
                code::annotation, each.at,
                "@par stands before '" + tree.name + "', which is no function of another language",
                "for programs of MPI there is import launch; and @par=4 launch(...)");
        if (ir::is_leaf_setting(each.name)) {
            if (tree.kind == FunctionTree::Kind::composite)
                reject(code::annotation, each.at,
                       "@" + each.name + " stands before '" + tree.name +
                           "', which is no app and no function of another language",
                       "write it before the functions that this one calls");
            continue;
        }
        if (std::ranges::find(known_annotations, each.name) != known_annotations.end()) continue;
        std::vector<std::string> names(known_annotations.begin(), known_annotations.end());
        names.insert(names.end(), ir::leaf_setting_names.begin(), ir::leaf_setting_names.end());
        reject(code::annotation, each.at,
               "there is no annotation '@" + each.name + "' for functions",
               did_you_mean(each.name, names, {}, "'@"));
    }
}

ir::LeafPolicy leaf_policy_of(const FunctionTree& tree) {
    ir::LeafPolicy policy;
    for (const Annotation& each : tree.annotations) {
        if (!ir::is_leaf_setting(each.name)) continue;
        const bool of_apps = each.name == "timeout" || each.name == "wrap";
        if (of_apps && tree.kind != FunctionTree::Kind::app)
            reject(code::annotation, each.at,
                   "@" + each.name + " is for apps, and '" + tree.name + "' is none");
        const std::string wrong = ir::set_leaf_policy(policy, each.name, value_of(each));
        if (!wrong.empty()) reject(code::annotation, each.at, wrong);
    }
    const auto par = std::ranges::find(tree.annotations, "par", &Annotation::name);
    if (par != tree.annotations.end() && policy != ir::LeafPolicy{})
        reject(code::annotation, par->at,
               "@par does not go with annotations that say how one worker makes a call, such as "
               "@retries or @cache");
    policy.by_team = par != tree.annotations.end() && tree.foreign[0].starts_with("native");
    return policy;
}

}  // namespace refrain::script
