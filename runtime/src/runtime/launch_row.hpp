#pragma once

#include "analysis/access_history.hpp"
#include "base/prefetch.hpp"
#include "graph/lane_plan.hpp"
#include "refrain/detail/launch_description.hpp"
#include "runtime/kept_records.hpp"
#include "runtime/operation.hpp"
#include "trace/operation_memo.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace refrain::runtime {

/// A *row*: launches, one after the other, that repeat those of earlier turns of their loop, regions
/// included. All of them are in lanes, or all are direct (direct_launch.hpp). While it goes on, a launch
/// writes nothing of what others may ask about it later. That is written late, once, when the row ends:
///
///     in a row                             written late (Pipeline::note_late)
///     counters                             accesses in the history, the newest one of each region
///     in lanes: number, scalars, who runs  last use of each region
///     it (kept_records.hpp), their entry   in lanes: place in the ring, points that have not run
///
///     launch    1 ...... m       each is noted: its regions, and its record if it is in lanes
///               m + 1 .. m + k   each repeats the launch m ago: the same regions, and its links are compared
///               m + k + 1 ...    rows: only which regions they use is compared
///               read(x)          ends the row; the next launch may begin another
///               fill(y)          of the loop, neither in lanes nor direct: the same; or in lanes, but an observer is
///                                told of it (observe/quiet_loop.hpp, Q1)
///
/// In lanes, m launches use the records of the loop, one after the other. Direct launches have no records: m is
/// six turns of the loop, since two or three regions may change places each turn, or two turns of a long loop.
/// A link tells how many launches ago a region was used and by which argument (trace/description.hpp); k is the
/// longest that the loop has, or the window if one leads nowhere.
///
/// R1  Links. A launch n in a row, and each of the k before it, has the regions of the launch m before. Those
///     before were compared, or are in a row. So n has the links of n - m. Let one of these lead d back: n - d
///     repeats n - d - m, so it used the region, and no launch after it did, as none did after n - d - m.
///     Hence n has the description of n - m, the same memo serves it, and its sources are as far back.
///     The kind of n is compared by its identity (LaunchKind), also that of a kind known by a number, which no other
///     has; so nothing of a row points to a kind, which may end between launches.
///     Whether accesses commute is not asked: a reduction is the newest access of its region as any other, and
///     its privilege and operator are of the launch's kind, so n reduces where, and as, n - m does.
///     This is about the stream of launches alone. What ends a row without being a launch, as a wait or a read
///     by the host, adds nothing to the stream, so the next row need not be preceded by anything. Launches of
///     the loop that are neither in lanes nor direct repeat, too, so a row may follow them. All else begins the
///     count of m + k anew (`interrupt`):
///       - a launch that is not of the loop, or that is served otherwise than by the memo of the loop;
///       - what makes the analysis forget accesses, as does a host access that writes, or change what it keeps
///         (a trace, a reset of the tables), since links are compared with accesses;
///       - the end of the life of a region, since another may have its place;
///       - a change between lanes and direct launches (Pipeline::run_alone), of which no row has both;
///       - a failure, since the record of a launch that failed is not as others (OperationBuilder::renew).
///     So a loop that makes new regions in each turn has no row.
/// R2  Nobody reads what is missing. Who asks about launches comes through Pipeline: another launch, a host
///     access, a wait for one launch, a trace. Each of these calls end_row() first. So a host access finds the
///     history that it would find without rows: it waits for the same launches. It leaves nothing that launches
///     must wait for: while a view is open, launches that it forbids are refused. Who asks for a future need not
///     end the row: no launch in lanes has one, and that of a direct launch is written at once. Workers read
///     records and lanes only. In a row the launching thread retires launches of the row without looking at
///     them: those that all lanes have done, as long as no point has failed. A wait for all launches asks no more than that, so the row stays open meanwhile
///     (Pipeline::finish_in_row), unless something has failed. A direct launch has run when its call ends, and so have
///     its reductions: each point's partial result is folded before the next point runs (DirectLaunch, D5), and
///     none is kept or deposited. Launches in lanes have no reductions (CompiledLoop::keeps_records).
/// R3  What is written late is what would stand there: accesses depend on shapes, regions and the memo, which
///     are those of the record, and on numbers, which are those of the launches; and the history remembers no
///     more than a window. Links of less than a window lead from there to the window before, and walks must see
///     that they are so short (operation_memo.hpp). Shapes are those of an operation of the launch, not of its
///     check: with deterministic reductions an operation notes a reduction as a read-write access. Regions with chains by cell also count their links, so they
///     are in no row.
/// R4  Failures. Points that fail are counted before their lane is done (graph/lanes.hpp, I4). So what has
///     retired in a row had none; the next launch, or whoever asks, sees the count, ends the row, and finds
///     those that have not retired as if they had been written at once. If a direct launch fails, the row
///     ends with it, before the launch retires. What its points have folded stays, and what those that failed
///     reduce into is tainted when it retires, also if an operator threw while it folded.
/// R5  Records. One is written again m launches later. In lanes, fewer than `reach` are not done, and every
///     32 launches those that are done retire: m is more than both together. So at the end of a row each
///     launch that has not retired still has its record. A launch outside of lanes passes over its record
///     (LaunchRecords::next), so each of m launches in turn has one of its own.
/// R6  Views. Launches of a row are not asked whether their regions admit them. They do while the host holds no
///     view. If it holds some, each of the last m launches was asked since the latest began; the end of a view
///     forbids nothing. Nor does a row reduce into a region which nothing has written: m launches before were
///     asked that, too.
///
/// Threads:  the launching thread only.
class LaunchRow {
  public:
    static constexpr std::size_t ahead = 4;  // launches; as entries (graph/lanes.hpp)

    /// What is noted late of a launch.
    struct Place {
        const trace::OperationMemo* memo = nullptr;          // null: such a launch is in no row
        const analysis::RequirementShape* shapes = nullptr;  // of all its regions
        std::uint32_t links_max = 0;                         // its longest link
        std::uint32_t region_count = 0;                      // the row counts them
    };
    /// What a launch in lanes needs that uses a record again.
    struct Record {
        Operation* operation = nullptr;
        const void* closure = nullptr;  // of the operation
        const graph::LanePlan* plan = nullptr;
        LaunchRecords* records = nullptr;
        std::uint32_t next = 0;   // LaunchRecords::next after the launch
        std::uint32_t bytes = 0;  // that its tasks read
    };
    /// A loop of which more launches would have to be told apart has no rows: they are too many to be kept.
    [[nodiscard]] static constexpr std::uint64_t places_max(bool has_records) {
        return KeptRecords::bytes_max /
               (has_records ? sizeof(Operation) + sizeof(graph::Bundle) : sizeof(Place));
    }
    /// The same of a loop whose launches have too many regions, if all are given room for as many as one of them has.
    static constexpr std::size_t regions_max =
        KeptRecords::bytes_max / sizeof(analysis::RegionHistory*);

    /// `has_records`: whether its launches are in lanes.
    explicit LaunchRow(bool has_records) : has_records_(has_records) {}

    [[nodiscard]] bool is_open() const { return is_open_; }

    /// Whether counting rests, so that operation `number`, of a loop of `length` launches, need not pass. A rest
    /// begins when more than m launches had other regions than the launch m before. It lasts 8 m launches, then
    /// twice as long each time until a row begins: a loop whose regions never repeat pays less and less for it.
    [[nodiscard]] bool rests(graph::OperationNumber number, std::uint64_t length) const {
        return number < rests_until_ && length == length_;
    }
    /// Outside of a row: operation `number`, of a loop of `length` launches, was served by the memo of the loop,
    /// and its links were compared. `place`: empty if it ends rows.
    /// Asks for the lines that some later launch will write, which workers have: else
    /// the launches wait for them, one line after the other, once the core has no room for more stores.
    /// Errors: std::bad_alloc.
    void passed(const Place& place, const Record& record,
                std::span<analysis::RegionHistory* const> regions, graph::OperationNumber number,
                std::uint64_t length) {
        if (length != length_) [[unlikely]]
            begin(length, number);
        if (places_.empty()) return;
        if (rests_until_ != 0) [[unlikely]]
            wake(number);
        if (regions.size() > width_ && !widen(regions.size(), number)) [[unlikely]]
            return;
        if (!repeats(regions, number)) [[unlikely]]
            note(regions, number);
        places_[at_] = place;
        places_[at_].region_count = static_cast<std::uint32_t>(regions.size());
        if (has_records_) records_[at_] = record;
        if (place.memo != nullptr) {
            newest_ = number;
            links_max_ = std::max<std::uint64_t>(links_max_, place.links_max);
        }
        advance();
    }
    /// Whether none of the latest m launches can be in a row, so that counting is in vain.
    [[nodiscard]] bool is_idle(graph::OperationNumber number) const {
        return newest_ == 0 || number - newest_ > places_.size();
    }
    /// Whether a row may begin after operation `number`. `has_views`: the host holds views of regions.
    [[nodiscard]] bool may_open(graph::OperationNumber number, bool has_views) const {
        const graph::OperationNumber next = number + 1;
        return !places_.empty() && rests_until_ == 0 && next - begun_ >= places_.size() &&
               next - since_ >= links_max_ && places_[at_].memo != nullptr &&
               (!has_views || next - viewed_ >= places_.size());
    }
    void open(graph::OperationNumber first) {
        first_ = first;
        is_open_ = true;
        changed_ = rest_ = 0;
    }
    /// The row ends before operation `next`; another may begin there.
    void close(graph::OperationNumber next) {
        is_open_ = false;
        newest_ = next - 1;
    }
    /// There is no row, and none will be that relies on what was before operation `next`.
    void interrupt(graph::OperationNumber next) {
        is_open_ = false;
        begun_ = since_ = std::max(begun_, next);  // the newest launch may be one that has no place
        links_max_ = 0;
    }
    /// The host has opened a view before operation `next`. Precondition: there is no row.
    void note_view(graph::OperationNumber next) { viewed_ = next; }

    /// As interrupt, and gives back all memory.
    void clear(graph::OperationNumber next) { clear_for(0, next); }

    /// In a row: those of the next launch.
    [[nodiscard]] const Place& next() const { return places_[at_]; }
    [[nodiscard]] const Record& next_record() const { return records_[at_]; }
    /// Whether these are the regions of the next launch, as of the launch m before.
    [[nodiscard]] bool has_next(const RequirementDescription* requirements) const {
        const std::span noted = regions_at(at_);
        for (std::size_t i = 0; i < noted.size(); ++i)
            if (requirements[i].region != noted[i]) return false;
        return true;
    }
    /// The next launch is in the row.
    void advance() {
        if (++at_ >= places_.size()) at_ = 0;
        if (!has_records_) return;
        const std::size_t soon = at_ + ahead;
        // Perhaps of a loop that was left, whose records are gone: nothing is read there.
        const Record& later = records_[soon < records_.size() ? soon : soon - records_.size()];
        if (later.operation == nullptr) return;
        base::prefetch_for_write(later.operation);  // its number lies in the first line
        base::prefetch_for_write(later.closure);
    }
    /// The first operation of the row.
    [[nodiscard]] graph::OperationNumber first() const { return first_; }
    /// That of the operation launched `ago` before the next one; at most as many as use records of their own
    /// are told apart.
    [[nodiscard]] const Place& before(std::uint64_t ago) const { return places_[at_before(ago)]; }
    [[nodiscard]] const Record& record_before(std::uint64_t ago) const {
        return records_[at_before(ago)];
    }
    [[nodiscard]] std::span<analysis::RegionHistory* const> regions_before(
        std::uint64_t ago) const {
        return regions_at(at_before(ago));
    }
    [[nodiscard]] std::size_t size() const { return places_.size(); }
    /// The most regions that a launch has passed with.
    [[nodiscard]] std::size_t width() const { return width_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    [[nodiscard]] std::span<analysis::RegionHistory* const> regions_at(std::size_t place) const {
        return {regions_.data() + place * width_, places_[place].region_count};
    }
    [[nodiscard]] std::uint64_t turns_for(std::uint64_t length) const {
        if (has_records_) return KeptRecords::count_for(length);
        return length * KeptRecords::orders <= places_max(true) ? KeptRecords::orders : 2;
    }
    [[nodiscard]] std::size_t at_before(std::uint64_t ago) const {
        return (at_ + places_.size() - ago % places_.size()) % places_.size();
    }
    /// What comes is of a loop of `length` launches.
    void clear_for(std::uint64_t length, graph::OperationNumber next) {
        places_ = {};
        records_ = {};
        regions_ = {};
        width_ = 0;
        bytes_ = 0;
        length_ = length;
        at_ = 0;
        changed_ = rest_ = 0;
        rests_until_ = 0;
        interrupt(next);
    }
    [[gnu::noinline]] void begin(std::uint64_t length, graph::OperationNumber number) {
        clear_for(length, number);
        const std::uint64_t count = length * turns_for(length);
        if (count > places_max(has_records_)) return;
        places_.resize(count);
        records_.resize(has_records_ ? count : 0);
        bytes_ = count * sizeof(Place) + records_.size() * sizeof(Record);
    }
    /// Gives each place room for `width` regions, so that turns after the first allocate nothing, even if rows end and
    /// begin in between. Returns false if that is too much memory: then this loop has no rows.
    [[gnu::noinline]] bool widen(std::size_t width, graph::OperationNumber number) {
        if (width > regions_max / places_.size()) {
            clear_for(length_, number);
            return false;
        }
        std::vector<analysis::RegionHistory*> wider(places_.size() * width);
        for (std::size_t place = 0; place < places_.size(); ++place)
            std::ranges::copy(regions_at(place), wider.data() + place * width);
        bytes_ += (wider.size() - regions_.size()) * sizeof(wider[0]);
        regions_ = std::move(wider);
        width_ = width;
        return true;
    }
    /// Whether operation `number` has the regions of the launch m before.
    [[nodiscard]] bool repeats(std::span<analysis::RegionHistory* const> regions,
                               graph::OperationNumber number) const {
        return number - begun_ >= places_.size() && std::ranges::equal(regions_at(at_), regions);
    }
    [[gnu::noinline]] void note(std::span<analysis::RegionHistory* const> regions,
                                graph::OperationNumber number) {
        since_ = number + 1;
        std::ranges::copy(regions, regions_.data() + at_ * width_);
        if (number - begun_ < places_.size() || ++changed_ <= places_.size()) return;
        rest_ = std::max<std::uint64_t>(8 * places_.size(), 2 * rest_);
        rests_until_ = number + rest_;
    }
    void wake(graph::OperationNumber number) {
        interrupt(number);
        changed_ = 0;
        rests_until_ = 0;
    }

    bool has_records_;
    // Of m launches, in order:
    std::vector<Place> places_;
    std::vector<Record> records_;
    std::vector<analysis::RegionHistory*> regions_;  // as many at each place: `width_`
    std::size_t width_ = 0;
    std::size_t bytes_ = 0;     // of these
    std::size_t at_ = 0;        // of the next launch
    std::uint64_t length_ = 0;  // of the loop
    bool is_open_ = false;
    graph::OperationNumber begun_ = 1;  // from here on, each launch has its place
    graph::OperationNumber since_ = 1;  // from here on, launches repeat those m before
    graph::OperationNumber viewed_ = 1;
    std::uint64_t changed_ = 0;  // launches whose regions were noted since the latest row or rest
    std::uint64_t rest_ = 0;     // launches of the latest rest since a row
    graph::OperationNumber rests_until_ = 0;
    graph::OperationNumber newest_ = 0;  // that can be in a row
    graph::OperationNumber first_ = 0;
    std::uint64_t links_max_ = 0;  // of the launches that can be in a row
};

}  // namespace refrain::runtime
