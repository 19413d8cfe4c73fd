#include "proxy_page/timeline.hpp"

#include "proxy_page/phases.hpp"
#include "proxy_page/turn_steps.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace refrain::proxy {
namespace {

constexpr std::size_t names_max = 6;     // of functions in the contents of a phase
constexpr std::size_t contents_max = 2;  // of ranks that do different things in it

bool has_kind(Function function, Kind kind) {
    const auto& parameters = info(function).parameters;
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const Parameter& parameter) { return parameter.kind == kind; });
}

bool begins_with(std::string_view name, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return name.starts_with(word); });
}

std::string name_of(const Recording& recording, std::uint32_t event) {
    const Event& call = recording.events[event];
    return call.function == Function::by_name
               ? recording.texts[static_cast<std::size_t>(call.values[0])].substr(4)
               : info(call.function).name;
}

/// Makes one phase of a timeline.
class PhaseDrawing {
  public:
    PhaseDrawing(const Recording& recording, const RuleBook& book, const RankMeans& means,
                 std::span<const RuleTimes> times, const PhaseRuns& runs)
        : recording_(recording), book_(book), means_(means), times_(times), runs_(runs) {}

    [[nodiscard]] Timeline::Phase make() {
        phase_.is_loop = runs_.is_loop;
        phase_.turns_least = phase_.turns_most = runs_.parts[0].turns;
        for (const PhaseRuns::Part& part : runs_.parts) {
            phase_.ranks.add(part.ranks);
            phase_.turns_least = std::min(phase_.turns_least, part.turns);
            phase_.turns_most = std::max(phase_.turns_most, part.turns);
        }
        choose_rows();
        measure();
        tell_contents();
        const std::size_t row_pieces =
            std::max(Timeline::row_pieces_min, Timeline::pieces_max / phase_.rows.size());
        for (const PhaseRuns::Part& part : runs_.parts) draw(part, row_pieces);
        return std::move(phase_);
    }

  private:
    /// Some steps, and which of their time a piece has.
    struct Cut {
        std::size_t from = 0, to = 0;
        Activity activity = Activity::computation;
    };

    void choose_rows() {
        const std::size_t ranks = phase_.ranks.size();
        if (ranks > Timeline::rows_max && runs_.parts.size() > Timeline::rows_max) {
            add_rows(phase_.ranks.members(), Timeline::rows_max, true);
        } else {
            for (const PhaseRuns::Part& part : runs_.parts) {
                const std::size_t share =
                    ranks <= Timeline::rows_max
                        ? part.ranks.size()
                        : std::max<std::size_t>(1, Timeline::rows_max * part.ranks.size() / ranks);
                add_rows(part.ranks.members(), share, false);
            }
        }
        std::sort(phase_.rows.begin(), phase_.rows.end(),
                  [](const Timeline::Row& a, const Timeline::Row& b) {
                      return a.ranks.ranges().front().first < b.ranks.ranges().front().first;
                  });
    }

    void add_rows(const std::vector<std::uint32_t>& ranks, std::size_t rows, bool first_only) {
        for (std::size_t row = 0; row < rows; ++row) {
            Timeline::Row& made = phase_.rows.emplace_back();
            made.first_only = first_only;
            for (std::size_t i = row * ranks.size() / rows; i < (row + 1) * ranks.size() / rows;
                 ++i)
                made.ranks.add(ranks[i]);
        }
    }

    /// How long one turn takes each rank.
    void measure() {
        double sum = 0, squares = 0;
        std::size_t ranks = 0;
        for (const PhaseRuns::Part& part : runs_.parts)
            for (const std::uint32_t rank : part.ranks.members()) {
                const double seconds = times_[rank].sum(part.runs, part.before);
                phase_.least = ranks == 0 ? seconds : std::min(phase_.least, seconds);
                phase_.most = std::max(phase_.most, seconds);
                phase_.seconds += seconds * static_cast<double>(part.turns);
                sum += seconds, squares += seconds * seconds;
                ++ranks;
            }
        phase_.mean = sum / static_cast<double>(ranks);
        phase_.deviation = std::sqrt(
            std::max(0.0, squares / static_cast<double>(ranks) - phase_.mean * phase_.mean));
    }

    void tell_contents() {
        std::vector<std::string> all;
        for (const PhaseRuns::Part& part : runs_.parts) {
            const std::vector<std::uint64_t> counts = counts_of(part);
            for (const std::uint64_t count : counts)
                phase_.calls += count * part.turns * part.ranks.size();
            std::string named = name_calls(counts);
            if (std::find(all.begin(), all.end(), named) == all.end())
                all.push_back(std::move(named));
        }
        for (std::size_t i = 0; i < std::min(all.size(), contents_max); ++i)
            phase_.contents += (i == 0 ? "" : " | ") + all[i];
        if (all.size() > contents_max) phase_.contents += " | ...";
    }

    /// How often a rank makes each call in a turn.
    [[nodiscard]] std::vector<std::uint64_t> counts_of(const PhaseRuns::Part& part) const {
        std::vector<std::uint64_t> counts(recording_.events.size(), 0);
        strings::Grammar grammar{part.runs};
        grammar.insert(grammar.end(), recording_.rules.begin(), recording_.rules.end());
        for (auto& rule : grammar)
            for (strings::Run& run : rule) run.symbol += run.is_rule ? 1 : 0;
        const std::vector<std::uint64_t> uses = strings::expansions(grammar);
        for (std::size_t rule = 0; rule < grammar.size(); ++rule)
            for (const strings::Run& run : grammar[rule])
                if (!run.is_rule) counts[run.symbol] += uses[rule] * run.count;
        return counts;
    }

    /// In the order in which the program first came to them.
    [[nodiscard]] std::string name_calls(const std::vector<std::uint64_t>& counts) const {
        std::vector<std::pair<std::string, std::uint64_t>> named;
        for (std::uint32_t event = 0; event < counts.size(); ++event) {
            if (counts[event] == 0) continue;
            const std::string name = name_of(recording_, event);
            const auto known = std::find_if(named.begin(), named.end(),
                                            [&](const auto& each) { return each.first == name; });
            if (known == named.end())
                named.emplace_back(name, counts[event]);
            else
                known->second += counts[event];
        }
        std::string text;
        for (std::size_t i = 0; i < std::min(named.size(), names_max); ++i)
            text += (i == 0 ? "" : ", ") +
                    (named[i].second > 1 ? std::to_string(named[i].second) + " " : "") +
                    named[i].first;
        return named.size() > names_max ? text + ", ..." : text;
    }

    void draw(const PhaseRuns::Part& part, std::size_t row_pieces) {
        std::vector<Timeline::Row*> rows;
        for (Timeline::Row& row : phase_.rows)
            if (part.ranks.contains(row.ranks.ranges().front().first)) rows.push_back(&row);
        if (rows.empty()) return;
        steps_ = steps_of(recording_, book_, part.runs, part.before, row_pieces / 2);
        const std::vector<Cut> cuts = cut(row_pieces);
        Timeline::Shape& shape = phase_.shapes.emplace_back();
        for (const Cut& each : cuts) shape.push_back(piece(each));
        for (Timeline::Row* row : rows) {
            row->shape = phase_.shapes.size() - 1;
            const std::vector<std::uint32_t> ranks =
                row->first_only ? std::vector{row->ranks.ranges().front().first}
                                : row->ranks.members();
            for (const Cut& each : cuts) row->seconds.push_back(seconds(each, ranks));
        }
    }

    /// Groups of steps that follow each other, of each its computation and what calls it has.
    [[nodiscard]] std::vector<Cut> cut(std::size_t pieces_max) const {
        // A step is two pieces; steps that are grouped are seldom calls of more than three kinds.
        const bool alone = 2 * steps_.size() <= pieces_max;
        const std::size_t groups = alone ? steps_.size() : std::max<std::size_t>(1, pieces_max / 4);
        std::vector<Cut> cuts;
        for (std::size_t group = 0; group < groups; ++group) {
            const std::size_t from = group * steps_.size() / groups;
            const std::size_t to = (group + 1) * steps_.size() / groups;
            cuts.push_back({from, to, Activity::computation});
            const std::size_t begin = cuts.size();
            for (std::size_t i = from; i < to; ++i) {
                const Activity activity = activity_of(recording_.events[steps_[i].event]);
                if (std::none_of(cuts.begin() + static_cast<std::ptrdiff_t>(begin), cuts.end(),
                                 [&](const Cut& known) { return known.activity == activity; }))
                    cuts.push_back({from, to, activity});
            }
        }
        return cuts;
    }

    [[nodiscard]] bool belongs(const TurnStep& step, const Cut& cut) const {
        return cut.activity == Activity::computation ||
               cut.activity == activity_of(recording_.events[step.event]);
    }

    [[nodiscard]] Timeline::Piece piece(const Cut& cut) const {
        Timeline::Piece made{cut.activity, Timeline::Piece::several, 0};
        std::set<std::uint32_t> events;
        for (std::size_t i = cut.from; i < cut.to; ++i) {
            if (!belongs(steps_[i], cut)) continue;
            made.count += steps_[i].count;
            events.insert(steps_[i].event);
        }
        if (events.size() == 1) made.event = *events.begin();
        return made;
    }

    /// The mean of the ranks.
    [[nodiscard]] double seconds(const Cut& cut, const std::vector<std::uint32_t>& ranks) const {
        double sum = 0;
        for (const std::uint32_t rank : ranks)
            for (std::size_t i = cut.from; i < cut.to; ++i) {
                const TurnStep& step = steps_[i];
                if (!belongs(step, cut)) continue;
                sum += static_cast<double>(step.count) *
                       (cut.activity == Activity::computation
                            ? means_.work(rank, step.before, step.event)
                            : means_.call(rank, step.event));
            }
        return sum / static_cast<double>(ranks.size());
    }

    const Recording& recording_;
    const RuleBook& book_;
    const RankMeans& means_;
    std::span<const RuleTimes> times_;  // by rank
    const PhaseRuns& runs_;
    std::vector<TurnStep> steps_;
    Timeline::Phase phase_;
};

std::string why_no_times(const Recording& recording) {
    if (!has_time(recording.source))
        return "The recording has no times: it counted instructions, under a tool that makes all "
               "of them long.";
    if (std::all_of(recording.times.begin(), recording.times.end(),
                    [](const CallTime& time) { return time.seconds == 0; }))
        return "The recording has no times.";
    return {};
}

}  // namespace

Activity activity_of(const Event& event) {
    const Function function = event.function;
    if (function == Function::by_name) return Activity::other;
    const std::string_view name = info(function).name;
    if (begins_with(name, {"Wait", "Test", "Request_get_status"})) return Activity::waiting;
    if (begins_with(name, {"File_"})) return Activity::files;
    if (begins_with(name, {"Win_"}) || has_kind(function, Kind::win_)) return Activity::windows;
    if (begins_with(name, {"Comm_", "Intercomm_", "Cart_", "Graph_", "Dist_graph_", "Init",
                           "Finalize", "Pack", "Unpack", "Type_", "Group_", "Info_", "Op_"}))
        return Activity::other;
    if (has_kind(function, Kind::tag_) || begins_with(name, {"Start", "Mrecv", "Imrecv", "Cancel"}))
        return Activity::messages;
    const bool nonblocking = name.starts_with('I') && has_kind(function, Kind::comm_) &&
                             has_kind(function, Kind::newrequest_);
    return info(function).collective || nonblocking ? Activity::collectives : Activity::other;
}

Timeline timeline_of(const Recording& recording) {
    Timeline timeline;
    timeline.missing = why_no_times(recording);
    if (!timeline.missing.empty()) return timeline;
    const RuleBook book(recording);
    const RankMeans means(recording);
    std::vector<RuleTimes> times;
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank)
        times.emplace_back(recording, book, means, rank);
    for (const PhaseRuns& phase : phases_of(recording, book, times, Timeline::loops_max))
        timeline.phases.push_back(PhaseDrawing(recording, book, means, times, phase).make());
    return timeline;
}

}  // namespace refrain::proxy
