#include "peers/results.hpp"

#include <algorithm>
#include <cstdio>

#include "common/pingpong.hpp"
#include "common/results.hpp"
#include "common/spread.hpp"

namespace peers {
namespace {

std::string text(const char* format, double value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}

std::string middle(const char* format, const std::vector<double>& values) {
    return values.empty() ? "" : text(format, bench::quantile(values, 0.5));
}

/// "a–b": the lower and upper quartile of the values.
std::string middle_half(const std::vector<double>& values) {
    if (values.empty()) return "";
    const bench::Spread spread = bench::spread_of(values);
    return text("%.4g", spread.low) + "–" + text("%.4g", spread.high);
}

const std::string mpi = "openmpi";

/// The most that Refrain may need of what two processes need, with four columns each; 0: no limit.
double limit_beside_mpi(const Measure& measure) {
    for (const char* pattern : {"stencil_1d", "fft", "nearest", "spread", "all_to_all"})
        if (measure == "metg/" + std::string(pattern) + "/width_4") return 1.0;
    return measure == "metg/trivial/width_4" ? 1.5 : 0;
}

}  // namespace

void Results::add(const Measure& measure, const Peer& peer, const nlohmann::json& printed) {
    auto found = std::find_if(measured_.begin(), measured_.end(),
                              [&](const auto& entry) { return entry.first == measure; });
    if (found == measured_.end()) found = measured_.insert(found, {measure, Row{}});
    Measured& into = found->second[peer.name()];
    const nlohmann::json& ns =
        printed.contains("wall_ns") ? printed["wall_ns"] : printed["metg_ns"];
    into.ns.push_back(ns.is_null() ? std::nullopt : std::optional<double>(ns.get<double>()));
    if (printed.contains("cpu_ns")) into.cpu_ns.push_back(printed["cpu_ns"]);
    into.printed.push_back(printed);
}

std::vector<double> Results::values(const Measured& measured) {
    std::vector<double> all;
    for (const std::optional<double>& ns : measured.ns)
        if (ns) all.push_back(*ns);
    return all;
}

std::vector<double> Results::ratios(const Row& row, const Measured& measured,
                                    const std::string& refrain_way) {
    std::vector<double> all;
    const auto refrain = row.find("refrain/" + refrain_way);
    if (refrain == row.end()) return all;
    const auto& reference = refrain->second.ns;
    for (std::size_t i = 0; i < std::min(reference.size(), measured.ns.size()); ++i)
        if (measured.ns[i] && reference[i]) all.push_back(*measured.ns[i] / *reference[i]);
    return all;
}

void Results::print_users_part() const {
    std::printf("| system | the user writes |\n| --- | --- |\n");
    for (const Peer& peer : peers_)
        std::printf("| `%s` | %s |\n", peer.name().c_str(), peer.user_writes.c_str());
    for (const Program& program : absent_)
        std::printf("| `%s` | not present here; in Debian as `%s` |\n", program.name.c_str(),
                    program.packages.c_str());
}

void Results::print_measure(const Measure& measure, const Row& row) const {
    std::printf("\n%s, ns per task:\n\n", measure.c_str());
    std::printf("| system | median | middle half | CPU | × untraced | × automatic | rounds |\n");
    std::printf("| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (const Peer& peer : peers_) {
        const Measured& measured = row.at(peer.name());
        const std::vector<double> ns = values(measured);
        std::printf("| `%s` | %s | %s | %s | %s | %s | %zu of %zu |\n", peer.name().c_str(),
                    ns.empty() ? "never half of the peak" : middle("%.4g", ns).c_str(),
                    middle_half(ns).c_str(), middle("%.4g", measured.cpu_ns).c_str(),
                    middle("%.2f", ratios(row, measured, "untraced")).c_str(),
                    middle("%.2f", ratios(row, measured, "automatic")).c_str(), ns.size(),
                    measured.ns.size());
    }
    print_best_peers(row);
}

const Peer* Results::best_of(const Row& row,
                             const std::function<bool(const Peer&)>& is_meant) const {
    const Peer* best = nullptr;
    double best_ns = 0;
    for (const Peer& peer : peers_) {
        const std::vector<double> ns = values(row.at(peer.name()));
        if (!is_meant(peer) || ns.empty()) continue;
        const double median = bench::quantile(ns, 0.5);
        if (best != nullptr && median >= best_ns) continue;
        best = &peer;
        best_ns = median;
    }
    return best;
}

void Results::print_best_peers(const Row& row) const {
    std::printf("\n");
    for (const bool graph_by_hand : {false, true}) {
        const char* const kind =
            graph_by_hand ? "whose users build the graph" : "whose users state what tasks access";
        const Peer* const best = best_of(row, [&](const Peer& peer) {
            return peer.system != "refrain" && peer.system != mpi &&
                   peer.graph_by_hand == graph_by_hand;
        });
        const std::vector<double> over = best == nullptr
                                             ? std::vector<double>()
                                             : ratios(row, row.at(best->name()), "automatic");
        if (over.empty())
            std::printf("- No figures of peers %s.\n", kind);
        else
            std::printf(
                "- The best of the peers %s, `%s`, takes %.2f x what Refrain automatic "
                "does.\n",
                kind, best->name().c_str(), bench::quantile(over, 0.5));
    }
}

void Results::print_beside_mpi(const Config& config) const {
    const auto is_mpi = [](const Peer& peer) { return peer.system == mpi; };
    if (std::none_of(peers_.begin(), peers_.end(), is_mpi)) return;
    std::printf("\nMETG of Refrain automatic / of the better program for MPI, per round:\n\n");
    std::printf("| measure | Refrain | MPI | way | ratio | middle half | limit |\n");
    std::printf("| --- | ---: | ---: | --- | ---: | ---: | --- |\n");
    for (const auto& [measure, row] : measured_)
        if (measure.starts_with("metg/")) print_beside_mpi(config, measure, row);
}

void Results::print_beside_mpi(const Config& config, const Measure& measure, const Row& row) const {
    const Peer* const best = best_of(row, [](const Peer& peer) { return peer.system == mpi; });
    std::vector<double> all;
    if (best != nullptr)
        for (const double inverse : ratios(row, row.at(best->name()), "automatic"))
            all.push_back(1 / inverse);
    if (all.empty()) {
        std::printf("| %s | | | | never half of the peak | | |\n", measure.c_str());
        return;
    }
    const double ratio = bench::quantile(all, 0.5);
    std::string limit;
    if (const double most = limit_beside_mpi(measure); most != 0 && config.threads == 2)
        limit = text("at most %.1f ", most) + (ratio <= most ? "kept" : "MISSED");
    std::printf("| %s | %s | %s | `%s` | %.2f | %s | %s |\n", measure.c_str(),
                middle("%.4g", values(row.at("refrain/automatic"))).c_str(),
                middle("%.4g", values(row.at(best->name()))).c_str(), best->way.c_str(), ratio,
                middle_half(all).c_str(), limit.c_str());
}

void Results::print_best_threads(const Config& config) const {
    struct Best {
        const Peer* peer;
        double ns;
        std::string threads;
    };
    const std::string all_threads = std::to_string(config.threads);
    std::vector<Best> best;
    for (const Peer& peer : peers_) {
        Best of_peer{&peer, 0, ""};
        for (const auto& [measure, row] : measured_) {
            const std::size_t threads = measure.find("/threads_");
            if (measure.substr(0, threads) != overhead_measure) continue;
            const std::vector<double> ns = values(row.at(peer.name()));
            if (ns.empty()) continue;
            const double median = bench::quantile(ns, 0.5);
            if (!of_peer.threads.empty() && median >= of_peer.ns) continue;
            of_peer.ns = median;
            of_peer.threads = threads == Measure::npos ? all_threads : measure.substr(threads + 9);
        }
        if (!of_peer.threads.empty()) best.push_back(of_peer);
    }
    std::stable_sort(best.begin(), best.end(),
                     [](const Best& a, const Best& b) { return a.ns < b.ns; });
    std::printf("\nEmpty tasks, every system with its best number of threads, ns per task:\n\n");
    std::printf("| system | threads | median |\n| --- | ---: | ---: |\n");
    for (const Best& of : best)
        std::printf("| `%s` | %s | %.4g |\n", of.peer->name().c_str(), of.threads.c_str(), of.ns);
}

void Results::print(const Config& config) const {
    const double distance = bench::quantile(pingpong_ns_, 0.5);
    std::printf("%d rounds on %u threads; cores are %s (a flag takes %.0f ns)\n\n", config.rounds,
                config.threads, distance < bench::near_ns ? "near" : "far", distance);
    print_users_part();
    for (const auto& entry : measured_) print_measure(entry.first, entry.second);
    print_beside_mpi(config);
    print_best_threads(config);
}

nlohmann::json Results::to_json(const Config& config) const {
    nlohmann::json out;
    out["machine"] = bench::machine_json();
    out["conditions"] = {{"rounds", config.rounds},
                         {"threads", config.threads},
                         {"steps", config.steps},
                         {"overhead_width", config.overhead_width},
                         {"warm_up_runs", config.warm_up_runs}};
    out["pingpong_ns"] = bench::spread_json(pingpong_ns_);
    for (const Peer& peer : peers_) out["user_writes"][peer.name()] = peer.user_writes;
    for (const Program& program : absent_) out["not_present"][program.name] = program.packages;
    for (const auto& entry : measured_)
        for (const Peer& peer : peers_) {
            const Measured& measured = entry.second.at(peer.name());
            nlohmann::json& result = out["results"][entry.first][peer.name()];
            const std::vector<double> ns = values(measured);
            if (!ns.empty()) result["ns"] = bench::spread_json(ns);
            for (const char* way : {"untraced", "automatic"}) {
                const std::vector<double> ratio = ratios(entry.second, measured, way);
                if (!ratio.empty()) result["over_" + std::string(way)] = bench::spread_json(ratio);
            }
            result["rounds"] = measured.printed;
        }
    return out;
}

}  // namespace peers
