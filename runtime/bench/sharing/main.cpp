/// Compares the workers' policy of sharing, and the rule that it replaced, with the best fixed
/// policy for each scenario, in virtual time.
///
///     bench_sharing [--quick] [--all] [PART OF A SCENARIO'S NAME]
///     bench_sharing --affinity
///     bench_sharing --trials
///
/// --all prints every scenario; --affinity the lines that cross where points stay on their workers
/// (affinity.hpp), and nothing else; --trials what it costs to try whether a loop is faster alone (trials.hpp).
/// Fails if the policy exceeds its limit on two workers.

#include <cstdio>
#include <cstring>

#include "sharing/affinity.hpp"
#include "sharing/comparison.hpp"
#include "sharing/trials.hpp"

namespace {

using namespace sharing;

/// Times the best fixed policy: as it is. The aim is the other number.
constexpr double limit_two_workers = 1.65;
constexpr double aim = 1.15;

void print_scenario(const Scenario& scenario, const Best& best, double former, double present) {
    std::printf(
        "%-8s %-52s %10.1f us by %3u workers, publishing %2u, splitting %s  %6.3f %6.3f\n",
        scenario.family.c_str(), scenario.name.c_str(), static_cast<double>(best.outcome.ns) / 1000,
        best.settings.workers, best.settings.hold,
        best.settings.split >> 32 != 0 ? "never"
                                       : (std::to_string(best.settings.split) + " ns").c_str(),
        former, present);
}

void print_row(const char* family, const Summary::Worst& former, const Summary::Worst& present) {
    std::printf("%-8s %4d  %7.2f %4d  %7.2f %4d   %s\n", family, present.count, former.ratio,
                former.above, present.ratio, present.above, present.name.c_str());
}

double print_table(const char* machines, const Summary& former, const Summary& present) {
    std::printf("\n%s: time / time of the best fixed policy, the worst, and how many exceed %.2f\n",
                machines, aim);
    std::printf("%-8s %4s  %12s  %12s   %s\n", "family", "all", "former rule", "policy",
                "the policy's worst");
    for (const auto& [family, worst] : present.worst())
        print_row(family.c_str(), former.worst().at(family), worst);
    return present.worst_ratio();
}

int run(bool quick, bool prints_all, const char* only) {
    Summary former[2], present[2];  // on two workers, on more
    for (const Scenario& scenario : all_scenarios(quick)) {
        if ((scenario.family + " " + scenario.name).find(only) == std::string::npos) continue;
        const Best best = best_fixed(scenario);
        const auto ratio = [&](const Outcome& outcome) {
            return static_cast<double>(outcome.ns) / static_cast<double>(best.outcome.ns);
        };
        const double before = ratio(simulate<FormerPolicy>(scenario));
        const double now = ratio(simulate<PresentPolicy>(scenario));
        const int machine = scenario.machine.workers == 2 ? 0 : 1;
        former[machine].add(scenario, before, aim);
        present[machine].add(scenario, now, aim);
        if (prints_all) print_scenario(scenario, best, before, now);
    }
    const double two = print_table("two workers", former[0], present[0]);
    (void)print_table("more workers", former[1], present[1]);
    const bool is_kept = two <= limit_two_workers;
    std::printf("\non two workers: %.2f, limit %.2f: %s\n", two, limit_two_workers,
                is_kept ? "kept" : "MISSED");
    return is_kept ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    bool quick = false, prints_all = false;
    const char* only = "";
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--quick") == 0)
            quick = true;
        else if (std::strcmp(argv[i], "--all") == 0)
            prints_all = true;
        else if (std::strcmp(argv[i], "--affinity") == 0)
            return print_affinity(), 0;
        else if (std::strcmp(argv[i], "--trials") == 0)
            return print_trials(), 0;
        else
            only = argv[i];
    }
    return run(quick, prints_all, only);
}
