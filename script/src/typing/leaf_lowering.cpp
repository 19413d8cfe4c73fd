/// Apps and functions of C and C++: how calls reach the leaf.

#include "typing/annotations.hpp"
#include "typing/function_lowering.hpp"
#include "typing/rejection.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace refrain::script {

using ir::Op;
using ir::Operand;

std::vector<Operand> FunctionLowering::operands_of(const std::vector<ir::VariableId>& ids) const {
    std::vector<Operand> all;
    for (const ir::VariableId each : ids)
        all.push_back(Operand::of(each, builder_.function.variables[each].type));
    return all;
}

void FunctionLowering::describe_leaf(const FunctionTree& tree, const std::string& code_name,
                                     ir::LeafDefinition& leaf) {
    check_annotations(tree);
    leaf.name = code_name;
    leaf.at = tree.at;
    leaf.policy = leaf_policy_of(tree);
    for (const Annotation& each : tree.annotations)
        if (each.name == "dispatch") leaf.work_type = catalogue_.work_type(each);
    for (const ir::VariableId each : builder_.function.inputs)
        leaf.input_names.push_back(builder_.function.variables[each].name);
    for (const ir::VariableId each : builder_.function.outputs) {
        leaf.outputs.push_back(builder_.function.variables[each].type);
        leaf.output_names.push_back(builder_.function.variables[each].name);
    }
}

ir::LeafWord FunctionLowering::app_word(const Expression& word, const FunctionTree& tree,
                                        std::vector<Operand>& ins) {
    const Expression* name = &word;
    if (word.kind == Expression::Kind::call && word.text == "filename" && word.parts.size() == 1)
        name = &word.parts[0];
    if (name->kind == Expression::Kind::name)
        for (std::size_t i = 0; i < tree.outputs.size(); ++i)
            if (tree.outputs[i].declarator.name == name->text)
                return {true, static_cast<std::uint32_t>(i)};
    Operand value = expressions_.key_of(word);
    const auto known = std::ranges::find_if(
        ins, [&](const Operand& each) { return each.is_variable() && same_place(each, value); });
    const auto index = static_cast<std::uint32_t>(known - ins.begin());
    if (known == ins.end()) ins.push_back(std::move(value));
    return {false, index};
}

void FunctionLowering::app(const FunctionTree& tree, ir::LeafDefinition& leaf,
                           std::vector<Operand>& ins) {
    for (const ir::VariableId each : builder_.function.outputs) {
        const ir::Variable& output = builder_.function.variables[each];
        if (!output.type.is(Kind::file) && !output.type.is(Kind::void_))
            reject(code::foreign_function, output.at,
                   "the output '" + output.name + "' of an app is " + output.type.with_article(),
                   "apps make files and voids; read a file with read(...)");
    }
    for (const Expression& word : tree.command) leaf.words.push_back(app_word(word, tree, ins));
    leaf.streams.assign(3, {false, ir::no_variable});
    for (const Redirection& each : tree.redirections) {
        const std::size_t stream = each.stream == "stdin" ? 0 : each.stream == "stdout" ? 1 : 2;
        if (leaf.streams[stream].index != ir::no_variable)
            reject(code::foreign_function, each.at, each.stream + " is redirected twice");
        leaf.streams[stream] = app_word(each.file, tree, ins);
        const ir::LeafWord& word = leaf.streams[stream];
        const Type& type = word.output ? leaf.outputs[word.index] : ins[word.index].type;
        if (!type.is(Kind::file) || type.name() == "url")
            reject(code::foreign_function, each.at,
                   each.stream + " is redirected to " + type.with_article() + ", not to a file");
    }
    for (std::size_t i = 0; i < tree.outputs.size(); ++i) {
        const auto uses = [&](const ir::LeafWord& word) { return word.output && word.index == i; };
        const bool is_used =
            std::ranges::any_of(leaf.words, uses) || std::ranges::any_of(leaf.streams, uses);
        const bool silent = std::ranges::any_of(
            tree.annotations, [](const Annotation& each) { return each.name == "suppress"; });
        if (!is_used && !silent && leaf.outputs[i].is(Kind::file))
            diagnostics_.warning(code::unused_output, tree.outputs[i].declarator.at,
                                 "the output '" + leaf.output_names[i] +
                                     "' is not in the command of '" + tree.name + "'",
                                 "name it, or write @suppress=unused_output");
    }
}

namespace {

/// The template of a function of Tcl, with variables of Tcl: <<x>> becomes ${v_x} for an input, v_x for an output.
std::string fragment_of(const FunctionTree& tree) {
    const std::string& text = tree.foreign[3];
    const auto has = [](const std::vector<Parameter>& parameters, const std::string& name) {
        return std::ranges::any_of(
            parameters, [&](const Parameter& each) { return each.declarator.name == name; });
    };
    std::string made;
    std::size_t at = 0;
    for (;;) {
        const std::size_t open = text.find("<<", at);
        const std::size_t close = text.find(">>", open == std::string::npos ? open : open + 2);
        if (close == std::string::npos) return made + text.substr(at);
        const std::string name = text.substr(open + 2, close - open - 2);
        made += text.substr(at, open - at);
        at = close + 2;
        const auto is_letter = [](unsigned char each) {
            return std::isalnum(each) != 0 || each == '_';
        };
        if (!std::ranges::all_of(name, is_letter)) {
            made += "<<";  // an operator of Tcl
            at = open + 2;
        } else if (has(tree.inputs, name)) {
            const bool many =
                tree.inputs.back().variable_count && tree.inputs.back().declarator.name == name;
            made += many ? "{*}$args" : "${v_" + name + "}";
        } else if (has(tree.outputs, name)) {
            made += "v_" + name;
        } else {
            std::vector<std::string> names;
            for (const auto* parameters : {&tree.outputs, &tree.inputs})
                for (const Parameter& each : *parameters) names.push_back(each.declarator.name);
            reject(code::foreign_function, tree.at,
                   "the template of '" + tree.name + "' names <<" + name +
                       ">>, which is no input and no output of it",
                   did_you_mean(name, names, {}, "<<", ">>"));
        }
    }
}

/// Arrays are those of C: of elements of eight bytes, numbered.
bool passes_to_c(const Type& type) {
    if (!type.is(Kind::array)) return type.is_scalar() || type.is(Kind::file);
    return type.key().is(Kind::integer) &&
           (type.element().is_number() || type.element().is(Kind::string));
}

}  // namespace

void FunctionLowering::extension(const FunctionTree& tree, ir::LeafDefinition& leaf) {
    leaf.variable_count = !tree.inputs.empty() && tree.inputs.back().variable_count;
    const std::string& package = tree.foreign.empty() ? "" : tree.foreign[0];
    if (package.starts_with("c:") && tree.foreign.size() > 2) {
        leaf.kind = ir::LeafDefinition::Kind::c;
        leaf.library = package.substr(2);
    } else if ((package == "native" || package.starts_with("native:")) && tree.foreign.size() > 2) {
        leaf.kind = ir::LeafDefinition::Kind::native;
        leaf.library = package.size() > 7 ? package.substr(7) : "";
    } else {
        leaf.kind = ir::LeafDefinition::Kind::tcl;
        leaf.library = package;
        if (tree.foreign.size() > 1) leaf.fragment.version = tree.foreign[1];
        if (tree.foreign.size() > 3) leaf.fragment.text = fragment_of(tree);
    }
    if (leaf.variable_count && leaf.kind != ir::LeafDefinition::Kind::tcl)
        reject(code::foreign_function, tree.inputs.back().declarator.at,
               "'" + tree.name + "' takes a variable number of arguments, as only Tcl's can",
               "give it an array: " + tree.inputs.back().declarator.name + "[]");
    if (leaf.kind == ir::LeafDefinition::Kind::c)
        for (const auto* ids : {&builder_.function.inputs, &builder_.function.outputs})
            for (const ir::VariableId id : *ids)
                if (const ir::Variable& each = builder_.function.variables[id];
                    !passes_to_c(each.type))
                    reject(
                        code::foreign_function, each.at,
                        "'" + each.name + "' of the C function '" + tree.name + "' is " +
                            each.type.with_article(),
                        "C has ints, floats, booleans, strings, blobs, files and arrays [int] of "
                        "ints, floats or strings: give its parts, or write the function in Tcl");
    if (tree.foreign.size() > 2) leaf.symbol = tree.foreign[2];
    if (leaf.symbol.empty() && leaf.fragment.text.empty())
        reject(code::foreign_function, tree.at,
               "'" + tree.name + "' names neither a procedure nor a fragment of Tcl",
               "write \"package\" \"version\" \"procedure\"; or \"package\" \"version\" [ "
               "\"set <<output>> ...\" ];");
}

ir::Function FunctionLowering::leaf(const FunctionTree& tree, const std::string& code_name,
                                    ir::LeafDefinition& leaf) {
    const CodeBuilder::Inside inside(builder_, builder_.function.body);
    guarded(diagnostics_, [&] {
        declare_parameters(tree);
        describe_leaf(tree, code_name, leaf);
        std::vector<Operand> ins = operands_of(builder_.function.inputs);
        if (tree.kind == FunctionTree::Kind::app)
            app(tree, leaf, ins);
        else
            extension(tree, leaf);
        for (const Operand& each : ins) leaf.inputs.push_back(each.type);
        builder_.emit(Op::leaf, operands_of(builder_.function.outputs), std::move(ins), tree.at,
                      code_name);
    });
    return finished(code_name, tree.at);
}

}  // namespace refrain::script
