#pragma once

#include "base/prefetch.hpp"
#include "graph/lane_plan.hpp"
#include "runtime/kept_records.hpp"
#include "runtime/operation.hpp"
#include "trace/operation_memo.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::runtime {

/// A *row*: launches in lanes, one after the other, that repeat those of earlier turns of their loop, regions
/// included. While it goes on, a launch writes its number and its scalars (kept_records.hpp), and nothing of
/// what others may ask about it later. That is written late, once, when the row ends:
///
///     in a row            written late (Pipeline::note_late)
///     number, scalars     accesses in the history, and the newest access of each region
///     entry in lanes      last use of each region
///     counters            place in the ring, points that have not run
///
///     launch    1 ...... m + k       each repeats the record of m launches ago; its links are compared
///               m + k + 1 ...        the row: only which regions it uses is compared
///               read(x)              ends it; then k + m launches as at first
///
/// m launches use the records of the loop, one after the other. A link tells how many launches ago a region
/// was used and by which argument (trace/description.hpp); k is the longest that the loop has, or the window
/// if one leads nowhere.
///
/// R1  Links. A launch n in a row, and each of the k before it, has the regions of the launch m before. That
///     one was compared, or is in the row. So n has the links of n - m. Let one of these lead d back: n - d
///     repeats n - d - m, so it used the region, and no launch after it did, as none did after n - d - m.
///     Hence n has the description of n - m, the same memo serves it, and its sources are as far back.
///     For this, regions must stay what they are: whatever ends the life of one, or makes the analysis forget
///     its accesses, ends the row and begins the count of m + k anew (`interrupt`). So a loop that makes new
///     regions in each turn has no row. Launches that a region admits are admitted again: a view of the host
///     begins outside of rows, and its end forbids nothing.
/// R2  Nobody reads what is missing. Who asks about launches comes through Pipeline: another launch, a host
///     access, a wait, a trace. Each of these calls end_row() first. Who asks for a future need not: no
///     launch in lanes has one. Workers read records and lanes only. The launching thread retires launches
///     without looking at them: those that all lanes have done, as long as no point has failed.
/// R3  What is written late is what would stand there: accesses depend on shapes, regions and the memo, which
///     are those of the record, and on numbers, which are those of the launches; and the history remembers no
///     more than a window. Regions with chains by cell also count their links, so they are in no row.
/// R4  Failures. Points that fail are counted before their lane is done (graph/lanes.hpp, I4). So what has
///     retired in a row had none; the next launch, or whoever asks, sees the count, ends the row, and finds
///     those that have not retired as if they had been written at once.
/// R5  Records. One is written again m launches later. In lanes, fewer than `reach` are not done, and every
///     32 launches those that are done retire: m is more than both together. So at the end of a row each
///     launch that has not retired still has its record.
///
/// Threads:  the launching thread only.
class LaunchRow {
  public:
    /// Records. A loop with more has no rows: they are too many to be kept.
    static constexpr std::uint64_t places_max =
        KeptRecords::bytes_max / (sizeof(Operation) + sizeof(graph::Bundle));
    static constexpr std::size_t ahead = 4;  // launches; as entries (graph/lanes.hpp)

    /// What a launch needs that uses a record again.
    struct Place {
        Operation* operation = nullptr;
        const void* closure = nullptr;  // of the operation
        const graph::LanePlan* plan = nullptr;
        const trace::OperationMemo* memo = nullptr;
        LaunchRecords* records = nullptr;
        std::uint32_t next_record = 0;   // LaunchRecords::next after the launch
        std::uint32_t record_bytes = 0;  // that its tasks read
    };

    [[nodiscard]] bool is_open() const { return is_open_; }

    /// Outside of a row: operation `number`, of a loop of `length` launches, has used a record in lanes, and its
    /// links were compared. Asks for the lines that some later launch will write, which workers have: else
    /// the launches wait for them, one line after the other, once the core has no room for more stores.
    /// Errors: std::bad_alloc.
    void passed(const Place& place, graph::OperationNumber number, std::uint64_t length) {
        if (length != length_) [[unlikely]]
            begin(length, number);
        if (places_.empty()) return;
        places_[at_] = place;
        if (!place.records->has_repeated) interrupt(number + 1);
        links_max_ = std::max<std::uint64_t>(links_max_, place.records->links_max);
        advance();
    }
    /// Whether a row may begin after operation `number`.
    [[nodiscard]] bool may_open(graph::OperationNumber number) const {
        return number + 1 - since_ >= places_.size() + links_max_ && !places_.empty();
    }
    void open(graph::OperationNumber first) {
        first_ = first;
        is_open_ = true;
    }
    /// There is no row, and none will be that relies on what was before operation `next`.
    void interrupt(graph::OperationNumber next) {
        is_open_ = false;
        since_ = next;
        links_max_ = 0;
    }

    /// The same, and gives back all memory.
    void clear(graph::OperationNumber next) {
        places_ = {};
        length_ = 0;
        at_ = 0;
        interrupt(next);
    }

    /// In a row: that of the next launch.
    [[nodiscard]] const Place& next() const { return places_[at_]; }
    /// The next launch is in the row.
    void advance() {
        if (++at_ >= places_.size()) at_ = 0;
        const std::size_t soon = at_ + ahead;
        // Perhaps of a loop that was left, whose records are gone: nothing is read there.
        const Place& later = places_[soon < places_.size() ? soon : soon - places_.size()];
        if (later.operation == nullptr) return;
        base::prefetch_for_write(later.operation);  // its number lies in the first line
        base::prefetch_for_write(later.closure);
    }
    /// The first operation of the row.
    [[nodiscard]] graph::OperationNumber first() const { return first_; }
    /// That of the operation launched `ago` before the next one; at most as many as use records of their own
    /// are told apart.
    [[nodiscard]] const Place& before(std::uint64_t ago) const {
        return places_[(at_ + places_.size() - ago % places_.size()) % places_.size()];
    }
    /// Calls visit(operation) for all records.
    template <class Visit>
    [[nodiscard]] bool all_of(Visit&& visit) const {
        return std::all_of(places_.begin(), places_.end(),
                           [&](const Place& place) { return visit(*place.operation); });
    }
    [[nodiscard]] std::size_t size() const { return places_.size(); }
    [[nodiscard]] std::size_t bytes() const { return places_.capacity() * sizeof(Place); }

  private:
    [[gnu::noinline]] void begin(std::uint64_t length, graph::OperationNumber number) {
        length_ = length;
        const std::uint64_t count = length * KeptRecords::count_for(length);
        places_.clear();
        if (count <= places_max) places_.resize(count);
        at_ = 0;
        interrupt(number);
    }

    std::vector<Place> places_;  // of the launches that use the records of the loop, in order
    std::size_t at_ = 0;         // of the next launch
    std::uint64_t length_ = 0;   // of the loop
    bool is_open_ = false;
    graph::OperationNumber since_ = 1;  // from here on, launches use records again
    graph::OperationNumber first_ = 0;
    std::uint64_t links_max_ = 0;  // of the launches since then
};

}  // namespace refrain::runtime
