#include "script_command/run_settings.hpp"

#include "cli/command_line.hpp"
#include "ir/leaf_policy.hpp"
#include "refrain/error.hpp"

namespace refrain::script {

namespace {

FailurePolicy failure_policy_of(const std::string& name) {
    if (name == "stop") return FailurePolicy::stop;
    if (name == "drain") return FailurePolicy::drain;
    return FailurePolicy::independent;
}

}  // namespace

void RunSettings::add_to(cli::CommandLine& command, RunOptions& options) {
    command
        .add_option(
            "--failures", failures,
            "What a failure ends: what needs the result (independent), the run when running "
            "calls have ended (drain), the run at once (stop)")
        .one_of({"independent", "drain", "stop"});
    command.add_option("--retries", options.retries, "Further attempts for each program that fails")
        .between(0, 1000);
    command.add_option("--wrap", options.wrap,
                       "Around the commands of apps, such as 'nice -n 5 {cmd}'");
    command.add_flag(
        "--processes", options.processes,
        "Workers are processes: a function of C, C++ or Tcl that crashes fails one call");
    command.add_option("--memory", memory,
                       "What functions with @memory share; default: what the machine has");
    command.add_option("--cache", cache,
                       "Keep the files that apps make in this folder, and use them again");
    command.add_flag("--resume", options.resume,
                     "Use the results of the latest run of this script again");
    command.add_option("--runs", runs, "Where runs are recorded; default: .refrain/runs");
    command.add_flag("--no-record", no_record, "Do not record the run");
    command.add_flag("--dry-run", options.dry_run,
                     "Print the commands of apps, as far as they are known");
}

void RunSettings::take_into(RunOptions& options) const {
    options.failures = failure_policy_of(failures);
    if (!no_record) options.runs_folder = runs;
    if (options.resume && no_record) throw UsageError("--resume needs the record of the run");
    if (!options.wrap.empty() && options.wrap.find("{cmd}") == std::string::npos)
        throw UsageError("--wrap takes a text with {cmd} in it, not '" + options.wrap + "'");
    if (!cache.empty()) {
        options.cache_apps = true;
        options.cache_folder = cache;
    }
    if (memory.empty()) return;
    ir::LeafPolicy policy;
    if (!ir::set_leaf_policy(policy, "memory", memory).empty())
        throw UsageError("--memory takes bytes, 512MB or 2GiB, not '" + memory + "'");
    options.memory_bytes = policy.memory_bytes;
}

}  // namespace refrain::script
