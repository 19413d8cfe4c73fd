#include "refrain/script/script.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>

#include "common/stopwatch.hpp"
#include "script/processes.hpp"
#include "script/rows.hpp"

/// Peers that start programs. Each runs `true` a number of times, two at a time.
namespace script_bench {
namespace {

bool is_installed(const std::string& command) {
    return run_process({"sh", "-c", command + " > /dev/null 2>&1"}).status == 0;
}

struct Peer {
    std::string name;
    std::string probe;  // ends well where the peer is installed
    int programs;       // fewer where the peer takes long for each
    std::string file;   // what it reads, below the folder
    std::function<std::string(const std::string& count)> text;
    std::string command;  // in the folder, with COUNT in it
};

std::vector<Peer> peers() {
    return {
        {"parallel", "parallel --version | grep -q GNU", 2000, "",
         [](const std::string&) { return ""; }, "seq COUNT | parallel --will-cite -j2 -n0 true"},
        {"make", "make --version", 2000, "Makefile",
         [](const std::string& count) {
             return "ALL := $(shell seq " + count +
                    ")\n.PHONY: all $(ALL)\nall: $(ALL)\n$(ALL):\n\t@true\n";
         },
         "make -s -j2"},
        {"snakemake", "snakemake --version", 200, "Snakefile",
         [](const std::string& count) {
             return "rule all:\n    input: expand('o{i}', i=range(" + count +
                    "))\nrule one:\n    output: touch('o{i}')\n    shell: 'true'\n";
         },
         "snakemake -q -j2 all"},
        {"dask", "/usr/bin/python3 -c 'import dask'", 2000, "apps.py",
         [](const std::string& count) {
             return "import dask, subprocess\nrun = dask.delayed(subprocess.run, pure=False)\n"
                    "dask.compute(*[run(['true']) for i in range(" +
                    count + ")], scheduler='threads', num_workers=2)\n";
         },
         "/usr/bin/python3 apps.py"},
    };
}

double seconds_of(const std::string& command) {
    const bench::Stopwatch watch;
    if (run_process({"sh", "-c", command + " > /dev/null 2>&1"}).status != 0)
        throw std::runtime_error("failed: " + command);
    return watch.wall_seconds();
}

/// Our time over the peer's.
double against(const Peer& peer, int programs) {
    const Folder folder;
    const std::string count = std::to_string(programs);
    if (!peer.file.empty()) std::ofstream(folder / peer.file) << peer.text(count);
    std::ofstream(folder / "apps.swift")
        << "app (void o) t() { \"true\" }\nforeach i in [1:" << count << "] { t(); }\n";
    const double ours =
        seconds_of(std::string(BENCH_COMMAND) + " run -n 2 " + (folder / "apps.swift"));
    std::string command = peer.command;
    if (const std::size_t at = command.find("COUNT"); at != std::string::npos)
        command.replace(at, 5, count);
    return ours / seconds_of("cd " + folder.path() + " && " + command);
}

}  // namespace

void add_peers(std::vector<Row>& rows, bool quick, Missing& missing) {
    for (const Peer& each : peers()) {
        if (!is_installed(each.probe)) {
            missing["peers_" + each.name] = "not installed";
            continue;
        }
        const int programs = quick ? 4 : each.programs;
        rows.push_back({"peers_" + each.name, "x", quick ? 0.0 : 1, false, 0, false,
                        [each, programs] { return against(each, programs); }});
    }
}

}  // namespace script_bench
