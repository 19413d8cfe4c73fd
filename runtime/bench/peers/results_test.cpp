#include "peers/results.hpp"

#include <gtest/gtest.h>

namespace peers::results_test {
namespace {

const Peer untraced{"refrain", "untraced", "privileges"};
const Peer automatic{"refrain", "automatic", "privileges"};
const Peer graph{"flow", "graph", "the graph", true};
const Peer inserted{"handles", "insert", "handles"};

/// Three rounds, in which the machine is faster or slower for all systems alike.
Results three_rounds() {
    Results results({untraced, automatic, graph, inserted}, {{"absent", "libabsent-dev", ""}});
    for (const double speed : {1.0, 10.0, 3.0}) {
        results.add_pingpong(50);
        results.add("overhead", untraced, {{"wall_ns", 20 * speed}, {"cpu_ns", 40}});
        results.add("overhead", automatic, {{"wall_ns", 10 * speed}, {"cpu_ns", 20}});
        results.add("overhead", graph, {{"wall_ns", 5 * speed}, {"cpu_ns", 10}});
        results.add("overhead", inserted, {{"wall_ns", 400 * speed}, {"cpu_ns", 800}});
    }
    return results;
}

TEST(PeerResults, ratios_are_taken_within_rounds) {
    const nlohmann::json out = three_rounds().to_json({});
    const nlohmann::json& result = out["results"]["overhead"]["flow/graph"];
    EXPECT_EQ(result["ns"]["median"], 15);
    EXPECT_EQ(result["over_automatic"]["values"], (std::vector<double>{0.5, 0.5, 0.5}));
    EXPECT_EQ(result["over_untraced"]["values"], (std::vector<double>{0.25, 0.25, 0.25}));
}

TEST(PeerResults, a_round_without_a_figure_is_left_out_of_ratios) {
    Results results({automatic, graph}, {});
    results.add_pingpong(50);
    for (const char* printed : {R"({"metg_ns": 100})", R"({"metg_ns": null})"})
        results.add("metg", automatic, nlohmann::json::parse(printed));
    for (const char* printed : {R"({"metg_ns": 300})", R"({"metg_ns": 900})"})
        results.add("metg", graph, nlohmann::json::parse(printed));
    const nlohmann::json out = results.to_json({});
    EXPECT_EQ(out["results"]["metg"]["flow/graph"]["over_automatic"]["values"],
              std::vector<double>{3});
    EXPECT_EQ(out["results"]["metg"]["refrain/automatic"]["ns"]["values"],
              std::vector<double>{100});
    EXPECT_FALSE(out["results"]["metg"]["flow/graph"].contains("over_untraced"));
}

TEST(PeerResults, metg_beside_the_better_program_for_mpi_has_a_limit) {
    const Peer packed{"openmpi", "packed", "messages", true};
    const Peer per_output{"openmpi", "per_output", "messages", true};
    Results results({automatic, packed, per_output}, {});
    results.add_pingpong(50);
    for (const char* pattern : {"stencil_1d", "trivial", "dom"}) {
        const Measure measure = "metg/" + std::string(pattern) + "/width_4";
        results.add(measure, automatic, {{"metg_ns", 600}});
        results.add(measure, packed, {{"metg_ns", 500}});
        results.add(measure, per_output, {{"metg_ns", 900}});
    }
    Config config;
    config.threads = 2;
    testing::internal::CaptureStdout();
    results.print(config);
    const std::string text = testing::internal::GetCapturedStdout();
    const std::string figures = "| 600 | 500 | `packed` | 1.20 | 1.2–1.2 | ";
    EXPECT_NE(text.find("stencil_1d/width_4 " + figures + "at most 1.0 MISSED |"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("trivial/width_4 " + figures + "at most 1.5 kept |"), std::string::npos);
    EXPECT_NE(text.find("dom/width_4 " + figures + " |"), std::string::npos);
}

TEST(PeerResults, tables_name_the_best_peer_of_each_kind_and_missing_peers) {
    testing::internal::CaptureStdout();
    three_rounds().print({});
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_NE(text.find("`handles/insert`, takes 40.00 x"), std::string::npos) << text;
    EXPECT_NE(text.find("`flow/graph`, takes 0.50 x"), std::string::npos) << text;
    EXPECT_NE(text.find("| `absent` | not present here; in Debian as `libabsent-dev` |"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("| `handles/insert` | 1200 | 800–2600 | 800 | 20.00 | 40.00 | 3 of 3 |"),
              std::string::npos)
        << text;
}

TEST(PeerResults, a_table_has_every_system_at_its_best_number_of_threads) {
    Results results = three_rounds();
    for (const double speed : {1.0, 10.0, 3.0}) {
        results.add("overhead/threads_1", untraced, {{"wall_ns", 25 * speed}});
        results.add("overhead/threads_1", automatic, {{"wall_ns", 12 * speed}});
        results.add("overhead/threads_1", graph, {{"wall_ns", 2 * speed}});
        results.add("overhead/threads_1", inserted, {{"wall_ns", 90 * speed}});
    }
    testing::internal::CaptureStdout();
    Config config;
    config.threads = 2;
    results.print(config);
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_NE(text.find("| `flow/graph` | 1 | 6 |\n| `refrain/automatic` | 2 | 30 |\n"
                        "| `refrain/untraced` | 2 | 60 |\n| `handles/insert` | 1 | 270 |"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace peers::results_test
