#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace peers {

/// A program that measures one task system.
struct Program {
    std::string name;
    std::string packages;  // required Debian packages
    std::string path;      // empty if it could not be built here
};

/// The programs known to the build, Refrain's first.
[[nodiscard]] std::vector<Program> programs();

/// One way to use one system.
struct Peer {
    std::string system;
    std::string way;
    std::string user_writes;
    bool graph_by_hand = false;  // the user states the dependences
    std::string program = {};
    /// "onetbb/flow_graph"
    [[nodiscard]] std::string name() const { return system + "/" + way; }
};

[[nodiscard]] std::vector<Peer> peers_of(const Program& program);

/// Runs the peer's program with these arguments and returns its output.
///
/// Errors: std::runtime_error if it failed; the program prints the reason to standard error.
[[nodiscard]] nlohmann::json measure(const Peer& peer, const std::string& arguments);

}  // namespace peers
