#include "base/assertion.hpp"
#include "base/output_file.hpp"
#include "refrain/script/script.hpp"
#include "script_command/script_command.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace refrain::script {
namespace {

namespace fs = std::filesystem;

constexpr int status_file = 2;
constexpr int status_value = 5;
constexpr int status_option = 6;
constexpr int status_internal = 90;
constexpr int status_turbine = 1;

/// Ends the program with a message; with status 0, on standard output.
struct Refusal {
    int status;
    std::string text;
};

/// What one option is, and its value.
struct Given {
    int option;
    std::string value;
};
/// The options before the first word that is none, as getopt takes them; then the words.
struct Line {
    std::vector<Given> given;
    std::vector<std::string> words;
};
/// What one of the three programs says of itself, and takes.
struct Door {
    std::string_view name;
    const char* options;
    std::string_view help;
    std::string version;
    int status;  // of a command line that is wrong
};
Line read_line(int argc, char** argv, const Door& door) {
    Line line;
    opterr = 0;
    optind = 1;
    const std::string wanted = "+:" + std::string(door.options);
    for (int option = getopt(argc, argv, wanted.c_str()); option != -1;
         option = getopt(argc, argv, wanted.c_str())) {
        const std::string name(door.name);
        if (option == '?' || option == ':')
            throw Refusal{
                door.status,
                name + (option == '?' ? ": invalid option: -" : ": a value is missing behind -") +
                    static_cast<char>(optopt) + "; " + name + " -h lists the options"};
        if (option == 'h') throw Refusal{0, std::string(door.help)};
        if (option == 'v') throw Refusal{0, door.version};
        line.given.push_back({option, optarg == nullptr ? "" : optarg});
    }
    line.words.assign(argv + optind, argv + argc);
    return line;
}

constexpr const char* stc_version = "STC: Swift-Turbine Compiler " REFRAIN_VERSION " (Refrain)\n";
constexpr const char* turbine_version = "Turbine " REFRAIN_VERSION " (Refrain)\n";

// ---- stc
constexpr const char* stc_options = "A:C:d:D:Ef:F:hI:i:j:L:pO:o:r:uU:vVx";

struct Compilation {
    RunOptions options;
    std::string in;
    std::string out;
    std::string code_file;
    std::vector<std::string> older_than;  // with -u and -U
    bool only_if_old = false;
    bool verbose = false;

    Compilation() { options.level = 2; }
    void say(const std::string& text) const {
        if (verbose) std::printf("stc: %s\n", text.c_str());
    }
};

[[nodiscard]] int level_of(const std::string& text) {
    if (text == "X") return 3;
    if (const auto level = read_number<int>(text); level && *level >= 0 && *level <= 3)
        return *level;
    throw Refusal{status_value, "stc: invalid optimization level -O " + text};
}

void add_compile_argument(RunOptions& options, const std::string& text) {
    if (text.find('=') == std::string::npos || text[0] == '=')
        throw Refusal{status_value, "stc: -A takes key=value, not '" + text + "'"};
    options.compile_arguments.push_back(text);
}

void add_pass(std::vector<std::string>& to, const std::string& name) {
    const auto all = compiler_passes();
    if (std::ranges::none_of(all, [&](const PassInfo& each) { return each.name == name; }))
        throw Refusal{status_value, "stc: ERROR Invalid compiler option " + name};
    to.push_back(name);
}

/// Takes an option that stc and swift-t share; returns false for any other option.
bool take(Compilation& to, const Given& given) {
    const std::string& value = given.value;
    const std::map<int, std::vector<std::string>*> lists = {{'D', &to.options.macros},
                                                            {'I', &to.options.import_folders},
                                                            {'i', &to.options.modules},
                                                            {'r', &to.options.library_folders},
                                                            {'U', &to.older_than}};
    if (const auto list = lists.find(given.option); list != lists.end())
        list->second->push_back(value);
    if (given.option == 'A') add_compile_argument(to.options, value);
    if (given.option == 'C') to.code_file = value;
    if (given.option == 'f') add_pass(to.options.passes_on, value);
    if (given.option == 'F') add_pass(to.options.passes_off, value);
    if (given.option == 'O') to.options.level = level_of(value);
    if (given.option == 'o') to.out = value;
    if (given.option == 'p') to.options.hash_comments = true;
    if (given.option == 'u' || given.option == 'U') to.only_if_old = true;
    if (given.option == 'V') to.verbose = true;
    return std::string_view("ACDfFIirOopuUdjLV").find(static_cast<char>(given.option)) !=
           std::string_view::npos;
}

std::string text_of_script(const std::string& path) {
    if (auto text = content_of(path)) return std::move(*text);
    throw Refusal{status_file, "stc: not readable: " + path};
}

bool is_current(const Compilation& wish) {
    std::error_code none;
    const auto made = fs::last_write_time(wish.out, none);
    if (none) return false;
    std::vector<std::string> inputs = wish.older_than;
    inputs.push_back(wish.in);
    return std::ranges::all_of(inputs, [&](const std::string& each) {
        std::error_code absent;
        const auto time = fs::last_write_time(each, absent);
        return !absent && time <= made;
    });
}

/// Where a compiled script goes unless something else is said.
std::string compiled_name(const std::string& script) {
    constexpr std::string_view end = ".swift";
    return script.substr(0, script.size() - (script.ends_with(end) ? end.size() : 0)) + ".tic";
}

void write(const std::string& path, const std::string& text) {
    try {
        base::write_output(path, text, {{}, true});
    } catch (const std::exception& error) {
        throw Refusal{status_file, "stc: cannot write " + path + ": " + error.what()};
    }
}

/// Compiles; writes what is asked for, or nothing at an error. Returns the text of the compiled script.
std::string compiled(const Compilation& wish, const std::string& text) {
    base::throw_on_internal_failure = true;  // for status_internal; nothing else runs yet
    try {
        const CompileResult made = compile_text(text, wish.in, wish.options);
        std::fputs(made.warnings.c_str(), stderr);
        base::throw_on_internal_failure = false;
        if (!wish.code_file.empty()) write(wish.code_file, made.intermediate_code);
        if (!wish.out.empty()) write(wish.out, made.compiled);
        return made.compiled;
    } catch (const UsageError& error) {
        throw Refusal{status_value, std::string("stc: ") + error.what()};
    }
}

int stc(int argc, char** argv) {
    const Line line =
        read_line(argc, argv, {"stc", stc_options, stc_help_txt, stc_version, status_option});
    Compilation wish;
    bool only_preprocess = false;
    for (const Given& each : line.given) {
        if (each.option == 'E') only_preprocess = true;
        if (each.option == 'x') throw Refusal{status_option, "stc: -x is not for users"};
        take(wish, each);
    }
    if (line.words.empty()) throw Refusal{status_option, "stc: no input file"};
    if (line.words.size() > 2)
        throw Refusal{status_option, "stc: too many files: " + line.words[2]};
    wish.in = line.words[0];
    if (line.words.size() == 2) wish.out = line.words[1];
    const std::string text = text_of_script(wish.in);
    if (only_preprocess) {
        const std::string made = preprocessed_text(text, wish.in, wish.options);
        wish.out.empty() ? static_cast<void>(std::fputs(made.c_str(), stdout))
                         : write(wish.out, made);
        return 0;
    }
    if (wish.out.empty()) wish.out = compiled_name(wish.in);
    if (wish.only_if_old && is_current(wish)) {
        wish.say("output is up-to-date.");
        return 0;
    }
    wish.say("compiling " + wish.in + " to " + wish.out);
    static_cast<void>(compiled(wish, text));
    return 0;
}

// ---- turbine
[[noreturn]] void refuse(std::string text) {
    throw Refusal{status_turbine, std::move(text)};
}

constexpr const char* turbine_options = "cCd:D:f:hlm:M:n:vVxXe:i:o:s:St:Y";

template <class Number = std::uint32_t>
Number number_of(const std::string& text, const char* what, Number most = 999'999) {
    const auto number = read_number<Number>(text);
    if (number && *number >= 0 && *number <= most) return *number;
    refuse("turbine: " + std::string(what) + " is no number: '" + text + "'");
}
template <class Number = std::uint32_t>
Number number_in(const char* variable, const char* otherwise = "0", Number most = 999'999) {
    return number_of<Number>(setting(variable, otherwise), variable, most);
}

struct Turbine {
    std::string processes = setting("PROCS", "2");
    bool prefix = false;
    std::vector<std::string> environment;
};

/// Takes an option of turbine; false if it is none.
bool take(Turbine& to, const Given& given) {
    if (given.option == 'n') to.processes = given.value;
    if (given.option == 'l') to.prefix = true;
    if (given.option == 'e') to.environment.push_back(given.value);
    if (given.option == 'm') refuse("No such machine: " + given.value);
    if (given.option == 'c' || given.option == 'C')
        refuse("turbine: there is no file of settings, of which -c and -C print the name");
    return std::string_view("nlecCdDfMioSstxXYV").find(static_cast<char>(given.option)) !=
           std::string_view::npos;
}

/// Each line that begins with `old` begins with `now` instead.
std::string with_beginnings(std::string_view text, std::string_view old, const std::string& now) {
    std::string made;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        const bool begins_so = text.starts_with(old);
        made.append(begins_so ? now : "").append(text.substr(0, end), begins_so ? old.size() : 0);
        text.remove_prefix(end);
    }
    return made;
}

/// Where the lines of each worker go.
class WorkerOutput {
  public:
    explicit WorkerOutput(bool prefix) : prefix_(prefix), file_(setting("TURBINE_STDOUT")) {}

    /// Threads: one at a time.
    void print(std::uint32_t worker, const std::string& text) {
        const std::string lines =
            with_beginnings(text, "", prefix_ ? "[" + std::to_string(worker) + "] " : "");
        stream(worker) << lines << std::flush;
    }

  private:
    std::ostream& stream(std::uint32_t worker) {
        if (file_.empty()) return std::cout;
        std::string name = file_;
        for (std::size_t at = name.find("@r"); at != std::string::npos; at = name.find("@r"))
            name.replace(at, 2, std::to_string(worker));
        std::ofstream& file = files_.try_emplace(name, name).first->second;
        return file ? static_cast<std::ostream&>(file) : std::cout;
    }

    bool prefix_;
    std::string file_;
    std::map<std::string, std::ofstream> files_;
};

int run(const Turbine& wish, const std::string& program, const std::string& text,
        const std::vector<std::string>& arguments) {
    for (const std::string& each : wish.environment) {
        const std::size_t equal = each.find('=');
        if (each.empty() || equal == 0) refuse("turbine: -e takes key=value, not '" + each + "'");
        if (equal == std::string::npos) continue;  // passed on, as all variables are
        setenv(each.substr(0, equal).c_str(), each.substr(equal + 1).c_str(), 1);
    }
    const std::uint32_t processes = number_of(wish.processes, "the number of processes");
    const std::uint32_t servers = number_in("ADLB_SERVERS", "1");
    const auto rank = mpi_rank();  // mpirun has started turbine, and knows how many processes
    if (!rank && processes <= servers)
        refuse("turbine: " + std::to_string(processes) + " processes, of which " +
               std::to_string(servers) + " are servers, leave no worker");
    WorkerOutput output(wish.prefix);
    RunOptions options;
    options.failures = FailurePolicy::stop;
    options.missing_outputs_warn = true;
    options.retries =
        number_in("TURBINE_APP_RETRIES_LOCAL") + number_in("TURBINE_APP_RETRIES_REPUT");
    options.retry_delay_s = number_in<double>("TURBINE_APP_BACKOFF", "0.1");
    options.app_delay_s = number_in<double>("TURBINE_APP_DELAY");
    options.checkpoint_file = setting("TURBINE_XPT_FILE", "");
    options.reloaded_files = parts_of(setting("TURBINE_XPT_RELOAD"), ":");
    number_in("TURBINE_XPT_INDEX_MAX", "0", std::numeric_limits<std::int64_t>::max());
    const std::string flush = setting("TURBINE_XPT_FLUSH", "always_flush");
    if (flush != "no_flush" && flush != "periodic_flush" && flush != "always_flush")
        refuse("turbine: TURBINE_XPT_FLUSH is no_flush, periodic_flush or always_flush, not '" +
               flush + "'");
    options.mpi = rank.has_value();
    (rank ? options.server_ranks : options.workers) = rank ? servers : processes - servers;
    options.servers = static_cast<int>(servers);
    options.arguments = arguments;
    options.on_worker_output = [&](std::uint32_t worker, const std::string& lines) {
        output.print(worker, lines);
    };
    try {
        const RunResult result = run_text(text, program, options);
        if (rank.value_or(0) != 0) return 0;
        std::fputs(result.warnings.c_str(), stderr);
        std::fputs(with_beginnings(result.messages, "error: ", "Swift: ").c_str(), stdout);
        if (setting("ADLB_PRINT_TIME", "0") != "0")
            std::printf("ADLB Total Elapsed Time: %.3f\n", result.seconds);
        for (std::size_t i = 0;
             setting("ADLB_PERF_COUNTERS", "0") != "0" && i < result.operations.size(); ++i)
            std::printf("COUNTER: %s=%ju\n", std::string(operation_names()[i]).c_str(),
                        static_cast<std::uintmax_t>(result.operations[i]));
        return result.status == 0 ? 0 : status_turbine;
    } catch (const UsageError& error) {
        std::printf("Swift: %s\n", error.what());
        return status_turbine;
    }
}

int turbine(int argc, char** argv) {
    const Line line =
        read_line(argc, argv,
                  {"turbine", turbine_options, turbine_help_txt, turbine_version, status_turbine});
    Turbine wish;
    for (const Given& each : line.given) take(wish, each);
    if (line.words.empty()) refuse("turbine: no program!");
    const std::string& program = line.words[0];
    if (!fs::is_regular_file(program)) refuse("turbine: Program not found: " + program);
    if (program.ends_with(".swift"))
        refuse("turbine: Given a Swift script: " + program +
               "\n\tUse stc to generate a *.tic from a *.swift");
    const std::string text = text_of_script(program);
    if (!text.starts_with("# A compiled script of Refrain"))
        refuse("turbine: " + program + " was not compiled by Refrain: run stc on its script again");
    return run(wish, program, text, {line.words.begin() + 1, line.words.end()});
}

// ---- swift-t
constexpr const char* swift_t_options = "hE:o:t:vVA:C:d:D:f:F:I:i:j:L:O:pr:uU:e:lm:M:n:s:xX";

int swift_t(int argc, char** argv) {
    const Line line = read_line(argc, argv,
                                {"swift-t", swift_t_options, swift_t_help_txt,
                                 std::string(stc_version) + turbine_version, status_turbine});
    Compilation wish;
    Turbine how;
    std::string code;
    for (const Given& each : line.given) {
        if (each.option == 'E') {
            code += each.value;
        } else if (each.option == 't') {
            const std::size_t colon = std::min(each.value.find(':'), each.value.size());
            const std::string value = colon < each.value.size() ? each.value.substr(colon + 1) : "";
            if (colon != 1 || !take(how, {each.value[0], value}))
                refuse("turbine: invalid option: -" + each.value.substr(0, colon));
        } else if (!take(wish, each)) {
            take(how, each);
        }
    }
    std::vector<std::string> arguments = line.words;
    std::string text = code;
    if (code.empty()) {
        if (arguments.empty()) refuse("swift-t: Use 'swift-t -h' for help.");
        wish.in = arguments.front();
        arguments.erase(arguments.begin());
        if (access(wish.in.c_str(), R_OK) != 0) refuse("Could not read: " + wish.in);
        text = text_of_script(wish.in);
    } else {
        wish.in = "swift-t-E.swift";
    }
    if (wish.only_if_old && !wish.out.empty() && is_current(wish))
        text = text_of_script(wish.out);
    else
        text = compiled(wish, text);
    return run(how, wish.out.empty() ? compiled_name(wish.in) : wish.out, text, arguments);
}

}  // namespace

std::optional<int> run_front_door(int argc, char** argv) {
    constexpr std::array<std::pair<std::string_view, int (*)(int, char**)>, 3> doors = {
        {{"stc", stc}, {"turbine", turbine}, {"swift-t", swift_t}}};
    const std::string name = fs::path(argc > 0 ? argv[0] : "").filename().string();
    for (const auto& [door, main] : doors) {
        if (door != name) continue;
        try {
            return main(argc, argv);
        } catch (const Refusal& refusal) {
            std::fprintf(refusal.status == 0 ? stdout : stderr, "%s%s", refusal.text.c_str(),
                         refusal.text.ends_with('\n') ? "" : "\n");
            return refusal.status;
        } catch (const CompileFailure& failure) {
            std::fputs(failure.what(), stderr);
            return failure.is_syntax() ? status_syntax : status_refused;
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s: internal error: %s\n", name.c_str(), error.what());
            return status_internal;
        }
    }
    return std::nullopt;
}

}  // namespace refrain::script
