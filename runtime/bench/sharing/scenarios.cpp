#include "sharing/scenario.hpp"

namespace sharing {
namespace {

using Program = std::vector<Launch>;

std::string time_text(Ns ns) {
    if (ns < 1'000) return std::to_string(ns) + "ns";
    return ns < 1'000'000 ? std::to_string(ns / 1'000) + "us"
                          : std::to_string(ns / 1'000'000) + "ms";
}

/// As many launches as keep the workers of a machine busy for a while.
std::size_t launches_for(const Machine& machine, Ns point_ns, std::uint32_t points) {
    const Ns wanted = 1'000'000;  // per worker
    const std::uint64_t count = machine.workers * wanted / (point_ns * points);
    return std::clamp<std::size_t>(count, std::max(64U, 6 * machine.workers), 4'000);
}

/// `width` chains side by side: launch t waits for launch t - width. 0: nothing waits.
Program chains(std::size_t launches, std::size_t width, std::uint32_t points, Ns point_ns) {
    Program program;
    for (std::size_t t = 0; t < launches; ++t)
        program.push_back(
            {.points = points,
             .point_ns = point_ns,
             .after = width != 0 && t >= width ? static_cast<std::int64_t>(t - width) : -1});
    return program;
}

void busy_between(Program& program, Ns ns) {
    for (Launch& launch : program) launch.away_ns = ns;
}

struct Named {
    std::string name;
    Machine machine;
};

std::vector<Named> machines(bool quick) {
    std::vector<Named> all{
        {"2 near", {2, 55, 55}}, {"2 far", {2, 280, 280}}, {"16 sockets", {16, 55, 280, 8}}};
    if (quick) return all;
    all.push_back({"2 at 150", {2, 150, 150}});
    all.push_back({"4 near", {4, 55, 55}});
    all.push_back({"8 at 150", {8, 150, 150}});
    all.push_back({"64 sockets", {64, 80, 280, 32}});
    all.push_back({"128 sockets", {128, 100, 280, 64}});
    return all;
}

class Collector {
  public:
    explicit Collector(bool quick) : quick_(quick) {}
    void add(const std::string& family, const std::string& name, const Named& machine,
             Program program) {
        all.push_back({family, name + ", " + machine.name, machine.machine, std::move(program)});
    }
    void of_machine(const Named& named);
    std::vector<Scenario> all;

  private:
    void of_size(const Named& named, Ns ns);
    void mixtures(const Named& named);
    void phases(const Named& named);
    bool quick_;
};

void Collector::of_size(const Named& named, Ns ns) {
    const Machine& m = named.machine;
    const std::string text = time_text(ns);
    const std::size_t singles = launches_for(m, ns, 1);
    add("wide", "single " + text, named, chains(singles, 0, 1, ns));
    add("wide", "8 points " + text, named, chains(launches_for(m, ns, 8), 0, 8, ns));
    add("chain", "single " + text, named, chains(std::min<std::size_t>(singles, 1'000), 1, 1, ns));
    add("chain", "8 points " + text, named,
        chains(std::min<std::size_t>(launches_for(m, ns, 8), 400), 1, 8, ns));
    add("chains", "one per worker " + text, named, chains(singles, m.workers, 1, ns));
    Program busy = chains(std::min<std::size_t>(singles, 1'000), 0, 1, ns);
    busy_between(busy, 2'000);
    add("busy", "2us between, single " + text, named, busy);
    busy = chains(std::min<std::size_t>(singles, 1'000), 1, 1, ns);
    busy_between(busy, 2'000);
    add("busy", "2us between, chain " + text, named, busy);
    Program away = chains(std::min<std::size_t>(singles, 500), 0, 1, ns);
    away.push_back({.points = 1, .point_ns = ns, .away_ns = ns * away.size()});
    add("away", "single " + text, named, away);
    away = chains(std::min<std::size_t>(singles, 500), 1, 1, ns);
    away.push_back({.points = 1, .point_ns = ns, .away_ns = ns * away.size()});
    add("away", "chain " + text, named, away);
    Program waits = chains(std::min<std::size_t>(launches_for(m, ns, 8), 1'000), 0, 8, ns);
    for (std::size_t i = 8; i < waits.size(); i += 8) waits[i].waits = true;
    add("waits", "8 points " + text + ", wait after 8 launches", named, waits);
}

void Collector::mixtures(const Named& named) {
    const Machine& m = named.machine;
    for (const Ns heavy : {Ns{10'000}, Ns{200'000}}) {
        Program mixed = chains(std::min<std::size_t>(4'000, 500 * m.workers), 0, 1, 200);
        for (std::size_t i = 0; i < mixed.size(); i += 25)
            mixed[i] = {.points = 1, .point_ns = heavy, .kind = 1};
        add("mixture", "200ns, each 25th " + time_text(heavy), named, mixed);
        Program coupled = chains(2'000, 4, 1, 300);
        for (std::size_t i = 0; i < coupled.size(); i += 50)
            coupled[i] = {.points = 8, .point_ns = heavy, .kind = 1};
        add("mixture", "4 chains of 300ns, each 50th 8 x " + time_text(heavy), named, coupled);
    }
}

void Collector::phases(const Named& named) {
    for (const Ns heavy : {Ns{20'000}, Ns{5'000'000}}) {
        Program grown;
        for (int phase = 0; phase < 4; ++phase) {
            const bool is_heavy = phase % 2 == 1;
            const std::size_t launches = is_heavy ? (heavy > 1'000'000 ? 8 : 400) : 1'000;
            for (std::size_t i = 0; i < launches; ++i)
                grown.push_back({.points = 8,
                                 .point_ns = is_heavy ? heavy : 100,
                                 .after = i == 0 ? -1 : static_cast<std::int64_t>(grown.size()) - 1,
                                 .waits = i == 0 || (is_heavy && heavy > 1'000'000)});
        }
        add("phases", "8 points of 100ns, then of " + time_text(heavy), named, grown);
        Program singles;
        for (int phase = 0; phase < 4; ++phase) {
            const bool is_heavy = phase % 2 == 1;
            const std::size_t launches = is_heavy ? (heavy > 1'000'000 ? 64 : 1'500) : 3'000;
            for (std::size_t i = 0; i < launches; ++i)
                singles.push_back({.points = 1, .point_ns = is_heavy ? heavy : 150});
        }
        add("phases", "single of 150ns, then of " + time_text(heavy), named, singles);
    }
}

void Collector::of_machine(const Named& named) {
    const std::vector<Ns> sizes =
        quick_ ? std::vector<Ns>{100, 700, 10'000}
               : std::vector<Ns>{100,   250,    400,     700,       1'000,     2'000,
                                 5'000, 20'000, 100'000, 1'000'000, 10'000'000};
    for (const Ns ns : sizes) of_size(named, ns);
    mixtures(named);
    phases(named);
}

}  // namespace

std::vector<Scenario> all_scenarios(bool quick) {
    Collector collector(quick);
    for (const Named& named : machines(quick)) collector.of_machine(named);
    return std::move(collector.all);
}

}  // namespace sharing
