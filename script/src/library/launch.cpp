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
/// What mpirun has told this process is not for the one that it starts.
void add_clean_environment(Words& to) {
    to.emplace_back("env");
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string_view name(*each, std::string_view(*each).find('='));
        for (const std::string_view prefix :
             {"OMPI_COMM_", "OMPI_UNIVERSE_", "OMPI_MCA_orte_", "OMPI_MCA_ess", "OMPI_MCA_pmix",
              "PMIX_", "PMI_", "HYDRA_", "PRTE_"})
            if (name.starts_with(prefix)) to.insert(to.end(), {"-u", std::string(name)});
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
