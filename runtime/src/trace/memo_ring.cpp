#include "trace/memo_ring.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <new>

namespace refrain::trace {
namespace {

using analysis::Access;
using Requirement = OperationMemo::Requirement;

/// Hands out the parts of one piece of memory, front to back.
class Pieces {
  public:
    explicit Pieces(std::size_t bytes) : at_(static_cast<std::byte*>(::operator new(bytes))) {}

    template <class T>
    T* take(std::size_t count) {
        static_assert(alignof(T) <= 8 && sizeof(T) % 8 == 0, "pieces are not padded");
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

Requirement memo_of(const Access& access, OperationNumber number, Pieces& pieces) {
    Requirement made;
    made.sources = pieces.copy(access.sources);
    made.found = static_cast<std::uint32_t>(own_sources(access).size());
    made.reach = made.own_reach = access.reach;
    if (!is_separable(access)) return made;
    made.own_reach = access.own.reach;
    made.twin_distance = static_cast<std::uint32_t>(number - access.own.twin.operation);
    made.twin_index = access.own.twin.index;
    made.needed_at_twin = access.own.needed_at_twin;
    return made;
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
    REFRAIN_ASSERT(limits.window <= (mask_ + 1) / 4, "memos are dropped that are still read");
}

void MemoRing::keep(Place place, OperationNumber number, std::span<const Access> accesses,
                    std::span<const Source> edges, std::span<const Source> own_edges) {
    REFRAIN_ASSERT(at(place.position).memo == nullptr, "a memo is kept where there is one");
    const bool alike = own_edges.data() == edges.data();
    const std::size_t bytes = bytes_for(accesses, edges.size() + (alike ? 0 : own_edges.size()));
    if (!make_room(bytes, in_use_from(place, number)) || place.position < oldest_) return;
    Pieces pieces(bytes);
    auto* memo = pieces.take<OperationMemo>(1);
    auto* requirements = pieces.take<Requirement>(accesses.size());
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        requirements[i] = memo_of(accesses[i], number, pieces);
        memo->reach = std::max(memo->reach, requirements[i].reach);
        memo->own_reach = std::max(memo->own_reach, requirements[i].own_reach);
    }
    memo->requirements = {requirements, accesses.size()};
    memo->edges = pieces.copy(edges);
    memo->own_edges = alike ? memo->edges : pieces.copy(own_edges);
    memo->bytes = static_cast<std::uint32_t>(bytes);
    memo->users = 1;
    bytes_ += bytes;
    ++memos_;
    REFRAIN_ASSERT(bytes_ <= limits_.bytes_max, "memos take more than their budget");
    places_[place.position & mask_] = {memo, true};
}

/// From this position on, operations that are remembered may refer to memos.
MemoRing::Position MemoRing::in_use_from(Place place, OperationNumber number) {
    if (place.position >= end_) {
        move_to(place.position);
        return end_ - std::min<Position>(end_, 2 * std::uint64_t{limits_.window});
    }
    if (round_end_ != end_) {
        round_end_ = end_;
        round_since_ = number;
    }
    const bool for_a_window = place.loop != 0 && number - round_since_ >= limits_.window;
    return for_a_window ? end_ - std::min(end_, place.loop) : 0;
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
    const OperationMemo* memo = places_[oldest_++ & mask_].memo;
    if (memo == nullptr || --memo->users != 0) return;
    REFRAIN_ASSERT(memo->bytes <= bytes_, "more bytes are given back than were taken");
    REFRAIN_ASSERT(memos_ > 0, "more memos are dropped than were kept");
    bytes_ -= memo->bytes;
    --memos_;
    ::operator delete(const_cast<OperationMemo*>(memo));
}

void MemoRing::clear() {
    while (oldest_ < end_) drop_oldest();
    REFRAIN_ASSERT(memos_ == 0, "a memo is left that no place refers to");
    REFRAIN_ASSERT(bytes_ == 0, "bytes are left that no memo takes");
    oldest_ = end_ = round_end_ = 0;
}

}  // namespace refrain::trace
