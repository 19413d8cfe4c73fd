#include "processes/helper_process.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mutex>
#include <sched.h>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/// Processes that help a run.
namespace refrain::script::helper_process_test {

std::mutex held;

/// Says whether somebody holds the mutex in this process; crashes when asked for that.
int serve_look(int socket) {
    processes::HelperProcess::answer(socket, processes::HelperProcess::done, {});
    for (std::string request; processes::HelperProcess::receive(socket, request);) {
        if (request == "crash") kill(getpid(), SIGKILL);
        const bool is_free = held.try_lock();
        processes::HelperProcess::answer(socket, processes::HelperProcess::done,
                                         is_free ? "free" : "held");
        if (is_free) held.unlock();
    }
    return 0;
}

TEST(HelperProcess, locks_of_other_threads_are_not_held_in_it) {
    processes::ProcessTable table;
    processes::HelperSource source(table);
    source.begin();
    const std::lock_guard lock(held);
    std::thread([&] {
        processes::HelperProcess helper(serve_look, source);
        EXPECT_TRUE(helper.greeting().well());
        EXPECT_EQ(helper.ask("look").text, "free");
    }).join();
}

TEST(HelperProcess, how_it_ends_is_told_and_another_one_begins) {
    processes::ProcessTable table;
    processes::HelperSource source(table);
    for (int i = 0; i < 2; ++i) {
        processes::HelperProcess helper(serve_look, source);
        EXPECT_TRUE(helper.greeting().well());
        const processes::HelperProcess::Answer answer = helper.ask("crash");
        EXPECT_TRUE(answer.ended);
        EXPECT_EQ(answer.text, "was killed by signal Killed");
    }
}

/// Starts a process, whose number is the answer, and crashes at the next request.
int serve_start(int socket) {
    processes::HelperProcess::answer(socket, processes::HelperProcess::done, {});
    std::string request;
    static_cast<void>(processes::HelperProcess::receive(socket, request));
    const pid_t made = fork();
    while (made == 0) pause();
    processes::HelperProcess::answer(socket, processes::HelperProcess::done, std::to_string(made));
    static_cast<void>(processes::HelperProcess::receive(socket, request));
    abort();
}

/// Ended, though perhaps nobody has asked how.
bool has_ended(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    return !(file >> number >> name >> state) || state == "Z" || state == "X";
}

TEST(HelperProcess, what_it_has_started_ends_with_its_crash) {
    processes::ProcessTable table;
    processes::HelperSource source(table);
    processes::HelperProcess helper(serve_start, source);
    EXPECT_TRUE(helper.greeting().well());
    const pid_t started = std::stoi(helper.ask("start").text);
    EXPECT_FALSE(has_ended(started));
    EXPECT_TRUE(helper.ask("crash").ended);
    bool ended = false;
    for (int i = 0; i < 6000 && !(ended = has_ended(started)); ++i)  // a minute is for ever
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(ended);
    if (!ended) kill(started, SIGKILL);
}

/// From here on the system refuses children of this process's parent, as sandboxes and emulators of processors do.
bool refuse_children_of_parent() {
    std::array<sock_filter, 6> steps = {{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_PARENT, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    }};
    const sock_fprog filter{steps.size(), steps.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(HelperProcess, where_a_copy_can_make_none_this_process_does) {
    constexpr int well = 0, wrong = 1, not_refused = 77;  // an old system has no filters
    const auto help = [] {
        if (!refuse_children_of_parent()) _exit(not_refused);
        processes::ProcessTable table;
        processes::HelperSource source(table);
        processes::HelperProcess helper(serve_look, source);
        _exit(helper.greeting().well() && helper.ask("look").text == "free" ? well : wrong);
    };
    const auto ended_well = [](int status) {
        return WIFEXITED(status) &&
               (WEXITSTATUS(status) == well || WEXITSTATUS(status) == not_refused);
    };
    EXPECT_EXIT(help(), ended_well, "");
}

TEST(HelperProcess, where_there_is_no_copy_any_more_this_process_makes_helpers) {
    processes::ProcessTable table;
    processes::HelperSource source(table);
    source.begin();
    std::ifstream children("/proc/thread-self/children");
    pid_t copy = 0;
    for (pid_t each = 0; children >> each;) copy = each;  // the youngest: before it, the guardian
    if (copy == 0) GTEST_SKIP() << "the system does not list children";
    kill(copy, SIGKILL);
    processes::HelperProcess helper(serve_look, source);
    EXPECT_TRUE(helper.greeting().well());
}

}  // namespace refrain::script::helper_process_test
