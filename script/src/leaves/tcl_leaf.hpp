#pragma once

#include "ir/program.hpp"
#include "leaves/leaf.hpp"

#include <string>
#include <vector>

namespace refrain::script {

class LeafHost;

/// The interpreters of Tcl of a run, one per thread that calls. The plug-in refrain-script-tcl.so makes it, so that the
/// program itself needs no Tcl.
///
/// Threads: any.
class TclEvaluator {
  public:
    TclEvaluator() = default;
    TclEvaluator(const TclEvaluator&) = delete;
    TclEvaluator& operator=(const TclEvaluator&) = delete;
    virtual ~TclEvaluator() = default;

    /// Loads the package of the leaf in the calling thread. Errors: ScriptError.
    virtual void prepare(const ir::LeafDefinition& leaf) = 0;
    /// Arguments and results as of Leaf::call. Errors: ScriptError.
    virtual void call(const ir::LeafDefinition& leaf, Arguments arguments, Results results,
                      Services& services) = 0;
    /// Runs the script in the calling thread. Errors: ScriptError.
    virtual void run(const std::string& script, Services& services) = 0;
};

/// What the plug-in has, by the name "refrain_script_open_tcl": packages are looked for in these folders.
using OpenTcl = TclEvaluator* (*)(const std::vector<std::string>& package_folders);

/// A function of Tcl: a fragment in the script, or a procedure of a package.
///
/// Errors: the constructor throws ScriptError if there is no Tcl, or no such package; the message says what to install.
class TclLeaf : public Leaf {
  public:
    TclLeaf(const ir::LeafDefinition& definition, const std::vector<std::string>& folders,
            LeafHost& host);
    void call(Arguments arguments, Results results, Services& services) const override;

  private:
    ir::LeafDefinition definition_;
    TclEvaluator& tcl_;
};

/// Runs the Tcl that a variable of the environment has. Returns what went wrong, or nothing.
[[nodiscard]] std::string run_hook(const std::string& variable,
                                   const std::vector<std::string>& folders, LeafHost& host,
                                   Services& services);

}  // namespace refrain::script
