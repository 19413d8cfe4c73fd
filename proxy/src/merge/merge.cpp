#include "merge/attached.hpp"
#include "merge/recording.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace refrain::proxy {
namespace {

using strings::Run;

constexpr double similarity_min = 0.3;
constexpr std::size_t comparisons_max = std::size_t{1} << 26;

struct ByContent {
    bool operator()(const Event& a, const Event& b) const { return EventOrder{}(a, b); }
    bool operator()(const Run& a, const Run& b) const { return key(a) < key(b); }
    bool operator()(const std::vector<Run>& a, const std::vector<Run>& b) const {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), *this);
    }
    static std::tuple<bool, std::uint32_t, std::uint64_t> key(const Run& run) {
        return {run.is_rule, run.symbol, run.count};
    }
};

/// The caller's place in the communicator that an event names first.
CommunicatorBook::Place place_of(const Event& event, const std::vector<Role>& roles) {
    CommunicatorBook::Place place;
    for (std::size_t i = 0; i + 1 < roles.size(); ++i) {
        if (roles[i] != Role::me) continue;
        place = {event.values[i], event.values[i + 1]};
        break;
    }
    return place;
}

/// An event without what may differ between ranks that do the same.
Event blanked(const Event& event, const std::vector<Role>& roles) {
    Event shape = event;
    for (std::size_t i = 0; i < roles.size(); ++i)
        if ((roles[i] == Role::rank && event.values[i] >= 0) || roles[i] == Role::me ||
            roles[i] == Role::size)
            shape.values[i] = 0;
    return shape;
}

/// For each rank within events of one shape: how many values it would have in each mode.
struct Shape {
    std::vector<std::array<std::set<std::int64_t>, 3>> values;  // by position of a rank
    std::vector<RankMode> modes;
};

class EventTable {
  public:
    void learn(const Event& event) {
        const std::vector<Role> all = roles(event);
        const auto place = place_of(event, all);
        Shape& shape = shapes_[blanked(event, all)];
        std::size_t position = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i] != Role::rank) continue;
            if (shape.values.size() == position) shape.values.emplace_back();
            for (std::size_t mode = 0; mode < 3; ++mode)
                shape.values[position][mode].insert(encode_rank(
                    event.values[i], static_cast<RankMode>(mode), place.me, place.size));
            ++position;
        }
    }
    void decide() {
        for (auto& [event, shape] : shapes_) {
            for (auto& sets : shape.values) {
                std::size_t best = 0;
                for (std::size_t mode = 1; mode < 3; ++mode)
                    if (sets[mode].size() < sets[best].size()) best = mode;
                shape.modes.push_back(static_cast<RankMode>(best));
                for (auto& set : sets) set.clear();
            }
        }
    }
    [[nodiscard]] std::uint32_t number_of(const Event& event, std::vector<Event>& events) {
        const std::vector<Role> all = roles(event);
        const auto place = place_of(event, all);
        const Shape& shape = shapes_.at(blanked(event, all));
        Event merged = event;
        std::size_t position = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i] == Role::rank)
                merged.values[i] =
                    encode_rank(event.values[i], shape.modes[position++], place.me, place.size);
            if (all[i] == Role::me || all[i] == Role::size) merged.values[i] = 0;
        }
        const auto [known, is_new] =
            numbers_.try_emplace(merged, static_cast<std::uint32_t>(events.size()));
        if (is_new) events.push_back(std::move(merged));
        return known->second;
    }

  private:
    std::map<Event, Shape, ByContent> shapes_;
    std::map<Event, std::uint32_t, ByContent> numbers_;
};

/// Rules of a grammar, each after those it uses.
std::vector<std::uint32_t> bottom_up(const strings::Grammar& grammar) {
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> seen(grammar.size(), 0);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack;
    for (std::uint32_t root = 0; root < grammar.size(); ++root) {
        if (seen[root] == 0) stack.emplace_back(root, 0);
        seen[root] = 1;
        while (!stack.empty()) {
            auto& [rule, index] = stack.back();
            if (index == grammar[rule].size()) {
                order.push_back(rule);
                stack.pop_back();
                continue;
            }
            const Run& run = grammar[rule][index++];
            if (!run.is_rule || seen[run.symbol] != 0) continue;
            seen[run.symbol] = 1;
            stack.emplace_back(run.symbol, 0);
        }
    }
    return order;
}

/// Pairs of equal runs, in order: a longest common subsequence, unless that would take too long; then
/// only the beginning and the end that both have.
std::vector<std::pair<std::size_t, std::size_t>> common(const std::vector<MergedRun>& a,
                                                        const std::vector<Run>& b) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::size_t begin = 0, a_end = a.size(), b_end = b.size();
    while (begin < a_end && begin < b_end && a[begin].run == b[begin]) {
        pairs.emplace_back(begin, begin);
        ++begin;
    }
    std::vector<std::pair<std::size_t, std::size_t>> behind;
    while (a_end > begin && b_end > begin && a[a_end - 1].run == b[b_end - 1])
        behind.emplace_back(--a_end, --b_end);
    const std::size_t rows = a_end - begin, columns = b_end - begin;
    if (rows != 0 && columns != 0 && rows <= comparisons_max / columns) {
        std::vector<std::uint32_t> length((rows + 1) * (columns + 1), 0);
        const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
            return length[i * (columns + 1) + j];
        };
        for (std::size_t i = rows; i-- > 0;)
            for (std::size_t j = columns; j-- > 0;)
                at(i, j) = a[begin + i].run == b[begin + j] ? at(i + 1, j + 1) + 1
                                                            : std::max(at(i + 1, j), at(i, j + 1));
        for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
            if (a[begin + i].run == b[begin + j])
                pairs.emplace_back(begin + i++, begin + j++);
            else if (at(i + 1, j) >= at(i, j + 1))
                ++i;
            else
                ++j;
        }
    }
    pairs.insert(pairs.end(), behind.rbegin(), behind.rend());
    return pairs;
}

std::vector<MergedRun> united(const std::vector<MergedRun>& a, const std::vector<Run>& b,
                              const RankSet& b_ranks,
                              const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
    std::vector<MergedRun> result;
    std::size_t i = 0, j = 0;
    const auto copy_to = [&](std::size_t a_to, std::size_t b_to) {
        while (i < a_to) result.push_back(a[i++]);
        while (j < b_to) result.push_back({b[j++], b_ranks});
    };
    for (const auto& [a_at, b_at] : pairs) {
        copy_to(a_at, b_at);
        result.push_back(a[i++]);
        result.back().ranks.add(b_ranks);
        ++j;
    }
    copy_to(a.size(), b.size());
    return result;
}

/// The rules of all ranks, each once.
class RuleTable {
  public:
    explicit RuleTable(std::vector<std::vector<Run>>& rules) : rules_(rules) {}

    /// Adds those of a grammar; returns its rule 0.
    [[nodiscard]] std::vector<Run> add(const strings::Grammar& grammar,
                                       const std::vector<std::uint32_t>& event_number) {
        std::vector<std::uint32_t> rule_number(grammar.size(), 0);
        std::vector<Run> main;
        for (const std::uint32_t rule : bottom_up(grammar)) {
            std::vector<Run> body;
            for (Run run : grammar[rule]) {
                run.symbol = run.is_rule ? rule_number[run.symbol] : event_number[run.symbol];
                // Two events of one rank may be one by now: addresses of attached memory are.
                if (!body.empty() && !run.is_rule && !body.back().is_rule &&
                    body.back().symbol == run.symbol)
                    body.back().count += run.count;
                else
                    body.push_back(run);
            }
            if (rule == 0) {
                main = std::move(body);
                continue;
            }
            const auto [known, is_new] =
                numbers_.try_emplace(std::move(body), static_cast<std::uint32_t>(rules_.size()));
            if (is_new) rules_.push_back(known->first);
            rule_number[rule] = known->second;
        }
        return main;
    }

  private:
    std::vector<std::vector<Run>>& rules_;
    std::map<std::vector<Run>, std::uint32_t, ByContent> numbers_;
};

/// Makes room in slots for those of another recording.
void widen(std::vector<SlotExtent>& slots, const std::vector<SlotExtent>& others) {
    slots.resize(std::max(slots.size(), others.size()));
    for (std::size_t i = 0; i < others.size(); ++i) {
        slots[i].before = std::max(slots[i].before, others[i].before);
        slots[i].behind = std::max(slots[i].behind, others[i].behind);
        slots[i].low_bits |= others[i].low_bits;
    }
}

}  // namespace

std::vector<MergedRun> merge_mains(const std::vector<std::vector<Run>>& mains) {
    std::vector<std::pair<const std::vector<Run>*, RankSet>> groups;
    for (std::uint32_t rank = 0; rank < mains.size(); ++rank) {
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return *group.first == mains[rank];
        });
        if (same == groups.end())
            groups.emplace_back(&mains[rank], RankSet(rank));
        else
            same->second.add(rank);
    }
    std::vector<std::vector<MergedRun>> clusters;
    for (const auto& [main, ranks] : groups) {
        std::vector<MergedRun>* best = nullptr;
        std::vector<std::pair<std::size_t, std::size_t>> best_pairs;
        for (auto& cluster : clusters) {
            auto pairs = common(cluster, *main);
            const double alike = 2.0 * static_cast<double>(pairs.size()) /
                                 static_cast<double>(cluster.size() + main->size());
            if (alike < similarity_min || pairs.size() <= best_pairs.size()) continue;
            best = &cluster;
            best_pairs = std::move(pairs);
        }
        if (best != nullptr)
            *best = united(*best, *main, ranks, best_pairs);
        else
            clusters.push_back(united({}, *main, ranks, {}));
    }
    std::vector<MergedRun> all;
    for (const auto& cluster : clusters) all.insert(all.end(), cluster.begin(), cluster.end());
    return all;
}

std::string describe(const Site& site) {
    return site.function.empty() ? site.place : site.function + " (" + site.place + ")";
}

bool Recording::complete() const {
    return std::all_of(ranks.begin(), ranks.end(),
                       [](const RankSummary& rank) { return rank.ending == Ending::complete; });
}

void Recording::add_time(std::uint32_t event, std::uint32_t rank, const CallTime& time) {
    times[event].add(time);
    // Two events of one rank may have become one.
    std::vector<RankCalls>& ranks_of_event = rank_times[event];
    if (ranks_of_event.empty() || ranks_of_event.back().rank != rank)
        ranks_of_event.push_back({rank, {}});
    ranks_of_event.back().time.add(time);
}

strings::Grammar Recording::grammar_of(std::uint32_t rank, std::uint32_t thread) const {
    strings::Grammar grammar(1);
    const auto shifted = [](Run run) {
        if (run.is_rule) ++run.symbol;
        return run;
    };
    for (const MergedRun& run : main_of(thread))
        if (run.ranks.contains(rank)) grammar[0].push_back(shifted(run.run));
    for (const auto& rule : rules) {
        auto& body = grammar.emplace_back();
        for (const Run& run : rule) body.push_back(shifted(run));
    }
    return grammar;
}

const std::vector<MergedRun>& Recording::main_of(std::uint32_t thread) const {
    static const std::vector<MergedRun> none;
    if (thread == 0) return main;
    return thread > threads.size() ? none : threads[thread - 1].main;
}

std::vector<std::uint64_t> Recording::event_counts(std::uint32_t rank) const {
    std::vector<std::uint64_t> count(events.size(), 0);
    for (std::uint32_t thread = 0; thread <= threads.size(); ++thread) {
        const strings::Grammar grammar = grammar_of(rank, thread);
        const std::vector<std::uint64_t> uses = strings::expansions(grammar);
        for (std::size_t rule = 0; rule < grammar.size(); ++rule)
            for (const Run& run : grammar[rule])
                if (!run.is_rule) count[run.symbol] += uses[rule] * run.count;
    }
    return count;
}

Recording merge(std::vector<RankRecording> ranks, const Launch& launch,
                const std::function<void()>& on_rank) {
    resolve_attached(ranks);
    Recording merged;
    merged.launch = launch;
    for (const RankRecording& rank : ranks) {
        if (rank.library.empty()) continue;  // it left nothing
        merged.library = rank.library;
        merged.source = rank.source;
        break;
    }
    // Texts and places first: events name them by number.
    std::vector<std::vector<Event>> events;
    std::map<std::string, std::int64_t> text_numbers;
    std::map<std::string, std::uint32_t> site_numbers;
    for (RankRecording& rank : ranks) {
        std::vector<std::int64_t> number;
        for (const std::string& text : rank.texts) {
            const auto [known, is_new] =
                text_numbers.try_emplace(text, static_cast<std::int64_t>(merged.texts.size()));
            if (is_new) merged.texts.push_back(text);
            number.push_back(known->second);
        }
        std::vector<std::uint32_t> site_number{0};
        for (const std::string& site : rank.sites) {
            const auto [known, is_new] =
                site_numbers.try_emplace(site, static_cast<std::uint32_t>(merged.sites.size()) + 1);
            if (is_new) merged.sites.push_back({site, {}});
            site_number.push_back(known->second);
        }
        std::vector<Event>& mine = events.emplace_back(std::move(rank.events));
        for (Event& event : mine) event.site = site_number[event.site];
        for (Event& event : mine) {
            if (number.empty()) break;
            const std::vector<Role> all = roles(event);
            for (std::size_t i = 0; i < all.size(); ++i) {
                std::int64_t& value = event.values[i];
                if (all[i] == Role::text && value >= 0 &&
                    static_cast<std::size_t>(value) < number.size())
                    value = number[static_cast<std::size_t>(value)];
            }
        }
    }
    EventTable table;
    for (const auto& mine : events)
        for (const Event& event : mine) table.learn(event);
    table.decide();

    RuleTable rules(merged.rules);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> work_numbers;
    std::vector<std::vector<Run>> mains(ranks.size());
    std::vector<std::vector<std::vector<Run>>> mains_of_threads;  // by thread and rank
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        const RankRecording from = std::exchange(ranks[rank], {});
        const std::vector<Event> mine = std::exchange(events[rank], {});
        std::vector<std::uint32_t> event_number;
        for (std::size_t i = 0; i < mine.size(); ++i) {
            const std::uint32_t number = table.number_of(mine[i], merged.events);
            event_number.push_back(number);
            merged.times.resize(merged.events.size());
            merged.rank_times.resize(merged.events.size());
            if (i < from.times.size()) merged.add_time(number, rank, from.times[i]);
        }
        mains[rank] = rules.add(from.grammar, event_number);
        std::uint64_t calls = strings::expanded_lengths(from.grammar)[0];
        for (std::size_t thread = 0; thread < from.threads.size(); ++thread) {
            const ThreadStream& stream = from.threads[thread];
            if (merged.threads.size() <= thread) {
                merged.threads.emplace_back().lives.resize(ranks.size());
                mains_of_threads.emplace_back(ranks.size());
            }
            mains_of_threads[thread][rank] = rules.add(stream.grammar, event_number);
            merged.threads[thread].lives[rank] = stream.life;
            widen(merged.threads[thread].slots, stream.slots);
            calls += strings::expanded_lengths(stream.grammar)[0];
        }
        for (const Work& work : from.work) {
            const std::pair key(
                work.before == Work::start ? Work::start : event_number[work.before],
                event_number[work.after]);
            const auto [known, is_new] = work_numbers.try_emplace(key, merged.work.size());
            if (is_new) merged.work.push_back({key.first, key.second, {}});
            merged.work[known->second].ranks.push_back(
                {rank, work.count, work.seconds, work.counts, work.team, work.team_counts});
        }
        widen(merged.slots, from.slots);
        merged.ranks.push_back({from.ending, from.wall_seconds, from.cpu_seconds, calls});
        for (const std::string& note : from.notes)
            merged.notes.push_back("rank " + std::to_string(rank) + ": " + note);
        merged.left_out += from.left_out;
        if (on_rank) on_rank();
    }
    merged.main = merge_mains(mains);
    for (std::size_t thread = 0; thread < merged.threads.size(); ++thread)
        merged.threads[thread].main = merge_mains(mains_of_threads[thread]);
    return merged;
}

CommunicatorBook::CommunicatorBook(std::uint32_t rank, std::uint32_t size) {
    places_[0] = {rank, size};
    places_[1] = {0, 1};
}

CommunicatorBook::Place CommunicatorBook::place(std::int64_t communicator) const {
    const auto found = places_.find(communicator);
    return found == places_.end() ? Place{} : found->second;
}

CommunicatorBook::Place CommunicatorBook::place_in_window(std::int64_t window) const {
    const auto found = windows_.find(window);
    return found == windows_.end() ? Place{} : found->second;
}

Event CommunicatorBook::resolve(const Event& merged) {
    Event event = merged;
    const std::vector<Role> all = roles(merged);
    Place here;
    bool in_communicator = false;
    for (std::size_t i = 0; i + 2 < all.size() && !in_communicator; ++i) {
        if ((all[i] != Role::comm && all[i] != Role::window) || all[i + 1] != Role::me) continue;
        here = all[i] == Role::comm ? place(merged.values[i]) : place_in_window(merged.values[i]);
        event.values[i + 1] = here.me;
        event.values[i + 2] = here.size;
        in_communicator = true;
    }
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] == Role::rank)
            event.values[i] = decode_rank(merged.values[i], here.me, here.size);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::int64_t made = event.values[i];
        if (made < 0) continue;
        if (i + 2 < all.size() && all[i] == Role::comm && all[i + 2] == Role::made_size)
            places_[made] = {event.values[i + 1], event.values[i + 2]};
        if (all[i] == Role::made_window) windows_[made] = here;
    }
    return event;
}

CommunicatorBook communicators_before(const Recording& recording, std::uint32_t rank,
                                      std::uint32_t thread) {
    CommunicatorBook book(rank, recording.size());
    std::vector<bool> makes;
    bool any = false;
    for (const Event& event : recording.events) {
        const std::vector<Role> all = roles(event);
        makes.push_back(std::any_of(all.begin(), all.end(), [](Role role) {
            return role == Role::made_size || role == Role::made_window;
        }));
        any = any || makes.back();
    }
    for (std::uint32_t other = 0; any && other <= recording.threads.size(); ++other) {
        if (other == thread && (thread != 0 || recording.threads.empty())) continue;
        const bool beside = other == 0 && thread != 0 && thread <= recording.threads.size();
        std::uint64_t left =
            beside ? recording.threads[thread - 1].lives[rank].behind : ~std::uint64_t{0};
        const strings::Grammar grammar = recording.grammar_of(rank, other);
        for (strings::GrammarCursor at(grammar); !at.done() && left != 0; at.next()) {
            if (makes[at.terminal()]) (void)book.resolve(recording.events[at.terminal()]);
            left -= std::min(left, at.count());
        }
    }
    return book;
}

}  // namespace refrain::proxy
