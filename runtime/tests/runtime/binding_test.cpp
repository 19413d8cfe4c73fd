#include "runtime/harness.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <string>
#include <thread>

#include "machine/cores.hpp"

namespace refrain::binding_test {
namespace {

Options bound(Binding bind, unsigned workers = 2) {
    Options options = plain(workers);
    options.bind = bind;
    return options;
}

/// The processors that a thread of the process may run on; 0: the calling one.
std::vector<unsigned> processors_of(pid_t thread) {
    cpu_set_t set;
    CPU_ZERO(&set);
    EXPECT_EQ(sched_getaffinity(thread, sizeof set, &set), 0);
    std::vector<unsigned> processors;
    for (unsigned i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &set)) processors.push_back(i);
    return processors;
}

/// The only thread of the process with this name; 0: none. One that has been joined, of a test before, may be
/// there for some time.
pid_t thread_named(const std::string& name) {
    std::vector<pid_t> found;
    const bool is_one = comes_true([&] {
        found.clear();
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
            std::ifstream file(task.path() / "comm");
            std::string its_own;
            std::getline(file, its_own);
            if (its_own == name)
                found.push_back(static_cast<pid_t>(std::stol(task.path().filename())));
        }
        return found.size() == 1;
    });
    EXPECT_TRUE(is_one) << found.size() << " threads named " << name;
    return is_one ? found.front() : 0;
}

class Bound : public ::testing::Test {
  protected:
    void SetUp() override {
        const machine::Cores& cores = machine::cores_of_this_machine();
        if (!cores.problem.empty()) GTEST_SKIP() << cores.problem;
    }
};

TEST_F(Bound, workers_keep_to_a_core_and_the_launching_thread_stays_free) {
    const std::vector<unsigned> before = processors_of(0);
    const Runtime runtime(bound(Binding::cores));
    EXPECT_EQ(processors_of(0), before);
    const Statistics statistics = runtime.statistics();
    EXPECT_EQ(statistics.binding, "cores");
    EXPECT_EQ(statistics.workers[0].processor, -1);
    ASSERT_GE(statistics.workers[1].processor, 0);
    EXPECT_GE(statistics.workers[1].memory_node, 0);

    const pid_t worker = thread_named("refrain-1");
    ASSERT_NE(worker, 0);
    const std::vector<unsigned> processors = processors_of(worker);
    EXPECT_EQ(processors[0], static_cast<unsigned>(statistics.workers[1].processor));
    bool is_core = false;
    for (const machine::Core& core : machine::cores_of_this_machine().all)
        is_core |= std::includes(core.processors.begin(), core.processors.end(), processors.begin(),
                                 processors.end());
    EXPECT_TRUE(is_core) << "the processors of one core";
}

TEST_F(Bound, the_statistics_say_where_each_worker_runs) {
    const Runtime runtime(bound(Binding::cores));
    const Statistics statistics = runtime.statistics();
    const std::string text = statistics.to_string();
    EXPECT_NE(text.find("processor " + std::to_string(statistics.workers[1].processor)),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("bound to   cores"), std::string::npos) << text;
}

TEST_F(Bound, more_workers_than_cores_are_bound_all_the_same_if_that_is_wished) {
    const auto processors =
        static_cast<unsigned>(machine::count_processors(machine::cores_of_this_machine().all));
    Runtime runtime(bound(Binding::cores, processors + 2));
    std::atomic<int> ran{0};
    runtime.launch("count", extents(64), [&ran](Point<1>) { ++ran; });
    runtime.wait_all();
    EXPECT_EQ(ran, 64);
    for (unsigned worker = 1; worker < processors + 2; ++worker)
        EXPECT_GE(runtime.statistics().workers[worker].processor, 0) << worker;
}

TEST_F(Bound, only_one_runtime_of_a_process_binds_unasked) {
    const Runtime first(bound(Binding::cores));
    const unsigned all =
        static_cast<unsigned>(machine::count_processors(machine::cores_of_this_machine().all));
    const Runtime second(bound(Binding::automatic, all));
    EXPECT_EQ(second.statistics().binding.substr(0, 4), "none") << second.statistics().binding;
}

TEST(Unbound, workers_run_where_the_system_lets_them) {
    const Runtime runtime(bound(Binding::none));
    EXPECT_EQ(runtime.statistics().binding, "none: option bind = none");
    EXPECT_EQ(runtime.statistics().workers[1].processor, -1);
    EXPECT_EQ(processors_of(thread_named("refrain-1")), processors_of(0));
}

TEST(Unbound, is_a_process_that_an_mpi_launcher_has_started) {
    ASSERT_EQ(setenv("PMI_RANK", "0", 1), 0);
    const Runtime runtime(bound(Binding::automatic));
    EXPECT_EQ(runtime.statistics().binding,
              "none: a launcher has started the process (PMI_RANK is set)");
    unsetenv("PMI_RANK");
}

TEST(Unbound, is_a_runtime_of_one_worker) {
    const Runtime runtime(bound(Binding::automatic, 1));
    EXPECT_EQ(runtime.statistics().binding, "none: there is one worker, the launching thread");
}

}  // namespace
}  // namespace refrain::binding_test
