#include "autotrace/miner.hpp"

#include "autotrace/periodicity.hpp"
#include "base/assertion.hpp"

#include <algorithm>
#include <tuple>

namespace refrain::autotrace {
namespace {

/// Two occurrences further apart than this many times their length are not examined for a common
/// period, so that the examination costs O(n) per slice.
constexpr std::size_t distance_max_lengths = 4;

/// All stretches are marked of at most this many loops per slice, so that marking costs O(n).
constexpr std::size_t periods_max = 8;

constexpr std::uint64_t content_seed = 1;
constexpr std::uint64_t loop_seed = 2;

/// The key of the index-th piece of a loop.
base::Hash128 piece_key(const base::Hash128& loop, std::uint32_t index) {
    base::Hasher hasher(index);
    hasher.add(loop);
    return hasher.finish();
}

}  // namespace

Miner::Miner(const Options& options)
    : length_min_(options.trace_length_min),
      length_max_(options.trace_length_max),
      loop_length_(options.loop_length),
      history_tokens_(options.history_tokens) {}

std::size_t Miner::memory_bytes() const {
    return filter_.memory_bytes() + numbers_.memory_bytes() + finder_.memory_bytes() +
           (borders_.capacity() + stretch_of_.capacity()) * sizeof(std::uint32_t) +
           stretches_.capacity() * sizeof(Stretch);
}

bool Miner::mine(const History& history, const Slice& slice, std::vector<FoundRepeat>& found) {
    REFRAIN_ASSERT(slice.begin <= slice.end, "a slice ends before it begins");
    found.clear();
    if (!filter_.may_repeat(history, slice.begin, slice.end, length_min_)) return false;
    symbols_ = numbers_.number(history, slice.begin, slice.end, slice.breaks);
    history_ = &history;
    slice_ = &slice;
    found_ = &found;
    stretches_.clear();
    periods_.clear();
    stretch_of_.assign(symbols_.size(), 0);
    strings::RepeatOptions options;
    options.length_min = static_cast<std::uint32_t>(length_min_);
    // A loop with a shorter body also repeats at length_min_, so no shorter repeats are needed.
    for (const strings::Repeat& repeat : finder_.find(symbols_, options)) propose(repeat);
    return true;
}

void Miner::propose(const strings::Repeat& repeat) {
    if (lies_in_stretch(repeat)) return;
    const auto occurrences = static_cast<std::uint32_t>(repeat.occurrences.size());
    const Offset period = find_period(repeat);
    if (period == 0) {
        if (is_cut_off(repeat)) return;
        propose_pieces({repeat.begin, repeat.length}, occurrences, nullptr);
        return;
    }
    Stretch longest{};
    for (const Offset begin : repeat.occurrences) {
        const Stretch stretch = widened({begin, repeat.length}, period);
        mark(stretch);
        if (stretch.end - stretch.begin > longest.end - longest.begin) longest = stretch;
    }
    mark_all(period);
    propose_loop(longest, occurrences);
}

/// Marks every stretch with this period that is at least period + length_min long, including those
/// where the loop ended early or the slice cuts it off: parts of the loop need no trace of their
/// own.
void Miner::mark_all(Offset period) {
    if (std::find(periods_.begin(), periods_.end(), period) != periods_.end()) return;
    if (periods_.size() == periods_max) return;
    periods_.push_back(period);
    const auto size = static_cast<Offset>(symbols_.size());
    Offset begin = 0;
    for (Offset at = 0; at + period <= size; ++at) {
        if (at + period < size && symbols_[at] == symbols_[at + period]) continue;
        if (at - begin >= length_min_) mark({begin, at + period, period});
        begin = at + 1;
    }
}

/// Whether every occurrence is inside a proposed loop, as a rotation or a part of it.
bool Miner::lies_in_stretch(const strings::Repeat& repeat) const {
    return std::all_of(repeat.occurrences.begin(), repeat.occurrences.end(), [&](Offset begin) {
        const std::uint32_t stretch = stretch_of_[begin];
        return stretch != 0 && begin + repeat.length <= stretches_[stretch - 1].end;
    });
}

/// Whether the slice cuts the repeat off at both ends, so that it probably extends further: in a
/// loop that the slice covers less than twice, it is an arbitrary part of the body. A longer slice
/// will find the whole; of the longest slice, cut repeats are accepted.
bool Miner::is_cut_off(const strings::Repeat& repeat) const {
    return symbols_.size() < history_tokens_ && repeat.occurrences.front() == 0 &&
           repeat.occurrences.back() + repeat.length == symbols_.size();
}

/// The period of the loop around the repeat, or 0: a period that fits twice into the repeat, or
/// into the part from the beginning of one occurrence to the end of the next.
Miner::Offset Miner::find_period(const strings::Repeat& repeat) {
    REFRAIN_ASSERT(repeat.occurrences.size() >= 2, "a repeat occurs only once");
    Offset first = repeat.occurrences[0];
    Offset distance = repeat.occurrences[1] - first;
    for (std::size_t i = 2; i < repeat.occurrences.size(); ++i) {
        const Offset next = repeat.occurrences[i] - repeat.occurrences[i - 1];
        if (next < distance) std::tie(first, distance) = std::pair(repeat.occurrences[i - 1], next);
    }
    if (distance <= distance_max_lengths * repeat.length) {
        const Offset period = period_of({first, distance + repeat.length});
        if (period != 0) return period;
    }
    return period_of({first, repeat.length});
}

/// The smallest period if it fits twice, otherwise 0.
Miner::Offset Miner::period_of(Piece piece) {
    const auto period =
        static_cast<Offset>(smallest_period(symbols_.subspan(piece.begin, piece.length), borders_));
    return 2 * period <= piece.length ? period : 0;
}

Miner::Stretch Miner::widened(Piece piece, Offset period) const {
    REFRAIN_ASSERT(period > 0, "a stretch has no period");
    Stretch stretch{.begin = piece.begin, .end = piece.begin + piece.length, .period = period};
    if (piece.length < period) {
        stretch.end = std::min<Offset>(piece.begin + period, static_cast<Offset>(symbols_.size()));
    }
    while (stretch.begin > 0 &&
           symbols_[stretch.begin - 1] == symbols_[stretch.begin - 1 + period]) {
        --stretch.begin;
    }
    while (stretch.end < symbols_.size() &&
           symbols_[stretch.end] == symbols_[stretch.end - period]) {
        ++stretch.end;
    }
    return stretch;
}

void Miner::mark(const Stretch& stretch) {
    stretches_.push_back(stretch);
    REFRAIN_ASSERT(stretch.end <= stretch_of_.size(), "a stretch reaches beyond its slice");
    std::fill(stretch_of_.begin() + stretch.begin, stretch_of_.begin() + stretch.end,
              static_cast<std::uint32_t>(stretches_.size()));
}

void Miner::propose_loop(const Stretch& stretch, std::uint32_t occurrences) {
    const Offset available = (stretch.end - stretch.begin) / stretch.period;
    auto iterations = static_cast<Offset>((length_min_ + stretch.period - 1) / stretch.period);
    while (iterations < length_min_ && !is_cuttable(iterations * stretch.period)) ++iterations;
    if (iterations <= available) {
        propose_iterations(stretch, stretch.begin, iterations, occurrences);
    }
    const auto wanted = static_cast<Offset>((loop_length_ + stretch.period - 1) / stretch.period);
    const auto possible = static_cast<Offset>(length_max_ / stretch.period);
    const Offset several = std::min(wanted, possible);
    if (several > iterations && several <= available) {
        propose_iterations(stretch, stretch.begin, several, occurrences);
    }
}

void Miner::propose_iterations(const Stretch& stretch, Offset begin, Offset iterations,
                               std::uint32_t occurrences) {
    const Offset length = iterations * stretch.period;
    REFRAIN_ASSERT(begin + length <= stretch.end, "iterations reach beyond their stretch");
    const base::Hash128 key = loop_key(begin, stretch.period, length);
    const std::uint32_t visits = std::max(occurrences, (stretch.end - stretch.begin) / length);
    propose_pieces({begin, length}, visits, &key);
}

/// Proposes pieces of equal length, up to a difference of one.
void Miner::propose_pieces(Piece whole, std::uint32_t occurrences, const base::Hash128* loop) {
    auto count = static_cast<Offset>((whole.length + length_max_ - 1) / length_max_);
    if (whole.length / count < length_min_) --count;  // drops some tokens at the end
    Offset begin = whole.begin;
    for (Offset i = 0; i < count; ++i) {
        const Offset end_wanted =
            whole.begin + static_cast<Offset>(std::uint64_t{whole.length} * (i + 1) / count);
        const Offset length = std::min(end_wanted - begin, static_cast<Offset>(length_max_));
        found_->push_back(
            {.begin = slice_->begin + begin,
             .length = length,
             .occurrences = occurrences,
             .key = loop != nullptr ? piece_key(*loop, i) : content_key({begin, length}),
             .after_break = follows_break(whole.begin)});
        begin += length;
    }
}

/// Whether this length divides into pieces of length_min_ to length_max_.
bool Miner::is_cuttable(Offset length) const {
    const std::size_t count = (length + length_max_ - 1) / length_max_;
    return length / count >= length_min_;
}

bool Miner::follows_break(Offset offset) const {
    return offset > 0 && std::binary_search(slice_->breaks.begin(), slice_->breaks.end(),
                                            slice_->begin + offset - 1);
}

base::Hash128 Miner::content_key(Piece piece) const {
    base::Hasher hasher(content_seed);
    for (Offset i = 0; i < piece.length; ++i) {
        const Token& token = (*history_)[slice_->begin + piece.begin + i];
        hasher.add(token.low);
        hasher.add(token.high);
    }
    return hasher.finish();
}

/// The hash of the smallest rotation, hence equal for all rotations.
base::Hash128 Miner::loop_key(Offset begin, Offset period, Offset length) const {
    const auto token_at = [&](std::size_t i) -> const Token& {
        return (*history_)[slice_->begin + begin + i];
    };
    const auto less = [](const Token& a, const Token& b) {
        return std::tie(a.high, a.low) < std::tie(b.high, b.low);
    };
    const std::size_t first = least_rotation(period, token_at, less);
    base::Hasher hasher(loop_seed);
    hasher.add(length);
    for (Offset i = 0; i < period; ++i) {
        const Token& token = token_at((first + i) % period);
        hasher.add(token.low);
        hasher.add(token.high);
    }
    return hasher.finish();
}

}  // namespace refrain::autotrace
