#include "script_command/interrupt_watch.hpp"

#include <cstdio>
#include <unistd.h>

namespace refrain::script {
namespace {

sigset_t interrupts() {
    sigset_t set;
    sigemptyset(&set);
    for (const int each : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, each);
    return set;
}

void say(const char* text) {
    if (isatty(STDERR_FILENO) == 1) std::fputs(clear_line, stderr);
    std::fputs(text, stderr);
}

}  // namespace

InterruptWatch::InterruptWatch(RunControl& control) : control_(control), signals_(interrupts()) {
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    thread_ = std::thread([this] { watch(); });
}

InterruptWatch::~InterruptWatch() {
    is_over_.store(true, std::memory_order_release);  // pairs with watch()
    pthread_kill(thread_.native_handle(), SIGTERM);
    thread_.join();
    pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
}

void InterruptWatch::watch() {
    for (int signal = 0; sigwait(&signals_, &signal) == 0;) {
        if (is_over_.load(std::memory_order_acquire)) return;  // pairs with the destructor
        if (signal_ == 0) {
            signal_ = signal;
            say("interrupted: what runs is waited for; interrupt again to kill it\n");
            control_.stop();
        } else {
            say("killed\n");
            control_.kill();
        }
    }
}

}  // namespace refrain::script
