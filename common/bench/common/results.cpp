#include "common/results.hpp"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

namespace bench {
namespace {

std::string processor() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "unknown";
}

std::string commit() {
    std::FILE* const git = popen(
        "git -C '" BENCH_SOURCE_DIR "' describe --always --dirty --abbrev=12 2>/dev/null", "r");
    if (git == nullptr) return "unknown";
    char line[128] = "";
    const bool found = std::fgets(line, sizeof line, git) != nullptr;
    pclose(git);
    if (!found) return "unknown";
    std::string name(line);
    return name.substr(0, name.find('\n'));
}

}  // namespace

nlohmann::json machine_json() {
    return {{"cpu", processor()},
            {"cores", std::thread::hardware_concurrency()},
            {"compiler", __VERSION__},
            {"commit", commit()}};
}

void write_json(const std::string& file, const nlohmann::json& results) {
    std::ofstream out(file);
    out << results.dump(2) << "\n";
    if (!out)
        throw std::runtime_error("cannot write '" + file +
                                 "'; give --json a file in a folder that exists");
}

}  // namespace bench
