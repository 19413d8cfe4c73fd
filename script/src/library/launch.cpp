/// `import launch;`: programs of MPI, started by mpiexec.

#include "library/modules.hpp"
#include "values/script_error.hpp"
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
        for (const std::string_view prefix : {"OMPI_COMM_", "PMIX_", "PMI_", "HYDRA_", "PRTE_"})
            if (name.starts_with(prefix)) to.insert(to.end(), {"-u", std::string(name)});
    }
}
Value launched(const std::string& program, const Value& arguments, const Value* environment,
               std::int64_t ranks, Services& services) {
    if (ranks < 1) throw ScriptError("launch: @par is ", ranks, "; it is at least 1");
    Words words;
    add_clean_environment(words);
    add(words, "TURBINE_LAUNCHER", "mpiexec");
    add(words, "TURBINE_LAUNCH_OPTIONS", "");
    words.insert(words.end(), {"-n", std::to_string(ranks)});
    add(words, "TURBINE_INTERPOSER", "");
    if (environment != nullptr && !environment->entries().empty()) {
        words.emplace_back("env");
        add(words, *environment);
    }
    words.push_back(program);
    add(words, arguments);
    return std::int64_t{services.run_program(words)};
}
Value launch(In in, Services& services) {
    return launched(in[0].string(), in[1], nullptr, in[2].integer(), services);
}
Value launch_envs(In in, Services& services) {
    return launched(in[0].string(), in[1], &in[2], in[3].integer(), services);
}

constexpr Builtin all[] = {
    {"(int status) launch(string program, string arguments[], int par=1)", launch, false, true},
    {"(int status) launch_envs(string program, string arguments[], string environment[], int "
     "par=1)",
     launch_envs, false, true},
};

}  // namespace
}  // namespace launch_module

const std::span<const Builtin> launch_functions = launch_module::all;

}  // namespace refrain::script
