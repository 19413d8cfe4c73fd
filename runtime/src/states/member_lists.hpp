#pragma once

#include "analysis/region_state.hpp"
#include "base/record_arena.hpp"

#include <cstdint>

namespace refrain::states {

using analysis::Member;
using graph::OperationNumber;

/// Makes lists of operations (analysis::Member), and knows which operations may be unfinished: the
/// newest `window`, the current one included.
///
/// Invariant:   the record behind an operation lives while that operation may be unfinished: it was
///              made for that operation or for a later one.
/// Threads:     the launching thread only.
class MemberLists {
  public:
    /// `window` is a power of two.
    explicit MemberLists(std::uint32_t window) : mask_(window - 1) {}

    /// Operation `number` is analysed from now on.
    void begin(OperationNumber number) {
        newest_ = number;
        if (number.value() > mask_) arena_.retire_below((number - mask_).value());
    }
    [[nodiscard]] OperationNumber newest() const { return newest_; }
    [[nodiscard]] std::uint32_t window() const { return mask_ + 1; }
    /// Whether the operation may be unfinished.
    [[nodiscard]] bool is_living(OperationNumber operation) const {
        return operation >= floor_ && newest_ - operation <= mask_;
    }
    /// Operations before `number` have finished, and nobody has a list.
    void forget_all_before(OperationNumber number) {
        floor_ = number;
        arena_.retire_all();
        arena_.release_free();
    }

    /// The list with the current operation, once, in front of it.
    [[nodiscard]] Member with_newest(Member list) {
        if (list.operation == newest_) return list;
        if (!is_living(list.operation)) return {newest_, nullptr};
        return {newest_, arena_.make<Member>(newest_.value(), list)};
    }
    /// The members of both, by age.
    [[nodiscard]] Member merge(Member a, Member b);

    template <class Visit>
    void for_each_living(Member list, Visit&& visit) const {
        while (is_living(list.operation)) {
            visit(list.operation);
            if (list.before == nullptr) return;
            list = *list.before;
        }
    }
    [[nodiscard]] std::size_t bytes() const { return arena_.bytes_held(); }

  private:
    /// Takes the first member off the list; false if there is no other that lives.
    [[nodiscard]] bool drop_first(Member& list) const {
        if (list.before == nullptr) return false;
        list = *list.before;
        return is_living(list.operation);
    }

    std::uint32_t mask_;
    OperationNumber newest_ = 0;
    OperationNumber floor_ = 1;
    base::RecordArena arena_;
};

}  // namespace refrain::states
