#pragma once

#include "events/rank_recording.hpp"
#include "merge/rank_set.hpp"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace refrain::proxy {

/// How a run was started: `words[program]` is the program, the words before it are the launcher.
struct Launch {
    std::vector<std::string> words;
    std::size_t program = 0;
    double seconds = 0;
    int status = 0;
};

/// Where calls are made.
struct Site {
    std::string place;     // "./app+0x1234", or "halo.c:41" if the program says so
    std::string function;  // empty: not known
};
/// "exchange (halo.c:41)"
[[nodiscard]] std::string describe(const Site& site);

/// A run of the main rule, and the ranks that execute it.
struct MergedRun {
    strings::Run run;
    RankSet ranks;

    friend bool operator==(const MergedRun&, const MergedRun&) = default;
};

/// What a whole run did: the recordings of all ranks, merged.
///
///     events   each once; ranks in them are encoded (encode_rank), so that many ranks share one
///     rules    each once; a symbol is the index of an event or of a rule
///     main     what begins it all: each rank executes the runs whose set it is in, in this order
struct Recording {
    struct RankSummary {
        Ending ending = Ending::unfinished;
        double wall_seconds = 0;
        double cpu_seconds = 0;
        std::uint64_t events = 0;
    };
    /// Work between two events, by rank.
    struct RankWork {
        std::uint32_t rank = 0;
        std::uint64_t count = 0;
        double seconds = 0;
        Counts counts{};
        TeamWork team;
        TeamCounts team_counts{};
    };
    /// Time within the calls of one event, of one rank.
    struct RankCalls {
        std::uint32_t rank = 0;
        CallTime time;
    };
    struct MergedWork {
        std::uint32_t before = 0;
        std::uint32_t after = 0;
        std::vector<RankWork> ranks;
    };

    Launch launch;
    std::string library;
    Source source = Source::time;
    std::vector<RankSummary> ranks;
    std::vector<std::string> notes;
    std::vector<std::string> texts;
    std::vector<Event> events;
    std::vector<CallTime> times;  // by event, over all ranks
    std::vector<std::vector<RankCalls>>
        rank_times;  // by event: what `times` has, by rank in ascending order
    std::vector<std::vector<strings::Run>> rules;
    std::vector<MergedRun> main;
    std::vector<MergedWork> work;
    std::vector<SlotExtent> slots;
    std::vector<std::string> counts;  // by rank: what the separate counter wrote
    std::vector<Site> sites;
    std::uint64_t left_out = 0;         // calls that the user chose not to record
    std::vector<std::string> gaps;      // why what was chosen cannot run alone
    std::vector<std::string> invented;  // of a trace that tells sizes only: what else it has
    /// From the second thread on, where several called MPI at once: their handles and slots begin at first_number_of(thread).
    struct Thread {
        std::vector<MergedRun> main;
        std::vector<SlotExtent> slots;
        std::vector<ThreadLife> lives;  // by rank; of ranks that have no such thread, empty
    };
    std::vector<Thread> threads;

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ranks.size()); }
    [[nodiscard]] bool complete() const;
    /// Of a rank that is none of those before the latest one.
    void add_time(std::uint32_t event, std::uint32_t rank, const CallTime& time);
    /// The place of an event in words; empty if it was not recorded.
    [[nodiscard]] std::string place_of(const Event& event) const {
        return event.site == 0 ? std::string() : describe(sites[event.site - 1]);
    }
    /// The grammar of one rank, or of another thread of it: rule 0 is its part of main, rule i + 1 is rules[i].
    [[nodiscard]] strings::Grammar grammar_of(std::uint32_t rank, std::uint32_t thread = 0) const;
    /// Empty if there is no such thread.
    [[nodiscard]] const std::vector<MergedRun>& main_of(std::uint32_t thread) const;
    /// How often a rank makes each event, in all of its threads.
    [[nodiscard]] std::vector<std::uint64_t> event_counts(std::uint32_t rank) const;
};

/// Merges the recordings of all ranks, which are ordered by rank.
///
/// Reproducible to the byte; never more runs than in the recordings together. What was merged of a rank is given up at once: a
/// caller that needs the recordings no more moves them here. `on_rank` is called after each rank.
/// Source: the paper's section on inter-process patterns. Changed: main rules are compared only as far
///         as they differ, and clusters follow each other in one main rule.
[[nodiscard]] Recording merge(std::vector<RankRecording> ranks, const Launch& launch,
                              const std::function<void()>& on_rank = {});

/// Merges main rules, by rank: equal ones first, then those that are alike; the others follow each other.
[[nodiscard]] std::vector<MergedRun> merge_mains(
    const std::vector<std::vector<strings::Run>>& mains);

[[nodiscard]] std::string write(const Recording& recording);
/// The size of what was communicated and in which order, without times, counts and the command.
[[nodiscard]] std::size_t communication_bytes(const Recording& recording);
/// Errors: DamagedFile
[[nodiscard]] Recording read_recording(std::string_view file, const std::string& name);

[[nodiscard]] std::string write(const Launch& launch);
[[nodiscard]] Launch read_launch(std::string_view file, const std::string& name);

/// Resolves the ranks in the events of one process: follows which communicators it makes.
class CommunicatorBook {
  public:
    struct Place {
        std::int64_t me = 0;
        std::int64_t size = 0;
    };
    CommunicatorBook(std::uint32_t rank, std::uint32_t size);

    /// The event with all ranks absolute, and with the caller's rank and the size of its communicator.
    /// Communicators that it makes are known afterwards.
    [[nodiscard]] Event resolve(const Event& merged);
    [[nodiscard]] Place place(std::int64_t communicator) const;
    [[nodiscard]] Place place_in_window(std::int64_t window) const;

  private:
    std::unordered_map<std::int64_t, Place> places_, windows_;
};

/// What a thread of a rank finds: communicators and windows that others of its threads make, as far as they had when it
/// began; those of later threads may be used once they have ended.
[[nodiscard]] CommunicatorBook communicators_before(const Recording& recording, std::uint32_t rank,
                                                    std::uint32_t thread);

}  // namespace refrain::proxy
