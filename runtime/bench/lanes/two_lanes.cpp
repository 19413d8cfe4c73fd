#include "lanes/two_lanes.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace lanes {
namespace {

constexpr std::uint64_t launches = 2'000;
constexpr std::uint64_t ahead = refrain::runtime::LaunchRow::ahead;
constexpr std::uint64_t unsettled_max = refrain::graph::Lanes::reach - 1;
constexpr double pause = 23;
constexpr double never = std::numeric_limits<double>::infinity();

/// Both threads, each with its clock: whichever is behind makes the next step.
class TwoLanes {
  public:
    TwoLanes(const Program& program, const Limits& limits) : program_(program), limits_(limits) {
        for (auto* of : {&published_, &asked_, &fetched_, &touched_, &done_[0], &done_[1]})
            of->assign(launches + limits.lag + 2 * ahead + 2, never);
        std::ranges::fill(touched_, -never);
        std::ranges::fill(asked_, 0);
        done_[0][0] = done_[1][0] = 0;
    }
    [[nodiscard]] double run() {
        while (self(0).next <= launches || self(1).next <= launches) {
            if (self(0).clock <= self(1).clock)
                step_of_launcher();
            else
                step_of_worker();
        }
        return std::max(done_[0][launches], done_[1][launches]) / static_cast<double>(launches);
    }

  private:
    struct Thread {
        double clock = 0;
        std::uint64_t next = 1;   // launch that its lane runs
        std::uint64_t begun = 0;  // the launch of which the point has run that need not wait
        double asked = 0;         // for the other's counter
        std::uint64_t seen = 0;   // of that
    };
    [[nodiscard]] Thread& self(int lane) { return threads_[static_cast<std::size_t>(lane)]; }
    [[nodiscard]] std::vector<double>& done(int lane) {
        return done_[static_cast<std::size_t>(lane)];
    }
    /// Two entries are in a line.
    [[nodiscard]] double& touched(std::uint64_t launch) { return touched_[launch / 2]; }

    void step_of_launcher() {
        Thread& own = self(0);
        if (own.next > launches) {
            own.clock = never;
            return;
        }
        const bool is_full =
            newest_ - std::min(own.next - 1, known_done(1, own.clock)) >= unsettled_max;
        if (newest_ < launches && !is_waiting_ && !is_full && own_is_behind()) return launch();
        const std::uint64_t last = is_waiting_ || is_full || newest_ == launches
                                       ? newest_
                                       : newest_ - std::min(newest_, limits_.lag);
        if (own.next <= last && run_next(0)) return;
        if (is_waiting_ && own.next > newest_ && known_done(1, own.clock) == newest_)
            is_waiting_ = false;
        else if (newest_ < launches && !is_waiting_ && !is_full)
            return launch();  // its own lane waits: it tries again after the next launch
        own.clock += pause;
    }
    /// Whether its lane has nothing to run at this distance.
    [[nodiscard]] bool own_is_behind() {
        return newest_ < limits_.lag || self(0).next > newest_ - limits_.lag;
    }
    void launch() {
        Thread& own = self(0);
        own.clock += program_.between + program_.launch;
        const std::uint64_t number = ++newest_;
        const double mine_since =  // or it comes
            number % 2 == 1 ? std::max(asked_[number], published_[number - 1]) : asked_[number];
        const bool is_lost = touched(number) > mine_since;
        const double there = (is_lost ? own.clock : asked_[number]) + program_.line;
        if (number > ahead) own.clock = std::max(own.clock, there);
        published_[number] = own.clock;
        asked_[number + ahead] = own.clock;
        if (program_.waits_after != 0 && number % program_.waits_after == 0) is_waiting_ = true;
    }

    void step_of_worker() {
        Thread& own = self(1);
        if (own.next > launches) {
            own.clock = never;
            return;
        }
        if (own.next > due_ && !follows()) return;
        fetch_ahead();
        if (run_next(1)) futile_ = 0;
    }
    /// Lanes::follows.
    [[nodiscard]] bool follows() {
        Thread& own = self(1);
        if (look(own.next + limits_.lag)) {
            is_eager_ = false;
            due_ = own.next + limits_.lag / 2;
            return true;
        }
        is_eager_ = is_eager_ || ++futile_ >= limits_.lag_polls;
        if (is_eager_ && look(own.next)) {
            due_ = own.next;
            return true;
        }
        own.clock += pause;
        return false;
    }
    /// Whether the launch is published. Its line comes anew if the other core has written it since.
    [[nodiscard]] bool look(std::uint64_t launch) {
        Thread& own = self(1);
        const double now = own.clock;
        const double written =
            std::max(written_until(launch | 1, now), written_until(launch & ~1UL, now));
        if (written > touched(launch)) own.clock += program_.line;
        touched(launch) = own.clock;
        return published_[launch] <= now;
    }
    [[nodiscard]] double written_until(std::uint64_t launch, double now) const {
        return published_[launch] <= now ? published_[launch] : -never;
    }
    /// Lanes::prefetch_after, and what the next launch still waits for.
    void fetch_ahead() {
        Thread& own = self(1);
        if (own.begun == own.next) return;
        if (fetched_[own.next] == never) fetched_[own.next] = own.clock;
        for (std::uint64_t launch = own.next + 1; launch <= own.next + ahead; ++launch) {
            if (fetched_[launch] != never) continue;
            touched(launch) = own.clock;
            if (published_[launch] > own.clock) break;
            fetched_[launch] = own.clock;
        }
        own.clock = std::max(own.clock, fetched_[own.next] + program_.line);
    }

    [[nodiscard]] std::uint64_t known_done(int lane, double now) {
        std::uint64_t& known = known_[static_cast<std::size_t>(lane)];
        while (known < launches && done(lane)[known + 1] <= now) ++known;
        return known;
    }
    /// Lanes::run_next: first what need not wait, meanwhile the other's counter is on its way. Returns whether all ran.
    bool run_next(int lane) {
        Thread& own = self(lane);
        if (own.begun != own.next) {
            own.begun = own.next;
            own.asked = own.clock;
            own.clock += program_.waits ? program_.point : 2 * program_.point;
            return true;
        }
        if (program_.waits && own.seen + 1 < own.next) {
            const std::uint64_t there = known_done(1 - lane, own.clock);
            if (there != own.seen) own.clock = std::max(own.clock, own.asked + program_.line);
            own.asked = own.clock;
            own.seen = there;
            if (own.seen + 1 < own.next) {
                if (lane == 1) own.clock += pause;
                return false;
            }
        }
        if (program_.waits) own.clock += program_.point;
        done(lane)[own.next++] = own.clock;
        return true;
    }

    const Program program_;
    const Limits limits_;
    std::array<Thread, 2> threads_;
    // By launch, when it happened:
    std::vector<double> published_, asked_, fetched_;
    std::vector<double> touched_;  // by pairs: when the worker looked at the line of their entries
    std::array<std::vector<double>, 2> done_;
    std::array<std::uint64_t, 2> known_{};
    std::uint64_t newest_ = 0;
    bool is_waiting_ = false;
    std::uint64_t due_ = 0;
    std::uint64_t futile_ = 0;
    bool is_eager_ = false;
};

struct Named {
    std::string name;
    Program program;
};

/// Launches of 2, 6 and 20 lines; the program launches at once, or does something between; it waits now and then.
[[nodiscard]] std::vector<Named> programs() {
    std::vector<Named> all;
    for (const double line : {55.0, 150.0, 280.0, 550.0})
        for (const double length : {2.0, 6.0, 20.0})
            for (const bool waits : {false, true}) {
                Program program{.line = line, .point = length * line / 4, .waits = waits};
                const auto add = [&](const char* kind, double between, unsigned waits_after) {
                    program.between = between;
                    program.waits_after = waits_after;
                    all.push_back({kind, program});
                };
                add("launches only", 0, 0);
                add("as long between as a launch takes", 2 * program.point, 0);
                add("waits after 8", 0, 8);
                add("waits after 32", 0, 32);
                add("waits after 256", 0, 256);
            }
    return all;
}

/// Of each kind of program: the worst, as a multiple of the least of all limits, and the mean.
void print_curve(const char* name, const std::vector<Limits>& all, std::uint64_t Limits::*varied) {
    std::printf("\n%-36s", name);
    for (const Limits& limits : all)
        std::printf("%12llu", static_cast<unsigned long long>(limits.*varied));
    std::vector<std::string> kinds;
    for (const Named& each : programs())
        if (std::ranges::find(kinds, each.name) == kinds.end()) kinds.push_back(each.name);
    for (const std::string& kind : kinds) {
        std::vector<double> worst(all.size(), 0), sum(all.size(), 0);
        double count = 0;
        for (const Named& each : programs()) {
            if (each.name != kind) continue;
            std::vector<double> times;
            for (const Limits& limits : all) times.push_back(time_in_lanes(each.program, limits));
            const double least = std::ranges::min(times);
            for (std::size_t i = 0; i < all.size(); ++i) {
                worst[i] = std::max(worst[i], times[i] / least);
                sum[i] += times[i] / least;
            }
            ++count;
        }
        std::printf("\n%-36s", kind.c_str());
        for (std::size_t i = 0; i < all.size(); ++i)
            std::printf("  %4.2f, %4.2f", worst[i], sum[i] / count);
    }
    std::printf("\n");
}

void print_lengths() {
    std::printf("\ntime alone / time in lanes, by the length of a launch in lines\n%-36s", "");
    const std::vector<double> lengths = {0.5, 1, 2, 3, 4, 6, 8, 12, 20};
    for (const double length : lengths) std::printf("%8.3g", length);
    for (const bool waits : {false, true})
        for (const double line : {55.0, 150.0, 280.0, 550.0}) {
            std::printf("\nlines of %3.0f ns, points %-13s", line, waits ? "wait" : "do not wait");
            for (const double length : lengths) {
                const Program program{.line = line, .point = length * line / 4, .waits = waits};
                std::printf("%8.2f", time_alone(program) / time_in_lanes(program, {}));
            }
        }
    std::printf("\n");
}

}  // namespace

double time_in_lanes(const Program& program, const Limits& limits) {
    return TwoLanes(program, limits).run();
}

void print_limits() {
    std::printf(
        "\nTwo lanes in virtual time: the worst and the mean, as multiples of the best limit.\n");
    std::vector<Limits> lags, polls;
    for (const std::uint64_t lag : {1, 2, 4, 6, 8, 12, 16, 24}) lags.push_back({.lag = lag});
    for (const std::uint64_t count : {4, 8, 16, 32, 64, 128, 256})
        polls.push_back({.lag_polls = count});
    print_curve("lag", lags, &Limits::lag);
    print_curve("lag_polls", polls, &Limits::lag_polls);
    print_lengths();
}

}  // namespace lanes
