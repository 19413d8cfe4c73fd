#pragma once

#include "events/block_file.hpp"
#include "events/event.hpp"
#include "events/metrics.hpp"
#include "strings/run_grammar.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace refrain::proxy {

/// How a recording ended.
enum class Ending : std::uint8_t {
    complete,    // MPI_Finalize returned
    aborted,     // MPI_Abort was called
    unfinished,  // neither: the process ended, or this is a checkpoint
};

/// Of some work, what a team of OpenMP threads did together: for how long, and how many they were at most.
struct TeamWork {
    double seconds = 0;
    std::uint32_t threads = 1;

    void add(const TeamWork& more) {
        seconds += more.seconds;
        threads = std::max(threads, more.threads);
    }
};

/// Counts of a team of OpenMP threads, by thread. Thread 0 is the one that calls MPI. Empty where no team was counted, which is
/// so of most work: millions of these take a pointer each.
class TeamCounts {
  public:
    TeamCounts() = default;
    explicit TeamCounts(std::span<const Counts> threads) { assign(threads); }
    TeamCounts(const TeamCounts& other) { assign(other.all()); }
    TeamCounts(TeamCounts&&) noexcept = default;
    TeamCounts& operator=(const TeamCounts& other) {
        if (this != &other) assign(other.all());
        return *this;
    }
    TeamCounts& operator=(TeamCounts&&) noexcept = default;
    ~TeamCounts() = default;

    [[nodiscard]] bool empty() const { return all().empty(); }
    [[nodiscard]] std::size_t size() const { return all().size(); }
    [[nodiscard]] std::span<Counts> all() {
        return threads_ == nullptr ? std::span<Counts>() : std::span<Counts>(*threads_);
    }
    [[nodiscard]] std::span<const Counts> all() const {
        return threads_ == nullptr ? std::span<const Counts>() : std::span<const Counts>(*threads_);
    }
    [[nodiscard]] auto begin() { return all().begin(); }
    [[nodiscard]] auto end() { return all().end(); }
    [[nodiscard]] auto begin() const { return all().begin(); }
    [[nodiscard]] auto end() const { return all().end(); }
    [[nodiscard]] Counts& operator[](std::size_t thread) { return (*threads_)[thread]; }
    [[nodiscard]] const Counts& operator[](std::size_t thread) const { return (*threads_)[thread]; }
    /// Keeps the memory.
    void clear() {
        if (threads_ != nullptr) threads_->clear();
    }
    void resize(std::size_t threads) {
        if (threads == 0)
            threads_.reset();
        else if (threads_ == nullptr)
            threads_ = std::make_unique<std::vector<Counts>>(threads);
        else
            threads_->resize(threads);
    }

  private:
    void assign(std::span<const Counts> threads) {
        threads_ = threads.empty()
                       ? nullptr
                       : std::make_unique<std::vector<Counts>>(threads.begin(), threads.end());
    }

    std::unique_ptr<std::vector<Counts>> threads_;  // null: none
};

void add(TeamCounts& sum, std::span<const Counts> more);

/// What was counted between two calls, in parts that are computed one after the other or side by side: first what a thread did
/// alone, then what each of a team did. One part if there is no team.
[[nodiscard]] std::vector<Counts> parts_of(const Counts& all, const TeamCounts& team);

/// Work between two calls: how often the second followed the first, and what was computed in between.
struct Work {
    std::uint32_t before = 0;  // terminal; `start` if there was none
    std::uint32_t after = 0;
    std::uint64_t count = 0;
    double seconds = 0;
    Counts counts{};           // over all times, of all threads that compute
    TeamWork team;             // likewise; its seconds are some of `seconds`
    TeamCounts team_counts{};  // some of `counts`

    static constexpr std::uint32_t start = ~std::uint32_t{0};
};

/// How far a slot of the arena reaches, before and behind the address that calls are given, and how that is aligned.
struct SlotExtent {
    std::int64_t before = 0;
    std::int64_t behind = 0;
    /// Which of the bits below `lines` any of its addresses has: of 0x1010 and 0x2030 these are 0x30.
    std::int64_t low_bits = 0;

    static constexpr std::int64_t lines = 64;  // bytes of one
    /// How far behind the beginning of a line it has its alignment and no more: 16 in the example.
    [[nodiscard]] std::int64_t shift() const { return low_bits & -low_bits; }
};

/// When a thread called MPI, beside the calls of its process's first thread.
struct ThreadLife {
    std::uint64_t behind = 0;  // calls of the first thread that had ended when its first one began
    std::uint64_t before = 0;  // that had begun when its last one ended
    std::uint64_t began = 0, ended = 0;  // by the calls that all threads had begun

    /// Whether all calls of this one had ended before the other's began.
    [[nodiscard]] bool is_before(const ThreadLife& other) const {
        return ended <= other.began && before <= other.behind;
    }
};

/// What another thread than the first one did, if several called MPI at MPI_THREAD_MULTIPLE.
struct ThreadStream {
    strings::Grammar grammar;  // of the same events
    std::vector<SlotExtent> slots;
    ThreadLife life;
};

/// Memory that was attached to a dynamic window: others name it by its address.
struct Attached {
    std::uint64_t address = 0, bytes = 0;

    friend auto operator<=>(const Attached&, const Attached&) = default;
};

/// Time spent within calls of one event.
struct CallTime {
    std::uint64_t count = 0;
    double seconds = 0;

    void add(const CallTime& more) {
        count += more.count;
        seconds += more.seconds;
    }
};

/// What one process did.
///
/// Terminal t of the grammar is events[t].
struct RankRecording {
    std::uint32_t rank = 0;
    std::uint32_t size = 1;
    std::uint32_t part = 0;  // a recording beyond its share of memory is written in parts
    Ending ending = Ending::unfinished;
    std::string library;  // "Open MPI 4.1.4"
    Source source = Source::time;
    double wall_seconds = 0;
    double cpu_seconds = 0;
    std::uint64_t left_out = 0;      // calls that the user chose not to record
    std::vector<std::string> notes;  // what was not recorded, in words
    std::vector<std::string> texts;
    std::vector<std::string> sites;  // "./app+0x1234": where calls are made, if that was recorded
    std::vector<Event> events;
    std::vector<CallTime> times;  // by event
    strings::Grammar grammar;
    std::vector<Work> work;
    std::vector<SlotExtent> slots;
    std::vector<Attached> attached;  // each once, in the order of the first time
    /// From the second thread on. Numbers of what a thread made, and of its slots, begin at first_number_of(thread).
    std::vector<ThreadStream> threads;
};

[[nodiscard]] std::string write(const RankRecording& recording);
/// Errors: DamagedFile
[[nodiscard]] RankRecording read_rank(std::string_view file, const std::string& name);

/// Parts of files that rank and merged recordings share.
void write_events(BlockWriter& out, const std::vector<Event>& events);
/// `sites`, `texts`: how many places of calls and texts the file has.
[[nodiscard]] std::vector<Event> read_events(BlockReader& in, std::size_t sites, std::size_t texts);
void write_runs(BlockWriter& out, const std::vector<strings::Run>& runs);
[[nodiscard]] std::vector<strings::Run> read_runs(BlockReader& in, std::size_t terminals,
                                                  std::size_t rules);
void write_texts(BlockWriter& out, const std::vector<std::string>& texts);
[[nodiscard]] std::vector<std::string> read_texts(BlockReader& in);
void write_counts(BlockWriter& out, const Counts& counts);
[[nodiscard]] Counts read_counts(BlockReader& in);
/// Of work of which `team` is said before; nothing if one thread does it.
void write_team_counts(BlockWriter& out, const TeamWork& team, const TeamCounts& counts);
[[nodiscard]] TeamCounts read_team_counts(BlockReader& in, const TeamWork& team);
void write_team(BlockWriter& out, const TeamWork& team);
[[nodiscard]] TeamWork read_team(BlockReader& in);
void write_life(BlockWriter& out, const ThreadLife& life);
[[nodiscard]] ThreadLife read_life(BlockReader& in);
void write_slots(BlockWriter& out, const std::vector<SlotExtent>& slots);
[[nodiscard]] std::vector<SlotExtent> read_slots(BlockReader& in);

}  // namespace refrain::proxy
