/// `import launch;`: programs of MPI, started by mpiexec.

#include "library/modules.hpp"
#include "values/text.hpp"

#include <string_view>

extern char** environ;

namespace refrain::script {
namespace launch_module {
namespace {

using Words = std::vector<std::string>;

void add(Words& to, const Value& texts) {
    for (const auto& [key, each] : texts.entries()) to.push_back(each.string());
}
/// The words in a variable of the environment.
void add(Words& to, const char* variable, const char* otherwise) {
    for (std::string& each : parts_of(setting(variable, otherwise), " \t\n"))
        to.push_back(std::move(each));
}
/// How the names begin that the daemons of mpirun set.
constexpr const char* told_by_daemons =
    "OMPI_COMM_ OMPI_UNIVERSE_ OMPI_MCA_ess_base_ OMPI_MCA_orte_app_num OMPI_MCA_orte_bound "
    "OMPI_MCA_orte_ess_ OMPI_MCA_orte_hnp_uri OMPI_MCA_orte_jobfam_ OMPI_MCA_orte_launch "
    "OMPI_MCA_orte_local_daemon_ OMPI_MCA_orte_num_nodes OMPI_MCA_orte_precondition_ "
    "OMPI_MCA_orte_top_session_dir PMIX_ PMI_ HYDI_ PRTE_";
/// What the daemons of mpirun have told this process is not for the one that it starts; what the user has set is.
void add_clean_environment(Words& to) {
    to.emplace_back("env");
    const auto is_set = [](const char* each) { return !setting(each).empty(); };
    if (!is_set("OMPI_COMM_WORLD_RANK") && !is_set("PMIX_RANK") && !is_set("PMI_RANK")) return;
    const std::vector<std::string> prefixes = parts_of(told_by_daemons, " ");
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string_view name(*each, std::string_view(*each).find('='));
        if (name.starts_with("PMIX_MCA_") || name.starts_with("PRTE_MCA_")) continue;
        bool drops = name == "OMPI_MCA_ess" || name == "OMPI_MCA_pmix";
        for (const std::string& prefix : prefixes) drops |= name.starts_with(prefix);
        if (drops) to.insert(to.end(), {"-u", std::string(name)});
    }
}
/// Program, arguments, for some the environment, ranks.
Value launch(In in, Services& services) {
    const std::int64_t ranks = in.back().integer();
    if (ranks < 1) throw ScriptError("launch: @par is ", ranks, "; it is at least 1");
    Words words;
    add_clean_environment(words);
    add(words, "TURBINE_LAUNCHER", "mpiexec");
    add(words, "TURBINE_LAUNCH_OPTIONS", "");
    words.insert(words.end(), {"-n", std::to_string(ranks)});
    add(words, "TURBINE_INTERPOSER", "");
    if (in.size() == 4 && !in[2].entries().empty()) {
        words.emplace_back("env");
        add(words, in[2]);
    }
    words.push_back(in[0].string());
    add(words, in[1]);
    return std::int64_t{services.run_program(words)};
}

constexpr Builtin all[] = {
    {"(int status) launch(string program, string arguments[], int par=1)", launch, false, true},
    {"(int status) launch_envs(string program, string arguments[], string environment[], int "
     "par=1)",
     launch, false, true},
};

}  // namespace
}  // namespace launch_module

const std::span<const Builtin> launch_functions = launch_module::all;

}  // namespace refrain::script
