/// fork(): what is pending finishes before, and parent and child go on by themselves.
#include "runtime/harness.hpp"

#include <atomic>
#include <sys/wait.h>
#include <unistd.h>

namespace refrain::fork_test {
namespace {

using Numbers = Region<int, 1>;

void add_one(Runtime& rt, const Numbers& x, const Partition<1>& pieces) {
    rt.launch(
        "add one", pieces.colours(),
        [](View<int, 1> v) {
            for (const auto p : v.points()) ++v[p];
        },
        read_write(x, pieces));
}

/// Launches on both sides of the fork; returns whether the values are right.
bool goes_on(Runtime& rt, const Numbers& x, const Partition<1>& pieces, int before) {
    for (int i = 0; i < 50; ++i) add_one(rt, x, pieces);
    // Without workers of its own the launching thread would have to do everything.
    std::atomic<bool> ran{false};
    rt.launch("set", [&ran] { ran = true; });
    rt.flush();
    if (rt.worker_count() > 1)
        while (!ran) {
        }
    rt.wait_all();  // the task refers to `ran`
    const auto view = rt.read(x);
    for (const int value : view.elements())
        if (value != before + 50) return false;
    return true;
}

TEST(Fork, leaves_data_and_workers_to_both) {
    for (const Serving serving : {Serving::untraced, Serving::looking_back, Serving::mining})
        for (const unsigned workers : {1U, 3U}) {
            Runtime rt(options_for(serving, workers));
            const Numbers x = rt.create_region<int>(extents(64), "x");
            const auto pieces = tiles(x.bounds(), 8);
            rt.fill(x, 0);
            for (int i = 0; i < 100; ++i) add_one(rt, x, pieces);
            const pid_t child = fork();
            if (child == 0) {
                alarm(patience.count());  // a child that hangs ends all the same
                _exit(goes_on(rt, x, pieces, 100) ? 0 : 1);
            }
            ASSERT_GT(child, 0);
            EXPECT_TRUE(goes_on(rt, x, pieces, 100));
            int status = 0;
            ASSERT_EQ(waitpid(child, &status, 0), child);
            EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
        }
}

}  // namespace
}  // namespace refrain::fork_test
