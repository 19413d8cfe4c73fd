#include "trace/memo_ring.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <new>

namespace refrain::trace {
namespace {

using analysis::Access;
using Requirement = OperationMemo::Requirement;

/// Allocates parts of one block of memory, front to back.
class Block {
  public:
    explicit Block(std::size_t bytes) : at_(static_cast<std::byte*>(::operator new(bytes))) {}

    [[nodiscard]] const std::byte* begin() const { return at_; }
    template <class T>
    T* take(std::size_t count) {
        static_assert(alignof(T) <= 8 && sizeof(T) % 8 == 0, "parts are not padded");
        T* begin = reinterpret_cast<T*>(at_);
        std::uninitialized_default_construct_n(begin, count);
        at_ += count * sizeof(T);
        return begin;
    }
    std::span<const Source> copy(std::span<const Source> sources) {
        Source* begin = take<Source>(sources.size());
        std::copy(sources.begin(), sources.end(), begin);
        return {begin, sources.size()};
    }

  private:
    std::byte* at_;
};

Requirement memo_of(const Access& access, OperationNumber number, Block& block) {
    Requirement made;
    made.sources = block.copy(access.sources);
    made.own_count = static_cast<std::uint32_t>(own_sources(access).size());
    made.lookback = made.own_lookback = access.lookback;
    if (!is_separable(access)) return made;
    made.own_lookback = access.own.lookback;
    made.twin_distance = static_cast<std::uint32_t>(number - access.own.twin.operation);
    made.twin_index = access.own.twin.index;
    made.needed_at_twin = access.own.needed_at_twin;
    return made;
}

/// Whether merging has changed nothing: each requirement waits for other operations, as most do.
bool are_sources(std::span<const Source> edges, std::span<const Access> accesses) {
    for (const Access& access : accesses) {
        const std::size_t count = access.sources.size();
        if (edges.size() < count ||
            !std::equal(access.sources.begin(), access.sources.end(), edges.begin()))
            return false;
        edges = edges.subspan(count);
    }
    return edges.empty();
}

std::size_t bytes_for(std::span<const Access> accesses, std::size_t edges) {
    std::size_t sources = edges;
    for (const Access& access : accesses) sources += access.sources.size();
    return sizeof(OperationMemo) + accesses.size() * sizeof(Requirement) + sources * sizeof(Source);
}

}  // namespace

MemoRing::MemoRing(const Limits& limits)
    : limits_(limits),
      mask_((std::uint64_t{1} << limits.capacity_log2) - 1),
      places_(std::make_unique_for_overwrite<Entry[]>(mask_ + 1)) {
    REFRAIN_ASSERT(limits.window <= (mask_ + 1) / 4,
                   "the capacity must be four windows: memos in use must not be evicted");
}

void MemoRing::keep(Place place, OperationNumber number, std::span<const Access> accesses,
                    std::span<const Source> edges, std::span<const Source> own_edges) {
    release_replaced(number);
    const bool same = own_edges.data() == edges.data();
    const bool has_edges = !are_sources(edges, accesses);
    const std::size_t bytes =
        bytes_for(accesses, (has_edges ? edges.size() : 0) + (same ? 0 : own_edges.size()));
    if (!make_room(bytes, in_use_from(place, number)) || place.position < oldest_) return;
    const bool replaces = places_[place.position & mask_].memo != nullptr;
    if (replaces) replaced_.push_back({nullptr, number});  // first: it may find no memory
    Block block(bytes);
    memo_pages_.reach(block.begin(), bytes);
    auto* memo = block.take<OperationMemo>(1);
    auto* requirements = block.take<Requirement>(accesses.size());
    const auto* sources =
        reinterpret_cast<const Source*>(block.begin());  // of all, one after the other
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        requirements[i] = memo_of(accesses[i], number, block);
        memo->lookback = std::max(memo->lookback, requirements[i].lookback);
        memo->own_lookback = std::max(memo->own_lookback, requirements[i].own_lookback);
    }
    memo->requirements = {requirements, accesses.size()};
    memo->edges = has_edges ? block.copy(edges) : std::span(sources, edges.size());
    memo->own_edges = same ? memo->edges : block.copy(own_edges);
    memo->bytes = static_cast<std::uint32_t>(bytes);
    memo->references = 1;
    bytes_ += bytes;
    ++memos_;
    REFRAIN_ASSERT(bytes_ <= limits_.bytes_max, "memos exceed their budget");
    Entry& entry = places_[place.position & mask_];
    if (entry.memo != nullptr) replaced_.back() = {entry.memo, number};
    entry = {.memo = memo, .complete = true};
}

/// Remembered operations refer to memos from this position on only.
Position MemoRing::in_use_from(Place place, OperationNumber number) {
    if (place.position >= end_) {
        move_to(place.position);
        return end_.back_by(2 * std::uint64_t{limits_.window});
    }
    if (loop_end_ != end_) {
        loop_end_ = end_;
        loop_since_ = number;
    }
    const bool for_a_window = place.loop != 0 && number - loop_since_ >= limits_.window;
    return for_a_window ? end_.back_by(place.loop) : Position{0};
}

bool MemoRing::make_room(std::size_t bytes, Position in_use_from) {
    while (bytes_ + bytes > limits_.bytes_max && oldest_ < in_use_from) {
        if (places_[oldest_ & mask_].memo != nullptr) ++evictions_;
        drop_oldest();
    }
    return bytes_ + bytes <= limits_.bytes_max;
}

void MemoRing::drop_oldest() {
    REFRAIN_ASSERT(oldest_ < end_, "a place is dropped that was not given");
    release(places_[oldest_++ & mask_].memo);
}

void MemoRing::release(const OperationMemo* memo) {
    if (memo == nullptr || --memo->references != 0) return;
    REFRAIN_ASSERT(memo->bytes <= bytes_, "more bytes are freed than were counted");
    REFRAIN_ASSERT(memos_ > 0, "more memos are freed than were counted");
    bytes_ -= memo->bytes;
    --memos_;
    ::operator delete(const_cast<OperationMemo*>(memo));
}

void MemoRing::release_replaced(OperationNumber number) {
    for (; !replaced_.empty() && number - replaced_.front().by >= limits_.window;
         replaced_.pop_front())
        release(replaced_.front().memo);
}

void MemoRing::clear() {
    while (oldest_ < end_) drop_oldest();
    for (const Replaced& old : replaced_) release(old.memo);
    replaced_.clear();
    REFRAIN_ASSERT(memos_ == 0 && bytes_ == 0, "a memo is left that no place refers to");
    oldest_ = end_ = loop_end_ = 0;
}

}  // namespace refrain::trace
