/// `import files;`. `write` returns a temporary file; assigned to a mapped variable, it is copied.

#include "library/modules.hpp"
#include "values/text.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <glob.h>
#include <sys/stat.h>

namespace refrain::script {
namespace file_module {
namespace {

namespace fs = std::filesystem;

const std::string& path_of(const Value& value) {
    return value.is<std::string>() ? value.string() : value.path();
}
Value input(In in, Services&) {
    if (!fs::exists(in[0].string()))
        throw ScriptError("input: there is no file '" + in[0].string() + "'");
    return Value::file(in[0].string());
}
Value found(In in, Services&) {
    glob_t all{};
    Table table;
    if (glob(in[0].string().c_str(), 0, nullptr, &all) == 0)
        for (std::size_t i = 0; i < all.gl_pathc; ++i)
            table.emplace(static_cast<std::int64_t>(i), Value::file(all.gl_pathv[i]));
    globfree(&all);
    return Value::table(std::move(table));
}
Value modified(In in, Services&) {
    struct stat status {};
    if (stat(in[0].string().c_str(), &status) != 0)
        throw ScriptError("file_mtime: '" + in[0].string() + "': " + std::strerror(errno));
    return static_cast<std::int64_t>(status.st_mtime);
}
/// Without empty lines and what follows the comment's mark.
Value lines(In in, Services&) {
    Table table;
    const std::string mark = in.size() > 1 ? in[1].string() : "#";
    for (std::string line : parts_of(file_content(in[0].path()), "\n")) {
        if (!mark.empty()) line = line.substr(0, line.find(mark));
        line = trimmed(line, " \t\r");
        if (!line.empty()) table.emplace(static_cast<std::int64_t>(table.size()), line);
    }
    return Value::table(std::move(table));
}
std::string tail(const std::string& path) {
    return fs::path(path).filename().string();
}
std::string extension(const std::string& path) {
    return fs::path(path).extension().string();
}
std::string root(const std::string& path) {
    return path.substr(0, path.size() - extension(path).size());
}
template <std::string (*Part)(const std::string&)>
Value part(In in, Services&) {
    return Part(path_of(in[0]));
}
Value new_file(In, Services& services) {
    const std::string path = services.temporary_path();
    if (!std::ofstream(path, std::ios::binary))
        throw ScriptError("cannot make '" + path + "': " + std::strerror(errno));
    return Value::file(path);
}
Value type(In in, Services&) {
    const auto status = fs::status(in[0].path());
    return fs::is_directory(status) ? "directory" : fs::is_fifo(status) ? "fifo" : "file";
}
/// The elements, one a line, in the order of their keys.
Value write_lines(In in, Services& services) {
    std::string text;
    for (const auto& [key, each] : in[0].entries()) text += each.string() + "\n";
    return new_file_with(text, services);
}

constexpr Builtin all[] = {
    {"(file f) input|input_file(string name)", input},
    {"(string t) read(file f)", of([](const Value& f) { return file_content(f.path()); }), false,
     true},
    {"(file t) write(string s)",
     of([](const std::string& s, Services& run) { return new_file_with(s, run); }), false, true},
    {"(file t[]) glob(string s)", found, false},
    {"(boolean o) file_exists(string f)", of([](const Value& f) { return fs::exists(path_of(f)); }),
     false},
    {"(int o) file_mtime(string f)", modified, false},
    {"(string s[]) file_lines(file f, string comment=\"#\")", lines, false, true},
    {"(string o) dirname|dirname_string(file|string f)", part<folder_of>},
    {"(string o) basename|basename_string(file|string f)", part<tail>},
    {"(string o) rootname|rootname_string(file|string f)", part<root>},
    {"(string o) extension|extension_string(file|string f)", part<extension>},
    {"(string o) mktemp_string()", of([](Services& run) { return run.temporary_path(); }), false},
    {"(file o) mktemp()", new_file, false},
    {"(string t) file_type(file f)", type, false},
    {"(file f) unsafe_uncached_input_file(string name)", input, false},
    {"(file o) write_array_string(string a[], int chunk)", write_lines, false, true},
    {"(file o) write_array_string_ordered(string a[])", write_lines, false, true},
};

}  // namespace
}  // namespace file_module

std::string file_content(const std::string& path) {
    std::optional<std::string> content = content_of(path);
    if (!content) throw ScriptError("cannot read '" + path + "': " + std::strerror(errno));
    return std::move(*content);
}
Value new_file_with(const std::string& content, Services& services) {
    const std::string path = services.temporary_path();
    std::ofstream file(path, std::ios::binary);
    file << content;
    file.close();
    if (!file) throw ScriptError("cannot write '" + path + "': " + std::strerror(errno));
    return Value::file(path, true);
}

const std::span<const Builtin> file_functions = file_module::all;

}  // namespace refrain::script
