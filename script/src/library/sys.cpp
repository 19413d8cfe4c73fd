/// `import sys;`: the command line, the environment, the clock; `import launch;`.

#include "base/clock.hpp"
#include "library/modules.hpp"
#include "values/format.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

extern char** environ;

namespace refrain::script::sys_module {
namespace {

/// Of -k, -k=v, --k and --k=v: k, and v or the empty text.
std::optional<std::pair<std::string, std::string>> flag_of(const std::string& argument) {
    const std::size_t begin = argument.find_first_not_of('-');
    if (begin == std::string::npos || begin == 0 || begin > 2) return std::nullopt;
    const std::size_t equal = argument.find('=');
    return std::pair(argument.substr(begin, equal - begin),
                     equal == std::string::npos ? "" : argument.substr(equal + 1));
}
std::optional<std::string> named(Services& services, const std::string& name) {
    for (const std::string& each : services.arguments())
        if (const auto flag = flag_of(each);
            flag && flag->first == name && &each != services.arguments().data())
            return flag->second;
    return std::nullopt;
}
std::vector<std::string> positional(Services& services) {
    std::vector<std::string> all;
    for (const std::string& each : services.arguments())
        if (all.empty() || !flag_of(each)) all.push_back(each);
    return all;
}
Value argv(In in, Services& services) {
    if (const auto found = named(services, in[0].string())) return *found;
    if (in.size() > 1) return in[1];
    throw ScriptError("the argument --" + in[0].string() + "=... is missing");
}
Value argp(In in, Services& services) {
    const auto all = positional(services);
    const std::int64_t index = in[0].integer();
    if (index >= 0 && index < static_cast<std::int64_t>(all.size()))
        return all[static_cast<std::size_t>(index)];
    if (in.size() > 1) return in[1];
    throw ScriptError("argument ", index, " is missing; there are ", all.size() - 1);
}
Value args(In, Services& services) {
    const auto& all = services.arguments();
    return joined({all.begin() + 1, all.end()}, " ");
}
Value accept(In in, Services& services) {
    for (const std::string& each : services.arguments()) {
        const auto flag = flag_of(each);
        if (!flag || &each == services.arguments().data()) continue;
        if (std::ranges::none_of(
                in, [&](const Value& allowed) { return allowed.string() == flag->first; }))
            throw ScriptError("unknown argument --" + flag->first);
    }
    return Void{};
}
Value sleep(In in, Services&) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::max(0.0, in[0].floating())));
    return Void{};
}
/// In the local zone; the second that has begun.
Value clock_format(In in, Services&) {
    const double seconds = std::floor(in[1].floating());
    if (std::abs(seconds) < 0x1p62)
        if (auto text = local_time(static_cast<std::time_t>(seconds), in[0].string().c_str()))
            return std::move(*text);
    throw ScriptError(text_of(in[1]), " s is in no year of the calendar");
}
/// What a program prints, without the last end of line, and 0; or nothing and 1, also if it writes to standard error.
Value run_command(In in, Services& services) {
    const std::vector<std::string> words =
        in[0].is<std::string>() ? quoted_words(in[0].string(), "\"{") : texts_of(in[0]);
    if (words.empty()) throw ScriptError("the command is empty");
    const std::string path = services.temporary_path();
    const std::shared_ptr<void> at_end(nullptr, [&](void*) { std::remove(path.c_str()); });
    const bool well = services.run_program(words, path) == 0;
    std::string said = well ? file_content(path) : "";
    if (said.ends_with('\n')) said.pop_back();
    return Value::table({{std::int64_t{0}, said}, {std::int64_t{1}, well ? "0" : "1"}});
}

/// Of the command line or the environment of a run.
constexpr Builtin of_run(const char* declaration, Builtin::Function function) {
    return {.declaration = declaration, .function = function, .of_run = true};
}

constexpr Builtin all[] = {
    of_run("(string o) argv(string name)", argv),
    of_run("(string o) argv(string name, string otherwise)", argv),
    of_run("(string o) argp(int index)", argp),
    of_run("(string o) argp(int index, string otherwise)", argp),
    of_run("(boolean o) argv_contains(string name)",
           [](In in, Services& services) {
               return Value::boolean(named(services, in[0].string()).has_value());
           }),
    of_run("(int o) argc()", of([](Services& run) { return std::ssize(positional(run)) - 1; })),
    of_run("(string o) args()", args),
    {"(void o) argv_accept(string... names)", accept, false},
    of_run("(string o) getenv(string name)",
           of([](const std::string& name) { return setting(name); })),
    {"(void o) sleep(float seconds)", sleep, false, true},
    {"(float o) clock()", of([] { return base::unix_time_s(); }), false},
    {"(int o) clock_seconds()", of([] { return static_cast<std::int64_t>(base::unix_time_s()); }),
     false},
    {"(string o) clock_format(string format, int|float seconds)", clock_format, false},
    {"(int o) INT_MAX()", of([] { return std::numeric_limits<std::int64_t>::max(); })},
    {"<T> (string o[]) _system(T command)", run_command, false, true},  // of words, or of a text
};

// ---- programs of MPI, started by mpiexec

using Words = std::vector<std::string>;

void add(Words& to, const Words& more) {
    to.insert(to.end(), more.begin(), more.end());
}
/// The words in a variable of the environment.
void add(Words& to, const char* variable, const char* otherwise) {
    add(to, parts_of(setting(variable, otherwise), " \t\n"));
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
        if (drops) add(to, {"-u", std::string(name)});
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
    add(words, {"-n", std::to_string(ranks)});
    add(words, "TURBINE_INTERPOSER", "");
    if (in.size() == 4 && !in[2].entries().empty()) {
        words.emplace_back("env");
        add(words, texts_of(in[2]));
    }
    words.push_back(in[0].string());
    add(words, texts_of(in[1]));
    return std::int64_t{services.run_program(words)};
}

constexpr Builtin of_launch[] = {
    {"(int status) launch(string program, string arguments[], int par=1)", launch, false, true},
    {"(int status) launch_envs(string program, string arguments[], string environment[], int "
     "par=1)",
     launch, false, true},
};

}  // namespace
}  // namespace refrain::script::sys_module

const refrain::script::Builtins refrain::script::sys_functions = sys_module::all;
const refrain::script::Builtins refrain::script::launch_functions = sys_module::of_launch;
