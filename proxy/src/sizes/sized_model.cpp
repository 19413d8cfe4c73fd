#include "sizes/sized_model.hpp"

#include "generate/call_text.hpp"
#include "generate/generate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>

#include "sizes/fold.hpp"

namespace refrain::proxy {
namespace {

constexpr std::uint64_t calls_max = 4'000'000;  // of all recordings, unfolded
constexpr std::uint64_t unrolled_max = 64;      // iterations that are told apart
constexpr std::size_t problems_shown = 8;
constexpr std::size_t elements_max = 64;  // of an array, each with a formula of its own
constexpr double quiet_seconds = 50e-9;   // less than the clock takes to read

/// One rank of one recording.
struct Member {
    std::size_t run = 0;
    Setting setting;
    std::vector<Event> events;
    std::vector<double> seconds;  // of computation before each
    std::vector<Step> steps;
};

/// One execution of a call.
struct Visit {
    const Member* member = nullptr;
    std::size_t index = 0;
    Setting setting;
    [[nodiscard]] const Event& event() const { return member->events[index]; }
};

/// A step of all members of a form.
struct Node {
    std::vector<Node> body;
    std::vector<NumberSample> counts;  // of a loop
    std::vector<Visit> visits;         // of a call
};
using Path = std::vector<std::size_t>;

[[noreturn]] void fail(const std::string& text) {
    throw std::runtime_error(text);
}

std::string setting_words(const Setting& at) {
    return "rank " + std::to_string(at.rank) + " of " + std::to_string(at.ranks) +
           (at.size != 0 ? ", size " + std::to_string(at.size) : "");
}

/// "10 (rank 0 of 4, size 64), 20 (rank 0 of 9, size 64)": what contradicts.
template <class Sample>
std::string samples_words(const std::vector<Sample>& samples) {
    constexpr std::size_t shown = 4;
    std::string text;
    std::set<std::int64_t> values;
    for (const Sample& each : samples) {
        if (values.size() == shown) return text + ", ...";
        if (!values.insert(each.value).second) continue;
        text += (text.empty() ? "" : ", ") +
                (each.value == rank_null ? "nobody" : std::to_string(each.value)) + " (" +
                setting_words(each.setting) + ")";
    }
    return text;
}

bool answers_differ(Function function) {
    switch (function) {
        case Function::Test_:
        case Function::Testall_:
        case Function::Testany_:
        case Function::Testsome_:
        case Function::Waitany_:
        case Function::Waitsome_:
        case Function::Iprobe_:
        case Function::Improbe_:
            return true;
        default:
            return false;
    }
}

bool may_follow_formula(Role role) {
    return role == Role::plain || role == Role::tag || role == Role::buffer ||
           role == Role::request || role == Role::rank || role == Role::length;
}

/// How many values of an argument a program says: of what comes out, only the number of a handle.
std::size_t said_values(const Argument& argument) {
    if (argument.parameter == nullptr) return 0;
    if (!comes_out(argument.parameter->kind)) return argument.count;
    switch (argument.parameter->kind) {
        case Kind::newcomm_:
        case Kind::newgroup_:
        case Kind::newtype_:
        case Kind::newop_:
        case Kind::newinfo_:
        case Kind::newrequest_:
        case Kind::newreceive_:
        case Kind::newpersistent_:
        case Kind::newmessage_:
        case Kind::newwin_:
            return std::min<std::size_t>(argument.count, 1);
        case Kind::newfile_:
            return argument.count;
        default:
            return 0;
    }
}

bool is_unused(Role role, std::int64_t value) {
    return role == Role::buffer && value == buffer_unused;
}

/// What tells calls apart when loops are looked for. Where tags do not follow from the loop, calls with different tags
/// are different ones: up, down, left, right.
enum class Detail : std::uint8_t { tags, plain };

/// What two calls have in common if they can be one call of the proxy. `place`: where it is called, 0 if that is not known.
std::vector<std::int64_t> kind_of_call(const Event& event, std::int64_t place, Detail detail) {
    std::vector<std::int64_t> key{static_cast<std::int64_t>(event.function), place};
    const std::vector<Role> all = roles(event);
    for (const Argument& argument : arguments_of(event)) {
        const std::size_t said = said_values(argument);
        if (said == 0 || argument.parameter->root_only) continue;
        if (all[argument.begin] == Role::length) continue;
        for (std::size_t i = argument.begin; i < argument.begin + said; ++i) {
            const Role role = all[i];
            const std::int64_t value = event.values[i];
            if (role == Role::me || role == Role::size) continue;
            if (!may_follow_formula(role))
                key.push_back(value);
            else if ((role == Role::buffer || role == Role::request) && !is_unused(role, value))
                key.push_back(std::min<std::int64_t>(value, 0));
            else if (role == Role::rank)
                key.push_back(value == rank_root ? 1 : 0);
            else if (role == Role::tag && detail == Detail::tags)
                key.push_back(value);
        }
    }
    return key;
}

/// Seconds of computation between two events of a rank.
using WorkTable =
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::uint32_t, double>>;

WorkTable work_of(const Recording& recording) {
    WorkTable table;
    for (const Recording::MergedWork& work : recording.work)
        for (const Recording::RankWork& rank : work.ranks)
            if (rank.count != 0)
                table[{work.before, work.after}][rank.rank] =
                    rank.seconds / static_cast<double>(rank.count);
    return table;
}

class Fitter {
  public:
    Fitter(const std::vector<SizedInput>& inputs, Detail detail)
        : inputs_(inputs), detail_(detail) {}

    SizedModel fit() {
        read();
        choose_forms();
        fit_forms();
        if (!problems_.empty()) split_forms();
        if (!problems_.empty()) fail(problems_text());
        fit_memory();
        judge_ranks();
        return std::move(model_);
    }

  private:
    void read() {
        std::int64_t tag = 32767;
        for (const SizedInput& input : inputs_) tag = std::min(tag, unused_tag(*input.recording));
        model_.unused_tag = tag;
        std::uint64_t calls = 0;
        for (const SizedInput& input : inputs_)
            for (const auto& rank : input.recording->ranks) calls += rank.events;
        if (calls > calls_max)
            fail("the recordings have " + std::to_string(calls) + " calls together, and at most " +
                 std::to_string(calls_max) + " can be compared; record fewer iterations");
        std::size_t total = 0;
        for (const SizedInput& input : inputs_) total += input.recording->size();
        members_.reserve(total);
        for (std::size_t run = 0; run < inputs_.size(); ++run) read_run(run);
        model_.size_default = inputs_[0].size;
        model_.has_sizes = inputs_[0].size != 0;
    }

    void read_run(std::size_t run) {
        const Recording& recording = *inputs_[run].recording;
        const WorkTable work = work_of(recording);
        for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
            Member member;
            member.run = run;
            member.setting.ranks = recording.size();
            member.setting.rank = rank;
            member.setting.size = inputs_[run].size;
            CommunicatorBook book(rank, recording.size());
            std::vector<std::uint32_t> symbols;
            std::uint32_t before = Work::start;
            const strings::Grammar grammar = recording.grammar_of(rank);
            for (strings::GrammarCursor at(grammar); !at.done(); at.next())
                for (std::uint64_t i = 0; i < at.count(); ++i) {
                    member.events.push_back(read_event(recording, at.terminal(), book));
                    symbols.push_back(
                        symbol_of(member.events.back(),
                                  place_number(recording, recording.events[at.terminal()].site)));
                    const auto found = work.find({before, at.terminal()});
                    const bool known =
                        found != work.end() && found->second.find(rank) != found->second.end();
                    member.seconds.push_back(known ? found->second.at(rank) : 0);
                    before = at.terminal();
                }
            member.steps = fold(symbols);
            members_.push_back(std::move(member));
        }
    }

    Event read_event(const Recording& recording, std::uint32_t terminal, CommunicatorBook& book) {
        const Event& merged = recording.events[terminal];
        if (answers_differ(merged.function))
            fail(
                "MPI_" + std::string(info(merged.function).name) +
                ": what it answers follows from the network; a proxy for other sizes makes no such "
                "call");
        Event event = book.resolve(pinned(merged, model_.unused_tag));
        event.site = 0;
        if (event.function == Function::Cart_create_)
            grids_[values_of(event, Kind::newcomm_)[0]] = values_of(event, Kind::int_)[0];
        const std::vector<Role> all = roles(event);
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::int64_t& value = event.values[i];
            if (all[i] == Role::text)
                value = text_number(recording.texts[static_cast<std::size_t>(value)]);
            if (all[i] != Role::error && value >= stand_in_first)
                fail("MPI_" + std::string(info(event.function).name) + ": the number " +
                     std::to_string(value) + " is too large for a proxy of other sizes");
        }
        return event;
    }

    std::int64_t text_number(const std::string& words) {
        const auto [place, is_new] = text_numbers_.try_emplace(words, model_.texts.size());
        if (is_new) model_.texts.push_back(words);
        return static_cast<std::int64_t>(place->second);
    }

    std::int64_t place_number(const Recording& recording, std::uint32_t site) {
        if (site == 0) return 0;
        const std::string words = describe(recording.sites[site - 1]);
        return static_cast<std::int64_t>(
            places_.try_emplace(words, places_.size() + 1).first->second);
    }

    std::uint32_t symbol_of(const Event& event, std::int64_t place) {
        return symbols_
            .try_emplace(kind_of_call(event, place, detail_),
                         static_cast<std::uint32_t>(symbols_.size()))
            .first->second;
    }

    void fit_forms() {
        problems_.clear();
        model_.forms.clear();
        model_.notes.clear();
        has_grid_ = false;
        for (const std::vector<Member*>& members : forms_)
            model_.forms.push_back(fit_form(members));
    }

    /// Ranks that make the same calls may still say different things: the first, the last, odd ones.
    void split_forms() {
        using Kind = RankFeature::Kind;
        const std::vector<std::string> known = problems_;
        for (const std::vector<RankFeature>& features : {std::vector<RankFeature>{{Kind::first}},
                                                         {{Kind::last}},
                                                         {{Kind::first}, {Kind::last}},
                                                         {{Kind::odd}}}) {
            std::vector<std::size_t> form(members_.size());
            for (std::size_t i = 0; i < members_.size(); ++i)
                form[i] = key_of(features, members_[i].setting);
            // Ranks of one key must make the same calls.
            std::map<std::size_t, const Member*> first;
            const bool fits =
                std::all_of(members_.begin(), members_.end(), [&](const Member& each) {
                    const Member* const other =
                        first.try_emplace(key_of(features, each.setting), &each).first->second;
                    return same_form(each.steps, other->steps);
                });
            if (!fits) continue;
            take_features(features, form, std::size_t{1} << features.size());
            std::erase_if(forms_, [](const auto& members) { return members.empty(); });
            std::erase_if(model_.form_keys, [](const auto& keys) { return keys.empty(); });
            fit_forms();
            if (problems_.empty()) return;
        }
        problems_ = known;
    }

    [[nodiscard]] std::string problems_text() const {
        std::string text;
        for (std::size_t i = 0; i < std::min(problems_.size(), problems_shown); ++i)
            text += (i == 0 ? "" : "\n  ") + problems_[i];
        if (problems_.size() > problems_shown)
            text += "\n  and " + std::to_string(problems_.size() - problems_shown) + " more";
        return text;
    }

    static unsigned key_of(const std::vector<RankFeature>& features, const Setting& at) {
        unsigned key = 0;
        for (std::size_t i = 0; i < features.size(); ++i)
            if (features[i].holds(at.rank, at.ranks)) key |= 1U << i;
        return key;
    }

    // ---- ranks that do the same

    void choose_forms() {
        std::vector<std::size_t> form(members_.size());
        std::vector<const Member*> first;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            std::size_t k = 0;
            while (k < first.size() && !same_form(first[k]->steps, members_[i].steps)) ++k;
            if (k == first.size()) first.push_back(&members_[i]);
            form[i] = k;
        }
        using Kind = RankFeature::Kind;
        std::vector<std::vector<RankFeature>> candidates = {
            {},
            {{Kind::first}},
            {{Kind::last}},
            {{Kind::first}, {Kind::last}},
            {{Kind::odd}},
            {{Kind::odd}, {Kind::first}, {Kind::last}}};
        for (int dims = 2; dims <= 3; ++dims) {
            std::vector<RankFeature> edges;
            for (int axis = 0; axis < dims; ++axis) {
                edges.push_back({Kind::low_edge, dims, axis});
                edges.push_back({Kind::high_edge, dims, axis});
            }
            for (int axis = 0; axis < dims; ++axis)
                candidates.push_back({{Kind::low_edge, dims, axis}, {Kind::high_edge, dims, axis}});
            candidates.push_back(edges);
            edges.push_back({Kind::first});
            candidates.push_back(edges);
        }
        for (const std::vector<RankFeature>& features : candidates)
            if (take_features(features, form, first.size())) return;
        explain_forms(form, first);
    }

    bool take_features(const std::vector<RankFeature>& features,
                       const std::vector<std::size_t>& form, std::size_t count) {
        std::map<unsigned, std::size_t> known;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            const unsigned key = key_of(features, members_[i].setting);
            if (known.try_emplace(key, form[i]).first->second != form[i]) return false;
        }
        model_.features = features;
        model_.form_keys.assign(count, {});
        for (const auto& [key, which] : known) model_.form_keys[which].push_back(key);
        forms_.assign(count, {});
        for (std::size_t i = 0; i < members_.size(); ++i) forms_[form[i]].push_back(&members_[i]);
        return true;
    }

    /// Where the calls of two members part, as far as loops go.
    [[noreturn]] void explain_forms(const std::vector<std::size_t>& form,
                                    const std::vector<const Member*>& first) {
        std::string text =
            "which calls a rank makes, and which of them in loops, follows neither from its place "
            "in a row or grid nor from whether it is odd; there are " +
            std::to_string(first.size()) + " forms: ";
        std::set<std::size_t> shown;
        for (std::size_t i = 0; i < members_.size() && shown.size() < 4; ++i)
            if (shown.insert(form[i]).second)
                text += (shown.size() == 1 ? "" : "; ") + setting_words(members_[i].setting) +
                        " makes " + std::to_string(members_[i].events.size()) + " calls" +
                        first_difference(*first[0], members_[i]);
        fail(text);
    }

    std::string first_difference(const Member& a, const Member& b) const {
        const std::vector<Step>*left = &a.steps, *right = &b.steps;
        while (true) {
            std::size_t i = 0;
            while (i < left->size() && i < right->size() &&
                   same_form({&(*left)[i], 1}, {&(*right)[i], 1}))
                ++i;
            if (i == left->size() || i == right->size()) return {};
            const Step &x = (*left)[i], &y = (*right)[i];
            if (x.is_loop() && y.is_loop()) {
                left = &x.body;
                right = &y.body;
                continue;
            }
            const auto name = [&](const Step& step) {
                const Step* at = &step;
                while (at->is_loop()) at = &at->body[0];
                for (const auto& [key, number] : symbols_)
                    if (number == at->symbol)
                        return (step.is_loop() ? "a loop from MPI_" : "MPI_") +
                               std::string(info(static_cast<Function>(key[0])).name);
                return std::string();
            };
            return ", with " + name(y) + " where others have " + name(x);
        }
    }

    // ---- steps of one form

    /// The steps of all members of a form, and what was found for them.
    struct Attempt {
        std::vector<std::vector<Step>> steps;  // by member
        std::vector<SizedStep> fitted;
        std::vector<std::string> problems;
        std::vector<Path> loops;  // innermost loops with a call that follows no formula
    };

    std::vector<SizedStep> fit_form(const std::vector<Member*>& members) {
        Attempt best;
        for (const Member* const member : members) best.steps.push_back(member->steps);
        try_steps(members, best);
        std::set<Path> hopeless;
        while (!best.problems.empty()) {
            const auto loop =
                std::find_if(best.loops.begin(), best.loops.end(),
                             [&](const Path& path) { return !hopeless.contains(path); });
            if (loop == best.loops.end()) break;
            const Path path = *loop;
            if (!tell_iterations_apart(members, path, best)) hopeless.insert(path);
        }
        problems_.insert(problems_.end(), best.problems.begin(), best.problems.end());
        return std::move(best.fitted);
    }

    void try_steps(const std::vector<Member*>& members, Attempt& attempt) {
        std::vector<Node> nodes = empty_nodes(attempt.steps[0]);
        for (std::size_t i = 0; i < members.size(); ++i) {
            std::size_t cursor = 0;
            Setting setting = members[i]->setting;
            walk(nodes, attempt.steps[i], *members[i], cursor, setting, 0);
        }
        Path path;
        attempt.problems.clear();
        attempt.loops.clear();
        attempt.fitted = fit_nodes(nodes, path, attempt);
    }

    /// Makes each 2, 3, ... iterations of a loop one, so that a call of each may say something else: as few as leave the
    /// fewest calls without a formula. Returns whether that helps.
    bool tell_iterations_apart(const std::vector<Member*>& members, const Path& path,
                               Attempt& best) {
        std::uint64_t common = 0;
        for (const std::vector<Step>& steps : best.steps)
            common = common_count(steps, path, common);
        std::optional<Attempt> better;
        for (std::uint64_t factor = 2; factor <= std::min(common, unrolled_max); ++factor) {
            if (common % factor != 0) continue;
            Attempt next;
            next.steps = best.steps;
            for (std::vector<Step>& steps : next.steps) unroll_at(steps, path, factor);
            try_steps(members, next);
            if (next.problems.size() < (better ? *better : best).problems.size())
                better = std::move(next);
            if (better && better->problems.empty()) break;
        }
        if (!better) return false;
        best = std::move(*better);
        return true;
    }

    /// The greatest number that divides `common` and how often the loop is made.
    static std::uint64_t common_count(const std::vector<Step>& steps, const Path& path,
                                      std::uint64_t common) {
        const std::vector<Step>* at = &steps;
        for (std::size_t depth = 0; depth + 1 < path.size(); ++depth) at = &(*at)[path[depth]].body;
        return std::gcd(common, (*at)[path.back()].count);
    }

    static std::vector<Node> empty_nodes(const std::vector<Step>& steps) {
        std::vector<Node> nodes(steps.size());
        for (std::size_t i = 0; i < steps.size(); ++i) nodes[i].body = empty_nodes(steps[i].body);
        return nodes;
    }

    static void walk(std::vector<Node>& nodes, const std::vector<Step>& steps, const Member& member,
                     std::size_t& cursor, Setting& setting, std::size_t depth) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (!steps[i].is_loop()) {
                nodes[i].visits.push_back({&member, cursor++, setting});
                continue;
            }
            if (depth == loop_depth_max)
                fail("loops are nested more than " + std::to_string(loop_depth_max) + " deep");
            nodes[i].counts.push_back({setting, static_cast<std::int64_t>(steps[i].count)});
            for (std::uint64_t k = 0; k < steps[i].count; ++k) {
                setting.loops[depth] = static_cast<std::int64_t>(k);
                walk(nodes[i].body, steps[i].body, member, cursor, setting, depth + 1);
            }
            setting.loops[depth] = 0;
        }
    }

    static void unroll_at(std::vector<Step>& steps, std::span<const std::size_t> path,
                          std::uint64_t factor) {
        Step& step = steps[path[0]];
        if (path.size() > 1) return unroll_at(step.body, path.subspan(1), factor);
        std::vector<Step> all;
        for (std::uint64_t i = 0; i < factor; ++i)
            all.insert(all.end(), step.body.begin(), step.body.end());
        step.count /= factor;
        step.body = std::move(all);
    }

    std::vector<SizedStep> fit_nodes(const std::vector<Node>& nodes, Path& path, Attempt& attempt) {
        std::vector<SizedStep> steps;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            path.push_back(i);
            SizedStep step;
            const std::size_t known = attempt.problems.size();
            if (nodes[i].body.empty()) {
                fit_call(nodes[i].visits, step.call, attempt.problems);
            } else {
                step.body = fit_nodes(nodes[i].body, path, attempt);
                if (attempt.problems.size() > known) attempt.loops.push_back(path);
                fit_times(nodes[i], step, attempt.problems);
            }
            steps.push_back(std::move(step));
            path.pop_back();
        }
        return steps;
    }

    void fit_times(const Node& node, SizedStep& step, std::vector<std::string>& problems) {
        const auto times = fit_number(node.counts);
        if (times)
            step.times = *times;
        else
            problems.push_back("how often a loop of " + std::to_string(node.body.size()) +
                               " steps from " + first_call(node) +
                               " on is made: " + samples_words(node.counts));
        has_grid_ = has_grid_ || step.times.has_grid();
    }

    static std::string first_call(const Node& node) {
        const Node* at = &node;
        while (!at->body.empty()) at = &at->body[0];
        return "MPI_" + std::string(info(at->visits[0].event().function).name);
    }

    // ---- one call

    /// An argument of one execution of the call, if it counts there.
    struct Seen {
        const Visit* visit;
        const Event* event;
        Argument argument;
        std::int64_t me, size;
    };

    void fit_call(const std::vector<Visit>& visits, SizedCall& call,
                  std::vector<std::string>& problems) {
        call.event.function = visits[0].event().function;
        std::vector<std::vector<Seen>> by_argument;
        for (const Visit& visit : visits) {
            const Event& event = visit.event();
            const std::vector<Role> all = roles(event);
            std::int64_t me = visit.setting.rank, size = visit.setting.ranks, root = -1;
            for (std::size_t i = 0; i + 1 < all.size(); ++i)
                if (all[i] == Role::me) me = event.values[i], size = event.values[i + 1];
            const std::vector<Argument> arguments = arguments_of(event);
            for (const Argument& argument : arguments)
                if (argument.parameter != nullptr && argument.parameter->kind == Kind::root_)
                    root = event.values[argument.begin];
            by_argument.resize(arguments.size());
            for (std::size_t i = 0; i < arguments.size(); ++i) {
                const bool counts = arguments[i].parameter == nullptr ||
                                    !arguments[i].parameter->root_only || root == me;
                const bool unused =
                    arguments[i].count != 0 &&
                    is_unused(all[arguments[i].begin], event.values[arguments[i].begin]);
                if (counts && !unused)
                    by_argument[i].push_back({&visit, &event, arguments[i], me, size});
            }
        }
        const Event& example = visits[0].event();
        const std::vector<Argument> arguments = arguments_of(example);
        for (std::size_t i = 0; i < by_argument.size(); ++i) {
            if (by_argument[i].empty())  // counts nowhere
                call.event.values.insert(
                    call.event.values.end(),
                    example.values.begin() + static_cast<std::ptrdiff_t>(arguments[i].begin),
                    example.values.begin() +
                        static_cast<std::ptrdiff_t>(arguments[i].begin + arguments[i].count));
            else
                fit_argument(by_argument[i], call, problems);
        }
        fit_work(visits, call.work);
    }

    static std::string argument_name(const SizedCall& call, const Argument& argument) {
        return "MPI_" + std::string(info(call.event.function).name) + ", argument " +
               argument.parameter->name;
    }

    void fit_argument(const std::vector<Seen>& seen, SizedCall& call,
                      std::vector<std::string>& problems) {
        const Argument& argument = seen[0].argument;
        const std::vector<Role> all = roles(*seen[0].event);
        const std::size_t said = said_values(argument);
        if (said != 0 && all[argument.begin] == Role::length) {
            const bool same = std::all_of(seen.begin(), seen.end(), [&](const Seen& each) {
                return each.argument.count == argument.count;
            });
            if (!same || argument.count > elements_max) return fit_array(seen, call, problems);
        }
        for (std::size_t k = 0; k < argument.count; ++k) {
            const Role role = all[argument.begin + k];
            const std::int64_t value = seen[0].event->values[argument.begin + k];
            const bool plain =
                k >= said || role == Role::length || role == Role::me || role == Role::size;
            if (plain) {
                call.event.values.push_back(value);
            } else if (role == Role::rank) {
                std::vector<PartnerSample> samples;
                for (const Seen& each : seen) samples.push_back(partner_sample(each, k));
                add_partner(fit_partner(samples, grid_dims(*seen[0].event)), samples, argument,
                            call, problems);
            } else {
                std::vector<NumberSample> samples;
                for (const Seen& each : seen)
                    samples.push_back(
                        {each.visit->setting, each.event->values[each.argument.begin + k]});
                auto number = fit_number(samples);
                if (std::string_view(argument.parameter->name) == "dims")
                    if (const auto side = even_side(samples, argument.count - 1, k - 1))
                        number = side;
                if (number && !number->constant() && !may_follow_formula(role)) number.reset();
                add_number(number, samples, argument, call, problems);
            }
        }
    }

    /// The side of the most even grid, if that is what a grid's dimensions are.
    static std::optional<Number> even_side(const std::vector<NumberSample>& samples,
                                           std::size_t dims, std::size_t axis) {
        if (dims < 2 || dims > 3) return std::nullopt;
        const Term side{Term::Kind::side, static_cast<std::uint8_t>(dims),
                        static_cast<std::uint8_t>(axis)};
        const bool holds = std::all_of(
            samples.begin(), samples.end(),
            [&](const NumberSample& each) { return side.value(each.setting) == each.value; });
        const bool same_ranks =
            std::all_of(samples.begin(), samples.end(), [&](const NumberSample& each) {
                return each.setting.ranks == samples[0].setting.ranks;
            });
        if (!holds || same_ranks) return std::nullopt;
        return Number{{{1, side}}, {}};
    }

    /// Of the grid that the call's communicator is; 0 if it is none of 2 or 3 dimensions.
    [[nodiscard]] int grid_dims(const Event& event) const {
        const std::vector<std::int64_t> communicator = values_of(event, Kind::comm_);
        if (communicator.empty()) return 0;
        const auto known = grids_.find(communicator[0]);
        return known == grids_.end() || known->second < 2 || known->second > 3
                   ? 0
                   : static_cast<int>(known->second);
    }

    static PartnerSample partner_sample(const Seen& seen, std::size_t k) {
        return {seen.visit->setting, seen.me, seen.size,
                seen.event->values[seen.argument.begin + k]};
    }

    void add_number(const std::optional<Number>& number, const std::vector<NumberSample>& samples,
                    const Argument& argument, SizedCall& call, std::vector<std::string>& problems) {
        if (!number)
            problems.push_back(argument_name(call, argument) + ": " + samples_words(samples));
        if (!number || number->constant()) {
            call.event.values.push_back(number ? *number->constant() : samples[0].value);
            return;
        }
        has_grid_ = has_grid_ || number->has_grid();
        if (number->twin)
            model_.notes.insert(argument_name(call, argument) + ": " + number->text() +
                                ", or with " + number->twin->text());
        call.event.values.push_back(stand_in(call.formulas.size()));
        call.formulas.emplace_back(*number);
    }

    void add_partner(const std::optional<Partner>& partner,
                     const std::vector<PartnerSample>& samples, const Argument& argument,
                     SizedCall& call, std::vector<std::string>& problems) {
        if (!partner)
            problems.push_back(argument_name(call, argument) + ": " + samples_words(samples));
        // One of MPI's codes, or a rank of its own.
        if (!partner || partner->kind == Partner::Kind::nobody) {
            call.event.values.push_back(encode_rank(
                partner ? std::int64_t{rank_null} : samples[0].value, RankMode::absolute, 0, 1));
            return;
        }
        has_grid_ = has_grid_ || partner->has_grid();
        call.event.values.push_back(4 * stand_in(call.formulas.size()));
        call.formulas.emplace_back(*partner);
    }

    /// An array whose length changes, or a long one.
    void fit_array(const std::vector<Seen>& seen, SizedCall& call,
                   std::vector<std::string>& problems) {
        const Argument& argument = seen[0].argument;
        Role role = Role::plain;
        std::vector<NumberSample> lengths, numbers;
        std::vector<PartnerSample> partners;
        for (const Seen& each : seen) {
            const auto count = static_cast<std::int64_t>(each.argument.count) - 1;
            lengths.push_back({each.visit->setting, count});
            if (count > 0) role = roles(*each.event)[each.argument.begin + 1];
            for (std::int64_t j = 0; j < count; ++j) {
                PartnerSample sample = partner_sample(each, static_cast<std::size_t>(j) + 1);
                sample.setting.element = j;
                numbers.push_back({sample.setting, sample.value});
                partners.push_back(sample);
            }
        }
        SizedArray array;
        const auto length = fit_number(lengths);
        if (length) array.length = *length;
        if (!length)
            problems.push_back(argument_name(call, argument) +
                               ", its length: " + samples_words(lengths));
        bool found = false;
        if (role == Role::rank) {
            const auto partner = fit_partner(partners, grid_dims(*seen[0].event));
            if (partner) array.element = *partner, found = true;
        } else {
            const auto number = fit_number(numbers);
            found = number && (may_follow_formula(role) || number->constant());
            if (found) array.element = *number;
        }
        if (!found)
            problems.push_back(argument_name(call, argument) +
                               ", an element: " + samples_words(numbers));
        call.event.values.push_back(1);
        call.event.values.push_back(array_stand_in(call.formulas.size()));
        call.formulas.emplace_back(std::move(array));
    }

    /// Seconds for each of a term: the one that is nearest to all ranks.
    static void fit_work(const std::vector<Visit>& visits, SizedWork& work) {
        std::map<const Member*, std::pair<double, double>> sums;
        for (const Visit& visit : visits) {
            auto& [seconds, count] = sums[visit.member];
            seconds += visit.member->seconds[visit.index];
            count += 1;
        }
        double most = 0;
        for (const auto& [member, sum] : sums) most = std::max(most, sum.first / sum.second);
        if (most < quiet_seconds) return;
        constexpr double better = 0.9;  // another term must be so much nearer than none
        using Kind = Term::Kind;
        double least = -1;
        for (const Term& term : {Term{Kind::one},
                                 {Kind::share},
                                 {Kind::size},
                                 {Kind::tile, 2, 0},
                                 {Kind::tile, 3, 0},
                                 {Kind::share_by_size},
                                 {Kind::squared_size},
                                 {Kind::squared_size_by_ranks},
                                 {Kind::ranks},
                                 {Kind::share_of_side, 2, 0},
                                 {Kind::log_ranks}}) {
            double by = 0, squared = 0, error = 0;
            for (const auto& [member, sum] : sums) {
                const double mean = std::max(sum.first / sum.second, quiet_seconds);
                const auto amount = static_cast<double>(term.value(member->setting));
                by += amount / mean;
                squared += amount * amount / (mean * mean);
            }
            if (squared == 0) continue;
            const double factor = by / squared;
            for (const auto& [member, sum] : sums) {
                const double mean = std::max(sum.first / sum.second, quiet_seconds);
                error +=
                    std::abs(factor * static_cast<double>(term.value(member->setting)) / mean - 1);
            }
            if (least >= 0 && error >= better * least) continue;
            least = error;
            work = {factor, term};
        }
    }

    // ---- memory

    void fit_memory() {
        std::vector<NumberSample> counts, requests;
        bool same = true;
        for (const SizedInput& input : inputs_) {
            const Setting setting{input.recording->size(), 0, input.size};
            counts.push_back({setting, static_cast<std::int64_t>(input.recording->slots.size())});
            same = same && counts.back().value == counts.front().value;
            std::int64_t most = 0;
            for (const Event& event : input.recording->events) {
                const std::vector<Role> all = roles(event);
                for (std::size_t i = 0; i < all.size(); ++i)
                    if (all[i] == Role::request) most = std::max(most, event.values[i] + 1);
            }
            requests.push_back({setting, most});
        }
        model_.requests = memory_number(requests, "the number of requests in use at a time");
        model_.slots.count = memory_number(counts, "the number of buffers in use at a time");
        const std::size_t pieces = same ? static_cast<std::size_t>(counts[0].value) : 1;
        for (std::size_t slot = 0; slot < pieces; ++slot) {
            std::vector<NumberSample> before, behind;
            for (std::size_t i = 0; i < inputs_.size(); ++i) {
                SlotExtent extent;
                const auto& slots = inputs_[i].recording->slots;
                for (std::size_t k = 0; k < slots.size(); ++k) {
                    if (same && k != slot) continue;
                    extent.before = std::max(extent.before, slots[k].before);
                    extent.behind = std::max(extent.behind, slots[k].behind);
                }
                before.push_back({counts[i].setting, extent.before});
                behind.push_back({counts[i].setting, extent.behind});
            }
            const std::string name =
                "the bytes of " + (same ? "buffer " + std::to_string(slot) : "the largest buffer");
            model_.slots.extents.emplace_back(memory_number(before, name),
                                              memory_number(behind, name));
        }
    }

    static Number memory_number(const std::vector<NumberSample>& samples, const std::string& what) {
        const auto number = fit_number(samples);
        if (!number) fail(what + ": " + samples_words(samples));
        return *number;
    }

    void judge_ranks() {
        std::set<std::int64_t> ranks;
        for (const SizedInput& input : inputs_) ranks.insert(input.recording->size());
        model_.ranks.assign(ranks.begin(), ranks.end());
        model_.same_ranks = ranks.size() == 1;
        const bool squares = std::all_of(ranks.begin(), ranks.end(), [](std::int64_t number) {
            return grid_side(number, 2, 0) == grid_side(number, 2, 1);
        });
        for (const RankFeature& feature : model_.features)
            has_grid_ = has_grid_ || feature.dims != 0;
        model_.squares_only = has_grid_ && squares;
    }

    const std::vector<SizedInput>& inputs_;
    Detail detail_;
    SizedModel model_;
    std::vector<Member> members_;
    std::vector<std::vector<Member*>> forms_;
    std::map<std::vector<std::int64_t>, std::uint32_t> symbols_;
    std::map<std::string, std::size_t> text_numbers_, places_;
    std::map<std::int64_t, std::int64_t> grids_;  // dimensions by communicator
    std::vector<std::string> problems_;
    bool has_grid_ = false;
};

}  // namespace

std::int64_t stand_in(std::size_t formula) {
    return stand_in_first + 2 * static_cast<std::int64_t>(formula);
}

std::int64_t array_stand_in(std::size_t formula) {
    return array_stand_in_first + 2 * static_cast<std::int64_t>(formula);
}

bool RankFeature::holds(std::int64_t rank, std::int64_t ranks) const {
    switch (kind) {
        case Kind::first:
            return rank == 0;
        case Kind::last:
            return rank == ranks - 1;
        case Kind::odd:
            return rank % 2 == 1;
        case Kind::low_edge:
            return grid_coordinate(rank, ranks, dims, axis) == 0;
        case Kind::high_edge:
            return grid_coordinate(rank, ranks, dims, axis) == grid_side(ranks, dims, axis) - 1;
    }
    return false;
}

std::string RankFeature::text() const {
    const std::string where = std::to_string(dims) + ", " + std::to_string(axis) + ")";
    switch (kind) {
        case Kind::first:
            return "me[0] == 0";
        case Kind::last:
            return "me[0] == size[0] - 1";
        case Kind::odd:
            return "me[0] % 2 == 1";
        case Kind::low_edge:
            return "coordinate(me[0], size[0], " + where + " == 0";
        case Kind::high_edge:
            return "coordinate(me[0], size[0], " + where + " == side(size[0], " + where + " - 1";
    }
    return "0";
}

SizedModel fit_sizes(const std::vector<SizedInput>& inputs) {
    try {
        return Fitter(inputs, Detail::tags).fit();
    } catch (const std::runtime_error&) {
        return Fitter(inputs, Detail::plain).fit();
    }
}

}  // namespace refrain::proxy
