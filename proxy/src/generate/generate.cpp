#include "generate/generate.hpp"

#include "generate/blocks.hpp"
#include "generate/call_text.hpp"
#include "generate/check_text.hpp"
#include "generate/computations.hpp"
#include "generate/frame.hpp"
#include "generate/free.hpp"
#include "generate/long_body.hpp"
#include "generate/loops.hpp"
#include "generate/polls.hpp"
#include "generate/portable_blocks.hpp"
#include "generate/rule_book.hpp"
#include "generate/threads.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>

namespace refrain::proxy {
namespace {

using strings::Run;

constexpr double work_seconds_min = 50e-9;  // less than the clock takes to read
constexpr double work_alike = 0.05;         // ranks whose work differs by less share a number,
constexpr double work_floor = 0.3e-6;       // or by less than this
constexpr std::int64_t tag_bound = 32767;   // every MPI has tags up to it
constexpr const char* free_line =
    "/* Polls and receives from any source find what is there: `refrain proxy verify` reads this. "
    "*/\n"
    "enum { FREE_PROXY = 1 };\n";

/// "me[0] >= 1 && me[0] <= 2"
std::string condition(const RankSet& ranks, std::uint32_t size) {
    std::string text;
    const auto single = [&](const RankSet::Range& range) {
        const std::string first = std::to_string(range.first), last = std::to_string(range.last);
        if (range.first == range.last) return "me[0] == " + first;
        if (range.first == 0) return "me[0] <= " + last;
        if (range.last + 1 == size) return "me[0] >= " + first;
        return "me[0] >= " + first + " && me[0] <= " + last;
    };
    for (const RankSet::Range& range : ranks.ranges()) {
        const std::string one = single(range);
        const bool brackets = ranks.ranges().size() > 1 && one.find("&&") != std::string::npos;
        text += (text.empty() ? "" : " || ") + (brackets ? "(" + one + ")" : one);
    }
    return text;
}

/// "/* Blocks were counted as compiled by 'gcc 12.2.0' with -O2. */": counts of portable blocks depend
/// on the compiler. Its name comes from a file.
std::string counted_by(const Machine& machine) {
    if (machine.block_kind == BlockKind::assembly) return {};
    std::string compiler;
    for (const char letter : machine.compiler)
        if (letter >= ' ' && letter <= '~' && letter != '*' && letter != '\\') compiler += letter;
    return "\n/* The blocks were counted as compiled by '" + compiler + "' with " + block_flags +
           ": others make other instructions of\n   them. */\n";
}

/// What a free proxy leaves to the network, of a recording without the polls that it repeats.
struct Freedom {
    std::set<std::uint32_t> live;
    std::map<std::uint32_t, double> pauses;  // seconds, by poll
};

/// Writes the rules of a recording as functions.
class Writer {
  public:
    Writer(const Recording& recording, std::int64_t tag, const Computations* computations,
           const Freedom* freedom = nullptr,
           const std::map<std::uint32_t, ThreadPoint>* points = nullptr)
        : recording_(recording),
          computations_(computations),
          freedom_(freedom),
          points_(points),
          book_(recording),
          // Others than the first thread send and receive, too: no loop of the first one is known to stand alone.
          loops_(points == nullptr ? common_loops(recording) : std::vector<Loop>()),
          calls_(recording.size(), tag, recording.texts) {
        for (const Recording::MergedWork& work : recording.work)
            work_[{work.before, work.after}] = &work;
        for (std::size_t i = 0; i < loops_.size(); ++i)
            for (const RunPlace& place : loops_[i].places) loop_at_[place] = i;
        for (const Event& event : recording.events)
            if (keeps_size(event)) calls_.keep_size(event.function);
    }

    [[nodiscard]] std::string text(const std::string& title) {
        // The frame follows from what the rules use.
        std::string functions;
        std::vector<bool> written(recording_.rules.size(), false);
        for (std::uint32_t thread = 0; thread <= recording_.threads.size(); ++thread)
            for (const MergedRun& run : recording_.main_of(thread))
                if (run.run.is_rule) write_rule(run.run.symbol, written, functions);
        std::string program;
        for (std::uint32_t thread = 1; thread <= recording_.threads.size(); ++thread)
            program += thread_function(thread);
        program += main_function();
        if (is_in_parts_) program.insert(0, LongBody::as_written);
        std::string all =
            "/* " + title +
            "\n *\n * Made by `refrain proxy generate`. It makes the same MPI calls as the "
            "recorded program, with\n * the recorded computation between them, and needs nothing "
            "but MPI:\n *\n *     mpicc -O2 -o proxy proxy.c && mpirun -n " +
            std::to_string(recording_.size()) +
            " ./proxy\n *\n * Read `program` first: it is the whole run.\n */\n"
            "#define _POSIX_C_SOURCE 200809L\n#include <mpi.h>\n#include <stdio.h>\n#include "
            "<stdlib.h>\n#include <string.h>\n#include <time.h>\n";
        if (points_ != nullptr) all += "#include <pthread.h>\n";
        if (!calls_.filenames.empty()) all += "#include <unistd.h>\n";
        all += "\n";
        if (freedom_ != nullptr) all += free_line;
        Frame frame;
        frame.has_files = !calls_.filenames.empty();
        frame.ranks = recording_.size();
        frame.threads = recording_.threads.size();
        frame.loops = loops_;
        std::int64_t arena = 0;
        for (const SlotExtent& slot : recording_.slots) {
            const auto round = [](std::int64_t bytes) {
                return (bytes + SlotExtent::lines - 1) / SlotExtent::lines * SlotExtent::lines;
            };
            const std::int64_t line = arena + round(slot.before);
            frame.slot_places.push_back(line + slot.shift());
            arena = line + round(slot.shift() + std::max<std::int64_t>(slot.behind, 1));
        }
        frame.arena_bytes = std::max<std::int64_t>(arena, 8);
        frame.checks = points_ == nullptr && can_check(calls_.functions) &&
                       (freedom_ == nullptr || freedom_->live.empty());
        if (!events_.empty())
            frame.blocks = counted_by(computations_->machine()) +
                           blocks_text(computations_->machine().block_kind, events_,
                                       has_teams_ ? Teams::some : Teams::none);
        all += frame_before(calls_, frame);
        if (!tables_.empty())
            all += (computations_ != nullptr ? "\n/* Events of computation, by rank. */\n"
                                             : "\n/* Seconds of work, by rank. */\n") +
                   tables_;
        for (const auto& [number, function] : call_functions_) all += function;
        return all + functions + program + frame_behind(frame);
    }

  private:
    /// The statement that computes between two events; empty if there is too little to do. `ranks`: those
    /// that execute it.
    [[nodiscard]] std::string work(std::uint32_t before, std::uint32_t after,
                                   const RankSet& ranks) {
        const auto found = work_.find({before, after});
        if (found == work_.end()) return {};
        if (computations_ != nullptr) return counted_work(*found->second, ranks);
        std::vector<double> alone(recording_.size(), 0), in_team(recording_.size(), 0);
        std::vector<bool> computes(recording_.size(), false);
        std::uint32_t threads = 1;
        double most = 0;
        for (const Recording::RankWork& rank : found->second->ranks) {
            if (rank.count == 0 || !ranks.contains(rank.rank)) continue;
            const auto count = static_cast<double>(rank.count);
            computes[rank.rank] = true;
            in_team[rank.rank] = rank.team.seconds / count;
            alone[rank.rank] = rank.seconds / count - in_team[rank.rank];
            threads = std::max(threads, rank.team.threads);
            most = std::max(most, rank.seconds / count);
        }
        if (most < work_seconds_min) return {};
        calls_.helpers.insert("work");
        if (threads == 1) return "work(" + by_rank(alone, computes) + ")";
        calls_.helpers.insert("work_in_team");
        return "work_in_team(" + by_rank(alone, computes) + ", " + std::to_string(threads) + ", " +
               by_rank(in_team, computes) + ")";
    }

    /// Seconds: one number, if ranks differ little, or a table.
    [[nodiscard]] std::string by_rank(const std::vector<double>& mean,
                                      const std::vector<bool>& computes) {
        double least = 1e300, most = 0;
        for (std::size_t rank = 0; rank < mean.size(); ++rank)
            if (computes[rank]) {
                least = std::min(least, mean[rank]);
                most = std::max(most, mean[rank]);
            }
        if (most - least <= std::max(work_floor, work_alike * most))
            return decimal((least + most) / 2);
        std::string row;
        for (std::size_t rank = 0; rank < mean.size(); ++rank)
            row += (rank == 0 ? "" : ", ") + decimal(mean[rank]);
        const auto [table, is_new] = table_names_.try_emplace(row, table_names_.size());
        const std::string name = "work_" + std::to_string(table->second);
        if (is_new) tables_ += "static const double " + name + "[RANKS] = {" + row + "};\n";
        return name + "[me[0]]";
    }

    /// The same by counts: ranks that count alike share an event.
    [[nodiscard]] std::string counted_work(const Recording::MergedWork& work,
                                           const RankSet& ranks) {
        std::vector<int> alone(recording_.size(), -1);
        std::vector<std::string> teams(recording_.size(), "NULL");
        std::set<int> different;
        std::set<std::string> different_teams;
        for (const Recording::RankWork& rank : work.ranks) {
            if (rank.count == 0 || !ranks.contains(rank.rank)) continue;
            std::vector<int> parts = computations_->events_of(work.before, work.after, rank.rank);
            for (int& event : parts) event = used_event(event);
            if (parts.empty()) parts.push_back(-1);
            different.insert(alone[rank.rank] = parts[0]);
            teams[rank.rank] = team_name(std::span(parts).subspan(1));
            different_teams.insert(teams[rank.rank]);
        }
        const bool nobody = different.empty() || (different.size() == 1 && *different.begin() < 0);
        if (different_teams.empty() || different_teams == std::set<std::string>{"NULL"}) {
            if (nobody) return {};
            calls_.helpers.insert("compute_event");
            return "compute_event(" + event_by_rank(alone, different) + ")";
        }
        const std::string team =
            different_teams.size() == 1
                ? *different_teams.begin()
                : table_by_rank("static const event *const ", "teams_", "[RANKS] = ", teams);
        return "compute_in_team(" + (nobody ? "NULL" : event_by_rank(alone, different)) + ", " +
               team + ")";
    }

    /// The event that each rank computes alone: one for all, or a table.
    [[nodiscard]] std::string event_by_rank(const std::vector<int>& event,
                                            const std::set<int>& different) {
        if (different.size() == 1) return "event_" + std::to_string(*different.begin());
        if (different.contains(-1)) (void)nothing();
        std::vector<std::string> names;
        for (const int each : event)
            names.push_back("event_" + std::to_string(each < 0 ? std::max(nothing_, 0) : each));
        return table_by_rank("static void (*const ", "events_", "[RANKS])(void) = ", names);
    }

    [[nodiscard]] std::string table_by_rank(const std::string& before, const std::string& kind,
                                            const std::string& behind,
                                            const std::vector<std::string>& entries) {
        const auto [name, is_new] = name_of_table(kind, entries);
        if (is_new) tables_ += before + name + behind + braced(entries) + ";\n";
        return name + "[me[0]]";
    }

    /// What each thread of a team computes, as a table; NULL if they have nothing to do.
    [[nodiscard]] std::string team_name(std::span<const int> events) {
        if (std::all_of(events.begin(), events.end(), [](int each) { return each < 0; }))
            return "NULL";
        std::vector<std::string> entries;
        for (const int event : events)
            entries.push_back("event_" + std::to_string(event < 0 ? nothing() : event));
        entries.emplace_back("NULL");
        const auto [name, is_new] = name_of_table("team_", entries);
        if (is_new) tables_ += "static const event " + name + "[] = " + braced(entries) + ";\n";
        has_teams_ = true;
        return name;
    }

    /// The name of a table with these entries, and whether it has yet to be written.
    [[nodiscard]] std::pair<std::string, bool> name_of_table(
        const std::string& kind, const std::vector<std::string>& entries) {
        const auto [table, is_new] = table_names_.try_emplace(braced(entries), table_names_.size());
        return {kind + std::to_string(table->second), is_new};
    }
    [[nodiscard]] static std::string braced(const std::vector<std::string>& entries) {
        std::string row;
        for (const std::string& entry : entries) row += (row.empty() ? "" : ", ") + entry;
        return "{" + row + "}";
    }

    /// An event that computes nothing, for ranks and threads that do not.
    [[nodiscard]] int nothing() {
        if (nothing_ < 0) {
            nothing_ = static_cast<int>(events_.size());
            events_.push_back({{}, "nothing"});
        }
        return nothing_;
    }

    /// Its number among the events that are used; -1 stays.
    [[nodiscard]] int used_event(int event) {
        if (event < 0) return event;
        const auto [number, is_new] = used_events_.try_emplace(event, events_.size());
        if (is_new) events_.push_back(computations_->events()[static_cast<std::size_t>(event)]);
        return static_cast<int>(number->second);
    }

    /// One call, as strict or as free as it is to be.
    [[nodiscard]] std::vector<std::string> spell(std::uint32_t number) {
        const Event& event = recording_.events[number];
        if (freedom_ == nullptr) return calls_.statements(event);
        const bool polls = is_live_poll(event.function) && !told_no(event);
        if (!polls && !freedom_->live.contains(number)) return calls_.statements(event);
        const auto pause = freedom_->pauses.find(number);
        if (polls) calls_.helpers.insert("work");
        return calls_.live_statements(
            event, pause == freedom_->pauses.end() || pause->second < work_seconds_min
                       ? 0
                       : pause->second);
    }

    /// Statements of one execution of a run, without the work before it.
    [[nodiscard]] std::vector<std::string> body(const Run& run) {
        if (run.is_rule) return {book_.name(run.symbol) + "()"};
        if (const ThreadPoint* const point = point_at(run)) {
            const std::string number = std::to_string(point->thread);
            if (point->what == ThreadPoint::What::join) return {"join_thread(" + number + ")"};
            return {"start_thread(" + number + ", thread_" + number + ")"};
        }
        const Event& event = recording_.events[run.symbol];
        std::vector<std::string> statements = spell(run.symbol);
        std::size_t size = 0;
        for (const std::string& statement : statements) size += statement.size();
        const bool whole_run = event.function == Function::Init_ ||
                               event.function == Function::Init_thread_ ||
                               event.function == Function::Finalize_;
        if (whole_run || (statements.size() == 1 && size < 200)) return statements;
        std::string& function = call_functions_[run.symbol];
        const std::string name =
            book_.name(Run{1, run.symbol, false}) + "_" + std::to_string(run.symbol);
        if (function.empty()) {
            function = "\nstatic void " + name + "(void)\n{\n";
            for (const std::string& statement : statements) function += "    " + statement + ";\n";
            function += "}\n";
        }
        return {name + "()"};
    }

    /// A run with the work before it and between its repetitions.
    void write_run(const Run& run, const RunPlace& place, const std::string& work_before,
                   const RankSet& ranks, const std::string& indent, std::string& out) {
        const auto line = [&](const std::string& text, const std::string& deeper = "") {
            if (!text.empty()) out += indent + deeper + text + ";\n";
        };
        const std::vector<std::string> statements = body(run);
        const std::string between =
            run.count > 1 ? work(book_.last_of(run), book_.first_of(run), ranks) : std::string();
        if (run.count == 1) {
            line(work_before);
            for (const std::string& statement : statements) line(statement);
            return;
        }
        const auto known = loop_at_.find(place);
        const Loop* const loop = known == loop_at_.end() ? nullptr : &loops_[known->second];
        const bool phase = loop != nullptr && loop->top;
        const std::string first = phase ? "-warmup" : "0";
        const bool alike = work_before == between;
        if (!alike) line(work_before);
        const bool braces = statements.size() > 1 || !between.empty() || phase;
        out += indent + "for (long i = " + first + "; i < " +
               (loop == nullptr ? std::to_string(run.count)
                                : "times[" + constant_of(loop->name) + "]") +
               "; i++)" + (braces ? " {" : "") + "\n";
        if (phase) line("iteration(" + constant_of(loop->name) + ", i)", "    ");
        if (!between.empty() && alike) line(between, "    ");
        if (!between.empty() && !alike) {
            out += indent + "    if (i > " + first + ")\n";
            line(between, "        ");
        }
        for (const std::string& statement : statements) line(statement, "    ");
        if (braces) out += indent + "}\n";
        if (phase) line("enter(PHASES)");
    }

    void write_rule(std::uint32_t root, std::vector<bool>& written, std::string& out) {
        // Used rules first; without recursion.
        std::vector<std::pair<std::uint32_t, std::size_t>> stack{{root, 0}};
        while (!stack.empty()) {
            auto& [rule, index] = stack.back();
            const std::vector<Run>& runs = recording_.rules[rule];
            if (written[rule]) {
                stack.pop_back();
                continue;
            }
            if (index < runs.size()) {
                const Run& run = runs[index++];
                if (run.is_rule && !written[run.symbol]) stack.emplace_back(run.symbol, 0);
                continue;
            }
            written[rule] = true;
            const RankSet ranks = RankSet::all(recording_.size());
            LongBody all(book_.name(rule), LongBody::Runs::often, alike());
            for (std::size_t i = 0; i < runs.size(); ++i) {
                all.cut();
                write_run(runs[i], {rule, i},
                          i == 0 ? std::string()
                                 : work(book_.last_of(runs[i - 1]), book_.first_of(runs[i]), ranks),
                          ranks, "    ", all.open());
            }
            out += all.functions() + "\n/* " + std::to_string(book_.calls(rule)) +
                   " calls: " + book_.contents(Run{1, rule, true}) + " */\nstatic void " +
                   book_.name(rule) + "(void)\n{\n" + all.text() + "}\n";
            stack.pop_back();
        }
    }

    [[nodiscard]] bool begins_mpi(const Run& run) const {
        if (run.is_rule) return false;
        const Function function = recording_.events[run.symbol].function;
        return function == Function::Init_ || function == Function::Init_thread_;
    }

    [[nodiscard]] const ThreadPoint* point_at(const Run& run) const {
        if (points_ == nullptr || run.is_rule) return nullptr;
        const auto found = points_->find(run.symbol);
        return found == points_->end() ? nullptr : &found->second;
    }

    /// Where computation is counted, what stands between the calls of a main rule counts as well, and is optimised.
    [[nodiscard]] LongBody::Runs main_runs() const {
        return computations_ == nullptr ? LongBody::Runs::once : LongBody::Runs::often;
    }

    /// There likewise reading a table counts.
    [[nodiscard]] LongBody::Alike alike() const {
        return computations_ == nullptr ? LongBody::Alike::folded : LongBody::Alike::kept;
    }

    /// The main rule of the first thread.
    [[nodiscard]] std::string main_function() {
        std::string beginning;
        LongBody all("program", main_runs(), alike());
        std::vector<std::uint32_t> latest(recording_.size(), Work::start);
        // Nobody knows its rank before MPI_Init, which therefore stands under no condition.
        for (const MergedRun& run : recording_.main) {
            if (!begins_mpi(run.run)) continue;
            if (beginning.empty()) write_run(run.run, {}, {}, run.ranks, "    ", beginning);
            for (const std::uint32_t rank : run.ranks.members()) latest[rank] = run.run.symbol;
        }
        write_main(recording_.main, latest, all);
        is_in_parts_ |= all.has_parts_as_written();
        return all.functions() +
               "\n/* The whole run. */\nstatic void program(int *argc, char ***argv)\n{\n" +
               beginning + all.text() + "}\n";
    }

    /// That of another one.
    [[nodiscard]] std::string thread_function(std::uint32_t thread) {
        const std::string number = std::to_string(thread);
        LongBody all("thread_" + number, main_runs(), alike());
        std::vector<std::uint32_t> latest(recording_.size(), Work::start);
        write_main(recording_.main_of(thread), latest, all);
        is_in_parts_ |= all.has_parts_as_written();
        return all.functions() +
               "\n/* What another thread does, beside the first one. */\nstatic void *thread_" +
               number + "(void *unused)\n{\n    begin_thread(" + number + ");\n" + all.text() +
               "    end_thread(" + number + ");\n    return unused;\n}\n";
    }

    /// Runs of the same ranks under one condition. `latest`: the event that came before, by rank.
    void write_main(const std::vector<MergedRun>& main, std::vector<std::uint32_t>& latest,
                    LongBody& all) {
        std::string& text = all.open();
        RankSet open;
        const RankSet everybody = RankSet::all(recording_.size());
        const auto close = [&] {
            if (!open.empty() && !(open == everybody)) text += "    }\n";
            open = {};
        };
        for (std::size_t i = 0; i < main.size(); ++i) {
            const MergedRun& run = main[i];
            if (run.ranks.empty() || begins_mpi(run.run)) continue;
            if (all.is_long()) {
                close();
                all.cut();
            }
            if (!(run.ranks == open)) {
                close();
                open = run.ranks;
                if (!(open == everybody))
                    text += "    if (" + condition(open, recording_.size()) + ") {\n";
            }
            const std::string indent = open == everybody ? "    " : "        ";
            if (point_at(run.run) != nullptr) {
                write_run(run.run, {}, {}, run.ranks, indent, text);
                continue;
            }
            // Ranks may come here from different places.
            std::map<std::uint32_t, RankSet> origins;
            for (const std::uint32_t rank : run.ranks.members()) {
                origins[latest[rank]].add(rank);
                latest[rank] = book_.last_of(run.run);
            }
            std::string before;
            if (origins.size() == 1)
                before = work(origins.begin()->first, book_.first_of(run.run), run.ranks);
            else
                for (const auto& [origin, ranks] : origins)
                    if (const std::string one = work(origin, book_.first_of(run.run), ranks);
                        !one.empty())
                        text += indent + "if (" + condition(ranks, recording_.size()) + ")\n" +
                                indent + "    " + one + ";\n";
            write_run(run.run, {RunPlace::main_rule, i}, before, run.ranks, indent, text);
        }
        close();
    }

    const Recording& recording_;
    const Computations* computations_;
    const Freedom* freedom_;                              // null: strict
    const std::map<std::uint32_t, ThreadPoint>* points_;  // null: there is one thread
    RuleBook book_;
    std::vector<Loop> loops_;
    CallText calls_;
    std::map<RunPlace, std::size_t> loop_at_;
    std::vector<BlockEvent> events_;
    std::map<int, std::size_t> used_events_;
    int nothing_ = -1;
    bool has_teams_ = false;
    bool is_in_parts_ = false;  // some of what runs once stands in functions that are not optimised
    std::map<std::pair<std::uint32_t, std::uint32_t>, const Recording::MergedWork*> work_;
    std::string tables_;
    std::map<std::string, std::size_t> table_names_;
    std::map<std::uint32_t, std::string> call_functions_;
};

}  // namespace

std::int64_t unused_tag(const Recording& recording) {
    std::set<std::int64_t> used;
    for (const Event& event : recording.events) {
        const auto all = roles(event);
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i] == Role::tag) used.insert(event.values[i]);
    }
    std::int64_t tag = tag_bound;
    while (used.contains(tag)) --tag;
    return tag;
}

std::vector<std::string> obstacles(const Recording& recording) {
    std::vector<std::string> found;
    const auto add = [&](const std::string& reason) {
        if (std::find(found.begin(), found.end(), reason) == found.end()) found.push_back(reason);
    };
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
        if (recording.ranks[rank].ending == Ending::aborted)
            add("rank " + std::to_string(rank) + " called MPI_Abort");
        if (recording.ranks[rank].ending == Ending::unfinished)
            add("the recording of rank " + std::to_string(rank) + " does not reach MPI_Finalize");
    }
    for (const std::string& gap : recording.gaps)
        add("the part of the run that was chosen cannot run alone: " + gap);
    for (const std::string& one : thread_obstacles(recording)) add(one);
    std::uint64_t cancels = 0, cancelled = 0;
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
        const Event& event = recording.events[i];
        if (event.function == Function::by_name) {
            add(describe(event, recording.texts, true) + " is recorded by name only");
            continue;
        }
        const std::string call =
            describe(event, recording.texts, true) +
            (event.site == 0 ? "" : ", called in " + recording.place_of(event));
        const auto all = roles(event);
        const std::uint64_t count = i < recording.times.size() ? recording.times[i].count : 0;
        if (event.function == Function::Cancel_) cancels += count;
        if (event.function == Function::Recv_init_ && is_wildcard(event))
            add(call +
                ": each start of this request may match another message, which is not recorded");
        if (event.function == Function::Comm_split_type_ &&
            values_of(event, Kind::splittype_)[0] == unknown_handle)
            add(call + ": splits by what only this MPI knows");
        const bool own_handler = (event.function == Function::Win_set_errhandler_ ||
                                  event.function == Function::File_set_errhandler_) &&
                                 values_of(event, Kind::errhandler_)[0] == errors_own;
        if (own_handler) add(call + ": a handler of the program's own for a window or a file");
        for (std::size_t k = 0; k < all.size(); ++k) {
            const std::int64_t value = event.values[k];
            switch (all[k]) {
                case Role::error:
                    if (value != 0) add(call + ": the call returned an error");
                    break;
                case Role::buffer:
                    if (value == buffer_bottom) add(call + ": addresses relative to MPI_BOTTOM");
                    if (value == buffer_unattached) add(call + ": memory that nobody attached");
                    break;
                case Role::flag:
                    if (k > 0 && all[k - 1] == Role::bytes && value != 0) cancelled += count;
                    break;
                default:
                    if (!is_handle(all[k]) && all[k] != Role::errhandler) break;
                    if (value == unknown_handle)
                        add(call +
                            ": uses a handle that a function made which is recorded by name");
                    if (value == unrecorded_handle)
                        add(call +
                            ": completes one of several requests, which was begun where nothing "
                            "was recorded");
                    break;
            }
        }
    }
    if (cancels != cancelled)
        add("MPI_Cancel came too late for " +
            std::to_string(cancels - std::min(cancelled, cancels)) + " of " +
            std::to_string(cancels) + " requests: whether it does is left to chance");
    return found;
}

std::string proxy_text(const Recording& recording, const std::string& title,
                       const Computations* computations) {
    if (!recording.threads.empty()) {
        const ThreadedRecording threaded = place_threads(recording);
        return Writer(threaded.recording, unused_tag(recording), nullptr, nullptr, &threaded.points)
            .text(title);
    }
    return Writer(recording, unused_tag(recording), computations).text(title);
}

std::string free_proxy_text(const Recording& recording, const std::string& title) {
    const FreePlan plan = plan_free(recording);
    Freedom freedom{plan.live, {}};
    const Recording folded = fold_polls(recording, plan, freedom.pauses);
    return Writer(folded, unused_tag(recording), nullptr, &freedom).text(title);
}

bool is_free_proxy(const std::string& text) {
    return text.find(free_line) != std::string::npos;
}

std::string makefile_text(const std::string& proxy) {
    const auto has = [&](const char* words) { return proxy.find(words) != std::string::npos; };
    const std::string threads = std::string(has("#include <pthread.h>") ? " -pthread" : "") +
                                (has("#pragma omp") ? " -fopenmp" : "");
    // Behind the user's own flags, so that these hold: others would make other instructions of the blocks.
    const bool portable = has(portable_title);
    const std::string flags = block_flags;
    const bool counted = has("static struct share");
    return "MPICC ?= mpicc\n"
           "CFLAGS ?= -O2 -std=c99 -Wall -Wextra -Werror\n" +
           (portable ? "# The blocks were counted as compiled so.\nBLOCK_FLAGS = " + flags + "\n"
                     : "") +
           (counted ? "# Libraries are linked before MPI begins: blocks do what the program did to "
                      "find functions.\n"
                      "LDFLAGS ?= -Wl,-z,now\n"
                    : "") +
           "\n"
           "proxy: proxy.c\n"
           "\t$(MPICC) $(CFLAGS)" +
           (portable ? " $(BLOCK_FLAGS)" : "") + threads + " -o $@ proxy.c" +
           (counted ? " $(LDFLAGS)" : "") +
           " $(LDLIBS)\n"
           "\n"
           "clean:\n"
           "\trm -f proxy\n"
           "\n"
           ".PHONY: clean\n";
}

}  // namespace refrain::proxy
