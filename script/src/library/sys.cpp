/// `import sys;`: the command line, the environment, the clock.

#include "library/modules.hpp"
#include "values/format.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <thread>

namespace refrain::script {
namespace sys_module {
namespace {

/// Whether the argument is -k, -k=v, --k or --k=v; then where its name begins.
std::optional<std::size_t> flag_at(const std::string& argument) {
    const std::size_t begin = argument.find_first_not_of('-');
    if (begin == std::string::npos || begin == 0 || begin > 2) return std::nullopt;
    return begin;
}
/// The value of `--name=value`; empty text for `--name`.
std::optional<std::string> named(Services& services, const std::string& name) {
    const auto& arguments = services.arguments();
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const auto begin = flag_at(arguments[i]);
        if (!begin) continue;
        const std::size_t equal = arguments[i].find('=');
        if (arguments[i].substr(*begin, equal == std::string::npos ? equal : equal - *begin) ==
            name)
            return equal == std::string::npos ? "" : arguments[i].substr(equal + 1);
    }
    return std::nullopt;
}
std::vector<std::string> positional(Services& services) {
    std::vector<std::string> all;
    for (const std::string& each : services.arguments())
        if (all.empty() || !flag_at(each)) all.push_back(each);
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
Value argc(In, Services& services) {
    return static_cast<std::int64_t>(positional(services).size() - 1);
}
Value args(In, Services& services) {
    std::string all;
    const auto& arguments = services.arguments();
    for (std::size_t i = 1; i < arguments.size(); ++i) all += (i == 1 ? "" : " ") + arguments[i];
    return all;
}
Value accept(In in, Services& services) {
    for (const std::string& each : services.arguments()) {
        const auto begin = flag_at(each);
        if (!begin || &each == services.arguments().data()) continue;
        const std::string name = each.substr(*begin, each.find('=') - *begin);
        if (std::ranges::none_of(in,
                                 [&](const Value& allowed) { return allowed.string() == name; }))
            throw ScriptError("unknown argument --" + name);
    }
    return Void{};
}
Value sleep(In in, Services&) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::max(0.0, in[0].floating())));
    return Void{};
}
Value clock(In, Services&) {
    using namespace std::chrono;
    return duration<double>(system_clock::now().time_since_epoch()).count();
}
Value clock_seconds(In in, Services& services) {
    return static_cast<std::int64_t>(clock(in, services).floating());
}
/// In the local zone.
Value clock_format(In in, Services&) {
    const std::time_t seconds = in[1].integer();
    if (auto text = local_time(seconds, in[0].string().c_str())) return std::move(*text);
    throw ScriptError("clock_format: ", seconds, " s is in no year of the calendar");
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
    of_run("(int o) argc()", argc),
    of_run("(string o) args()", args),
    {"(void o) argv_accept(string... names)", accept, false},
    of_run("(string o) getenv(string name)",
           of([](const std::string& name) { return setting(name); })),
    {"(void o) sleep(float seconds)", sleep, false, true},
    {"(float o) clock()", clock, false},
    {"(int o) clock_seconds()", clock_seconds, false},
    {"(string o) clock_format(string format, int seconds)", clock_format, false},
};

}  // namespace
}  // namespace sys_module

const std::span<const Builtin> sys_functions = sys_module::all;

}  // namespace refrain::script
