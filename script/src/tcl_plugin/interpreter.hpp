#pragma once

#include "ir/program.hpp"
#include "leaves/leaf.hpp"

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tcl.h>
#include <vector>

namespace refrain::script::tcl {

extern const std::string_view prelude_tcl;  // the file, embedded by the build

[[nodiscard]] Tcl_Obj* text_object(const std::string& text);
[[nodiscard]] std::string text_of_object(Tcl_Obj* object);

/// Scalars as text, arrays and structs as dictionaries, bags as lists, files as {path count}, blobs as {pointer length}.
[[nodiscard]] Tcl_Obj* to_tcl(const Value& value, const Type& type);

/// The inverse. `what` names the value in messages. Errors: ScriptError.
[[nodiscard]] Value from_tcl(Tcl_Obj* object, const Type& type, const std::string& what);

/// An interpreter, with the packages and the functions that were called so far. Threads: the one that made it.
class Interpreter {
  public:
    explicit Interpreter(const std::vector<std::string>& package_folders);
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;
    ~Interpreter() = default;

    /// Loads the leaf's package. Errors: ScriptError.
    void require(const ir::LeafDefinition& leaf);
    /// Errors: ScriptError, with the line of the fragment.
    void call(const ir::LeafDefinition& leaf, Arguments arguments, Results results,
              Services& services);
    /// Errors: ScriptError.
    void run(const std::string& script, Services& services);

  private:
    class Objects;

    /// A command; false if it fails. invoke() then throws ScriptError.
    [[nodiscard]] bool runs(const Objects& words);
    void invoke(const Objects& words);
    void serve(Services& services);
    [[nodiscard]] const std::string& procedure_of(const ir::LeafDefinition& leaf);
    void add_fragment_words(const ir::LeafDefinition& leaf, Arguments arguments,
                            std::span<const Value> results, Objects& words);
    static void add_procedure_words(const ir::LeafDefinition& leaf, Arguments arguments,
                                    Objects& words);
    [[nodiscard]] std::string failure(const ir::LeafDefinition& leaf, const std::string& procedure);
    void take_results(const ir::LeafDefinition& leaf, Tcl_Obj* list, Results results,
                      const std::vector<bool>& temporary);
    static int print(ClientData self, Tcl_Interp* interpreter, int count, Tcl_Obj* const words[]);
    static int python(ClientData self, Tcl_Interp* interpreter, int count, Tcl_Obj* const words[]);

    struct Delete {
        void operator()(Tcl_Interp* is) const { Tcl_DeleteInterp(is); }
    };
    std::unique_ptr<Tcl_Interp, Delete> owned_{Tcl_CreateInterp()};
    Tcl_Interp* interpreter_ = owned_.get();
    std::string searched_;          // folders, for messages
    std::set<std::string> loaded_;  // packages, each with its version
    std::map<std::string, std::string>
        procedures_;                // by the name of the leaf: made of its fragment
    Services* services_ = nullptr;  // of the latest call; null before the first
};

}  // namespace refrain::script::tcl
