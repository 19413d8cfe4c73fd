#pragma once

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

/// What is measured of every peer: "overhead", "metg/stencil_1d/width_4".
using Measure = std::string;

/// What was measured, round by round.
class Results {
  public:
    Results(std::vector<Peer> peers, std::vector<Program> absent)
        : peers_(std::move(peers)), absent_(std::move(absent)) {}

    /// What a peer's program printed in the round that is going on.
    void add(const Measure& measure, const Peer& peer, const nlohmann::json& printed);
    void add_pingpong(double ns) { pingpong_ns_.push_back(ns); }

    /// Tables in Markdown.
    void print(const Config& config) const;
    [[nodiscard]] nlohmann::json to_json(const Config& config) const;

  private:
    struct Measured {
        std::vector<std::optional<double>> ns;  // per round; nothing: half of the peak not reached
        std::vector<double> cpu_ns;
        nlohmann::json printed = nlohmann::json::array();
    };
    using Row = std::map<std::string, Measured>;  // by the peer's name

    void print_users_part() const;
    void print_measure(const Measure& measure, const Row& row) const;
    /// How Refrain's automatic tracing stands to the best of the peers whose users write as little,
    /// and to the best of those whose users build the graph.
    void print_standing(const Row& row) const;
    /// The best peer of one kind, Refrain aside; null if none has figures.
    [[nodiscard]] const Peer* best_of(const Row& row, bool graph_by_hand) const;
    /// Nanoseconds of the rounds that have some.
    [[nodiscard]] static std::vector<double> values(const Measured& measured);
    /// Round by round: the peer's nanoseconds over those of Refrain used in this way.
    [[nodiscard]] static std::vector<double> ratios(const Row& row, const Measured& measured,
                                                    const std::string& refrain_way);

    std::vector<Peer> peers_;
    std::vector<Program> absent_;
    std::vector<std::pair<Measure, Row>> measured_;
    std::vector<double> pingpong_ns_;
};

}  // namespace peers
