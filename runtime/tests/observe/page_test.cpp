#include "observe/shown_page.hpp"
#include "page/json.hpp"
#include "page/run_data.hpp"

#include <filesystem>

namespace refrain::page_test {
namespace {

using nlohmann::json;

using Shown = ShownPage;

template <class Program>
Shown run(const Options& options, Program&& program) {
    return page_of(options, program);
}

void loop(Runtime& runtime, int iterations) {
    Counter counter(runtime);
    for (int i = 0; i < iterations; ++i) {
        counter.add({"a", "b", "c", "d", "e", "f", "g"});
        if (i % 50 == 49) counter.wait();
    }
}

std::uint64_t sum(const json& list, const char* field) {
    std::uint64_t total = 0;
    for (const json& each : list) total += each[field].get<std::uint64_t>();
    return total;
}

TEST(Page, draws_the_states_of_regions_where_nothing_is_traced) {
    Options options = plain();
    options.analysis = Analysis::automatic;
    const Shown r = run(options, [](Runtime& runtime) { loop(runtime, 50); });
    const json& automata = r.data["automata"];
    ASSERT_FALSE(automata.empty());
    for (const json& automaton : automata) {
        std::uint64_t drawn = automaton["notDrawn"];
        for (const json& arrow : automaton["arrows"]) {
            EXPECT_LT(arrow[0], automaton["states"].size());
            EXPECT_LT(arrow[1], automaton["states"].size());
            EXPECT_LT(arrow[2], r.data["sites"].size());
            drawn += arrow[3].get<std::uint64_t>();
        }
        EXPECT_EQ(drawn, automaton["known"].get<std::uint64_t>() +
                             automaton["found"].get<std::uint64_t>());
    }
    const AnalysisStatistics& analysis = r.statistics.analysis;
    EXPECT_EQ(sum(automata, "known"), analysis.known_transitions);
    EXPECT_EQ(sum(automata, "found"), analysis.found_transitions);
    EXPECT_GT(analysis.known_transitions, 10 * analysis.found_transitions);
    options.tracing.automatic = true;
    const Shown traced = run(options, [](Runtime& runtime) { loop(runtime, 50); });
    EXPECT_TRUE(traced.data["automata"].empty());
}

TEST(Page, contains_the_figures_of_the_run) {
    const Shown r = run(mined(), [](Runtime& runtime) { loop(runtime, 500); });
    const TraceStatistics& traces = r.statistics.traces;
    EXPECT_GT(traces.replayed, 1000U);
    EXPECT_EQ(r.data["operations"], r.statistics.launches.operations);
    EXPECT_EQ(r.data["tasks"], r.statistics.launches.tasks);
    EXPECT_EQ(r.data["replayed"], traces.replayed);
    EXPECT_EQ(r.data["firstReplay"], r.statistics.autotrace.first_replay);
    const json& sites = r.data["sites"];
    EXPECT_EQ(sites.size(), 8U);
    EXPECT_EQ(sum(sites, "operations"), r.statistics.launches.operations);
    EXPECT_EQ(sum(sites, "replayed"), traces.replayed);
    EXPECT_EQ(sum(sites, "recorded"), traces.recorded);
    EXPECT_EQ(sum(sites, "analysed"), traces.analysed);
    EXPECT_EQ(sum(r.data["traces"], "replayed"), traces.replayed);
    EXPECT_EQ(r.data["traces"].size(), r.statistics.autotrace.traces);
    const json& last = r.data["curve"].back();
    EXPECT_EQ(last[0], r.statistics.launches.operations);
    EXPECT_EQ(last[1], traces.replayed);
    EXPECT_GT(last[4].get<std::uint64_t>(), 1U << 20) << "the memory of the process";
}

/// Appends the site ids of a listing, with loops unfolded.
void unfold(const json& listing, std::vector<std::size_t>& sites) {
    for (const json& part : listing) {
        if (part.is_number()) {
            sites.push_back(part.get<std::size_t>());
            continue;
        }
        for (int i = 0; i < part[0].get<int>(); ++i) unfold(part[1], sites);
    }
}

TEST(Page, lists_and_draws_the_operations_of_a_trace) {
    Options options = plain();
    options.analysis =
        Analysis::walk;  // the first mark must not forget that the regions were filled
    const Shown r = run(options, [](Runtime& runtime) {
        const auto x = runtime.create_region<int>(extents(4), "x");
        const auto y = runtime.create_region<int>(extents(4), "y");
        runtime.fill(x, 0);
        runtime.fill(y, 0);
        const auto task = [](View<int, 1> view) { ++view[0]; };
        for (int i = 0; i < 3; ++i) {
            runtime.begin_trace(12);
            runtime.launch("first", task, read_write(x));
            for (int j = 0; j < 3; ++j) runtime.launch("other", task, read_write(y));
            runtime.launch("second", task, read_write(x));
            runtime.end_trace(12);
        }
    });
    ASSERT_EQ(r.data["traces"].size(), 1U);
    const json& trace = r.data["traces"][0];
    EXPECT_EQ(trace["id"], 12);
    EXPECT_EQ(trace["automatic"], false);
    EXPECT_EQ(trace["length"], 5);
    EXPECT_EQ(trace["executions"], 3);
    EXPECT_EQ(trace["replayed"], 10);
    EXPECT_EQ(trace["first"], 3);
    EXPECT_EQ(trace["cut"], false);
    EXPECT_EQ(trace["listing"].size(), 3U) << "the loop is folded";
    std::vector<std::size_t> listed;
    unfold(trace["listing"], listed);
    std::vector<std::string> names;
    for (const std::size_t site : listed)
        names.push_back(r.data["sites"][site]["name"].get<std::string>());
    EXPECT_EQ(names, (std::vector<std::string>{"first", "other", "other", "other", "second"}));
    EXPECT_EQ(trace["graph"]["edges"], json::parse("[[1,2,1],[2,3,1],[0,4,1]]"));
    std::vector<int> beyond;
    for (const json& node : trace["graph"]["nodes"]) beyond.push_back(node[2].get<int>());
    EXPECT_EQ(beyond, (std::vector<int>{1, 1, 0, 0, 0})) << "both regions were filled before";
}

Options looked_at() {
    Options options = automatic();
    options.tracing.recogniser = Recogniser::inline_;
    return options;
}

TEST(Page, shows_loops_replayed_by_the_inline_recogniser) {
    const Shown r = run(looked_at(), [](Runtime& runtime) { loop(runtime, 500); });
    EXPECT_EQ(r.data["fromPrecedents"], true);
    EXPECT_EQ(r.data["traces"].size(), 0U);
    EXPECT_EQ(r.data["replayed"], r.statistics.traces.replayed);
    EXPECT_EQ(r.data["firstReplay"], r.statistics.autotrace.first_replay);
    EXPECT_EQ(sum(r.data["loops"], "replayed"), r.statistics.traces.replayed);
    const json& most = r.data["loops"][0];
    EXPECT_EQ(most["length"], 7);
    EXPECT_EQ(most["last"], r.statistics.launches.operations);
    EXPECT_EQ(most["first"], r.statistics.autotrace.first_replay);
    EXPECT_EQ(most["cut"], false);
    std::vector<std::size_t> listed;
    unfold(most["listing"], listed);
    std::string names;
    for (const std::size_t site : listed) names += r.data["sites"][site]["name"];
    EXPECT_NE(("abcdefg" + std::string("abcdefg")).find(names), std::string::npos) << names;
    EXPECT_EQ(names.size(), 7U);
    EXPECT_EQ(most["graph"]["edges"].size(), 6U) << "each waits for its predecessor";
    EXPECT_EQ(most["graph"]["nodes"][0][2], 1)
        << "the first waits for one of the previous iteration";
    EXPECT_GT(r.data["curve"].back()[6].get<std::uint64_t>(), 1U << 10) << "memory for tracing";
}

TEST(Page, shows_manual_traces_beside_loops) {
    const Shown r = run(looked_at(), [](Runtime& runtime) {
        loop(runtime, 20);
        Counter counter(runtime);
        for (int i = 0; i < 3; ++i) {
            runtime.begin_trace(3);
            counter.add({"x", "y"});
            runtime.end_trace(3);
        }
    });
    EXPECT_EQ(r.data["traces"].size(), 1U);
    EXPECT_EQ(sum(r.data["loops"], "replayed") + sum(r.data["traces"], "replayed"),
              r.statistics.traces.replayed);
}

TEST(Page, shows_the_time_of_each_thread_by_stage) {
    const Shown r = run(mined(3), [](Runtime& runtime) { loop(runtime, 300); });
    ASSERT_EQ(r.data["workers"].size(), 3U);
    const double whole = r.data["seconds"];
    for (const json& worker : r.data["workers"]) {
        double total = 0;
        for (const double value : worker["seconds"]) {
            EXPECT_GE(value, 0);
            total += value;
        }
        EXPECT_NEAR(total, whole, 0.2 * whole) << worker["name"];
    }
    const std::vector<std::string> stages = r.data["stages"];
    const auto of_launching = [&](const json& data, const std::string& stage) {
        const auto at = std::find(stages.begin(), stages.end(), stage) - stages.begin();
        return data["workers"][0]["seconds"][static_cast<std::size_t>(at)].get<double>();
    };
    for (const char* stage :
         {"launch", "matching", "analysis", "recording", "replay", "linking", "mining"})
        EXPECT_GT(of_launching(r.data, stage), 0) << stage;
    // Beside others it may find no task left to run.
    const Shown alone = run(mined(1), [](Runtime& runtime) { loop(runtime, 100); });
    EXPECT_GT(of_launching(alone.data, "execution"), 0);
}

TEST(Page, is_written_for_every_run_even_an_empty_one) {
    const Shown empty = run(mined(), [](Runtime&) {});
    EXPECT_EQ(empty.data["operations"], 0);
    EXPECT_EQ(empty.data["summary"].size(), 1U);
    const Shown one = run(plain(1), [](Runtime& runtime) { runtime.launch("one", [] {}); });
    EXPECT_EQ(one.data["operations"], 1);
    EXPECT_EQ(one.data["curve"].size(), 1U);
    EXPECT_EQ(one.data["sites"][0]["reasons"][0], 1) << "automatic tracing was off";
}

TEST(Page, loads_nothing_from_elsewhere) {
    const Shown r = run(mined(), [](Runtime& runtime) { loop(runtime, 100); });
    for (const char* loads :
         {"src=", "@import", "url(", "fetch(", "XMLHttpRequest", "<link rel=\"style"})
        EXPECT_EQ(r.html.find(loads), std::string::npos) << loads;
    EXPECT_TRUE(r.html.starts_with("<!doctype html>"));
}

TEST(Page, escapes_names) {
    const char* name = "</script><b>\"&\\ \xc3\xa9\xff\n";
    const Shown r = run(plain(1), [&](Runtime& runtime) { runtime.launch(name, [] {}); });
    EXPECT_EQ(r.data["sites"][0]["name"], "</script><b>\"&\\ \u00e9?\n");
}

TEST(Page, has_bounded_size) {
    const Shown r = run(mined(), [](Runtime& runtime) { loop(runtime, 40'000); });
    EXPECT_EQ(r.statistics.launches.operations, 280'001U);
    EXPECT_LE(r.data["curve"].size(), 2048U);
    EXPECT_LT(r.html.size(), 2U << 20);
}

TEST(Page, that_cannot_be_written_is_reported_and_harms_nothing) {
    Options options = plain(1);
    const std::filesystem::path folder = testing::TempDir() + "folder_of_a_page";
    std::filesystem::create_directory(folder);
    options.observe.report = folder / "page.html";
    testing::internal::CaptureStderr();
    {
        Runtime runtime(options);
        runtime.launch("one", [] {});
        std::filesystem::remove(folder);  // a program is told at once if it is not there at first
    }
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(text.starts_with("refrain: option report: cannot write '")) << text;
}

TEST(Summary, names_repeats_savings_and_operations_not_replayed) {
    page::RunData data;
    data.operations = 1000;
    data.tasks = 4000;
    data.replayed = 900;
    data.recorded = 40;
    data.analysed = 60;
    data.seconds = 0.5;
    data.first_replay = 101;
    data.analysis_ns = 300;
    data.replay_ns = 50;
    data.sites.resize(3);
    data.sites[0].operations = data.sites[1].operations = 500;  // and none of the third
    data.sites[0].reasons[static_cast<std::size_t>(NotReplayed::recording)] = 40;
    data.sites[1].reasons[static_cast<std::size_t>(NotReplayed::no_match)] = 60;
    data.traces.resize(1);
    data.traces[0].length = 20;
    data.traces[0].executions = 46;
    data.traces[0].replayed = 900;
    const std::vector<std::string> text = page::summarise(data);
    ASSERT_EQ(text.size(), 4U);
    EXPECT_EQ(
        text[0],
        "The program launched 1,000 operations (4,000 tasks) from 2 launch sites in 500.0 ms.");
    EXPECT_EQ(text[1],
              "Of these, 90.0 % were replayed from traces; the first one was replayed at operation "
              "101. The fragment that repeated most has 20 operations, ran 46 times and makes up "
              "all of what was replayed.");
    EXPECT_EQ(text[2],
              "Finding the dependences of an operation took 300 ns by analysis and 50 ns from a "
              "trace (medians of samples). Replaying saved about 225 \u00b5s of analysis.");
    EXPECT_EQ(
        text[3],
        "100 operations were not replayed: 60 (it neither began nor continued a fragment known "
        "to repeat), 40 (the first execution of its trace).");
    data.replay_ns = 400;
    EXPECT_NE(page::summarise(data)[2].find("saved no time here"), std::string::npos);
}

TEST(Summary, names_what_took_the_time_and_what_failed) {
    page::RunData data;
    data.operations = 10;
    data.sites.resize(2);
    data.sites[1].site = {"relax", "a/flow.hpp", 31};
    data.site_times = {{.timed = 5, .seconds = 1}, {.timed = 5, .seconds = 3, .path_share = 0.5}};
    data.failures.threw(
        {.site = 1, .operation = 4, .points = 2, .threw = 1, .message = "no", .skipped = {}});
    data.failures.skipped(4, 0, 7);
    std::string text;
    for (const std::string& sentence : page::summarise(data)) text += sentence + '\n';
    EXPECT_NE(
        text.find("75.0 % of the time of all tasks went to 'relax' (flow.hpp:31), which makes up "
                  "50.0 % of the critical path."),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("1 task threw; 7 tasks that needed its results were skipped."),
              std::string::npos)
        << text;
}

TEST(Summary, names_the_first_replay_and_the_most_frequent_loop) {
    page::RunData data;
    data.operations = 1000;
    data.replayed = 900;
    data.recorded = 100;
    data.from_precedents = true;
    data.first_replay = 15;
    data.analysis_ns = 300;
    data.replay_ns = 50;
    data.loops.resize(2);
    data.loops[0].distance = 3;
    data.loops[0].served = 90;
    data.loops[1].distance = 7;
    data.loops[1].served = 810;
    const std::vector<std::string> text = page::summarise(data);
    EXPECT_EQ(
        text[1],
        "Of these, 90.0 % were replayed with the dependences of an earlier operation in the "
        "same context, from operation 15 on. The loop that repeated most has 7 operations and "
        "makes up 90.0 % of what was replayed.");
    EXPECT_NE(text[2].find("50 ns from a precedent"), std::string::npos) << text[2];
    data.replayed = 0;
    EXPECT_EQ(page::summarise(data)[1], "Nothing was replayed.");
}

TEST(Json, can_be_parsed) {
    page::JsonWriter writer;
    writer.begin_object().key("list").begin_array().value(1).value(-2.5).value(true);
    writer.value("a\t\"").begin_array().end_array().end_array();
    writer.key("none").value(std::nan("")).key("empty").begin_object().end_object().end_object();
    EXPECT_EQ(json::parse(writer.text()),
              json::parse(R"({"list":[1,-2.5,true,"a\t\"",[]],"none":null,"empty":{}})"));
}

}  // namespace
}  // namespace refrain::page_test
