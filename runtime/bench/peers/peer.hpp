#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace peers {

/// A program that measures one task system.
struct Program {
    std::string name;
    std::string packages;  // of Debian, that it needs
    std::string path;      // empty: it could not be built here
};

/// The programs that the build knows of, Refrain's first.
[[nodiscard]] std::vector<Program> programs();

/// One way of using one system.
struct Peer {
    std::string system;
    std::string way;
    std::string user_writes;
    bool graph_by_hand = false;  // the user finds out what depends on what
    std::string program = {};
    /// "onetbb/flow_graph"
    [[nodiscard]] std::string name() const { return system + "/" + way; }
};

[[nodiscard]] std::vector<Peer> peers_of(const Program& program);

/// Runs the peer's program with these arguments, and gives what it printed.
/// Errors: std::runtime_error if it failed; it has said why on standard error.
[[nodiscard]] nlohmann::json measure(const Peer& peer, const std::string& arguments);

}  // namespace peers
