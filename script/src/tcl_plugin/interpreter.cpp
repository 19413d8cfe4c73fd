#include "tcl_plugin/interpreter.hpp"

#include "values/script_error.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace refrain::script::tcl {
namespace {

namespace fs = std::filesystem;

const char* kind_of(const Type& type) {
    if (type.is(Kind::void_)) return "void";
    return type.is(Kind::array) || type.is(Kind::bag) ? "container" : "scalar";
}

/// The last one is that of all which follow.
const Type& input_type(const ir::LeafDefinition& leaf, std::size_t index) {
    return leaf.inputs[std::min(index, leaf.inputs.size() - 1)];
}

/// Does the work of a command unless it was used wrongly; its result is what that returns or throws.
template <class Work>
int command(Tcl_Interp* interpreter, const char* usage, Tcl_Obj* const words[], Work work) {
    if (usage != nullptr) return Tcl_WrongNumArgs(interpreter, 1, words, usage), TCL_ERROR;
    try {
        return Tcl_SetObjResult(interpreter, text_object(work())), TCL_OK;
    } catch (const std::exception& error) {
        return Tcl_SetObjResult(interpreter, text_object(error.what())), TCL_ERROR;
    }
}

}  // namespace

/// The words of a command, or the parts of a list; each is held.
class Interpreter::Objects {
  public:
    template <class... Parts>
    explicit Objects(const Parts&... parts) {
        (add(parts), ...);
    }
    Objects(const Objects&) = delete;
    Objects& operator=(const Objects&) = delete;
    ~Objects() {
        for (Tcl_Obj* each : all_) Tcl_DecrRefCount(each);
    }
    void add(Tcl_Obj* object) {
        Tcl_IncrRefCount(object);
        all_.push_back(object);
    }
    void add(const std::string& text) { add(text_object(text)); }
    [[nodiscard]] int count() const { return static_cast<int>(all_.size()); }
    [[nodiscard]] Tcl_Obj* const* data() const { return all_.data(); }
    [[nodiscard]] Tcl_Obj* list() const { return Tcl_NewListObj(count(), all_.data()); }

  private:
    std::vector<Tcl_Obj*> all_;
};

Interpreter::Interpreter(const std::vector<std::string>& package_folders) {
    if (Tcl_Init(interpreter_) != TCL_OK)
        throw ScriptError("Tcl does not start: " + text_of_object(Tcl_GetObjResult(interpreter_)) +
                          "; install the package tcl");
    Tcl_CreateObjCommand(interpreter_, "::refrain::print", print, this, nullptr);
    Tcl_CreateObjCommand(interpreter_, "::refrain::evaluate", python, this, nullptr);
    invoke(Objects("eval", std::string(prelude_tcl)));
    for (const std::string& each : package_folders) {
        const std::string folder = fs::absolute(each).lexically_normal().string();
        searched_ += (searched_.empty() ? "'" : ", '") + folder + "'";
        Tcl_SetVar2Ex(interpreter_, "auto_path", nullptr, text_object(folder),
                      TCL_GLOBAL_ONLY | TCL_APPEND_VALUE | TCL_LIST_ELEMENT);
    }
}

bool Interpreter::runs(const Objects& words) {
    return Tcl_EvalObjv(interpreter_, words.count(), words.data(), TCL_EVAL_GLOBAL) == TCL_OK;
}
void Interpreter::invoke(const Objects& words) {
    if (!runs(words)) throw ScriptError(text_of_object(Tcl_GetObjResult(interpreter_)));
}

void Interpreter::serve(Services& services) {
    services_ = &services;
    const auto set = [&](const char* name, int value) {
        Tcl_SetVar2Ex(interpreter_, name, nullptr, Tcl_NewIntObj(value), TCL_GLOBAL_ONLY);
    };
    set("::refrain::rank", static_cast<int>(services.worker()));
    set("::refrain::workers", services.workers());
}
void Interpreter::run(const std::string& script, Services& services) {
    serve(services);
    invoke(Objects("namespace", "eval", "::turbine", script));
}

void Interpreter::require(const ir::LeafDefinition& leaf) {
    const std::string& package = leaf.library;
    const std::string wanted = package + " " + leaf.fragment.version;
    if (package.empty() || loaded_.contains(wanted)) return;
    Objects words("package", "require", package);
    if (!leaf.fragment.version.empty()) words.add(leaf.fragment.version);
    if (runs(words)) return static_cast<void>(loaded_.insert(wanted));
    const std::string why = text_of_object(Tcl_GetObjResult(interpreter_));
    throw ScriptError("the Tcl package '" + package + "' of '" + leaf.name +
                      "' cannot be loaded: " + why +
                      "; it was looked for in Tcl's own folders and " +
                      (searched_.empty() ? "nowhere else" : searched_) +
                      "; put its folder into SWIFT_PATH or TURBINE_USER_LIB");
}

/// The procedure that a fragment becomes: its inputs and the files that it makes are arguments, its outputs variables.
const std::string& Interpreter::procedure_of(const ir::LeafDefinition& leaf) {
    std::string& name = procedures_[leaf.name];
    if (!name.empty()) return name;
    std::string results = "\nreturn [list";
    Objects parameters;
    for (std::size_t i = 0; i < leaf.outputs.size(); ++i) {
        const std::string variable = "v_" + leaf.output_names[i];
        if (leaf.outputs[i].is(Kind::file)) parameters.add(variable);
        results += leaf.outputs[i].is(Kind::void_) ? " {}" : " ${" + variable + "}";
    }
    for (const std::string& each : leaf.input_names)
        parameters.add(leaf.variable_count && &each == &leaf.input_names.back() ? "args"
                                                                                : "v_" + each);
    const std::string made = "::refrain_" + std::to_string(procedures_.size());
    invoke(Objects("proc", made, parameters.list(), leaf.fragment.text + results + "]"));
    return name = made;
}

void Interpreter::add_fragment_words(const ir::LeafDefinition& leaf, Arguments arguments,
                                     std::span<const Value> results, Objects& words) {
    words.add(procedure_of(leaf));
    for (std::size_t i = 0; i < results.size(); ++i)
        if (leaf.outputs[i].is(Kind::file))
            words.add(to_tcl(Value::file(results[i].string()), leaf.outputs[i]));
    for (std::size_t i = 0; i < arguments.size(); ++i)
        words.add(to_tcl(arguments[i], input_type(leaf, i)));
}

void Interpreter::add_procedure_words(const ir::LeafDefinition& leaf, Arguments arguments,
                                      Objects& words) {
    words.add("::refrain::procedure");
    words.add(leaf.symbol);
    Objects outputs;
    for (std::size_t i = 0; i < leaf.outputs.size(); ++i) {
        outputs.add(kind_of(leaf.outputs[i]));
        outputs.add(leaf.output_names[i]);
    }
    words.add(outputs.list());
    Objects inputs;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        inputs.add(kind_of(input_type(leaf, i)));
        inputs.add(to_tcl(arguments[i], input_type(leaf, i)));
    }
    words.add(inputs.list());
}

/// What Tcl says, and where in the fragment.
std::string Interpreter::failure(const ir::LeafDefinition& leaf, const std::string& procedure) {
    std::string text = text_of_object(Tcl_GetObjResult(interpreter_));
    for (std::size_t i = 0; i < leaf.outputs.size(); ++i)
        if (text == "can't read \"v_" + leaf.output_names[i] + "\": no such variable")
            return "it has not set its output '" + leaf.output_names[i] + "'";
    const char* info = Tcl_GetVar(interpreter_, "errorInfo", TCL_GLOBAL_ONLY);
    const std::string trace = info == nullptr ? "" : info;
    const std::string mark = "(procedure \"" + procedure + "\" line ";
    const std::size_t at = trace.rfind(mark);
    if (at == std::string::npos) return text;
    const std::string line = trace.substr(at + mark.size(), trace.find(')', at) - at - mark.size());
    if (leaf.fragment.text.empty()) return text + " (in " + procedure + ", line " + line + ")";
    std::istringstream lines(leaf.fragment.text);
    std::string said;
    for (int left = std::atoi(line.c_str()); left > 0; --left) std::getline(lines, said);
    said.erase(0, said.find_first_not_of(" \t"));
    return text + " (in line " + line + " of the fragment: " + said + ")";
}

void Interpreter::take_results(const ir::LeafDefinition& leaf, Tcl_Obj* list, Results results,
                               const std::vector<bool>& temporary) {
    int count = 0;
    Tcl_Obj** parts = nullptr;
    if (Tcl_ListObjGetElements(nullptr, list, &count, &parts) != TCL_OK ||
        static_cast<std::size_t>(count) != results.size())
        throw ScriptError("it returned before its outputs were set; a fragment must not return");
    for (std::size_t i = 0; i < results.size(); ++i) {
        const std::string given = results[i].is<std::string>() ? results[i].string() : "";
        const std::string what = "the output '" + leaf.output_names[i] + "'";
        results[i] = from_tcl(parts[i], leaf.outputs[i], what);
        if (!leaf.outputs[i].is(Kind::file)) continue;
        const std::string path = results[i].path();
        if (!fs::exists(path)) throw ScriptError("it made no file '" + path + "' for " + what);
        if (temporary[i] && path == given) results[i] = Value::file(path, true);
    }
}

void Interpreter::call(const ir::LeafDefinition& leaf, Arguments arguments, Results results,
                       Services& services) {
    serve(services);  // packages may print while they load
    require(leaf);
    std::vector<bool> temporary(results.size(), false);
    for (std::size_t i = 0; i < results.size(); ++i)
        if (leaf.outputs[i].is(Kind::file)) temporary[i] = services.prepare_file(results[i]);
    Objects words;
    const bool is_fragment = !leaf.fragment.text.empty();
    if (is_fragment)
        add_fragment_words(leaf, arguments, results, words);
    else
        add_procedure_words(leaf, arguments, words);
    if (!runs(words))
        throw ScriptError(failure(leaf, is_fragment ? procedure_of(leaf) : leaf.symbol));
    const Objects result(Tcl_GetObjResult(interpreter_));
    take_results(leaf, result.data()[0], results, temporary);
}

int Interpreter::print(ClientData self, Tcl_Interp* interpreter, int count,
                       Tcl_Obj* const words[]) {
    return command(interpreter, count == 2 ? nullptr : "text", words, [&]() -> std::string {
        const std::string text = text_of_object(words[1]);
        if (Services* const services = static_cast<Interpreter*>(self)->services_)
            services->print(text);
        else
            std::fwrite(text.data(), 1, text.size(), stdout);
        return {};
    });
}

int Interpreter::python(ClientData self, Tcl_Interp* interpreter, int count,
                        Tcl_Obj* const words[]) {
    const char* const usage = count == 4 ? nullptr : "persist code expression";
    return command(interpreter, usage, words, [&] {
        Services* const services = static_cast<Interpreter*>(self)->services_;
        if (services == nullptr)
            throw ScriptError("python cannot be called while a package is loaded before the run");
        return services->evaluate({ForeignCode::Language::python, text_of_object(words[1]) != "0",
                                   text_of_object(words[2]), text_of_object(words[3])});
    });
}

}  // namespace refrain::script::tcl
