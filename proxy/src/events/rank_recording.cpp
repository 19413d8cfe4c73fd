#include "events/rank_recording.hpp"

#include <algorithm>
#include <span>

namespace refrain::proxy {
namespace {

constexpr std::size_t threads_max = std::size_t{1} << 20;

}  // namespace

void write_texts(BlockWriter& out, const std::vector<std::string>& texts) {
    out.number(texts.size());
    for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> read_texts(BlockReader& in) {
    std::vector<std::string> texts(in.count());
    for (std::string& text : texts) text = in.text();
    return texts;
}

void write_events(BlockWriter& out, const std::vector<Event>& events) {
    // Functions by name: the table may change from version to version.
    std::vector<std::size_t> number(function_count + 1, 0);
    std::vector<std::string> names;
    for (const Event& event : events) {
        std::size_t& mine = number[static_cast<std::size_t>(event.function)];
        if (mine != 0) continue;
        names.emplace_back(info(event.function).name);
        mine = names.size();
    }
    write_texts(out, names);
    out.number(events.size());
    for (const Event& event : events) {
        out.number(number[static_cast<std::size_t>(event.function)] - 1);
        out.number(event.values.size());
        for (const std::int64_t value : event.values) out.signed_number(value);
    }
    for (const auto member : {&Event::site, &Event::thread}) {
        const bool any = std::any_of(events.begin(), events.end(),
                                     [&](const Event& event) { return event.*member != 0; });
        out.number(any ? 1 : 0);
        if (any)
            for (const Event& event : events) out.number(event.*member);
    }
}

namespace {

/// Whether the event names only texts below number `texts`.
bool has_texts(const Event& event, std::size_t texts) {
    const std::vector<Role> all = roles(event);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] == Role::text &&
            (event.values[i] < 0 || static_cast<std::size_t>(event.values[i]) >= texts))
            return false;
    return true;
}

/// Whether datatypes and operations of MPI's own are ones that this version knows.
bool has_predefined(const Event& event) {
    const std::vector<Role> all = roles(event);
    const auto types = static_cast<std::int64_t>(predefined_types().size());
    const auto ops = static_cast<std::int64_t>(predefined_ops().size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::int64_t value = event.values[i];
        if (all[i] == Role::type && value >= types && value < derived_type) return false;
        if (all[i] == Role::op && value >= ops && value < user_op) return false;
    }
    return true;
}

/// Whether ranges of ranks are triples.
bool has_triples(const Event& event) {
    for (const Argument& argument : arguments_of(event))
        if (argument.parameter != nullptr && argument.parameter->kind == Kind::ranges_ &&
            event.values[argument.begin] % 3 != 0)
            return false;
    return true;
}

/// Whether what was completed is among the requests that the call names, and each of several has a status.
bool has_indices(const Event& event) {
    std::int64_t requests = 0, done = -1;
    for (const Argument& argument : arguments_of(event)) {
        if (argument.parameter == nullptr) continue;
        const Kind kind = argument.parameter->kind;
        const auto values = std::span(event.values).subspan(argument.begin, argument.count);
        if (kind == Kind::waits_) requests = values[0];
        if (kind == Kind::oindex_ && values[0] >= requests) return false;  // negative: none
        if (kind == Kind::oindices_) {
            done = values[0];
            for (const std::int64_t index : values.subspan(1))
                if (index < 0 || index >= requests) return false;
        }
        if (kind == Kind::statuses_ && done >= 0 && values[0] != done) return false;
    }
    return true;
}

}  // namespace

std::vector<Event> read_events(BlockReader& in, std::size_t sites, std::size_t texts) {
    const std::vector<std::string> names = read_texts(in);
    std::vector<Event> events(in.count(2));
    for (Event& event : events) {
        const std::string& name = names[in.below(names.size(), "function")];
        event.function = function_named(name);
        if (event.function == Function::by_name && name != info(Function::by_name).name)
            in.fail("has calls of MPI_" + name + ", which this version does not know");
        event.values.resize(in.count());
        for (std::int64_t& value : event.values) value = in.signed_number();
        if (!split(event) || !has_triples(event) || !has_indices(event) || !has_predefined(event))
            in.fail("has arguments that do not fit MPI_" + name);
        if (!has_texts(event, texts)) in.fail("has no text that a call of MPI_" + name + " names");
    }
    if (in.below(2, "flag") != 0)
        for (Event& event : events)
            event.site = static_cast<std::uint32_t>(in.below(sites + 1, "place of a call"));
    if (in.below(2, "flag") != 0)
        for (Event& event : events)
            event.thread = static_cast<std::uint32_t>(in.below(threads_max, "thread"));
    return events;
}

void write_runs(BlockWriter& out, const std::vector<strings::Run>& runs) {
    out.number(runs.size());
    for (const strings::Run& run : runs) {
        out.number(std::uint64_t{run.symbol} * 4 + (run.is_rule ? 2 : 0) + (run.count > 1 ? 1 : 0));
        if (run.count > 1) out.number(run.count);
    }
}

std::vector<strings::Run> read_runs(BlockReader& in, std::size_t terminals, std::size_t rules) {
    std::vector<strings::Run> runs(in.count());
    for (strings::Run& run : runs) {
        const std::uint64_t code = in.number();
        run.is_rule = (code & 2) != 0;
        run.count = (code & 1) != 0 ? in.number() : 1;
        if (run.count == 0) in.fail("has a run of nothing");
        if (code / 4 >= (run.is_rule ? rules : terminals))
            in.fail(run.is_rule ? "names a rule that is not there"
                                : "names an event that is not there");
        run.symbol = static_cast<std::uint32_t>(code / 4);
    }
    return runs;
}

void add(TeamCounts& sum, std::span<const Counts> more) {
    if (sum.size() < more.size()) sum.resize(more.size());
    for (std::size_t thread = 0; thread < more.size(); ++thread) add(sum[thread], more[thread]);
}

std::vector<Counts> parts_of(const Counts& all, const TeamCounts& team) {
    std::vector<Counts> parts{all};
    for (const Counts& each : team) {
        parts[0] = without(parts[0], each);
        parts.push_back(each);
    }
    return parts;
}

void write_counts(BlockWriter& out, const Counts& counts) {
    for (const std::uint64_t count : counts) out.number(count);
}

Counts read_counts(BlockReader& in) {
    Counts counts{};
    for (std::uint64_t& count : counts) count = in.number();
    return counts;
}

void write_team_counts(BlockWriter& out, const TeamWork& team, const TeamCounts& counts) {
    if (team.threads <= 1) return;
    out.number(counts.size());
    for (const Counts& each : counts) write_counts(out, each);
}

TeamCounts read_team_counts(BlockReader& in, const TeamWork& team) {
    if (team.threads <= 1) return {};
    TeamCounts counts;
    counts.resize(in.count(metric_count));
    if (counts.size() > team.threads) in.fail("has counts of threads beyond the team");
    for (Counts& each : counts) each = read_counts(in);
    return counts;
}

void write_team(BlockWriter& out, const TeamWork& team) {
    out.number(team.threads);
    if (team.threads > 1) out.real(team.seconds);
}

TeamWork read_team(BlockReader& in) {
    TeamWork team;
    team.threads = static_cast<std::uint32_t>(in.below(threads_max, "number of threads"));
    if (team.threads > 1) team.seconds = in.real();
    return team;
}

void write_life(BlockWriter& out, const ThreadLife& life) {
    for (const std::uint64_t number : {life.behind, life.before, life.began, life.ended})
        out.number(number);
}

ThreadLife read_life(BlockReader& in) {
    ThreadLife life;
    for (std::uint64_t* const number : {&life.behind, &life.before, &life.began, &life.ended})
        *number = in.number();
    return life;
}

void write_slots(BlockWriter& out, const std::vector<SlotExtent>& slots) {
    out.number(slots.size());
    for (const SlotExtent& slot : slots) {
        out.signed_number(slot.before);
        out.signed_number(slot.behind);
        out.number(static_cast<std::uint64_t>(slot.low_bits));
    }
}

std::vector<SlotExtent> read_slots(BlockReader& in) {
    std::vector<SlotExtent> slots(in.count(3));
    for (SlotExtent& slot : slots) {
        slot.before = in.signed_number();
        slot.behind = in.signed_number();
        slot.low_bits = static_cast<std::int64_t>(in.below(SlotExtent::lines, "alignment"));
    }
    return slots;
}

namespace {

void write_grammar(BlockWriter& out, const strings::Grammar& grammar) {
    out.number(grammar.size());
    for (const auto& rule : grammar) write_runs(out, rule);
}

strings::Grammar read_grammar(BlockReader& in, std::size_t events) {
    strings::Grammar grammar(in.count());
    for (auto& rule : grammar) {
        rule = read_runs(in, events, grammar.size());
        if (rule.empty() && &rule != grammar.data()) in.fail("has an empty rule");
    }
    if (grammar.empty() || strings::expanded_lengths(grammar).empty())
        in.fail("has rules that use themselves");
    return grammar;
}

}  // namespace

std::string write(const RankRecording& recording) {
    BlockWriter out;
    out.number(recording.rank);
    out.number(recording.size);
    out.number(recording.part);
    out.number(static_cast<std::uint64_t>(recording.ending));
    out.text(recording.library);
    out.number(static_cast<std::uint64_t>(recording.source));
    out.real(recording.wall_seconds);
    out.real(recording.cpu_seconds);
    out.number(recording.left_out);
    write_texts(out, recording.notes);
    write_texts(out, recording.texts);
    write_texts(out, recording.sites);
    out.end_block('R');
    write_events(out, recording.events);
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
        const CallTime time = i < recording.times.size() ? recording.times[i] : CallTime{};
        out.number(time.count);
        out.real(time.seconds);
    }
    out.end_block('E');
    write_grammar(out, recording.grammar);
    out.number(recording.threads.size());
    for (const ThreadStream& each : recording.threads) {
        write_grammar(out, each.grammar);
        write_life(out, each.life);
    }
    out.end_block('G');
    out.number(recording.work.size());
    for (const Work& work : recording.work) {
        out.number(work.before == Work::start ? 0 : std::uint64_t{work.before} + 1);
        out.number(work.after);
        out.number(work.count);
        out.real(work.seconds);
        write_team(out, work.team);
        if (!has_counts(recording.source)) continue;
        write_counts(out, work.counts);
        write_team_counts(out, work.team, work.team_counts);
    }
    out.end_block('W');
    write_slots(out, recording.slots);
    for (const ThreadStream& each : recording.threads) write_slots(out, each.slots);
    out.number(recording.attached.size());
    for (const Attached& each : recording.attached) {
        out.number(each.address);
        out.number(each.bytes);
    }
    out.end_block('B');
    return out.finish();
}

RankRecording read_rank(std::string_view file, const std::string& name) {
    BlockReader in(file, name);
    RankRecording recording;
    in.begin_block('R');
    recording.rank = static_cast<std::uint32_t>(in.below(1u << 24, "rank"));
    recording.size = static_cast<std::uint32_t>(in.below(1u << 24, "number of ranks"));
    recording.part = static_cast<std::uint32_t>(in.below(1u << 24, "part"));
    recording.ending = static_cast<Ending>(in.below(3, "ending"));
    recording.library = in.text();
    recording.source = static_cast<Source>(in.below(source_names.size(), "source"));
    recording.wall_seconds = in.real();
    recording.cpu_seconds = in.real();
    recording.left_out = in.number();
    recording.notes = read_texts(in);
    recording.texts = read_texts(in);
    recording.sites = read_texts(in);
    if (recording.rank >= recording.size) in.fail("is of a rank beyond the number of ranks");
    in.end_block();
    in.begin_block('E');
    recording.events = read_events(in, recording.sites.size(), recording.texts.size());
    recording.times.resize(recording.events.size());
    for (CallTime& time : recording.times) {
        time.count = in.number();
        time.seconds = in.real();
    }
    in.end_block();
    in.begin_block('G');
    recording.grammar = read_grammar(in, recording.events.size());
    recording.threads.resize(in.count(6));
    for (ThreadStream& each : recording.threads) {
        each.grammar = read_grammar(in, recording.events.size());
        each.life = read_life(in);
    }
    for (const Event& event : recording.events)
        if (event.thread > recording.threads.size())
            in.fail("has calls of a thread that is not there");
    in.end_block();
    in.begin_block('W');
    recording.work.resize(in.count(4));
    for (Work& work : recording.work) {
        const std::size_t before = in.below(recording.events.size() + 1, "event");
        work.before = before == 0 ? Work::start : static_cast<std::uint32_t>(before - 1);
        work.after = static_cast<std::uint32_t>(in.below(recording.events.size(), "event"));
        work.count = in.number();
        work.seconds = in.real();
        work.team = read_team(in);
        if (!has_counts(recording.source)) continue;
        work.counts = read_counts(in);
        work.team_counts = read_team_counts(in, work.team);
    }
    in.end_block();
    in.begin_block('B');
    recording.slots = read_slots(in);
    for (ThreadStream& each : recording.threads) each.slots = read_slots(in);
    recording.attached.resize(in.count(2));
    for (Attached& each : recording.attached) {
        each.address = in.number();
        each.bytes = in.number();
        if (each.address + each.bytes < each.address) in.fail("attached memory beyond all memory");
    }
    in.end_block();
    in.finish();
    return recording;
}

}  // namespace refrain::proxy
