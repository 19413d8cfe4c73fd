#include "observe/timeline.hpp"

#include "observe/programs.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace refrain::timeline_test {
namespace {

using nlohmann::json;

/// The timeline of a run; checks the rules of the format.
class Timeline {
  public:
    template <class Program>
    Timeline(Options options, Program&& program) {
        const TemporaryFile file("timeline");
        options.observe.timeline = file.path();
        {
            Runtime runtime(options);
            program(runtime);
        }
        const json whole = json::parse(file.text());
        EXPECT_TRUE(whole.is_object());
        EXPECT_EQ(whole["displayTimeUnit"], "ns");
        for (const json& event : whole["traceEvents"]) check(event);
        sampling = whole["sampling"];
        arrows = whole["arrows"];
        for (const json& span : spans)
            EXPECT_TRUE(threads.contains(span["tid"].get<int>())) << "a thread without a name";
    }

    std::vector<json> spans;
    std::map<int, std::string> threads;
    std::map<int, json> begins, ends;  // of arrows, by id
    std::vector<std::string> remarks;
    std::string sampling, arrows;

    [[nodiscard]] std::size_t count(const std::string& category) const {
        return static_cast<std::size_t>(std::count_if(
            spans.begin(), spans.end(), [&](const json& span) { return span["cat"] == category; }));
    }

  private:
    void check(const json& event) {
        ASSERT_TRUE(event["ph"].is_string());
        ASSERT_TRUE(event["name"].is_string());
        EXPECT_FALSE(event["name"].get<std::string>().empty());
        EXPECT_TRUE(event["pid"].is_number_integer());
        EXPECT_TRUE(event["tid"].is_number_integer());
        EXPECT_TRUE(event["args"].is_object());
        if (event["ph"] == "M") {
            if (event["name"] == "thread_name") {
                threads[event["tid"].get<int>()] = event["args"]["name"].get<std::string>();
            } else {
                EXPECT_EQ(event["name"], "thread_sort_index");
                EXPECT_TRUE(event["args"]["sort_index"].is_number_integer());
            }
            return;
        }
        if (event["ph"] == "i") return remarks.push_back(event["name"]);
        if (event["ph"] == "s" || event["ph"] == "f") {
            auto& ends_of = event["ph"] == "s" ? begins : ends;
            EXPECT_TRUE(ends_of.emplace(event["id"].get<int>(), event).second);
            return;
        }
        EXPECT_EQ(event["ph"], "X");
        EXPECT_TRUE(event["cat"].is_string());
        EXPECT_GE(event["ts"].get<double>(), 0);
        EXPECT_GE(event["dur"].get<double>(), 0);
        spans.push_back(event);
    }
};

/// The file that a run writes, for tests that need not parse it.
template <class Program>
std::string text_of(Options options, Program&& program) {
    const TemporaryFile file("timeline");
    options.observe.timeline = file.path();
    {
        Runtime runtime(options);
        program(runtime);
    }
    return file.text();
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++found;
    return found;
}

TEST(Timeline, of_a_short_run_has_every_task_and_launch) {
    const Timeline timeline(plain(), [](Runtime& runtime) {
        Counter counter(runtime);
        for (int i = 0; i < 10; ++i) counter.add("a");
        runtime.wait_all();
    });
    EXPECT_EQ(timeline.count("launch"), 11U);
    EXPECT_EQ(timeline.count("analysis"), 11U);
    EXPECT_EQ(timeline.count("task"), 1U + 2U * 10U);  // 'a' divides the region in two
    EXPECT_EQ(timeline.threads.at(0), "launching thread");
    EXPECT_EQ(timeline.threads.at(1), "worker 1");
    for (const json& span : timeline.spans) {
        if (span["cat"] == "task") {
            EXPECT_TRUE(span["name"] == "a" || span["name"] == "fill");
        }
    }
}

/// The task whose span holds the end of an arrow.
const json* task_at(const Timeline& timeline, const json& end) {
    for (const json& span : timeline.spans) {
        const double begin = span["ts"];
        const double at = end["ts"];
        const double last = begin + span["dur"].get<double>() - 0.0005;  // half a nanosecond before
        if (span["cat"] == "task" && span["tid"] == end["tid"] && begin <= at &&
            (at < last || at == begin))
            return &span;
    }
    return nullptr;
}

TEST(Timeline, has_arrows_from_task_to_task_and_a_colour_per_launch_site) {
    const Timeline timeline(plain(), [](Runtime& runtime) {
        const auto x = runtime.create_region<int>(extents(4), "x");
        const auto add = [](View<int, 1> view) { ++view[0]; };
        runtime.fill(x, 0);
        for (int i = 0; i < 5; ++i) {
            runtime.launch("add", add, read_write(x));
            runtime.launch(
                "look", [](View<const int, 1>) {}, read(x));
        }
        runtime.launch("add", add, read_write(x));  // another launch site of this name
    });
    EXPECT_EQ(timeline.begins.size(), timeline.ends.size());
    EXPECT_GE(timeline.begins.size(), 11U);
    for (const auto& [id, begin] : timeline.begins) {
        const json& end = timeline.ends.at(id);
        EXPECT_LE(begin["ts"], end["ts"]);
        const json* from = task_at(timeline, begin);
        const json* to = task_at(timeline, end);
        ASSERT_NE(from, nullptr);
        ASSERT_NE(to, nullptr);
        EXPECT_LT((*from)["args"]["operation"], (*to)["args"]["operation"]);
    }
    std::map<std::string, std::set<std::string>> colours;  // by name
    for (const json& span : timeline.spans)
        if (span["cat"] == "task") colours[span["name"]].insert(span["cname"]);
    EXPECT_EQ(colours.size(), 4U) << "both sites of 'add' have a name of their own";
    std::set<std::string> all;
    for (const auto& [name, of_name] : colours) {
        EXPECT_EQ(of_name.size(), 1U) << name;
        all.insert(of_name.begin(), of_name.end());
    }
    EXPECT_EQ(all.size(), 4U);
    EXPECT_EQ(timeline.sampling, "none: every operation is here");
    EXPECT_EQ(timeline.arrows, "all: every dependence between the tasks here");
    EXPECT_TRUE(timeline.remarks.empty());
}

TEST(Timeline, says_that_arrows_are_left_out) {
    const std::string text = text_of(plain(1), [](Runtime& runtime) {
        const auto x = runtime.create_region<int>(extents(64), "x");
        const auto parts = tiles(extents(64), 64);
        for (int i = 0; i < 131; ++i)
            runtime.launch(
                "task", parts.colours(), [](View<int, 1>) {}, write(x, parts));
        runtime.launch(
            "each after all", parts.colours(), [](View<const int, 1>) {}, read(x));
    });
    // 130 launches whose points wait for one each, and one whose 64 points wait for 64 each.
    const std::string says = "arrows for 8192 of 12416 dependences between the tasks here";
    EXPECT_EQ(count(text, R"("arrows":")" + says + '"'), 1U) << text.substr(text.size() - 300);
    EXPECT_EQ(count(text, R"("name":")" + says + '"'), 1U) << "an instant event";
    EXPECT_EQ(count(text, R"("ph":"s")"), 8192U);
    EXPECT_EQ(count(text, R"("ph":"f")"), 8192U);
}

TEST(Timeline, shows_replay_recording_mining_and_waits) {
    const Timeline timeline(mined(), [](Runtime& runtime) {
        Counter counter(runtime);
        for (int i = 0; i < 300; ++i) counter.add({"a", "b", "c", "d", "e", "f", "g"});
        runtime.wait_all();
    });
    for (const char* category : {"launch", "matching", "analysis", "recording", "replay", "linking",
                                 "mining", "waiting", "task"})
        EXPECT_GT(timeline.count(category), 0U) << category;
}

/// Spans of one thread are nested or disjoint, so that viewers can stack them.
TEST(Timeline, nests_the_spans_of_a_thread) {
    const Timeline timeline(mined(3), [](Runtime& runtime) {
        Counter counter(runtime);
        for (int i = 0; i < 200; ++i) {
            counter.add({"a", "b", "c", "d", "e"});
            if (i % 40 == 7) counter.wait();
        }
    });
    constexpr double slack = 0.01;  // microseconds: clocks are printed in decimal
    std::map<int, std::vector<std::pair<double, double>>> threads;
    for (const json& span : timeline.spans) {
        const double begin = span["ts"];
        threads[span["tid"].get<int>()].emplace_back(begin, begin + span["dur"].get<double>());
    }
    for (auto& thread : threads) {
        auto& spans = thread.second;
        std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first < b.first : a.second > b.second;
        });
        std::vector<double> open;
        for (const auto& span : spans) {
            while (!open.empty() && open.back() <= span.first + slack) open.pop_back();
            if (!open.empty()) {
                EXPECT_LE(span.second, open.back() + slack) << thread.first;
            }
            open.push_back(span.second);
        }
    }
}

/// Wide launches fill the logs, which then keep few operations, but whole blocks.
TEST(Timeline, of_very_many_tasks_says_which_operations_are_left) {
    const std::string text = text_of(plain(1), [](Runtime& runtime) {
        const auto parts = tiles(extents(256), 256);
        for (int i = 0; i < 100; ++i) runtime.launch("wide", parts.colours(), [](Point<1>) {});
    });
    EXPECT_NE(text.find(R"("sampling":"sampled: the first 64 operations, then 64 of every )"),
              std::string::npos)
        << text.substr(0, 300);
    EXPECT_EQ(count(text, R"("name":"wide")"), 64U * 256);
}

TEST(Timeline, of_a_long_run_is_bounded_and_reaches_its_end) {
    constexpr std::uint64_t operations = 300'000;
    const Timeline timeline(plain(2), [](Runtime& runtime) {
        for (std::uint64_t i = 0; i < operations; ++i) runtime.launch("task", [] {});
    });
    EXPECT_LE(timeline.spans.size(), 3U << 14);
    EXPECT_GE(timeline.spans.size(), 4000U);
    std::uint64_t last = 0;
    for (const json& span : timeline.spans)
        if (span["cat"] == "task")
            last = std::max(last, span["args"]["operation"].get<std::uint64_t>());
    EXPECT_GT(last, operations * 9 / 10);
    ASSERT_EQ(timeline.remarks.size(), 1U);
    EXPECT_TRUE(timeline.remarks[0].starts_with("sampled: the first ")) << timeline.remarks[0];
    EXPECT_EQ(timeline.remarks[0], timeline.sampling);
}

}  // namespace
}  // namespace refrain::timeline_test
