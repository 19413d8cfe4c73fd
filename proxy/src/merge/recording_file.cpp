#include "merge/recording.hpp"

#include <utility>

namespace refrain::proxy {
namespace {

void write_launch(BlockWriter& out, const Launch& launch) {
    write_texts(out, launch.words);
    out.number(launch.program);
    out.real(launch.seconds);
    out.signed_number(launch.status);
    out.end_block('L');
}

Launch read_launch_block(BlockReader& in) {
    Launch launch;
    in.begin_block('L');
    launch.words = read_texts(in);
    launch.program = in.below(launch.words.size() + 1, "word");
    launch.seconds = in.real();
    launch.status = static_cast<int>(in.signed_number());
    in.end_block();
    return launch;
}

void write_ranks(BlockWriter& out, const RankSet& set) {
    out.number(set.ranges().size());
    std::uint32_t at = 0;
    for (const RankSet::Range& range : set.ranges()) {
        out.number(range.first - at);
        out.number(range.last - range.first);
        at = range.last;
    }
}

RankSet read_ranks(BlockReader& in, std::size_t size) {
    RankSet set;
    std::uint64_t at = 0;
    for (std::size_t left = in.count(2); left > 0; --left) {
        const std::uint64_t first = at + in.below(size, "rank");
        const std::uint64_t last = first + in.below(size, "rank");
        if (last >= size) in.fail("names a rank that is not there");
        set.add(
            RankSet::Range{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)});
        at = last;
    }
    return set;
}

void write_times(BlockWriter& out, const std::vector<Recording::RankCalls>& ranks) {
    out.number(ranks.size());
    std::uint32_t at = 0;
    for (const Recording::RankCalls& each : ranks) {
        out.number(each.rank - std::exchange(at, each.rank));
        out.number(each.time.count);
        out.real(each.time.seconds);
    }
}

void read_times(BlockReader& in, std::uint32_t event, Recording& recording) {
    std::uint64_t rank = 0;
    for (std::size_t left = in.count(3); left > 0; --left) {
        rank += in.below(recording.ranks.size(), "rank");
        if (rank >= recording.ranks.size()) in.fail("names a rank that is not there");
        const std::uint64_t count = in.number();
        recording.add_time(event, static_cast<std::uint32_t>(rank), {count, in.real()});
    }
}

/// Runs in a row that the same ranks execute share one list of ranks.
void write_main(BlockWriter& out, const std::vector<MergedRun>& main) {
    std::vector<std::pair<const RankSet*, std::vector<strings::Run>>> parts;
    for (const MergedRun& run : main) {
        if (parts.empty() || !(*parts.back().first == run.ranks)) parts.push_back({&run.ranks, {}});
        parts.back().second.push_back(run.run);
    }
    out.number(parts.size());
    for (const auto& [ranks, runs] : parts) {
        write_ranks(out, *ranks);
        write_runs(out, runs);
    }
}

std::vector<MergedRun> read_main(BlockReader& in, const Recording& recording) {
    std::vector<MergedRun> main;
    for (std::size_t parts = in.count(2); parts > 0; --parts) {
        const RankSet ranks = read_ranks(in, recording.ranks.size());
        for (const strings::Run& run :
             read_runs(in, recording.events.size(), recording.rules.size()))
            main.push_back({run, ranks});
    }
    strings::Grammar all(1);
    for (const MergedRun& run : main) all[0].push_back(run.run);
    all.insert(all.end(), recording.rules.begin(), recording.rules.end());
    for (std::size_t rule = 0; rule < all.size(); ++rule)
        for (strings::Run& run : all[rule]) run.symbol += run.is_rule ? 1 : 0;
    if (strings::expanded_lengths(all).empty()) in.fail("has rules that use themselves");
    return main;
}

}  // namespace

std::string write(const Launch& launch) {
    BlockWriter out;
    write_launch(out, launch);
    return out.finish();
}

Launch read_launch(std::string_view file, const std::string& name) {
    BlockReader in(file, name);
    Launch launch = read_launch_block(in);
    in.finish();
    return launch;
}

std::string write(const Recording& recording) {
    BlockWriter out;
    write_launch(out, recording.launch);
    out.text(recording.library);
    out.number(static_cast<std::uint64_t>(recording.source));
    out.number(recording.ranks.size());
    for (const Recording::RankSummary& rank : recording.ranks) {
        out.number(static_cast<std::uint64_t>(rank.ending));
        out.real(rank.wall_seconds);
        out.real(rank.cpu_seconds);
        out.number(rank.events);
    }
    write_texts(out, recording.notes);
    write_texts(out, recording.texts);
    write_texts(out, recording.counts);
    out.number(recording.left_out);
    write_texts(out, recording.gaps);
    write_texts(out, recording.invented);
    out.number(recording.sites.size());
    for (const Site& site : recording.sites) {
        out.text(site.place);
        out.text(site.function);
    }
    out.end_block('M');
    write_events(out, recording.events);
    for (const auto& ranks : recording.rank_times) write_times(out, ranks);
    out.end_block('E');
    out.number(recording.rules.size());
    for (const auto& rule : recording.rules) write_runs(out, rule);
    write_main(out, recording.main);
    out.number(recording.threads.size());
    for (const Recording::Thread& thread : recording.threads) {
        write_main(out, thread.main);
        write_slots(out, thread.slots);
        for (const ThreadLife& life : thread.lives) write_life(out, life);
    }
    out.end_block('G');
    out.number(recording.work.size());
    for (const Recording::MergedWork& work : recording.work) {
        out.number(work.before == Work::start ? 0 : std::uint64_t{work.before} + 1);
        out.number(work.after);
        out.number(work.ranks.size());
        for (const Recording::RankWork& rank : work.ranks) {
            out.number(rank.rank);
            out.number(rank.count);
            out.real(rank.seconds);
            write_team(out, rank.team);
            if (!has_counts(recording.source)) continue;
            write_counts(out, rank.counts);
            write_team_counts(out, rank.team, rank.team_counts);
        }
    }
    out.end_block('W');
    write_slots(out, recording.slots);
    out.end_block('B');
    return out.finish();
}

std::size_t communication_bytes(const Recording& recording) {
    Recording bare;
    bare.events = recording.events;
    bare.rank_times.resize(bare.events.size());
    bare.rules = recording.rules;
    bare.main = recording.main;
    bare.texts = recording.texts;
    bare.slots = recording.slots;
    for (const Recording::Thread& thread : recording.threads)
        bare.threads.push_back({thread.main, thread.slots, {}});
    return write(bare).size();
}

Recording read_recording(std::string_view file, const std::string& name) {
    BlockReader in(file, name);
    Recording recording;
    recording.launch = read_launch_block(in);
    in.begin_block('M');
    recording.library = in.text();
    recording.source = static_cast<Source>(in.below(source_names.size(), "source"));
    recording.ranks.resize(in.count(4));
    for (Recording::RankSummary& rank : recording.ranks) {
        rank.ending = static_cast<Ending>(in.below(3, "ending"));
        rank.wall_seconds = in.real();
        rank.cpu_seconds = in.real();
        rank.events = in.number();
    }
    recording.notes = read_texts(in);
    recording.texts = read_texts(in);
    recording.counts = read_texts(in);
    recording.left_out = in.number();
    recording.gaps = read_texts(in);
    recording.invented = read_texts(in);
    recording.sites.resize(in.count(2));
    for (Site& site : recording.sites) {
        site.place = in.text();
        site.function = in.text();
    }
    in.end_block();
    in.begin_block('E');
    recording.events = read_events(in, recording.sites.size(), recording.texts.size());
    recording.times.resize(recording.events.size());
    recording.rank_times.resize(recording.events.size());
    for (std::uint32_t event = 0; event < recording.events.size(); ++event)
        read_times(in, event, recording);
    in.end_block();
    in.begin_block('G');
    recording.rules.resize(in.count());
    for (auto& rule : recording.rules) {
        rule = read_runs(in, recording.events.size(), recording.rules.size());
        if (rule.empty()) in.fail("has an empty rule");
    }
    recording.main = read_main(in, recording);
    recording.threads.resize(in.count(2));
    for (Recording::Thread& thread : recording.threads) {
        thread.main = read_main(in, recording);
        thread.slots = read_slots(in);
        for (std::size_t rank = 0; rank < recording.ranks.size(); ++rank)
            thread.lives.push_back(read_life(in));
    }
    for (const Event& event : recording.events)
        if (event.thread > recording.threads.size())
            in.fail("has calls of a thread that is not there");
    in.end_block();
    in.begin_block('W');
    recording.work.resize(in.count(3));
    for (Recording::MergedWork& work : recording.work) {
        const std::size_t before = in.below(recording.events.size() + 1, "event");
        work.before = before == 0 ? Work::start : static_cast<std::uint32_t>(before - 1);
        work.after = static_cast<std::uint32_t>(in.below(recording.events.size(), "event"));
        work.ranks.resize(in.count(3));
        for (Recording::RankWork& rank : work.ranks) {
            rank.rank = static_cast<std::uint32_t>(in.below(recording.ranks.size(), "rank"));
            rank.count = in.number();
            rank.seconds = in.real();
            rank.team = read_team(in);
            if (!has_counts(recording.source)) continue;
            rank.counts = read_counts(in);
            rank.team_counts = read_team_counts(in, rank.team);
        }
    }
    in.end_block();
    in.begin_block('B');
    recording.slots = read_slots(in);
    in.end_block();
    in.finish();
    return recording;
}

}  // namespace refrain::proxy
