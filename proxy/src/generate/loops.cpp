#include "generate/loops.hpp"

#include "generate/call_text.hpp"
#include "generate/rule_book.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace refrain::proxy {
namespace {

using strings::Run;

constexpr std::size_t loops_max = 4096;         // in a row
constexpr std::int64_t never_balanced = -1000;  // no tag

struct Site {
    RunPlace place;
    Run run;
    friend bool operator==(const Site&, const Site&) = default;
};
/// The loops of one rank in a row, one level deep: rules that are used once are looked through.
using Row = std::vector<Site>;

/// What one execution says to others.
struct Tally {
    std::map<std::int64_t, std::int64_t> sent;  // by tag: sent less received
    std::int64_t collectives = 0;               // on MPI_COMM_WORLD

    void add(const Tally& other, std::int64_t times) {
        for (const auto& [tag, count] : other.sent) sent[tag] += times * count;
        collectives += times * other.collectives;
    }
    [[nodiscard]] bool balanced() const {
        return std::all_of(sent.begin(), sent.end(),
                           [](const auto& each) { return each.second == 0; });
    }
};

Tally tally_of(const Event& recorded) {
    Tally tally;
    if (recorded.function == Function::by_name) return tally;
    const Event event = pinned(recorded, -1);
    const auto flag = values_of(event, Kind::oflag_);
    const std::string_view name = info(event.function).name;
    const bool collective = info(event.function).collective;
    // That of a window or a file may have any ranks: all make it equally often.
    if (collective && values_of(event, Kind::comm_).empty()) tally.collectives = 1;
    // Who opens a window to whom is not followed.
    if (name == "Win_post" || name == "Win_start") tally.sent[never_balanced] = 1;
    const bool probes_only = name == "Probe" || name == "Iprobe" || (!flag.empty() && flag[0] == 0);
    const bool later = name.ends_with("_init");
    // Whose message the next tag is of.
    enum { no_message, nobodys, sent, received } message = no_message;
    for (const Argument& each : arguments_of(event)) {
        if (each.parameter == nullptr || comes_out(each.parameter->kind)) continue;
        const std::string_view parameter = each.parameter->name;
        if (parameter == "dest" || parameter == "source") {
            const bool nobody = value_of(event.values[each.begin]) == rank_null;
            message = nobody || probes_only || later ? nobodys
                      : parameter == "dest"          ? sent
                                                     : received;
        } else if (each.parameter->kind == Kind::tag_ && message != no_message) {
            if (message != nobodys)
                tally.sent[event.values[each.begin]] += message == sent ? 1 : -1;
        } else if (each.parameter->kind == Kind::comm_ && collective) {
            tally.collectives += event.values[each.begin] == 0;
        }
    }
    return tally;
}

class Finder {
  public:
    explicit Finder(const Recording& recording)
        : recording_(recording), rows_(recording.rules.size()), tallies_(recording.rules.size()) {}

    [[nodiscard]] std::vector<Loop> find() {
        std::vector<Lane> lanes = main_lanes();
        if (!too_many_) visit(lanes, true);
        std::vector<Loop> loops;
        for (const std::vector<RunPlace>& places : stages_) add(loops, places);
        if (too_many_) return {};
        std::erase_if(loops, [&](const Loop& loop) {
            return std::any_of(loop.places.begin(), loop.places.end(),
                               [&](const RunPlace& place) { return spoiled_.count(place) != 0; });
        });
        std::stable_sort(loops.begin(), loops.end(),
                         [](const Loop& a, const Loop& b) { return a.top && !b.top; });
        name(loops);
        return loops;
    }

  private:
    /// Ranks that make the same loops.
    struct Lane {
        Row row;
        std::uint32_t ranks = 0;
    };

    /// The loops of a rule.
    const Row& row_of(std::uint32_t rule) {
        std::vector<std::uint32_t> stack{rule};
        while (!stack.empty()) {
            const std::uint32_t at = stack.back();
            const std::vector<Run>& runs = recording_.rules[at];
            const auto missing = std::find_if(runs.begin(), runs.end(), [&](const Run& run) {
                return run.is_rule && run.count == 1 && !rows_[run.symbol];
            });
            if (rows_[at] || missing == runs.end()) {
                if (!rows_[at]) {
                    Row row;
                    for (std::size_t i = 0; i < runs.size(); ++i) append(row, {{at, i}, runs[i]});
                    rows_[at] = std::move(row);
                }
                stack.pop_back();
            } else {
                stack.push_back(missing->symbol);
            }
        }
        return *rows_[rule];
    }

    void append(Row& row, const Site& site) {
        if (site.run.count > 1)
            row.push_back(site);
        else if (site.run.is_rule)
            row.insert(row.end(), rows_[site.run.symbol]->begin(), rows_[site.run.symbol]->end());
        if (row.size() <= loops_max) return;
        too_many_ = true;
        row.clear();
    }

    [[nodiscard]] std::vector<Lane> main_lanes() {
        std::vector<Row> rows(recording_.size());
        for (std::size_t i = 0; i < recording_.main.size(); ++i) {
            const MergedRun& merged = recording_.main[i];
            const Site site{{RunPlace::main_rule, i}, merged.run};
            if (site.run.is_rule && site.run.count == 1) (void)row_of(site.run.symbol);
            if (site.run.is_rule || site.run.count > 1)
                for (const std::uint32_t rank : merged.ranks.members()) append(rows[rank], site);
        }
        std::vector<Lane> lanes;
        for (Row& row : rows) join(lanes, {std::move(row), 1});
        return lanes;
    }

    static void join(std::vector<Lane>& lanes, Lane lane) {
        const auto same = std::find_if(lanes.begin(), lanes.end(),
                                       [&](const Lane& each) { return each.row == lane.row; });
        if (same == lanes.end())
            lanes.push_back(std::move(lane));
        else
            same->ranks += lane.ranks;
    }

    void visit(const std::vector<Lane>& lanes, bool top) {
        for (const Lane& lane : lanes)
            if (lane.row.size() != lanes[0].row.size() ||
                !std::equal(
                    lane.row.begin(), lane.row.end(), lanes[0].row.begin(),
                    [](const Site& a, const Site& b) { return a.run.count == b.run.count; }))
                return spoil(lanes);
        for (std::size_t i = 0; i < lanes[0].row.size(); ++i) visit_stage(lanes, i, top);
    }

    void visit_stage(const std::vector<Lane>& lanes, std::size_t index, bool top) {
        std::vector<RunPlace> places;
        std::vector<Lane> within;
        Tally all;
        bool same_collectives = true;
        std::optional<std::int64_t> collectives;
        for (const Lane& lane : lanes) {
            const Site& site = lane.row[index];
            places.push_back(site.place);
            const Tally once = tally_of_run(site.run);
            all.add(once, lane.ranks);
            same_collectives =
                same_collectives && collectives.value_or(once.collectives) == once.collectives;
            collectives = once.collectives;
            join(within, {site.run.is_rule ? row_of(site.run.symbol) : Row(), lane.ranks});
        }
        std::sort(places.begin(), places.end());
        places.erase(std::unique(places.begin(), places.end()), places.end());
        const bool in_main =
            top && std::all_of(places.begin(), places.end(), [](const RunPlace& place) {
                return place.rule == RunPlace::main_rule;
            });
        if (in_main) top_.insert(places.begin(), places.end());
        if (!all.balanced() || !same_collectives) spoiled_.insert(places.begin(), places.end());
        if (!visited_.insert(places).second) return;
        stages_.push_back(std::move(places));
        visit(within, false);
    }

    /// What ranks do in different ways nobody can repeat alone.
    void spoil(const std::vector<Lane>& lanes) {
        std::vector<Row> rows;
        for (const Lane& lane : lanes) rows.push_back(lane.row);
        while (!rows.empty()) {
            const Row row = std::move(rows.back());
            rows.pop_back();
            for (const Site& site : row)
                if (spoiled_below_.insert(site.place).second) {
                    spoiled_.insert(site.place);
                    if (site.run.is_rule) rows.push_back(row_of(site.run.symbol));
                }
        }
    }

    Tally tally_of_run(const Run& run) {
        if (!run.is_rule) return tally_of(recording_.events[run.symbol]);
        std::vector<std::uint32_t> stack{run.symbol};
        while (!stack.empty()) {
            const std::uint32_t at = stack.back();
            const std::vector<Run>& runs = recording_.rules[at];
            const auto missing = std::find_if(runs.begin(), runs.end(), [&](const Run& each) {
                return each.is_rule && !tallies_[each.symbol];
            });
            if (!tallies_[at] && missing != runs.end()) {
                stack.push_back(missing->symbol);
                continue;
            }
            if (!tallies_[at]) {
                Tally tally;
                for (const Run& each : runs)
                    tally.add(each.is_rule ? *tallies_[each.symbol]
                                           : tally_of(recording_.events[each.symbol]),
                              static_cast<std::int64_t>(each.count));
                tallies_[at] = std::move(tally);
            }
            stack.pop_back();
        }
        return *tallies_[run.symbol];
    }

    [[nodiscard]] const Run& run_at(const RunPlace& place) const {
        return place.rule == RunPlace::main_rule ? recording_.main[place.index].run
                                                 : recording_.rules[place.rule][place.index];
    }

    void name(std::vector<Loop>& loops) const {
        const RuleBook book(recording_);
        std::set<std::string> taken{"rest"};
        for (Loop& loop : loops) {
            const std::string plain = book.name(loop.run);
            loop.name = plain;
            for (int number = 2; !taken.insert(loop.name).second; ++number)
                loop.name = plain + "_" + std::to_string(number);
            loop.contents = book.contents(loop.run);
        }
    }

    /// Stages that share a place are one loop, since its count stands there once.
    void add(std::vector<Loop>& loops, const std::vector<RunPlace>& places) const {
        Loop loop;
        loop.times = run_at(places[0]).count;
        loop.places = places;
        for (bool grew = true; grew;) {
            grew = false;
            for (auto known = loops.begin(); known != loops.end(); ++known) {
                std::vector<RunPlace> shared;
                std::set_intersection(known->places.begin(), known->places.end(),
                                      loop.places.begin(), loop.places.end(),
                                      std::back_inserter(shared));
                if (shared.empty()) continue;
                std::vector<RunPlace> all;
                std::set_union(known->places.begin(), known->places.end(), loop.places.begin(),
                               loop.places.end(), std::back_inserter(all));
                loop.places = std::move(all);
                loops.erase(known);
                grew = true;
                break;
            }
        }
        loop.top = std::all_of(loop.places.begin(), loop.places.end(),
                               [&](const RunPlace& place) { return top_.count(place) != 0; });
        loop.run = run_at(loop.places[0]);
        loops.push_back(std::move(loop));
    }

    const Recording& recording_;
    std::vector<std::optional<Row>> rows_;
    std::vector<std::optional<Tally>> tallies_;
    std::vector<std::vector<RunPlace>> stages_;
    std::set<std::vector<RunPlace>> visited_;
    std::set<RunPlace> spoiled_, spoiled_below_, top_;
    bool too_many_ = false;
};

}  // namespace

std::vector<Loop> common_loops(const Recording& recording) {
    return Finder(recording).find();
}

}  // namespace refrain::proxy
