#include "leaves/helper_process.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
#include <unistd.h>

/// Processes that help a run.
namespace refrain::script::helper_process_test {

std::mutex held;

/// Says whether somebody holds the mutex in this process; crashes when asked for that.
int serve_look(int socket) {
    HelperProcess::answer(socket, HelperProcess::done, {});
    for (std::string request; HelperProcess::receive(socket, request);) {
        if (request == "crash") kill(getpid(), SIGKILL);
        const bool is_free = held.try_lock();
        HelperProcess::answer(socket, HelperProcess::done, is_free ? "free" : "held");
        if (is_free) held.unlock();
    }
    return 0;
}

TEST(HelperProcess, locks_of_other_threads_are_not_held_in_it) {
    processes::ProcessTable table;
    HelperSource source(table);
    source.begin();
    const std::lock_guard lock(held);
    std::thread([&] {
        HelperProcess helper(serve_look, source);
        EXPECT_TRUE(helper.greeting().well());
        EXPECT_EQ(helper.ask("look").text, "free");
    }).join();
}

TEST(HelperProcess, how_it_ends_is_told_and_another_one_begins) {
    processes::ProcessTable table;
    HelperSource source(table);
    for (int i = 0; i < 2; ++i) {
        HelperProcess helper(serve_look, source);
        EXPECT_TRUE(helper.greeting().well());
        const HelperProcess::Answer answer = helper.ask("crash");
        EXPECT_TRUE(answer.ended);
        EXPECT_EQ(answer.text, "was killed by signal Killed");
    }
}

}  // namespace refrain::script::helper_process_test
