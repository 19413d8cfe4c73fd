#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "graphs/command_line.hpp"
#include "peers/peer.hpp"

namespace peers {

struct Config : graphs::RunConfig {
    std::vector<std::string> only;  // systems; empty: all
    int overhead_width = 4;         // columns in all
    int warm_up_runs = 8;
};

/// The name of a measure, taken of every peer: "overhead", "metg/stencil_1d/width_4".
using Measure = std::string;

/// Empty tasks on all threads; with fewer threads, "/threads_N" follows.
inline constexpr const char* overhead_measure = "overhead";

/// The measurements, round by round.
class Results {
  public:
    Results(std::vector<Peer> peers, std::vector<Program> absent)
        : peers_(std::move(peers)), absent_(std::move(absent)) {}

    /// Adds the output of a peer's program in the current round.
    void add(const Measure& measure, const Peer& peer, const nlohmann::json& printed);
    void add_pingpong(double ns) { pingpong_ns_.push_back(ns); }

    /// Prints tables in Markdown.
    void print(const Config& config) const;
    [[nodiscard]] nlohmann::json to_json(const Config& config) const;

  private:
    struct Measured {
        std::vector<std::optional<double>> ns;  // per round; nothing below half of the peak
        std::vector<double> cpu_ns;
        nlohmann::json printed = nlohmann::json::array();
    };
    using Row = std::map<std::string, Measured>;  // by the peer's name

    void print_users_part() const;
    void print_measure(const Measure& measure, const Row& row) const;
    /// Empty tasks of every system with the number of threads at which they take least time, the
    /// fastest system first.
    void print_best_threads(const Config& config) const;
    /// METG of Refrain's automatic tracing relative to the better of two programs written by hand for
    /// MPI, with the limits that it has on two threads.
    void print_beside_mpi(const Config& config) const;
    void print_beside_mpi(const Config& config, const Measure& measure, const Row& row) const;
    /// Compares Refrain's automatic tracing with the best peer whose users state accesses, and with
    /// the best peer whose users build the graph.
    void print_best_peers(const Row& row) const;
    /// The best peer of those that `is_meant` selects; null if none has figures.
    [[nodiscard]] const Peer* best_of(const Row& row,
                                      const std::function<bool(const Peer&)>& is_meant) const;
    /// Nanoseconds of the rounds that have a figure.
    [[nodiscard]] static std::vector<double> values(const Measured& measured);
    /// Per round: the peer's nanoseconds divided by those of Refrain used in this way.
    [[nodiscard]] static std::vector<double> ratios(const Row& row, const Measured& measured,
                                                    const std::string& refrain_way);

    std::vector<Peer> peers_;
    std::vector<Program> absent_;
    std::vector<std::pair<Measure, Row>> measured_;
    std::vector<double> pingpong_ns_;
};

}  // namespace peers
