#include "tasks/place_counts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace refrain::script::tasks {
namespace {

/// How one statement uses one datum.
struct Use {
    bool any = false;
    bool writes = false;
    bool as_value = false;  // its id becomes an element
    std::int64_t takes_reads = 0;
    std::int64_t takes_writes = 0;

    void add(const Use& more) {
        any |= more.any;
        writes |= more.writes;
        as_value |= more.as_value;
    }
};

Use use_of(const CodeBlock& block, Slot slot);

Use captured(const Spawn& spawn, Slot slot) {
    Use use;
    for (const Capture& each : spawn.captures) {
        if (each.from != slot || !each.counted) continue;
        use.any = true;
        use.writes |= each.writes;
        ++use.takes_reads;
        use.takes_writes += each.writes ? 1 : 0;
    }
    return use;
}
Use placed(const Place& place, Slot slot) {
    const bool here = place.datum == slot;
    return {here, here, false, 0, 0};
}
Use from(const Source& source, Slot slot) {
    const bool here = source.slot == slot;
    return {here, false, here, 0, 0};
}
Use nested(const std::vector<CodeBlock>& blocks, Slot slot) {
    Use use;
    for (const CodeBlock& each : blocks) use.add(use_of(each, slot));
    return use;
}

Use use(const Store& is, Slot slot) {
    Use use = placed(is.place, slot);
    use.add(from(is.from, slot));
    return use;
}
Use use(const Append& is, Slot slot) {
    Use use = placed(is.place, slot);
    use.add(from(is.from, slot));
    return use;
}
Use use(const Update& is, Slot slot) {
    return placed(is.place, slot);
}
Use use(const MapFile& is, Slot slot) {
    const bool here = is.file == slot;
    return {here, here, false, 0, 0};
}
Use use(const FailData& is, Slot slot) {
    const bool here = std::find(is.data.begin(), is.data.end(), slot) != is.data.end();
    return {here, here, false, 0, 0};
}
Use use(const Spawn& is, Slot slot) {
    return captured(is, slot);
}
Use use(const ForEach& is, Slot slot) {
    return captured(is.body, slot);
}
Use use(const ForRange& is, Slot slot) {
    return captured(is.body, slot);
}
Use use(const Branch& is, Slot slot) {
    return nested(is.blocks, slot);
}
Use use(const Select& is, Slot slot) {
    return nested(is.blocks, slot);
}
Use use(const Guard& is, Slot slot) {
    return nested(is.blocks, slot);
}
template <class Other>
Use use(const Other&, Slot) {
    return {};
}

Use use_of(const Code& code, Slot slot) {
    return std::visit([&](const auto& is) { return use(is, slot); }, code.is);
}
Use use_of(const CodeBlock& block, Slot slot) {
    Use all;
    for (const Code& each : block) all.add(use_of(each, slot));
    return all;
}

std::vector<CodeBlock>* blocks_of(Code& code) {
    if (auto* is = std::get_if<Branch>(&code.is)) return &is->blocks;
    if (auto* is = std::get_if<Select>(&code.is)) return &is->blocks;
    if (auto* is = std::get_if<Guard>(&code.is)) return &is->blocks;
    return nullptr;
}
std::vector<Counts>* moved_of(Code& code) {
    if (auto* is = std::get_if<ForEach>(&code.is)) return &is->moved;
    if (auto* is = std::get_if<ForRange>(&code.is)) return &is->moved;
    return nullptr;
}

/// Counts that a block has to return or to hand on, by slot.
using Owned = std::map<Slot, Counts>;

class Placing {
  public:
    explicit Placing(bool merged) : merged_(merged) {}

    void run(TaskDefinition& task) {
        Owned owned;
        for (const Capture& each : task.captures)
            if (each.counted) owned[each.to] = {each.to, 1, each.writes ? 1 : 0};
        for (const Slot each : task.references) owned[each] = {each, 1, 0};
        if (merged_) release_by_answer(task, owned);
        for (const auto& [slot, counts] : owned) data_.push_back(slot);
        block(task.code, owned);
        for (std::size_t i = 0; i < task.code.size(); ++i)
            if (std::holds_alternative<CallPoint>(task.code[i].is)) task.call_point = i;
    }

  private:
    /// What is only waited for is given back with the answer.
    static void release_by_answer(TaskDefinition& task, Owned& owned) {
        for (Input& each : task.inputs) {
            const auto own = owned.find(each.place.datum);
            const bool once =
                std::count_if(task.inputs.begin(), task.inputs.end(), [&](const Input& other) {
                    return other.place.datum == each.place.datum;
                }) == 1;
            if (own == owned.end() || own->second.writes != 0 || !once || !each.scalar ||
                !each.place.path.empty() || each.mode == Mode::reference ||
                use_of(task.code, each.place.datum).any)
                continue;
            each.releases = true;
            owned.erase(own);
        }
    }

    struct Insertion {
        std::size_t before;
        Counts by;
    };

    void block(CodeBlock& code, Owned owned) {
        const std::size_t outer = data_.size();
        for (Code& each : code)
            if (auto* create = std::get_if<Create>(&each.is)) enter(code, *create, owned);
        std::vector<Insertion> insertions;
        std::vector<Owned> handed_on(code.size());
        for (const Slot slot : data_) {
            const auto own = owned.find(slot);
            const Counts counts = own == owned.end() ? Counts{slot, 0, 0} : own->second;
            if (merged_)
                merge(code, counts, insertions, handed_on);
            else
                plain(code, counts, insertions);
        }
        created_.clear();
        for (std::size_t i = 0; i < code.size(); ++i)
            if (std::vector<CodeBlock>* inner = blocks_of(code[i]))
                for (CodeBlock& each : *inner) block(each, handed_on[i]);
        std::stable_sort(
            insertions.begin(), insertions.end(),
            [](const Insertion& a, const Insertion& b) { return a.before < b.before; });
        for (auto each = insertions.rbegin(); each != insertions.rend(); ++each)
            code.insert(code.begin() + static_cast<std::ptrdiff_t>(each->before),
                        Code{ChangeCount{each->by}});
        data_.resize(outer);
    }
    /// Data that nothing uses are not made.
    void enter(const CodeBlock& code, Create& create, Owned& owned) {
        std::erase_if(create.data,
                      [&](const Create::One& each) { return !use_of(code, each.counts.slot).any; });
        for (Create::One& each : create.data) {
            each.counts.reads = 1;
            each.counts.writes = 1;
            data_.push_back(each.counts.slot);
            owned[each.counts.slot] = each.counts;
            created_[each.counts.slot] = &each.counts;
        }
    }

    static void plain(const CodeBlock& code, const Counts& own,
                      std::vector<Insertion>& insertions) {
        for (std::size_t i = 0; i < code.size(); ++i) {
            if (!std::holds_alternative<Spawn>(code[i].is)) continue;
            const Use use = use_of(code[i], own.slot);
            if (use.takes_reads != 0)
                insertions.push_back({i, {own.slot, use.takes_reads, use.takes_writes}});
        }
        if (!own.none()) insertions.push_back({code.size(), {own.slot, -own.reads, -own.writes}});
    }

    /// The count of one kind: who takes it over, what has to be added, what is left to return behind which statement.
    struct Balance {
        std::int64_t added = 0;
        std::int64_t returned = 0;
        std::optional<std::size_t> last;
    };
    static Balance balance(CodeBlock& code, Slot slot, std::int64_t own, bool writes, bool pinned,
                           std::vector<Owned>& handed_on) {
        Balance made;
        const auto count = [&](Counts& counts) -> std::int64_t& {
            counts.slot = slot;
            return writes ? counts.writes : counts.reads;
        };
        for (std::size_t i = 0; i < code.size(); ++i) {
            const Use use = use_of(code[i], slot);
            if (writes ? !use.writes : !use.any) continue;
            made.last = i;
            if (std::holds_alternative<Spawn>(code[i].is))
                made.added += writes ? use.takes_writes : use.takes_reads;
        }
        made.returned = own;
        if (own == 0 || !made.last || pinned) return made;
        Code& last = code[*made.last];
        if (std::holds_alternative<Spawn>(last.is)) {
            --made.added;
            made.returned = 0;
        } else if (std::vector<Counts>* moved = moved_of(last)) {
            const auto known = std::find_if(moved->begin(), moved->end(),
                                            [&](const Counts& each) { return each.slot == slot; });
            count(known == moved->end() ? moved->emplace_back() : *known) += 1;
            made.returned = 0;
        } else if (blocks_of(last) != nullptr) {
            count(handed_on[*made.last][slot]) += 1;
            made.returned = 0;
        }
        return made;
    }

    void merge(CodeBlock& code, const Counts& own, std::vector<Insertion>& insertions,
               std::vector<Owned>& handed_on) {
        const Slot slot = own.slot;
        const bool pinned = use_of(code, slot).as_value;
        Balance reads = balance(code, slot, own.reads, false, pinned, handed_on);
        Balance writes = balance(code, slot, own.writes, true, pinned, handed_on);
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
        const std::size_t end = code.size();
        const std::size_t behind_writes = writes.last ? *writes.last + 1 : end;
        const std::size_t behind_reads = reads.last ? *reads.last + 1 : end;
        const std::size_t before = writes.returned == 0  ? behind_reads
                                   : reads.returned == 0 ? behind_writes
                                                         : std::max(behind_reads, behind_writes);
        insertions.push_back({before, {slot, -reads.returned, -writes.returned}});
    }
    /// The return rides on the last use, if that is an assignment.
    static void ride(CodeBlock& code, Slot slot, Balance& balance, bool writes) {
        if (balance.returned == 0 || !balance.last) return;
        auto* store = std::get_if<Store>(&code[*balance.last].is);
        if (store == nullptr || store->place.datum != slot || store->from.slot == slot) return;
        store->release.slot = slot;
        (writes ? store->release.writes : store->release.reads) += balance.returned;
        balance.returned = 0;
    }

    bool merged_;
    std::vector<Slot> data_;           // of the task, in this block and around it
    std::map<Slot, Counts*> created_;  // in this block
};

}  // namespace

void place_counts(TaskProgram& program, bool merged) {
    for (TaskDefinition& each : program.tasks) Placing(merged).run(each);
}

}  // namespace refrain::script::tasks
