#include "runtime/harness.hpp"

#include <map>
#include <set>
#include <thread>

namespace refrain::sharing_test {
namespace {

using namespace std::chrono_literals;
using Values = View<std::int64_t, 1>;

constexpr unsigned workers = 4;

/// Tasks that have grown. The first sleeps; each later one waits until three threads are inside at
/// the same time, which one thread alone never brings about.
class Crowd {
  public:
    ~Crowd() { EXPECT_FALSE(given_up_) << "the tasks were not shared: one waited for others"; }
    void enter() {
        std::unique_lock lock(mutex_);
        threads_.insert(std::this_thread::get_id());
        if (entries_++ == 0) {
            lock.unlock();
            std::this_thread::sleep_for(10ms);
            return;
        }
        ++inside_;
        if (inside_ >= crowd) is_met_ = true;
        changed_.notify_all();
        if (!given_up_ &&
            !changed_.wait_for(lock, patience, [&] { return is_met_ || given_up_; })) {
            given_up_ = true;
            changed_.notify_all();
        }
        --inside_;
    }
    [[nodiscard]] std::size_t threads() {
        const std::lock_guard lock(mutex_);
        return threads_.size();
    }

  private:
    static constexpr int crowd = 3;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::set<std::thread::id> threads_;
    int entries_ = 0;
    int inside_ = 0;
    bool is_met_ = false;
    bool given_up_ = false;
};

/// So that all workers but the launching thread sleep, however busy the machine is: each has run a task, has
/// gone to sleep after it, and nothing has been launched since that could have woken it.
void rest(Runtime& runtime) {
    const auto times_slept = [&](unsigned worker) {
        return runtime.statistics().workers[worker].sleeps;
    };
    Gate gate;
    runtime.wait_all();
    for (unsigned worker = 1; worker < workers; ++worker) {
        runtime.launch("keep awake", [&gate] { gate.pass(); });
        runtime.flush();  // alone: no batch
    }
    gate.await(workers - 1);
    std::vector<std::uint64_t> before;
    for (unsigned worker = 0; worker < workers; ++worker) before.push_back(times_slept(worker));
    gate.open();
    for (unsigned worker = 1; worker < workers; ++worker)
        ASSERT_TRUE(comes_true([&] { return times_slept(worker) > before[worker]; })) << worker;
}

class Sharing : public ::testing::TestWithParam<Serving> {
  protected:
    Runtime runtime_{options_for(GetParam(), workers)};
    Region<std::int64_t, 1> x_ = runtime_.create_region<std::int64_t>(extents(1 << 12), "x");
    Partition<1> tiles_ = tiles(x_.bounds(), 8);
    void SetUp() override { runtime_.fill(x_, 0); }
};
INSTANTIATE_TEST_SUITE_P(, Sharing, every_serving, serving_name);

Crowd* crowd_now = nullptr;

void tiny(Values) {}
void heavy(Values) {
    crowd_now->enter();
}

TEST_P(Sharing, spreads_a_group_whose_first_point_has_grown_long) {
    Crowd crowd;
    std::atomic<bool> has_grown{false};
    const auto launch = [&] {
        runtime_.launch(
            "task", tiles_.colours(),
            [&](Values) {
                if (has_grown.load()) crowd.enter();
            },
            read_write(x_, tiles_));
    };
    for (int i = 0; i < 500; ++i) launch();
    rest(runtime_);
    has_grown = true;
    launch();
    runtime_.wait_all();
    EXPECT_GE(crowd.threads(), 3U);
}

TEST_P(Sharing, spreads_a_heavy_function_after_a_tiny_one_of_the_same_type) {
    for (const bool index_launch : {true, false}) {
        Crowd crowd;
        crowd_now = &crowd;
        const auto launch = [&](void (*task)(Values)) {  // one launch site
            if (index_launch)
                runtime_.launch("task", tiles_.colours(), task, read_write(x_, tiles_));
            else
                for (std::int64_t i = 0; i < 8; ++i)
                    runtime_.launch("task", task, read_write(x_, tiles_, Point<1>(i)));
        };
        for (int i = 0; i < 300; ++i) launch(tiny);
        rest(runtime_);
        launch(heavy);
        runtime_.wait_all();
        EXPECT_GE(crowd.threads(), 3U);
    }
}

TEST_P(Sharing, spreads_tasks_on_a_fine_level_after_those_on_a_coarse_one) {
    Crowd crowd;
    const auto coarse = runtime_.create_region<std::int64_t>(extents(8), "coarse");
    const Partition<1> coarse_tiles = tiles(coarse.bounds(), 8);
    runtime_.fill(coarse, 0);
    const auto smooth = [&](const Region<std::int64_t, 1>& level, const Partition<1>& parts) {
        for (std::int64_t i = 0; i < 8; ++i)
            runtime_.launch(
                "smooth",
                [&crowd](Values v) {
                    if (v.domain().volume() > 1) crowd.enter();
                },
                read_write(level, parts, Point<1>(i)));
    };
    for (int i = 0; i < 300; ++i) smooth(coarse, coarse_tiles);
    rest(runtime_);
    smooth(x_, tiles_);
    runtime_.wait_all();
    EXPECT_GE(crowd.threads(), 3U);
}

/// Tasks that wait for each other, four at a time: so only four threads, with as many tasks each, end
/// a launch. Waiting takes no core, so that four workers are four even on a machine of two.
class Meetings {
  public:
    ~Meetings() { EXPECT_FALSE(given_up_) << "a task waited for others"; }
    void enter() {
        std::unique_lock lock(mutex_);
        ++tasks_[std::this_thread::get_id()];
        const int last = entries_++ / size * size + size;
        changed_.notify_all();
        if (!changed_.wait_for(lock, patience, [&] { return entries_ >= last || given_up_; })) {
            given_up_ = true;
            changed_.notify_all();
        }
    }
    [[nodiscard]] std::map<std::thread::id, int> tasks() {
        const std::lock_guard lock(mutex_);
        return tasks_;
    }

  private:
    static constexpr int size = 4;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::thread::id, int> tasks_;
    int entries_ = 0;
    bool given_up_ = false;
};

/// Without sharing, all eight points are on one thread in every launch.
TEST_P(Sharing, divides_tasks_evenly_once_they_are_known_to_be_long) {
    std::atomic<bool> are_long{false};
    std::atomic<Meetings*> meetings{nullptr};
    const auto launch = [&](Meetings* now) {
        meetings = now;
        runtime_.launch(
            "task", tiles_.colours(),
            [&](Values) {
                // Sleeping, since what is over at once is not worth sharing.
                if (are_long.load()) std::this_thread::sleep_for(1ms);
                if (meetings.load() != nullptr) meetings.load()->enter();
            },
            read_write(x_, tiles_));
        runtime_.wait_all();
    };
    for (int i = 0; i < 500; ++i) launch(nullptr);
    are_long = true;
    // A worker measures at least one of 31 groups that it runs, and after a surprise the next one, too.
    // Of 4 * 31 + 1 launches some worker has run at least 32 groups, so it has measured twice.
    for (int i = 0; i < 4 * 31 + 1; ++i) launch(nullptr);
    for (int i = 0; i < 12; ++i) {
        Meetings fours;
        launch(&fours);
        EXPECT_EQ(fours.tasks().size(), 4U);
        for (const auto& [thread, tasks] : fours.tasks()) EXPECT_EQ(tasks, 2);
    }
}

}  // namespace
}  // namespace refrain::sharing_test
