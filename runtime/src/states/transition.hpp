#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "states/group_table.hpp"

namespace refrain::states {

/// What an access does to a region in a state: whom the operation waits for, which groups there are
/// afterwards, and how their slots come from the slots before.
///
///     groups {write A, read B}, slots {[5], [7, 6]};  op8 reads as B does:
///         sources  slot 0, data         op8 waits for op5
///         moves    copy slot 0; slot 1 and op8 itself become one
///         groups   {write A', read B}, slots {[5], [8, 7, 6]}
struct Transition {
    /// Every member of this slot must finish first.
    struct Source {
        std::uint32_t slot;
        analysis::PatternId pattern;
        bool carries_data;
    };
    /// The next slots: copies of consecutive ones, or one that joins several and maybe the operation.
    struct Move {
        static constexpr std::uint32_t join_own = ~std::uint32_t{0};
        std::uint32_t from;       // join_own: none
        std::uint32_t count = 1;  // of slots that are copied
        bool joins = false;       // `from` joins the slot made by the move before
    };

    std::vector<Source> sources;
    std::vector<Move> moves;
    std::vector<GroupId> groups;  // afterwards, ascending
};

/// Finds a transition group by group. A group's future depends on itself and on the access alone, so
/// the transition depends on nothing but `groups` and `access`: it may be remembered.
[[nodiscard]] Transition find_transition(std::span<const GroupId> groups, AccessKey access,
                                         GroupTable& table);

}  // namespace refrain::states
