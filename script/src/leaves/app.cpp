#include "leaves/app.hpp"

#include "library/location.hpp"
#include "memo/content_hash.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace refrain::script {
namespace {

namespace fs = std::filesystem;

/// The files that a program is about to make. Unless it succeeds, those that it has touched are renamed to NAME.incomplete,
/// and temporary ones removed; what was there before and was not touched stays.
class AppOutputs {
  public:
    explicit AppOutputs(std::size_t count) : files(count) {}
    AppOutputs(const AppOutputs&) = delete;
    AppOutputs& operator=(const AppOutputs&) = delete;
    ~AppOutputs() {
        std::error_code ignored;
        for (const AppOutput& each : files) {
            const auto now = stamp_of(each.path);
            if (!now || now == each.before) continue;
            const std::string to = each.path + ".incomplete";
            fs::remove_all(each.temporary ? each.path : to, ignored);
            if (!each.temporary) fs::rename(each.path, to, ignored);
        }
    }

    std::vector<AppOutput> files;  // of all outputs; those that are no files have no path
};

void add_words(std::vector<std::string>& words, const Value& value) {
    if (value.is<Value::TablePointer>()) {
        for (const auto& [key, element] : value.entries()) add_words(words, element);
        return;
    }
    words.push_back(text_of(value));
}

/// The last lines of a text, each indented, and its beginning only if it is very long.
std::string last_lines(const std::string& text, std::size_t lines_max) {
    constexpr std::size_t line_max = 1000;
    const std::vector<std::string> lines = parts_of(text, "\n");
    std::string made;
    for (std::size_t i = lines.size() - std::min(lines.size(), lines_max); i < lines.size(); ++i)
        made +=
            "\n    " + lines[i].substr(0, line_max) + (lines[i].size() > line_max ? " ..." : "");
    return made;
}

/// A line of the log that TURBINE_LOG asks for.
void log(const std::string& text, Services& services) {
    const bool ranks = setting("TURBINE_LOG_RANKS", "0") != "0";
    const std::string line =
        (ranks ? "[" + std::to_string(services.worker()) + "]" : "") + text + "\n";
    const std::string file = setting("TURBINE_LOG_FILE");
    if (file.empty()) return services.print(line);
    std::ofstream(file, std::ios::app) << line << std::flush;
}

}  // namespace

processes::ProcessCommand AppLeaf::command_of(Arguments arguments,
                                              std::span<const Value> results) const {
    processes::ProcessCommand command;
    const auto value_of = [&](const ir::LeafWord& word) -> const Value& {
        return word.output ? results[word.index] : arguments[word.index];
    };
    for (const ir::LeafWord& word : definition_.words) add_words(command.words, value_of(word));
    if (command.words.empty())
        throw ScriptError("the command of the app '" + definition_.name + "' is empty");
    const std::string& own = definition_.policy.wrap;
    command.words = wrapped(command.words, own.empty() ? host_.options().wrap : own);
    for (std::size_t i = 0; i < 3; ++i)
        if (definition_.streams[i].index != ir::no_variable)
            command.streams[i] = text_of(value_of(definition_.streams[i]));
    command.timeout_s = definition_.policy.timeout_s;
    return command;
}

std::string AppLeaf::describe(Arguments arguments, std::span<const Value> results) const {
    std::vector<Value> named(results.begin(), results.end());
    for (Value& each : named)
        if (each.empty()) each = Value("<temporary>");
    const processes::ProcessCommand command = command_of(arguments, named);
    constexpr const char* arrows[] = {" <", " >", " 2>"};
    std::string text = processes::command_line(command.words);
    for (std::size_t i = 0; i < 3; ++i)
        if (!command.streams[i].empty())
            text += arrows[i] + processes::command_line({command.streams[i]});
    return text;
}

/// Prints the command. Named outputs count as made, so that commands which need their names only follow.
void AppLeaf::pretend(Arguments arguments, Results results, Services& services) const {
    services.print(describe(arguments, results) + "\n");
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!definition_.outputs[i].is(Kind::file))
            results[i] = Void{};
        else
            results[i] = Value::file(results[i].empty() ? "<temporary>" : results[i].string());
    }
}

void AppLeaf::fail(const processes::ProcessCommand& command, const std::string& how,
                   const processes::SaidErrors& said) const {
    std::string kept;
    if (RunFolder* record = said.empty() ? nullptr : host_.record())
        said.write_to(kept = record->error_path(definition_.name));
    const std::string last = last_lines(said.tail(), 10);
    throw AppFailure("app '" + definition_.name + "' " + how +
                         "\n  command: " + processes::command_line(command.words) +
                         "\n  directory: " + fs::current_path().string() +
                         (last.empty() ? "" : "\n  standard error:" + last),
                     kept);
}

void AppLeaf::expect_output(const processes::ProcessCommand& command, const AppOutput& output,
                            const std::string& name) const {
    const bool is_there = fs::exists(output.path);
    if (is_there && !(output.shows_writing && stamp_of(output.path) == output.before)) return;
    const std::string how = "ended well, but " +
                            (is_there ? "left the old file '" + output.path + "' as it was"
                                      : "made no file '" + output.path + "'") +
                            " for its output '" + name + "'";
    if (!is_there && !host_.options().missing_outputs_warn) fail(command, how, {});
    LeafHost::warn("app '" + definition_.name + "' " + how);
}

void AppLeaf::call(Arguments arguments, Results results, Services& services) const {
    if (host_.options().dry_run) return pretend(arguments, results, services);
    AppOutputs outputs(results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!definition_.outputs[i].is(Kind::file)) continue;
        if (definition_.outputs[i].name() == "url") {
            if (!results[i].empty()) continue;
            throw ScriptError("the output '" + definition_.output_names[i] + "' of app '" +
                              definition_.name +
                              "' is a url without a name; map it: url u<\"...\">");
        }
        AppOutput& output = outputs.files[i];
        output.temporary = services.prepare_file(results[i]);
        output.path = results[i].string();
        output.before = stamp_of(output.path);
        output.shows_writing = output.before && is_settled(*output.before) &&
                               fs::is_regular_file(fs::symlink_status(output.path));
    }
    processes::ProcessCommand command = command_of(arguments, results);
    command.keeps_errors = command.streams[2].empty();
    command.environment = rank_variables(services);
    if (setting("TURBINE_LOG", "0") != "0") log("shell: " + describe(arguments, results), services);
    const processes::ProcessEnd end = processes::run_process(command, host_.processes);
    if (!end.well()) fail(command, end.text(command.timeout_s), end.errors);
    // What an app that ends well says on standard error belongs to the run's own.
    end.errors.write_to(STDERR_FILENO);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const AppOutput& output = outputs.files[i];
        if (!output.path.empty()) expect_output(command, output, definition_.output_names[i]);
        results[i] = definition_.outputs[i].is(Kind::file)  // what a url names is not looked at
                         ? Value::file(results[i].string(), output.temporary)
                         : Value(Void{});
    }
    outputs.files.clear();  // they stay
}

std::vector<std::string> wrapped(const std::vector<std::string>& command,
                                 const std::string& pattern) {
    constexpr std::string_view place = "{cmd}";
    if (pattern.empty()) return command;
    // In quotes it is text for a shell, as part of a longer word is.
    const auto has = [&](const char* text) { return pattern.find(text) != std::string::npos; };
    const bool is_text = has("'{cmd}'") || has("\"{cmd}\"");
    std::vector<std::string> made;
    bool any = false;
    for (std::string word : quoted_words(pattern, "'\"")) {
        if (word == place && !is_text) {
            made.insert(made.end(), command.begin(), command.end());
            any = true;
            continue;
        }
        if (const std::size_t at = word.find(place); at != std::string::npos) {
            word.replace(at, place.size(), processes::command_line(command));
            any = true;
        }
        made.push_back(std::move(word));
    }
    if (!any) throw ScriptError("the wrap '" + pattern + "' has no {cmd} in it");
    return made;
}

}  // namespace refrain::script
