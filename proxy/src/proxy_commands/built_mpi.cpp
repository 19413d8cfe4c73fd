#include "proxy_commands/built_mpi.hpp"

#include "cli/output_of.hpp"
#include "events/block_file.hpp"
#include "proxy_commands/processes.hpp"
#include "proxy_commands/stage.hpp"
#include "refrain/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>

namespace refrain::proxy {
namespace {

namespace fs = std::filesystem;

constexpr const char* interposer_file = "librefrain-proxy.so";
constexpr const char* counter_file = "librefrain-proxy-counter.so";

/// What a shared library needs whose name speaks of MPI, as paths.
std::set<std::string> mpi_libraries(const std::string& file) {
    std::set<std::string> found;
    std::istringstream lines(cli::output_of({"ldd", file}));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream in(line);
        std::string name, arrow, path;
        if (in >> name >> arrow >> path && arrow == "=>" && name.find("mpi") != std::string::npos)
            found.insert(path);
    }
    return found;
}

/// The steps of a build, in a folder with their log.
class Build {
  public:
    Build(std::string mpicc, const std::string& header, const std::string& folder)
        : mpicc_(std::move(mpicc)), sources_(source_folder()), folder_(folder) {
        if (!fs::exists(sources_ / "interposer/interposer.cpp"))
            throw UsageError("the interposer's sources are not at " + sources_.string() +
                             "; install all of Refrain's proxy/");
        if (!header.empty()) {
            if (!fs::exists(header))
                throw UsageError("--header: there is no file '" + header + "'");
            header_ = "-DREFRAIN_MPI_HEADER=\"" + fs::absolute(header).string() + "\"";
        }
        std::error_code error;
        fs::create_directories(work() / "interposer", error);
        if (error)
            throw UsageError("cannot make the folder '" + work().string() +
                             "': " + error.message() + "; name another one with -o");
    }

    void make() const {
        write("mpi_h.c", "#include \"interposer/mpi_h.h\"\n");
        step({mpicc_, "-I", sources_.string(), "-E", "-P", file("mpi_h.c"), "-o", file("mpi_h.i")},
             "'" + mpicc_ + "' does not find mpi.h: --mpicc wants the compiler wrapper of an MPI");
        write("probe.c",
              "#include <mpi.h>\nint main(void) {\n    char text[MPI_MAX_LIBRARY_VERSION_STRING];\n"
              "    int length;\n    return PMPI_Get_library_version(text, &length);\n}\n");
        step({mpicc_, file("probe.c"), "-o", file("probe")},
             "'" + mpicc_ +
                 "' links no program that calls PMPI_Get_library_version: an MPI 3.0 with its "
                 "profiling interface is needed");
        std::cout << step({"python3", (sources_ / "events/generate_table.py").string(),
                           (sources_ / "events/functions.table").string(), "--wrappers",
                           file("interposer/wrappers.inc"), "--mpi-h", file("mpi_h.i")},
                          "the wrappers cannot be generated (python3)");
        step(interposer_words(), "'" + mpicc_ +
                                     "' does not compile the interposer: it must be g++ 12 or "
                                     "clang++ 14, or newer, that it calls");
        step({mpicc_, "-O2", "-fPIC", "-ftls-model=initial-exec", "-shared", "-fno-lto",
              (sources_ / "interposer/counter.c").string(), "-o", (folder_ / counter_file).string(),
              "-ldl"},
             "'" + mpicc_ + "' does not compile the counter");
        fs::remove_all(work());
    }

  private:
    /// Removed at the end: a name that the folder has for nothing else.
    [[nodiscard]] fs::path work() const { return folder_ / "refrain-proxy-build"; }
    [[nodiscard]] std::string file(const char* name) const { return (work() / name).string(); }

    void write(const char* name, const std::string& text) const {
        if (!replace_file(file(name), text))
            throw UsageError("cannot write '" + file(name) + "': " + std::strerror(errno));
    }
    [[nodiscard]] std::vector<std::string> interposer_words() const {
        std::vector<std::string> words{mpicc_,
                                       "-x",
                                       "c++",
                                       "-std=c++20",
                                       "-O3",
                                       "-fPIC",
                                       "-shared",
                                       "-fno-lto",
                                       "-fvisibility=hidden",
                                       "-fvisibility-inlines-hidden",
                                       "-ftls-model=initial-exec",
                                       "-DOMPI_SKIP_MPICXX",
                                       "-DMPICH_SKIP_MPICXX",
                                       "-Wno-deprecated-declarations",
                                       "-I",
                                       work().string()};
        for (const char* folder : {"", "generated"})
            words.insert(words.end(), {"-I", (sources_ / folder).string()});
        if (!header_.empty()) words.push_back(header_);
        words.insert(words.end(),
                     {(sources_ / "generated/interposer/recorder.cpp").string(), "-o",
                      (folder_ / interposer_file).string(), "-shared-libgcc", "-Wl,-Bstatic",
                      "-lstdc++", "-Wl,-Bdynamic", "-Wl,-z,defs",
                      "-Wl,--version-script=" + (sources_ / "interposer/exports.map").string(),
                      "-ldl", "-lm", "-lpthread"});
        return words;
    }

    /// Runs a command; returns what it said.
    /// Errors: UsageError, `problem` and what was said
    std::string step(const std::vector<std::string>& words, const std::string& problem) const {
        const std::string log = file("log.txt");
        const int status = run_program_into(words, log);
        const std::string said = read_whole_file(log);
        if (status == 0) return said;
        constexpr std::size_t said_max = 2000;
        std::string command;
        for (const std::string& word : words) command += (command.empty() ? "" : " ") + word;
        throw UsageError(problem + "\n" + command + "\n" + said.substr(0, said_max) +
                         (said.size() > said_max ? "\n... (all of it: " + log + ")" : ""));
    }

    std::string mpicc_;
    fs::path sources_, folder_;
    std::string header_;
};

}  // namespace

void build_interposer(const std::string& mpicc, const std::string& header,
                      const std::string& folder) {
    const Stage compiling("compiling the recorder");
    Build(mpicc, header, folder).make();
}

Target built_target(const std::vector<std::string>& words, const std::string& folder) {
    Target target;
    target.mpi = folder;
    target.interposer = fs::absolute(fs::path(folder) / interposer_file);
    target.counter = fs::absolute(fs::path(folder) / counter_file);
    if (!fs::exists(target.interposer) || !fs::exists(target.counter))
        throw UsageError("--mpi '" + folder + "' has no " + interposer_file +
                         "; `refrain proxy build --mpicc MPICC -o " + folder + "` makes it");
    const std::set<std::string> own = mpi_libraries(target.interposer);
    for (target.program = 0; target.program < words.size(); ++target.program) {
        const std::string program = program_file(words[target.program]);
        if (program.empty()) continue;
        const std::set<std::string> its = mpi_libraries(program);
        const auto is_own = [&](const std::string& each) { return own.contains(each); };
        if (std::any_of(its.begin(), its.end(), is_own)) break;
    }
    return target;
}

}  // namespace refrain::proxy
