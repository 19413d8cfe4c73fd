#include "tasks/place_counts.hpp"

#include "values/steps.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace refrain::script::tasks {
namespace {

/// How one statement uses one datum.
struct Use {
    bool writes = false;
    bool as_value = false;  // its id becomes an element
    std::int64_t takes_reads = 0;
    std::int64_t takes_writes = 0;
};
/// What a statement uses, by slot; slots of values are among them.
using Uses = std::map<Slot, Use>;

Uses uses_of(const UncountedTasks& program, const Code& code);

void note_captures(const UncountedTasks& program, Uses& uses, const Spawn& spawn) {
    const std::vector<Capture>& shares = program.tasks[spawn.task].captures;
    for (std::size_t i = 0; i < spawn.captures.size(); ++i) {
        const Capture& each = spawn.captures[i];
        if (!each.counted) continue;
        Use& use = uses[each.from];
        use.writes |= each.writes;
        use.takes_reads += shares[i].read_share;
        use.takes_writes += each.writes ? shares[i].write_share : 0;
    }
}
void note_block(const UncountedTasks& program, Uses& uses, const CodeBlock& block) {
    for (const Code& each : block)
        for (const auto& [slot, use] : uses_of(program, each)) {
            step();
            uses[slot].writes |= use.writes;
            uses[slot].as_value |= use.as_value;
        }
}
/// What nested statements take is counted where they stand.
Uses uses_of(const UncountedTasks& program, const Code& code) {
    Uses uses;
    for_each_spawn(code, [&](const Spawn& made, bool) { note_captures(program, uses, made); });
    std::visit(
        [&](const auto& is) {
            using Is = std::decay_t<decltype(is)>;
            if constexpr (requires { is.place; }) uses[is.place.datum].writes = true;
            if constexpr (std::is_same_v<Is, Store>)
                if (is.from.slot != no_slot) uses[is.from.slot].as_value = true;
            if constexpr (std::is_same_v<Is, MapFile>) uses[is.file].writes = true;
            if constexpr (std::is_same_v<Is, FailData>)
                for (const Slot each : is.data) uses[each].writes = true;
            if constexpr (requires { is.blocks; })
                for (const CodeBlock& each : is.blocks) note_block(program, uses, each);
        },
        code.is);
    return uses;
}
/// The statements of a block that use a datum, in their order.
using UsesOfOne = std::vector<std::pair<std::size_t, Use>>;
using UsesInBlock = std::map<Slot, UsesOfOne>;
UsesInBlock uses_in(const UncountedTasks& program, const CodeBlock& block) {
    UsesInBlock all;
    for (std::size_t i = 0; i < block.size(); ++i)
        for (const auto& [slot, use] : uses_of(program, block[i])) {
            step();
            all[slot].emplace_back(i, use);
        }
    return all;
}

/// Of a loop; null of others.
auto moved_of(auto& code) -> decltype(&std::get<ForEach>(code.is).moved) {
    if (auto* is = std::get_if<ForEach>(&code.is)) return &is->moved;
    if (auto* is = std::get_if<ForRange>(&code.is)) return &is->moved;
    return nullptr;
}

/// What a loop is given, whose number of turns only the run knows: what is too much is returned by the way, and asking for more
/// is a small part of so many turns. No task is given more than share_max, so that 2^31 of them together, which a loop of as
/// many turns would ask for, stay below what a count can be.
constexpr std::int64_t share_max = std::int64_t{1} << 32;
std::int64_t loop_share(std::int64_t of_turn) {
    constexpr std::int64_t turns = 1 << 16;
    return of_turn > share_max / turns ? of_turn : of_turn * turns;
}

/// The statements of a block that need a count of one kind of a datum, and what spawns and loops among them are given.
struct Taking {
    std::int64_t taken = 0;  // but for a loop that is the last
    std::optional<std::size_t> last;
    bool hands_on = false;     // the last is a spawn
    std::int64_t of_loop = 0;  // what the last is given, if it is a loop
};
Taking taking(const CodeBlock& code, const UsesOfOne& used, bool writes, bool weighted) {
    Taking made;
    bool pinned = false;
    for (const auto& [i, use] : used) {
        pinned |= use.as_value;
        if (writes && !use.writes) continue;
        const std::int64_t takes = writes ? use.takes_writes : use.takes_reads;
        made.last = i;
        made.hands_on = std::holds_alternative<Spawn>(code[i].is);
        made.taken += made.of_loop + (made.hands_on ? takes : 0);
        made.of_loop = weighted && moved_of(code[i]) != nullptr ? loop_share(takes) : 0;
    }
    made.hands_on = made.hands_on && !pinned;
    return made;
}

/// How many counts of each datum a task is given: as many as it hands on on any path, up to share_max, so that it need not ask
/// for more. A task that starts itself again is given one.
class Shares {
  public:
    explicit Shares(UncountedTasks& program)
        : program_(program), seen_(program.tasks.size(), false) {}

    void run() {
        for (std::uint32_t i = 0; i < program_.tasks.size(); ++i) find(i);
    }
    /// What a block needs of a datum until its last use.
    std::int64_t wanted(CodeBlock& code, const UsesOfOne& used, Slot slot, bool writes) {
        const Taking is = taking(code, used, writes, true);
        if (!is.last || is.hands_on) return is.taken;
        std::vector<CodeBlock>* arms = blocks_of(code[*is.last]);
        std::int64_t most = std::max<std::int64_t>(1, is.of_loop);
        for (std::size_t i = 0; arms != nullptr && i + 1 < arms->size(); ++i) {
            const UsesInBlock uses = uses_in(program_, (*arms)[i]);
            const auto found = uses.find(slot);
            if (found == uses.end()) continue;
            most = std::max(most, wanted((*arms)[i], found->second, slot, writes));
        }
        return is.taken + most;
    }

  private:
    void find(std::uint32_t index) {
        if (seen_[index]) return;
        seen_[index] = true;
        TaskDefinition& task = program_.tasks[index];
        find_children(task.code);
        const UsesInBlock uses = uses_in(program_, task.code);
        for (Capture& each : task.captures) {
            const auto used = uses.find(each.to);
            if (!each.counted || used == uses.end()) continue;
            const auto share = [&](bool writes) {
                return std::clamp<std::int64_t>(wanted(task.code, used->second, each.to, writes), 1,
                                                share_max);
            };
            each.read_share = share(false);
            if (each.writes) each.write_share = share(true);
        }
    }
    void find_children(CodeBlock& code) {
        for (Code& each : code) {
            for_each_spawn(each, [&](const Spawn& made, bool) { find(made.task); });
            if (std::vector<CodeBlock>* blocks = blocks_of(each))
                for (CodeBlock& inner : *blocks) find_children(inner);
        }
    }

    UncountedTasks& program_;
    std::vector<bool> seen_;
};

/// Counts that a block has to return or to hand on, by slot.
using Owned = std::map<Slot, Counts>;

class Placing {
  public:
    Placing(UncountedTasks& program, Counting how)
        : program_(program), shares_(program), how_(how) {}

    void run(TaskDefinition& task) {
        Owned owned;
        data_.clear();
        lent_.clear();
        for (const Input& each : task.inputs)
            if (!each.scalar) lent_.insert(each.place.datum);
        for (const Capture& each : task.captures)
            if (each.counted)
                owned[each.to] = {each.to, each.read_share, each.writes ? each.write_share : 0};
        for (const Slot each : task.references) owned[each] = {each, 1, 0};
        const UsesInBlock uses = uses_in(program_, task.code);
        if (how_ != Counting::plain) release_by_answer(task, uses, owned);
        for (const auto& [slot, counts] : owned) data_.insert(slot);
        block(task.code, uses, owned);
        for (std::size_t i = 0; i < task.code.size(); ++i)
            if (std::holds_alternative<CallPoint>(task.code[i].is)) task.call_point = i;
    }

  private:
    /// What is only waited for is given back with the answer.
    static void release_by_answer(TaskDefinition& task, const UsesInBlock& uses, Owned& owned) {
        std::map<Slot, int> asked;
        for (const Input& each : task.inputs) ++asked[each.place.datum];
        for (Input& each : task.inputs) {
            const auto own = owned.find(each.place.datum);
            if (own == owned.end() || own->second.writes != 0 || own->second.reads != 1 ||
                asked[each.place.datum] != 1 || !each.scalar || each.place.path.size() > 1 ||
                each.mode == Mode::reference || uses.contains(each.place.datum))
                continue;
            each.releases = true;
            owned.erase(own);
        }
    }

    struct Insertion {
        std::size_t before;
        Counts by;
    };

    void block(CodeBlock& code, const UsesInBlock& uses, Owned owned) {
        for (Code& each : code)
            if (auto* create = std::get_if<Create>(&each.is)) enter(*create, code, uses, owned);
        std::vector<Insertion> insertions;
        std::vector<Owned> handed_on(code.size());
        const UsesOfOne none;
        for (const auto& [slot, counts] : owned) {
            const auto used = uses.find(slot);
            count(code, used == uses.end() ? none : used->second, counts, insertions, handed_on);
        }
        for (const auto& [slot, used] : uses)
            if (data_.contains(slot) && !owned.contains(slot))
                count(code, used, {slot, 0, 0}, insertions, handed_on);
        created_.clear();
        for (std::size_t i = 0; i < code.size(); ++i)
            if (std::vector<CodeBlock>* inner = blocks_of(code[i]))
                for (CodeBlock& each : *inner) block(each, uses_in(program_, each), handed_on[i]);
        insert(code, insertions);
    }
    void count(CodeBlock& code, const UsesOfOne& used, const Counts& own,
               std::vector<Insertion>& insertions, std::vector<Owned>& handed_on) const {
        if (how_ != Counting::plain)
            merge(code, used, own, insertions, handed_on);
        else
            plain(code, used, own, insertions);
    }
    static void insert(CodeBlock& code, std::vector<Insertion>& insertions) {
        if (insertions.empty()) return;
        std::stable_sort(
            insertions.begin(), insertions.end(),
            [](const Insertion& a, const Insertion& b) { return a.before < b.before; });
        CodeBlock made;
        auto next = insertions.begin();
        for (std::size_t i = 0; i <= code.size(); ++i) {
            for (; next != insertions.end() && next->before == i; ++next)
                made.push_back({ChangeCount{next->by}});
            if (i < code.size()) made.push_back(std::move(code[i]));
        }
        code = std::move(made);
    }
    /// Data that nothing uses are not made.
    void enter(Create& create, CodeBlock& code, const UsesInBlock& uses, Owned& owned) {
        std::erase_if(create.data,
                      [&](const Create::One& each) { return !uses.contains(each.counts.slot); });
        for (Create::One& each : create.data) {
            const auto wanted = [&](bool writes) -> std::int64_t {
                if (how_ != Counting::weighted) return 1;
                const Slot slot = each.counts.slot;
                return std::max<std::int64_t>(1, shares_.wanted(code, uses.at(slot), slot, writes));
            };
            each.counts.reads = wanted(false);
            each.counts.writes = wanted(true);
            data_.insert(each.counts.slot);
            owned[each.counts.slot] = each.counts;
            created_[each.counts.slot] = &each.counts;
        }
    }

    static void plain(const CodeBlock& code, const UsesOfOne& used, const Counts& own,
                      std::vector<Insertion>& insertions) {
        for (const auto& [i, use] : used)
            if (std::holds_alternative<Spawn>(code[i].is) && use.takes_reads != 0)
                insertions.push_back({i, {own.slot, use.takes_reads, use.takes_writes}});
        if (!own.none()) insertions.push_back({code.size(), {own.slot, -own.reads, -own.writes}});
    }

    /// The count of one kind: who takes it over, what has to be added, what is left to return behind which statement.
    struct Balance {
        std::int64_t added = 0;
        std::int64_t returned = 0;
        std::optional<std::size_t> last;
    };
    Balance balance(CodeBlock& code, const UsesOfOne& used, Slot slot, std::int64_t own,
                    bool writes, std::vector<Owned>& handed_on) const {
        const bool weighted = how_ == Counting::weighted && own != 0;
        const Taking is = taking(code, used, writes, weighted);
        Balance made{is.taken, own, is.last};
        if (own == 0 || !is.last) return made;
        // One is kept until the last use, unless that takes it.
        const std::int64_t kept = std::max<std::int64_t>(is.hands_on ? 0 : 1, own - is.taken);
        made.added = is.taken + kept - own;
        made.returned = kept;
        for (const auto& [i, use] : used) {
            std::vector<Counts>* moved = weighted && i != *is.last ? moved_of(code[i]) : nullptr;
            if (moved != nullptr && (use.writes || !writes))
                count_of(*moved, slot, writes) +=
                    loop_share(writes ? use.takes_writes : use.takes_reads);
        }
        const bool pinned =
            std::ranges::any_of(used, [](const auto& each) { return each.second.as_value; });
        if (pinned || is.hands_on) return made;
        Code& last = code[*is.last];
        if (std::vector<Counts>* moved = moved_of(last)) {
            count_of(*moved, slot, writes) += kept;
            made.returned = 0;
        } else if (blocks_of(last) != nullptr) {
            Counts& handed = handed_on[*is.last][slot];
            handed.slot = slot;
            (writes ? handed.writes : handed.reads) += kept;
            made.returned = 0;
        }
        return made;
    }
    static std::int64_t& count_of(std::vector<Counts>& all, Slot slot, bool writes) {
        const auto known = std::ranges::find(all, slot, &Counts::slot);
        Counts& counts = known == all.end() ? all.emplace_back() : *known;
        counts.slot = slot;
        return writes ? counts.writes : counts.reads;
    }
    /// Where counts are returned of what the block does not use: early, for others to let them ride. What has lent its parts is
    /// kept until the end.
    [[nodiscard]] std::size_t unused_before(const CodeBlock& code, Slot slot) const {
        if (lent_.contains(slot)) return code.size();
        const bool is_new = created_.contains(slot);
        const auto last = std::find_if(code.rbegin(), code.rend(), [&](const Code& each) {
            return std::holds_alternative<CallPoint>(each.is) ||
                   (is_new && std::holds_alternative<Create>(each.is));
        });
        return static_cast<std::size_t>(code.rend() - last);
    }

    void merge(CodeBlock& code, const UsesOfOne& used, const Counts& own,
               std::vector<Insertion>& insertions, std::vector<Owned>& handed_on) const {
        const Slot slot = own.slot;
        Balance reads = balance(code, used, slot, own.reads, false, handed_on);
        Balance writes = balance(code, used, slot, own.writes, true, handed_on);
        const auto created = created_.find(slot);
        if (created != created_.end()) {
            created->second->reads += reads.added;
            created->second->writes += writes.added;
        } else if (reads.added != 0 || writes.added != 0) {
            insertions.push_back({0, {slot, reads.added, writes.added}});
        }
        ride(code, slot, writes, true);
        ride(code, slot, reads, false);
        if (reads.returned == 0 && writes.returned == 0) return;
        const std::size_t unused = unused_before(code, slot);
        const std::size_t behind_writes = writes.last ? *writes.last + 1 : unused;
        const std::size_t behind_reads = reads.last ? *reads.last + 1 : unused;
        const std::size_t before = writes.returned == 0  ? behind_reads
                                   : reads.returned == 0 ? behind_writes
                                                         : std::max(behind_reads, behind_writes);
        insertions.push_back({before, {slot, -reads.returned, -writes.returned}});
    }
    /// The return rides on the last use, if that is an assignment.
    static void ride(CodeBlock& code, Slot slot, Balance& balance, bool writes) {
        if (balance.returned == 0 || !balance.last) return;
        auto* store = std::get_if<Store>(&code[*balance.last].is);
        if (store == nullptr || store->append || store->place.datum != slot ||
            store->from.slot == slot)
            return;
        store->release.slot = slot;
        (writes ? store->release.writes : store->release.reads) += balance.returned;
        balance.returned = 0;
    }

    UncountedTasks& program_;
    Shares shares_;
    Counting how_;
    std::set<Slot> data_;              // of the task, so far
    std::set<Slot> lent_;              // data of which inputs of the task hold parts
    std::map<Slot, Counts*> created_;  // in this block
};

}  // namespace

TaskProgram place_counts(UncountedTasks program, Counting how) {
    if (how == Counting::weighted) Shares(program).run();
    Placing placing(program, how);
    for (TaskDefinition& each : program.tasks) placing.run(each);
    return TaskProgram(std::move(program));
}

}  // namespace refrain::script::tasks
