/// What a page says of times, failures and memory.
#include "observe/shown_page.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

namespace refrain::page_parts_test {
namespace {

using nlohmann::json;

void sleep_ms(int ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

/// The part of a site's time on the critical path.
double share_of(const json& data, const char* name) {
    return data["times"][site_in(data, name)][3];
}

TEST(PageTimes, tell_where_the_time_of_tasks_went) {
    const ShownPage r = page_of(plain(2), [](Runtime& runtime) {
        const auto x = runtime.create_region<int>(extents(4), "x");
        const auto y = runtime.create_region<int>(extents(4), "y");
        runtime.launch(
            "before long", [](View<int, 1>) {}, write(x));
        runtime.launch(
            "before short", [](View<int, 1>) {}, write(y));
        for (int i = 0; i < 6; ++i) {
            runtime.launch(
                "long", [](View<int, 1>) { sleep_ms(8); }, read_write(x));
            runtime.launch(
                "short", [](View<int, 1>) { sleep_ms(2); }, read_write(y));
        }
    });
    const json& slow = r.data["times"][site_in(r.data, "long")];
    const json& fast = r.data["times"][site_in(r.data, "short")];
    EXPECT_GE(slow[0].get<double>(), 0.048);
    EXPECT_NEAR(slow[0].get<double>(), 6 * slow[1].get<double>(), 1e-9) << "total and mean";
    EXPECT_GE(slow[2].get<double>(), slow[1].get<double>()) << "longest and mean";
    EXPECT_GE(fast[1].get<double>(), 0.002);
    // Two chains beside each other; on a busy machine any of the tasks may take longest.
    const auto seconds_of = [&](const std::string& name) {
        return r.data["times"][site_in(r.data, name)][0].get<double>();
    };
    const auto chain = [&](const std::string& name) {
        return seconds_of("before " + name) + seconds_of(name);
    };
    const bool is_usual = chain("long") > chain("short");
    const std::string longest = is_usual ? "long" : "short";
    EXPECT_NEAR(share_of(r.data, longest.c_str()), seconds_of(longest) / chain(longest), 1e-6);
    EXPECT_EQ(share_of(r.data, is_usual ? "short" : "long"), 0);
    EXPECT_EQ(r.data["sampling"]["period"], 0) << "everything was timed";
}

TEST(PageTimes, of_a_long_run_are_sampled_and_the_page_says_so) {
    const ShownPage r = page_of(plain(2), [](Runtime& runtime) {
        for (int i = 0; i < 20'000; ++i) runtime.launch("task", [] {});
    });
    const json& sampling = r.data["sampling"];
    EXPECT_EQ(sampling["first"], 2048);
    EXPECT_EQ(sampling["block"], 64);
    EXPECT_EQ(sampling["period"], 3904);
    EXPECT_GT(sampling["timed"], 2048);
    EXPECT_LT(sampling["timed"], 3000);
    EXPECT_GT(r.data["times"][0][0], r.data["times"][0][1]);
    EXPECT_LE(r.data["stretches"].size(), 8U);
    EXPECT_GT(r.data["stretches"].back()["last"], 15'000) << "up to the end of the run";
}

TEST(PageTimeline, shows_tasks_and_what_they_waited_for) {
    const ShownPage r = page_of(plain(2), [](Runtime& runtime) {
        Counter counter(runtime);
        counter.add({"a", "b", "c"});
    });
    ASSERT_EQ(r.data["stretches"].size(), 1U);
    const json& stretch = r.data["stretches"][0];
    EXPECT_EQ(stretch["first"], 1);
    EXPECT_EQ(stretch["last"], 4);
    const json& tasks = stretch["tasks"];
    EXPECT_EQ(tasks.size(), r.data["tasks"].get<std::size_t>());
    EXPECT_GE(stretch["arrows"].size(), 3U);
    for (const json& arrow : stretch["arrows"]) {
        const json& from = tasks[arrow[0].get<std::size_t>()];
        const json& to = tasks[arrow[1].get<std::size_t>()];
        EXPECT_LT(from[4], to[4]);
        EXPECT_LE(from[2].get<double>(), to[1].get<double>() + 1e-6) << "it waited";
        EXPECT_EQ(arrow[2], 1);
    }
}

TEST(PageTimeline, counts_what_is_too_much_to_be_drawn) {
    const ShownPage r = page_of(plain(1), [](Runtime& runtime) {
        const auto x = runtime.create_region<int>(extents(700), "x");
        const auto parts = tiles(extents(700), 700);
        runtime.launch(
            "wide", parts.colours(), [](View<int, 1>) {}, write(x, parts));
        for (int i = 0; i < 10; ++i)
            runtime.launch(
                "sum", [](View<const int, 1>) {}, read(x));
    });
    const json& wide = r.data["stretches"][0];
    EXPECT_EQ(wide["tasks"].size(), 600U);
    EXPECT_EQ(wide["tasksLeftOut"], 100);
    const ShownPage most = page_of(plain(1), [](Runtime& runtime) {
        const auto x = runtime.create_region<int>(extents(20), "x");
        const auto y = runtime.create_region<int>(extents(20), "y");
        const auto parts = tiles(extents(20), 20);
        runtime.fill(x, 0);
        runtime.fill(y, 0);
        for (int i = 0; i < 10; ++i)
            for (const auto& [from, to] : {std::pair(x, y), std::pair(y, x)})
                runtime.launch(
                    "each after all", parts.colours(), [](View<const int, 1>, View<int, 1>) {},
                    read(from), read_write(to, parts));
    });
    const json& full = most.data["stretches"][0];
    EXPECT_EQ(full["arrows"].size(), 3000U);
    // Each of 20 launches but the first waits for its predecessor, 20 x 20, and in some order for more.
    EXPECT_GE(full["arrowsLeftOut"], 19 * 400 - 3000);
    EXPECT_EQ(full["tasksLeftOut"], 0);
}

TEST(PageFailures, name_what_threw_and_what_was_skipped_because_of_it) {
    const ShownPage r = page_of(plain(2), [](Runtime& runtime) {
        const auto x = runtime.create_region<int>(extents(8), "x");
        const auto parts = tiles(extents(8), 4);
        runtime.fill(x, 0);
        runtime.launch(
            "fragile", parts.colours(),
            [](Point<1> colour, View<int, 1>) {
                if (colour[0] > 1)
                    throw std::runtime_error("no luck with " + std::to_string(colour[0]));
            },
            read_write(x, parts));
        runtime.launch(
            "after", parts.colours(), [](View<int, 1>) {}, read_write(x, parts));
        runtime.launch(
            "sum", [](View<const int, 1>) {}, read(x));
        EXPECT_EQ(runtime.take_failures().size(), 2U);
    });
    const json& failures = r.data["failures"];
    EXPECT_EQ(failures["threw"], 2);
    EXPECT_EQ(failures["skipped"], 3) << "two of 'after', and the sum";
    ASSERT_EQ(failures["launches"].size(), 1U);
    const json& launch = failures["launches"][0];
    EXPECT_EQ(launch["site"], site_in(r.data, "fragile"));
    EXPECT_EQ(launch["operation"], 2);
    EXPECT_EQ(launch["threw"], 2);
    EXPECT_EQ(launch["points"], 4);
    EXPECT_EQ(launch["point"], 2);
    EXPECT_EQ(launch["message"], "no luck with 2");
    EXPECT_EQ(launch["skipped"],
              json::parse("[[" + std::to_string(site_in(r.data, "after")) + ",2],[" +
                          std::to_string(site_in(r.data, "sum")) + ",1]]"));
    EXPECT_NE(r.data["summary"].dump().find("2 tasks threw"), std::string::npos);
}

TEST(PageMemory, lists_regions_by_name_and_the_tables_of_the_runtime) {
    const ShownPage r = page_of(plain(1), [](Runtime& runtime) {
        std::vector<Region<int, 1>> small;
        for (int i = 0; i < 3; ++i) {
            small.push_back(runtime.create_region<int>(extents(1024), "small"));
            runtime.fill(small.back(), 0);
        }
        const auto large = runtime.create_region<double>(extents(1 << 20), "large");
        runtime.fill(large, 0.0);
        runtime.wait_all();
        for (int i = 0; i < 20; ++i)  // samples are taken when something is launched
            runtime.launch("task", [] {});
    });
    const json& regions = r.data["memory"]["regions"];
    ASSERT_EQ(regions.size(), 2U);
    EXPECT_EQ(regions[0], json::parse("[\"large\",8388608,1]")) << "the largest first";
    EXPECT_EQ(regions[1], json::parse("[\"small\",12288,3]"));
    EXPECT_GE(r.data["memory"]["tables"].size(), 3U);
    for (const json& part : r.data["memory"]["tables"]) EXPECT_GT(part[1], 0) << part[0];
}

TEST(PageGraph, folds_wide_launches_and_names_tiles) {
    constexpr std::int64_t width = 40;
    const ShownPage r = page_of(plain(1), [](Runtime& runtime) {
        const auto x = runtime.create_region<int>(extents(width), "x");
        const auto parts = tiles(extents(width), width);
        const auto pairs = tiles(extents(width), 2);
        runtime.fill(x, 0);
        for (int i = 0; i < 3; ++i) {
            runtime.begin_trace(1);
            for (std::int64_t tile = 0; tile < width; ++tile)
                runtime.launch(
                    "one", [](View<int, 1>) {}, read_write(x, parts, Point<1>(tile)));
            for (std::int64_t half = 0; half < 2; ++half)
                runtime.launch(
                    "half", [](View<int, 1>) {}, read_write(x, pairs, Point<1>(half)));
            runtime.end_trace(1);
        }
    });
    const json& graph = r.data["traces"][0]["graph"];
    ASSERT_EQ(graph["nodes"].size(), 3U) << graph["nodes"];
    EXPECT_EQ(graph["nodes"][0][3], width);
    EXPECT_EQ(graph["nodes"][0][5], "[0] … [39]");
    EXPECT_EQ(graph["nodes"][1][5], "[0]");
    EXPECT_EQ(graph["nodes"][2][5], "[1]");
    EXPECT_EQ(graph["edges"], json::parse("[[0,1,1],[0,2,1]]"));
    EXPECT_EQ(graph["cut"], false);
}

}  // namespace
}  // namespace refrain::page_parts_test
