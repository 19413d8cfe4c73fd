#include "script_command/interrupt_watch.hpp"

#include "script_command/progress_line.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
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
    ProgressLine::clear();
    std::fputs(text, stderr);
}

}  // namespace

InterruptWatch::InterruptWatch(RunControl& control) : control_(control) {
    const sigset_t set = interrupts();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    signals_ = signalfd(-1, &set, SFD_CLOEXEC);
    end_ = eventfd(0, EFD_CLOEXEC);
    thread_ = std::thread([this] { watch(); });
}

InterruptWatch::~InterruptWatch() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(end_, &one, sizeof one);
    thread_.join();
    close(signals_);
    close(end_);
    const sigset_t set = interrupts();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void InterruptWatch::watch() {
    for (;;) {
        std::array<pollfd, 2> wait = {{{signals_, POLLIN, 0}, {end_, POLLIN, 0}}};
        if (poll(wait.data(), wait.size(), -1) < 0) continue;
        if (wait[1].revents != 0) return;
        signalfd_siginfo info{};
        if (read(signals_, &info, sizeof info) != sizeof info) continue;
        if (signal_ == 0) {
            signal_ = static_cast<int>(info.ssi_signo);
            say("interrupted: what runs is waited for; interrupt again to kill it\n");
            control_.stop();
        } else {
            say("killed\n");
            control_.kill();
        }
    }
}

}  // namespace refrain::script
