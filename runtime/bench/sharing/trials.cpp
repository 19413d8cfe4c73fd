#include "sharing/trials.hpp"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <random>

namespace sharing {
namespace {

using refrain::graph::AlonePolicy;

constexpr std::uint64_t launches = 1024;        // of a stretch
constexpr std::uint64_t launches_per_look = 4;  // AloneSwitch::parts
constexpr double ticks = 1e6;                   // of a stretch that is shared

[[nodiscard]] double price_alone(const TrialProgram& program, double now) {
    if (program.period == 0) return program.alone;
    return static_cast<std::uint64_t>(now / program.period) % 2 == 0 ? program.alone
                                                                     : program.alone_later;
}

struct Part {
    double time;
    double work;  // stretches
};

/// A stretch of a trial, from look to look, until it ends or is given up. What has to move does so in the first eighth.
[[nodiscard]] Part try_stretch(AlonePolicy& policy, double price, double moving,
                               const TrialProgram& program) {
    const double length = policy.is_timed() ? 1 : program.untimed;
    const auto all = static_cast<std::uint64_t>(length * launches);
    const auto turn_launches = static_cast<std::uint64_t>(program.turn * launches);
    for (std::uint64_t done = launches_per_look; done < all; done += launches_per_look) {
        const double work = static_cast<double>(done) / launches;
        const double time = price * work + moving * std::min(1.0, 8 * work);
        const auto taken = static_cast<std::uint64_t>(time * ticks);
        if (!policy.is_hopeless({taken, done, turn_launches, launches})) continue;
        policy.gave_up();
        return {time, work};
    }
    const double time = price * length + moving;
    policy.tried(static_cast<std::uint64_t>(time * ticks));
    return {time, length};
}

}  // namespace

double time_tried(const TrialProgram& program, const AlonePolicy::Settings& settings) {
    AlonePolicy policy(settings);
    std::mt19937_64 random(program.seed);
    std::uniform_real_distribution<double> factor(1 - program.spread, 1 + program.spread);
    double now = 0;
    bool was_alone = false;
    for (double left = static_cast<double>(program.stretches); left > 0;) {
        const bool is_alone = policy.is_alone();
        const double price = factor(random) * (is_alone ? price_alone(program, now) : 1);
        const double moving = is_alone == was_alone ? 0 : program.moving;
        was_alone = is_alone;
        Part part{price + moving, 1};
        if (policy.is_trying())
            part = try_stretch(policy, price, moving, program);
        else
            policy.rested();
        now += part.time * std::min(1.0, left / part.work);
        left -= part.work;
    }
    return now;
}

double time_of_better_way(const TrialProgram& program) {
    double alone = 0;
    for (std::uint64_t i = 0; i < program.stretches; ++i) alone += price_alone(program, alone);
    return std::min(alone, static_cast<double>(program.stretches));
}

double least_time(const TrialProgram& program) {
    double now = 0;
    for (std::uint64_t i = 0; i < program.stretches; ++i)
        now += std::min(1.0, price_alone(program, now));
    return now;
}

namespace {

constexpr std::initializer_list<double> prices = {0.125, 0.25, 0.5, 0.8, 0.95, 1.05,
                                                  1.2,   1.5,  2,   4,   16,   128};
/// Of short loops a stretch has many turns, or two; of long ones one, and what is not timed is shorter.
struct Turns {
    double turn;
    double untimed;
};
constexpr std::initializer_list<Turns> turns = {{1.0 / 16, 1}, {0.5, 1}, {1, 1.0 / 16}};
constexpr std::initializer_list<std::uint64_t> lengths = {4, 16, 64, 256, 1024, 4096, 16384};

[[nodiscard]] double ratio(const TrialProgram& program, const AlonePolicy::Settings& settings) {
    return time_tried(program, settings) / time_of_better_way(program);
}

void print_costs() {
    std::printf("time / time of the better way, by what a stretch alone takes (shared: 1)\n%9s",
                "stretches");
    for (const double price : prices) std::printf("%8.3g", price);
    for (const auto& [turn, untimed] : turns) {
        std::printf("\na turn of %.2g stretches; those that are not timed are %.2g\n", turn,
                    untimed);
        for (const std::uint64_t length : lengths) {
            std::printf("%9llu", static_cast<unsigned long long>(length));
            for (const double price : prices)
                std::printf(
                    "%8.3f",
                    ratio({.alone = price, .turn = turn, .untimed = untimed, .stretches = length},
                          {}));
            std::printf("\n");
        }
    }
}

/// The worst of programs that do not change, of 16 stretches and more, and of such that do.
void print_row(const char* name, const AlonePolicy::Settings& settings) {
    std::printf("%-24s", name);
    for (const std::uint64_t length : {64, 1024, 16384}) {
        double worst = 0;
        for (const auto& [turn, untimed] : turns)
            for (const double price : prices)
                worst = std::max(
                    worst,
                    ratio({.alone = price, .turn = turn, .untimed = untimed, .stretches = length},
                          settings));
        std::printf("%8.3f", worst);
    }
    for (const double period : {64.0, 512.0, 4096.0}) {
        const TrialProgram program{
            .alone = 0.5, .alone_later = 2, .period = period, .stretches = 32768};
        std::printf("%8.3f", time_tried(program, settings) / least_time(program));
    }
    std::printf("\n");
}

void print_curves() {
    std::printf(
        "\nthe worst by length; programs that change between half and twice, time / least time\n");
    std::printf("%-24s%8s%8s%8s%8s%8s%8s\n", "", "64", "1024", "16384", "each 64", "512", "4096");
    char name[64];
    for (const std::uint64_t rest : {8, 16, 32, 64, 128}) {
        std::snprintf(name, sizeof name, "first rest %llu", static_cast<unsigned long long>(rest));
        print_row(name, {.rest_min = rest});
    }
    for (const std::uint64_t rest : {128, 512, 2048, 8192}) {
        std::snprintf(name, sizeof name, "longest rest %llu",
                      static_cast<unsigned long long>(rest));
        print_row(name, {.rest_max = rest});
    }
    for (const double slower : {1.05, 1.25, 1.5, 2.0}) {
        std::snprintf(name, sizeof name, "given up at %.2f", slower);
        print_row(name, {.slower = slower});
    }
    for (const double allowed : {1.0 / 64, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2}) {
        std::snprintf(name, sizeof name, "and %.3g of a stretch", allowed);
        print_row(name, {.allowed = allowed});
    }
}

/// Means of many runs, since chance decides.
void print_irregular() {
    constexpr std::uint64_t seeds = 200;
    std::printf("\nirregular launches, 1024 stretches, time / time of the better way\n%9s",
                "spread");
    for (const double price : prices) std::printf("%8.3g", price);
    std::printf("\n");
    for (const double spread : {0.0, 0.25, 0.5, 0.9}) {
        std::printf("%9.2f", spread);
        for (const double price : prices) {
            TrialProgram program{.alone = price, .spread = spread, .stretches = 1024};
            double sum = 0;
            for (program.seed = 0; program.seed < seeds; ++program.seed)
                sum += ratio(program, AlonePolicy::irregular());
            std::printf("%8.3f", sum / seeds);
        }
        std::printf("\n");
    }
}

}  // namespace

void print_trials() {
    print_costs();
    print_curves();
    print_irregular();
}

}  // namespace sharing
