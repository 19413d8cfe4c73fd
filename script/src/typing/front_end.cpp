#include "typing/front_end.hpp"

#include "syntax/parser.hpp"
#include "typing/function_lowering.hpp"
#include "typing/rejection.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace refrain::script {
namespace {

namespace fs = std::filesystem;

class FrontEnd {
  public:
    FrontEnd(Sources& sources, const RunOptions& options) : sources_(sources), options_(options) {}

    FrontEndResult run() {
        for (const std::string& each : options_.modules) guarded([&] { import({{}, each}, 0); });
        read(0);
        if (diagnostics_.failed()) fail();
        if (catalogue_.has_module("math")) {
            globals_["PI"] = {Kind::floating, {}, Value(3.14159265358979323846)};
            globals_["E"] = {Kind::floating, {}, Value(2.7182818284590452354)};
        }
        for (const TypeTree& each : script_.types) guarded([&] { catalogue_.add_type(each); });
        declare_functions();
        declare_globals();
        lower_functions();
        if (diagnostics_.failed()) fail();
        add_copies();
        pass_globals();
        return {std::move(program_), diagnostics_.text(sources_), diagnostics_.messages(sources_)};
    }

  private:
    [[noreturn]] void fail() const {
        throw CompileFailure(diagnostics_.text(sources_), diagnostics_.has_syntax_error(),
                             diagnostics_.messages(sources_));
    }
    template <class Work>
    void guarded(Work work) {
        script::guarded(diagnostics_, work);
    }

    // ---- files
    /// Only the script itself is preprocessed, and only if there is something to do.
    std::vector<Token> tokens(std::uint32_t file) {
        const bool plain =
            file != 0 || options_.hash_comments ||
            (options_.macros.empty() && sources_.text(file).find('#') == std::string::npos &&
             sources_.text(file).find("__") == std::string::npos);
        if (plain) return tokens_of(sources_, file, options_.hash_comments, diagnostics_);
        return tokens_of(
            preprocess(sources_, file, {options_.import_folders, options_.macros}, diagnostics_),
            diagnostics_);
    }
    void read(std::uint32_t file) {
        Script script = parse(tokens(file), diagnostics_);
        for (const std::string& each : script.work_types) catalogue_.add_work_type(each);
        for (const ImportTree& each : script.imports) guarded([&] { import(each, file); });
        for (TypeTree& each : script.types) script_.types.push_back(std::move(each));
        for (FunctionTree& each : script.functions) script_.functions.push_back(std::move(each));
        for (Statement& each : script.main) script_.main.push_back(std::move(each));
    }
    void import(const ImportTree& tree, std::uint32_t from) {
        // Some modules have both kinds of functions.
        const bool known = std::ranges::any_of(
            modules(), [&](const Module& module) { return module.name == tree.name; });
        if (known) catalogue_.add_module(tree.name);
        for (const SourceModule& module : source_modules()) {
            if (module.name != tree.name) continue;
            if (imported_.insert(tree.name).second) {
                library_files_.insert(
                    sources_.add("library:" + tree.name, std::string(module.text)));
                read(static_cast<std::uint32_t>(sources_.count() - 1));
            }
            return;
        }
        if (known) return;
        const std::string file = tree.name + (tree.name.ends_with(".swift") ? "" : ".swift");
        std::vector<fs::path> folders{fs::path(sources_.name(from)).parent_path()};
        folders.insert(folders.end(), options_.import_folders.begin(),
                       options_.import_folders.end());
        folders.emplace_back(".");
        for (const fs::path& folder : folders) {
            const std::string path = (folder / file).lexically_normal().string();
            auto text = content_of(path);
            if (!text) continue;
            if (imported_.insert(path).second) read(sources_.add(path, std::move(*text)));
            return;
        }
        std::vector<std::string> names;
        for (const Module& module : modules()) names.emplace_back(module.name);
        for (const SourceModule& module : source_modules()) names.emplace_back(module.name);
        reject(code::unknown_name, tree.at, "there is no module '" + tree.name + "'",
               did_you_mean(tree.name, names, "it is neither of the library nor a file " + file));
    }

    // ---- declarations
    void declare_functions() {
        std::map<std::string, int> overloads;
        for (const FunctionTree& each : script_.functions) {
            const int number = ++overloads[each.name];
            code_names_.push_back(each.name == "main" || number > 1
                                      ? each.name + "/" + std::to_string(number)
                                      : each.name);
            guarded([&] {
                catalogue_.add_function(each, code_names_.back(),
                                        library_files_.contains(each.at.file));
            });
        }
    }
    void declare_globals() {
        for (const Statement& each : script_.main) {
            if (each.kind != Statement::Kind::declare || !each.global) continue;
            for (const Declarator& one : each.declarators) {
                guarded([&] {
                    catalogue_.expect_new_name(one.name, one.at);
                    if (globals_.contains(one.name))
                        reject(code::duplicate_name, one.at,
                               "'" + one.name + "' is declared a second time", {},
                               {{globals_[one.name].at, "it was declared here"}});
                    Global global{catalogue_.type_of(each.type, one), one.at, {}};
                    if (!one.value.empty() && one.value[0].kind == Expression::Kind::literal)
                        global.constant = constant(one, global.type);
                    globals_[one.name] = std::move(global);
                });
            }
        }
    }
    Value constant(const Declarator& declarator, const Type& type) const {
        const Value& value = declarator.value[0].literal;
        if (type.is(Kind::floating) && value.is<std::int64_t>()) return Value(value.floating());
        if (!type.is(kind_of(value)))
            reject(code::type_mismatch, declarator.at,
                   "the value of the constant '" + declarator.name + "' is no " + type.text());
        return value;
    }

    // ---- code
    void lower_functions() {
        for (std::size_t i = 0; i < script_.functions.size(); ++i) {
            const FunctionTree& tree = script_.functions[i];
            FunctionLowering lowering(catalogue_, globals_, diagnostics_);
            if (tree.kind == FunctionTree::Kind::composite) {
                program_.functions.push_back(lowering.composite(tree, code_names_[i]));
                continue;
            }
            ir::LeafDefinition leaf;
            program_.functions.push_back(lowering.leaf(tree, code_names_[i], leaf));
            program_.leaves.push_back(std::move(leaf));
        }
        FunctionLowering lowering(catalogue_, globals_, diagnostics_);
        program_.functions.push_back(lowering.main(script_.main));
    }

    /// Some calls have a copy of the function that they call. With a location or a computed priority: the same with one more
    /// input, for the leaves that it calls, and for the functions that call these. Of the library: one for each place that
    /// calls it, since what happens in it happens there.
    void add_copies() {
        std::map<std::string, ir::Function> originals;
        std::erase_if(program_.functions, [&](const ir::Function& each) {
            originals.emplace(each.name, each);
            return library_files_.contains(each.at.file);
        });
        std::map<std::pair<std::string, Position>, std::string> names;
        for (std::size_t i = 0; i < program_.functions.size(); ++i) {
            std::vector<ir::Function> copies;
            ir::for_each_instruction(program_.functions[i].body, [&](ir::Instruction& is) {
                if (is.op != ir::Op::call) return;
                const ir::Function& original =
                    originals.at(is.callee.substr(0, is.callee.find('@')));
                const bool placed = is.callee.ends_with(placed_suffix);
                const bool of_library = library_files_.contains(original.at.file);
                if (!placed && !of_library) return;
                std::string name = is.callee + "@" + std::to_string(names.size());
                const auto [known, is_new] = names.try_emplace(
                    {is.callee, of_library ? is.at : Position{}}, std::move(name));
                is.callee = known->second;
                if (!is_new) return;
                copies.push_back(original);
                copies.back().name = is.callee;
                if (of_library) move(copies.back(), is.at);
                if (placed) add_location(copies.back(), is.ins.size() - 1);
            });
            std::ranges::move(copies, std::back_inserter(program_.functions));
        }
    }
    static void move(ir::Function& function, Position to) {
        function.at = to;
        for (ir::Variable& each : function.variables) each.at = to;
        move(function.body, to);
    }
    static void move(ir::Block& block, Position to) {
        const auto set = [&](auto& is) {
            if constexpr (requires { is.at; }) is.at = to;
        };
        for (ir::Statement& each : block.statements) {
            std::visit(set, each.is);
            ir::for_each_block(each, [&](ir::Block& inner) { move(inner, to); });
        }
    }
    static void add_location(ir::Function& to, std::size_t inputs) {
        const auto location = static_cast<ir::VariableId>(to.variables.size());
        to.variables.push_back({"location code", Kind::integer, {}, false, to.at});
        to.inputs.insert(to.inputs.begin() + static_cast<std::ptrdiff_t>(inputs), location);
        ir::for_each_instruction(to.body, [&](ir::Instruction& is) {
            const Builtin* builtin = is.op == ir::Op::compute ? find_builtin(is.callee) : nullptr;
            const bool sleeps = builtin != nullptr && builtin->sleeps;
            const bool calls =
                is.op == ir::Op::call && is.callee.find(placed_suffix) == std::string::npos;
            if (is.placed || !(is.op == ir::Op::leaf || sleeps || calls)) return;
            is.ins.push_back(ir::Operand::of(location, Kind::integer));
            if (calls)
                is.callee += placed_suffix;
            else
                is.placed = true;
        });
    }

    /// Global variables are hidden inputs: every call of a function that has some passes them on, until nothing changes.
    void pass_globals() {
        const ir::ProgramIndex index(program_);
        for (bool changed = true; changed;) {
            changed = false;
            for (ir::Function& function : program_.functions)
                ir::for_each_instruction(function.body, [&](ir::Instruction& is) {
                    if (is.op != ir::Op::call) return;
                    const ir::Function& callee = *index.function(is.callee);
                    for (std::size_t i = is.ins.size(); i < callee.inputs.size(); ++i) {
                        const ir::Variable hidden = callee.variables[callee.inputs[i]];
                        is.ins.push_back(
                            ir::Operand::of(own_global(function, hidden), hidden.type));
                        changed = true;
                    }
                });
        }
    }

    Sources& sources_;
    const RunOptions& options_;
    Diagnostics diagnostics_;
    Script script_;
    Catalogue catalogue_;
    Globals globals_;
    ir::Program program_;
    std::vector<std::string> code_names_;
    std::set<std::string> imported_;
    std::set<std::uint32_t> library_files_;  // of modules that are written in the language
};

}  // namespace

FrontEndResult compile_to_ir(Sources& sources, const RunOptions& options) {
    return FrontEnd(sources, options).run();
}

}  // namespace refrain::script
