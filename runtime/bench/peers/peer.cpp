#include "peers/peer.hpp"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace peers {
namespace {

nlohmann::json output_of(const std::string& command) {
    std::FILE* const child = popen(command.c_str(), "r");
    if (child == nullptr) throw std::runtime_error("cannot start: " + command);
    std::string text;
    char part[4096];
    while (const std::size_t got = std::fread(part, 1, sizeof part, child)) text.append(part, got);
    if (pclose(child) != 0) throw std::runtime_error("command failed: " + command);
    return nlohmann::json::parse(text);
}

}  // namespace

std::vector<Program> programs() {
    std::ifstream file(PEERS_LIST);
    std::vector<Program> all;
    for (const nlohmann::json& entry : nlohmann::json::parse(file))
        all.push_back({entry["name"], entry["packages"], entry["program"]});
    return all;
}

std::vector<Peer> peers_of(const Program& program) {
    std::vector<Peer> all;
    for (const nlohmann::json& way : output_of("'" + program.path + "' --what ways"))
        all.push_back(
            {program.name, way["way"], way["user_writes"], way["graph_by_hand"], program.path});
    return all;
}

nlohmann::json measure(const Peer& peer, const std::string& arguments) {
    return output_of("'" + peer.program + "' --way " + peer.way + " " + arguments);
}

}  // namespace peers
