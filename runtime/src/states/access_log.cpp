#include "states/access_log.hpp"

#include <algorithm>

namespace refrain::states {

using analysis::LoggedAccess;
using analysis::PatternId;

namespace {

constexpr std::size_t log_limit_min = 64;

}  // namespace

void AccessLog::begin(Cell& cell, const std::vector<GroupId>& groups) {
    cell.private_groups.clear();
    for (const GroupId group : groups)
        cell.private_groups.push_back(static_cast<std::uint32_t>(group));
    cell.log.clear();
    cell.newest_change = LoggedAccess::none;
    cell.log_limit = log_limit_min;
    cell.is_private = true;
}

void AccessLog::end(Cell& cell) {
    cell.is_private = false;
    analysis::free_all(cell.private_groups);
    analysis::free_all(cell.log);
}

void AccessLog::forget(Cell& cell) {
    cell.slots.clear();
    cell.private_groups.clear();
    cell.log.clear();
    cell.newest_change = LoggedAccess::none;
}

void AccessLog::renew(Cell& cell, GroupTable& present, GroupTable& previous) {
    tidy(cell);
    for (std::uint32_t& group : cell.private_groups)
        group =
            static_cast<std::uint32_t>(present.intern(previous.get(static_cast<GroupId>(group))));
    for (LoggedAccess& logged : cell.log)
        logged.access = present.adopt(AccessKey{logged.access}, previous).word;
}

void AccessLog::add(Cell& cell, AccessKey access, GroupTable& groups) {
    const GroupTable::Outline& outline = groups.outline(access);
    now_ = lists_.newest();
    find_sources(cell, access, outline, groups);
    if (cell.log.size() >= cell.log_limit) tidy(cell);
    append(cell, {.access = access.word,
                  .operation = now_,
                  .commuting = outline.commuting,
                  .is_change = !outline.only_reads});
    cell.last = now_;
}

void AccessLog::ask(Cell& cell, AccessKey access, GroupTable& groups,
                    analysis::OperationNumber now) {
    now_ = now;
    // Under no access's name, so that nothing is gone afterwards.
    find_sources(cell, AccessKey{}, groups.outline(access), groups);
}

void AccessLog::append(Cell& cell, LoggedAccess access) {
    const bool continues =
        !cell.log.empty() && access.commuting != 0 && cell.log.back().commuting == access.commuting;
    access.run = continues ? cell.log.back().run + 1 : 1;
    access.change = cell.newest_change;
    if (access.is_change) cell.newest_change = static_cast<std::uint32_t>(cell.log.size());
    cell.log.push_back(access);
}

/// Removes accesses that are gone or finished.
void AccessLog::tidy(Cell& cell) {
    analysis::CountedVector<LoggedAccess> old(cell.log.get_allocator());
    old.swap(cell.log);
    cell.log.reserve(old.size());
    cell.newest_change = LoggedAccess::none;
    bool finished = false;
    for (const LoggedAccess& access : old) {
        const bool living = lists_.is_living(access.operation);
        finished = finished || !living;
        if (living && !access.is_gone) append(cell, access);
    }
    if (finished) {  // what the mode began with is older still
        cell.private_groups.clear();
        cell.slots.clear();
    }
    cell.log_limit = std::max(log_limit_min, 2 * cell.log.size());
}

void AccessLog::find_sources(Cell& cell, AccessKey access, const GroupTable::Outline& outline,
                             GroupTable& groups) {
    for (const GroupId need : outline.needs) {
        const GroupId left = outline.only_reads ? pass_changes(cell, need, groups)
                                                : pass_all(cell, need, access, outline, groups);
        if (left == GroupId::nothing) continue;
        for (std::size_t slot = 0; slot < cell.slots.size(); ++slot) {
            if (!lists_.is_living(cell.slots[slot].operation)) continue;
            const auto group = static_cast<GroupId>(cell.private_groups[slot]);
            const GroupTable::Step step = groups.meet(left, group);
            add_sources(cell.slots[slot], step.data, true);
            add_sources(cell.slots[slot], step.order, false);
        }
    }
}

void AccessLog::add_sources(Member members, PatternId pattern, bool carries_data) {
    if (pattern == PatternId::none) return;
    lists_.for_each_living(members, [&](analysis::OperationNumber operation) {
        found_.push_back({static_cast<std::uint32_t>(now_ - operation), pattern, carries_data});
    });
}

inline GroupId AccessLog::step_back(GroupId need, const LoggedAccess& earlier, GroupTable& groups) {
    const GroupTable::Step step = groups.step_back(need, AccessKey{earlier.access});
    const auto distance = static_cast<std::uint32_t>(now_ - earlier.operation);
    if (step.data != PatternId::none) found_.push_back({distance, step.data, true});
    if (step.order != PatternId::none) found_.push_back({distance, step.order, false});
    return step.left;
}

/// Passes the accesses that do not only read. Returns what is still needed before all of them.
GroupId AccessLog::pass_changes(const Cell& cell, GroupId need, GroupTable& groups) {
    for (std::uint32_t at = cell.newest_change; at != LoggedAccess::none;) {
        const LoggedAccess& earlier = cell.log[at];
        if (!lists_.is_living(earlier.operation)) return GroupId::nothing;  // as all before it
        need = step_back(need, earlier, groups);
        if (need == GroupId::nothing) return need;
        at = earlier.change;
    }
    return need;
}

/// Passes all accesses. If this one is a single requirement that overwrites, its like, once met, is
/// gone: whatever comes later meets this one first, which leaves nothing of what the other used.
GroupId AccessLog::pass_all(Cell& cell, GroupId need, AccessKey access,
                            const GroupTable::Outline& outline, GroupTable& groups) {
    const bool replaces = outline.only_overwrites && outline.needs.size() == 1;
    std::uint32_t* link = &cell.newest_change;
    for (std::size_t at = cell.log.size(); at > 0;) {
        LoggedAccess& earlier = cell.log[at - 1];
        if (!lists_.is_living(earlier.operation)) return GroupId::nothing;
        if (outline.commuting != 0 && earlier.commuting == outline.commuting) {
            at -= std::min<std::size_t>(at, earlier.run);
            link = nullptr;  // unknown, and not used: what overwrites commutes with nothing
            continue;
        }
        --at;
        if (earlier.is_gone) continue;
        need = step_back(need, earlier, groups);
        if (replaces && earlier.access == access.word) {
            earlier.is_gone = true;
            *link = earlier.change;
        }
        if (need == GroupId::nothing) return need;
        if (earlier.is_change) link = &earlier.change;
    }
    return need;
}

}  // namespace refrain::states
