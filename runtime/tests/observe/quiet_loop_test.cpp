/// What is counted and timed of launches that run inside of their calls, alone, in lanes and in rows: the same as of
/// launches that are operations.
#include "observe/quiet_loop.hpp"

#include "base/asymmetric_fence.hpp"
#include "base/clock.hpp"
#include "observe/journal.hpp"
#include "observe/shown_page.hpp"

#include <chrono>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

namespace refrain::quiet_loop_test {
namespace {

using nlohmann::json;

TEST(QuietLoop, begins_when_the_launch_before_it_has_ended_and_tells_how_many_passed) {
    observe::QuietLoop quiet;
    EXPECT_FALSE(quiet.holds(1));
    quiet.forget();
    quiet.prepare(7, 100);
    EXPECT_FALSE(quiet.holds(5)) << "the launch is still told";
    quiet.begin();
    EXPECT_TRUE(quiet.goes_on());
    EXPECT_TRUE(quiet.holds(6));
    EXPECT_FALSE(quiet.holds(7));
    quiet.passed();
    quiet.passed();
    EXPECT_EQ(quiet.end(), 2U);
    EXPECT_FALSE(quiet.goes_on());
    EXPECT_EQ(quiet.end(), 0U);
    quiet.forget();
    quiet.begin();
    EXPECT_FALSE(quiet.goes_on()) << "nothing was prepared";
}

TEST(QuietLoop, goes_on_after_a_pause) {
    observe::QuietLoop quiet;
    quiet.prepare(9, 4);
    quiet.begin();
    EXPECT_TRUE(quiet.holds(3));
    EXPECT_FALSE(quiet.pauses_before(3));
    quiet.passed();
    EXPECT_FALSE(quiet.holds(4)) << "what has passed is to be counted first";
    EXPECT_TRUE(quiet.pauses_before(4));
    EXPECT_EQ(quiet.pause(), 1U);
    quiet.go_on(6);
    EXPECT_TRUE(quiet.holds(5));
    EXPECT_FALSE(quiet.holds(6));
    quiet.passed();
    quiet.passed();
    EXPECT_EQ(quiet.pause(), 2U);
    quiet.go_on(100);
    EXPECT_TRUE(quiet.holds(8));
    EXPECT_FALSE(quiet.holds(9));
    EXPECT_FALSE(quiet.pauses_before(9)) << "it ends there";
    quiet.passed();
    EXPECT_EQ(quiet.end(), 1U);
    EXPECT_FALSE(quiet.pauses_before(10)) << "there is none";
}

TEST(Sampling, the_next_sampled_operation_is_the_first_that_is_included) {
    for (std::uint64_t from = 0; from < 20'000; from += 37) {
        const std::uint64_t next = observe::Sampling::next_sampled(from, 1);
        EXPECT_TRUE(observe::Sampling::is_kept(next, 1));
        for (std::uint64_t between = from; between < next; ++between)
            ASSERT_FALSE(observe::Sampling::is_kept(between, 1)) << between;
    }
}

/// Each task takes as many ticks as its site says. Only tasks of sampled operations are logged.
TEST(TaskLog, of_samples_estimates_what_all_tasks_took) {
    constexpr std::uint64_t first = 1;
    constexpr std::uint64_t operations = 61 * 64 * 20;
    constexpr std::uint64_t turn = 5;
    const observe::SamplingRate rate;
    observe::TaskLog log(first, rate);
    double whole = 0;
    std::map<std::uint32_t, double> of_site;
    for (std::uint64_t i = 0; i < operations; ++i) {
        const auto site = static_cast<std::uint32_t>(i % turn);
        const std::uint64_t ticks = 100 + 10 * site;
        whole += static_cast<double>(ticks);
        of_site[site] += static_cast<double>(ticks);
        log.is_waiting = i >= operations / 2;
        if (rate.includes(i))
            log.ran(
                {.begin = 1000 * i, .end = 1000 * i + ticks, .operation = first + i, .site = site});
    }
    EXPECT_NEAR(log.ticks, whole, 0.03 * whole);
    for (const auto& [site, ticks] : of_site) {
        EXPECT_NEAR(log.sites.entries()[site].ticks, ticks, 0.05 * ticks) << site;
        EXPECT_NEAR(log.sites.entries()[site].tasks, operations / turn, 0.05 * operations / turn);
    }
    EXPECT_NEAR(log.ticks_outside, whole / 2, 0.05 * whole) << "the first half did not wait";
    EXPECT_DOUBLE_EQ(log.ticks_in_waits(1e12) + log.ticks_beside_waits(1e12), log.ticks);
    EXPECT_EQ(log.ticks_in_waits(10), 10) << "it has not waited for longer";
    EXPECT_EQ(log.ticks_beside_waits(10), 10);
    EXPECT_EQ(log.ticks_beside_waits(-1), 0);
}

/// Timing tasks takes time, too, beside that of the tasks.
TEST(Journal, times_no_launch_while_the_launching_thread_runs_tasks) {
    observe::Journal journal(1, 1);
    const std::uint64_t begin = base::ticks();
    journal.launch_begins(1);
    journal.launched();
    std::uint64_t tasks = 0;
    {
        const observe::TaskLog::InLaunch in_launch(journal.task_logs()[0].get());
        const std::uint64_t first = base::ticks();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        tasks = base::ticks() - first;
    }
    journal.launch_ended("launch");
    const std::uint64_t all = base::ticks() - begin;
    EXPECT_LE(journal.ticks(observe::SpanKind::launch) + journal.ticks(observe::SpanKind::match),
              static_cast<double>(all - tasks));
}

enum class Way : std::uint8_t { direct, lanes, turns };

void PrintTo(Way way, std::ostream* out) {
    static constexpr const char* names[] = {"direct", "lanes", "turns"};
    *out << names[static_cast<std::size_t>(way)];
}

/// Launches of three sites, one of which is used twice in a turn.
class Loop {
  public:
    explicit Loop(Runtime& runtime) : runtime_(runtime) {
        runtime_.fill(x_, 1);
        runtime_.fill(y_, 2);
    }
    void turn() {
        for (int i = 0; i < 2; ++i)
            runtime_.launch("add", tiles_.colours(), add, read_write(x_, tiles_), read(y_, tiles_));
        runtime_.launch("back", tiles_.colours(), add, read_write(y_, tiles_), read(x_, tiles_));
        for (std::int64_t i = 0; i < 2; ++i)
            runtime_.launch("one", add, read_write(x_, tiles_, Point<1>(i)),
                            read(y_, tiles_, Point<1>(i)));
    }
    void turns(int count) {
        for (int i = 0; i < count; ++i) turn();
    }
    static constexpr std::uint64_t launches = 5;  // of a turn
    static constexpr std::uint64_t tasks = 3 * 4 + 2;

  private:
    static void add(View<int, 1> to, View<const int, 1> from) {
        for (const Point<1>& point : to.domain()) to[point] = (to[point] + from[point]) % 1009;
    }
    Runtime& runtime_;
    Region<int, 1> x_ = runtime_.create_region<int>(extents(8), "x");
    Region<int, 1> y_ = runtime_.create_region<int>(extents(8), "y");
    Partition<1> tiles_ = tiles(extents(8), 4);
};

/// Turns of the loop, interrupted in several ways.
void interrupted_loop(Runtime& runtime) {
    Loop loop(runtime);
    loop.turns(1500);
    for (int i = 0; i < 10; ++i) {
        loop.turns(70 + i);
        if (i % 3 == 0) runtime.launch("now and then", [] {});
        if (i % 3 == 1) runtime.wait_all();
        if (i == 5) runtime.fence();
        if (i == 7) {
            runtime.begin_trace(1);
            loop.turn();
            runtime.end_trace(1);
        }
    }
    loop.turns(500);
    runtime.wait_all();
}

class QuietWay : public testing::TestWithParam<Way> {
  protected:
    [[nodiscard]] static Options with(LaneUse lanes) {
        Options options = automatic(GetParam() == Way::direct ? 1 : 2);
        options.window = 128;
        options.lanes = lanes;
        return options;
    }
    [[nodiscard]] static Options slow() { return with(LaneUse::none); }
    [[nodiscard]] static Options fast() {
        return with(GetParam() == Way::turns ? LaneUse::turns : LaneUse::all);
    }
    static void expect_fast(const Statistics& statistics) {
        if (GetParam() != Way::lanes) {
            EXPECT_GT(statistics.launches.direct, statistics.launches.operations / 4);
        } else if (base::has_asymmetric_fence()) {
            EXPECT_GT(statistics.launches.in_lanes, 0U);
        }
        if (GetParam() == Way::direct) {
            EXPECT_GT(statistics.launches.in_rows, statistics.launches.operations / 4);
        }
    }
};
INSTANTIATE_TEST_SUITE_P(, QuietWay, testing::Values(Way::direct, Way::lanes, Way::turns),
                         testing::PrintToStringParamName());

/// Of each launch site: its operations, tasks, and how they were served.
std::map<std::string, std::vector<std::uint64_t>> counts_of(
    const std::vector<LaunchSiteReport>& sites) {
    std::map<std::string, std::vector<std::uint64_t>> counts;
    for (const LaunchSiteReport& site : sites) {
        auto& of_name = counts[site.site.name];
        of_name = {site.operations, site.tasks, site.replayed, site.recorded, site.analysed};
        of_name.insert(of_name.end(), site.reasons.begin(), site.reasons.end());
    }
    return counts;
}

TEST_P(QuietWay, each_site_counts_as_many_launches_as_without) {
    const auto explained = [](Options options) {
        options.observe.explain = true;
        Runtime runtime(options);
        interrupted_loop(runtime);
        return std::pair(counts_of(runtime.why_not_traced()), runtime.statistics());
    };
    const auto [slow_counts, slow_statistics] = explained(slow());
    const auto [fast_counts, fast_statistics] = explained(fast());
    expect_fast(fast_statistics);
    EXPECT_EQ(slow_statistics.launches.direct + slow_statistics.launches.in_lanes, 0U);
    EXPECT_EQ(fast_counts, slow_counts);
}

/// One kind of task at one place of a loop, launched from two sites in turns, and from one for a time. Also when somebody
/// asks in the middle.
TEST_P(QuietWay, sites_that_take_turns_count_their_own_launches) {
    Options options = fast();
    options.observe.explain = true;
    Runtime runtime(options);
    const auto x = runtime.create_region<int>(extents(8), "x");
    const auto parts = tiles(extents(8), 4);
    runtime.fill(x, 1);
    std::map<std::string, std::uint64_t> launched;
    const auto expect_counts = [&] {
        runtime.wait_all();
        for (const LaunchSiteReport& site : runtime.why_not_traced())
            if (launched.contains(site.site.name)) {
                EXPECT_EQ(site.operations, launched[site.site.name]) << site.site.name;
                EXPECT_EQ(site.tasks, 4 * launched[site.site.name]) << site.site.name;
            }
    };
    for (int i = 0; i < 9000; ++i) {
        const bool takes_turns = i < 4000 || i % 3 == 0;
        const LaunchSite site = takes_turns && i % 2 == 0 ? LaunchSite("even") : LaunchSite("odd");
        runtime.launch(
            site, parts.colours(), [](View<int, 1>) {}, read_write(x, parts));
        ++launched[site.name];
        if (i == 4321) expect_counts();
    }
    expect_counts();
    expect_fast(runtime.statistics());
}

/// Tasks that were timed, and arrows between them, by operation and point.
using Task = std::pair<std::uint64_t, std::uint64_t>;
std::pair<std::set<Task>, std::set<std::pair<Task, Task>>> timed_in(const json& data) {
    std::set<Task> tasks;
    std::set<std::pair<Task, Task>> arrows;
    for (const json& stretch : data["stretches"]) {
        std::vector<Task> here;
        for (const json& task : stretch["tasks"]) here.emplace_back(task[4], task[5]);
        for (const json& arrow : stretch["arrows"]) arrows.emplace(here[arrow[0]], here[arrow[1]]);
        tasks.insert(here.begin(), here.end());
    }
    return {tasks, arrows};
}

TEST_P(QuietWay, a_report_has_the_same_figures_and_samples_as_without) {
    const ShownPage without = page_of(slow(), interrupted_loop);
    const ShownPage with = page_of(fast(), interrupted_loop);
    expect_fast(with.statistics);
    for (const char* field : {"operations", "tasks", "replayed", "recorded", "firstReplay", "sites",
                              "loops", "traces", "sampling"})
        EXPECT_EQ(with.data[field], without.data[field]) << field;
    EXPECT_LT(with.data["sampling"]["timed"], with.data["operations"])
        << "the test means something";
    EXPECT_EQ(with.data["curve"].back()[0], with.data["operations"]);
    EXPECT_EQ(with.data["curve"].back()[1], with.data["replayed"]);
    EXPECT_EQ(timed_in(with.data), timed_in(without.data));
    for (std::size_t site = 0; site < with.data["times"].size(); ++site)
        EXPECT_EQ(with.data["times"][site].empty(), without.data["times"][site].empty()) << site;
    for (const char* name : {"add", "back", "one"})
        EXPECT_GT(with.data["times"][site_in(with.data, name)][0], 0) << name;
}

TEST_P(QuietWay, the_launching_thread_runs_tasks_also_where_it_does_not_wait) {
    const ShownPage page = page_of(fast(), [](Runtime& runtime) { Loop(runtime).turns(2000); });
    const std::vector<std::string> stages = page.data["stages"];
    const auto at = std::find(stages.begin(), stages.end(), "execution") - stages.begin();
    const json& seconds = page.data["workers"][0]["seconds"];
    EXPECT_GT(seconds[static_cast<std::size_t>(at)], 0);
    for (const json& stage : seconds) EXPECT_GE(stage, 0);
}

/// Also tasks of launches that are not timed, as those before the first of interest, in the lane of the launching thread.
TEST_P(QuietWay, tasks_inside_of_launches_count_for_no_stage_of_launching) {
    struct Taken {
        const std::thread::id thread = std::this_thread::get_id();
        bool is_launching = false;      // used by that thread only
        std::uint64_t in_tasks = 0;     // ticks of that thread, inside of launches of interest
        std::uint64_t in_launches = 0;  // and of all of these
    } taken;
    const auto spin = [](View<int, 1> to, View<const int, 1> from, Taken* of) {
        const std::uint64_t begin = base::ticks();
        to[to.domain().lo] += from[from.domain().lo] % 3;
        while (base::ticks() - begin < base::ns_to_ticks(20'000)) {
        }
        if (std::this_thread::get_id() == of->thread && of->is_launching)
            of->in_tasks += base::ticks() - begin;
    };
    const ShownPage page = page_of(fast(), [&](Runtime& runtime) {
        const auto x = runtime.create_region<int>(extents(8), "x");
        const auto y = runtime.create_region<int>(extents(8), "y");
        const Partition<1> parts = tiles(extents(8), 4);
        runtime.fill(x, 1);
        runtime.fill(y, 1);
        const auto turns = [&](int count) {
            for (int i = 0; i < count; ++i) {
                runtime.launch("to", parts.colours(), spin, read_write(x, parts), read(y, parts),
                               &taken);
                runtime.launch("back", parts.colours(), spin, read_write(y, parts), read(x, parts),
                               &taken);
            }
        };
        turns(400);
        runtime.begin_interest();
        const std::uint64_t begin = base::ticks();
        taken.is_launching = true;
        turns(50);
        taken.is_launching = false;
        taken.in_launches = base::ticks() - begin;
        runtime.end_interest();
    });
    expect_fast(page.statistics);
    double stages = 0;
    for (std::size_t stage = 0; page.data["stages"][stage] != "mining"; ++stage)
        stages += page.data["workers"][0]["seconds"][stage].get<double>();
    const auto others = static_cast<double>(taken.in_launches - taken.in_tasks);
    EXPECT_LE(stages, 1.001 * base::ns_per_tick() * 1e-9 * others);
    EXPECT_GT(stages, 0);
}

/// Also where it begins and ends inside of a row.
TEST_P(QuietWay, only_what_is_of_interest_counts) {
    constexpr std::uint64_t inside = 700;
    const ShownPage page = page_of(fast(), [](Runtime& runtime) {
        Loop loop(runtime);
        loop.turns(1200);
        runtime.begin_interest();
        loop.turns(inside);
        runtime.end_interest();
        loop.turns(300);
        runtime.begin_interest();
        loop.turns(inside);
        runtime.end_interest();
        loop.turns(10);
    });
    expect_fast(page.statistics);
    EXPECT_EQ(page.data["operations"], 2 * inside * Loop::launches);
    EXPECT_EQ(page.data["tasks"], 2 * inside * Loop::tasks);
    EXPECT_EQ(page.data["curve"].back()[0], 2 * inside * Loop::launches);
    const std::map<std::string, std::uint64_t> in_a_turn{{"add", 2}, {"back", 1}, {"one", 2}};
    for (const auto& [name, per_turn] : in_a_turn)
        EXPECT_EQ(page.data["sites"][site_in(page.data, name)]["operations"], 2 * inside * per_turn)
            << name;
}

/// Two sites launch the same kind of task in turns: which one a place of the loop has may change.
TEST_P(QuietWay, sites_that_change_places_count_for_themselves) {
    Options options = fast();
    options.observe.explain = true;
    Runtime runtime(options);
    const auto x = runtime.create_region<int>(extents(8), "x");
    const Partition<1> parts = tiles(extents(8), 4);
    runtime.fill(x, 0);
    constexpr int turns = 3000;
    int odd = 0;
    for (int i = 0; i < turns; ++i) {
        const char* name = i % 7 == 0 || i % 11 == 0 ? "odd" : "even";
        odd += name[0] == 'o' ? 1 : 0;
        runtime.launch(
            name, parts.colours(), [](View<int, 1> view) { ++view[view.domain().lo]; },
            read_write(x, parts));
    }
    runtime.wait_all();
    EXPECT_EQ(site(runtime, "odd").operations, static_cast<std::uint64_t>(odd));
    EXPECT_EQ(site(runtime, "even").operations, static_cast<std::uint64_t>(turns - odd));
    EXPECT_EQ(site(runtime, "even").tasks, 4 * static_cast<std::uint64_t>(turns - odd));
}

TEST_P(QuietWay, a_launch_that_fails_is_reported_and_counts_once) {
    constexpr int turns = 1500;
    const auto program = [](Runtime& runtime) {
        const auto x = runtime.create_region<int>(extents(8), "x");
        const Partition<1> parts = tiles(extents(8), 4);
        runtime.fill(x, 0);
        for (int i = 0; i < turns; ++i)
            runtime.launch(
                "fails once", parts.colours(),
                [](Point<1> point, View<int, 1> view, bool fails) {
                    if (fails && point[0] == 2) throw std::runtime_error("broken");
                    ++view[view.domain().lo];
                },
                read_write(x, parts), i == turns - 1);
        static_cast<void>(runtime.take_failures());
    };
    const ShownPage page = page_of(fast(), program);
    const json& site = page.data["sites"][site_in(page.data, "fails once")];
    EXPECT_EQ(site["operations"], turns);
    ASSERT_EQ(page.data["failures"]["launches"].size(), 1U);
    EXPECT_EQ(page.data["failures"]["launches"][0]["threw"], 1);
}

/// What is written down of each operation is complete with a report, too.
TEST(QuietLoop, leaves_out_nothing_that_is_asked_of_each_operation) {
    const auto run = [](bool explains) {
        Options options = automatic(1);
        options.observe.time_phases = options.observe.record_graph = true;
        options.observe.explain = explains;
        Runtime runtime(options);
        Loop(runtime).turns(500);
        runtime.wait_all();
        return std::pair(runtime.statistics(), runtime.dependences().size());
    };
    const auto [without, dependences] = run(false);
    const auto [with, dependences_with] = run(true);
    EXPECT_EQ(with.replaying.tasks, without.replaying.tasks);
    EXPECT_GT(with.replaying.tasks, 5000U);
    EXPECT_EQ(dependences_with, dependences);
}

/// Each operation has a line in the stream, so none runs without being one.
TEST(LoggedStream, has_no_launches_that_are_no_operations) {
    const TemporaryFile stream("stream");
    Options options = automatic(1);
    options.lanes = LaneUse::all;
    options.window = 128;
    options.observe.log_stream = stream.path();
    Runtime runtime(options);
    Loop(runtime).turns(500);
    runtime.wait_all();
    EXPECT_EQ(runtime.statistics().launches.direct, 0U);
}

}  // namespace
}  // namespace refrain::quiet_loop_test
