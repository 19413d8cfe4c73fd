#include "property/scope.hpp"

namespace refrain::property {
namespace {

/// Replaces slots by the numbers of the handles in them.
class Binder {
  public:
    explicit Binder(const Scope& scope) : scope_(scope) {}

    void operator()(DestroyRegion& s) const { region(s.region); }
    void operator()(CreatePartition& s) const {
        if (s.of >= 0) partition(s.of);
        if (s.pointers >= 0) region(s.pointers);
    }
    void operator()(DestroyPartition& s) const { partition(s.partition); }
    void operator()(Launch& s) const {
        for (Requirement& r : s.requirements) {
            region(r.region);
            if (r.partition >= 0) partition(r.partition);
        }
        for (int& future : s.futures) future = scope_.futures[static_cast<std::size_t>(future)];
    }
    void operator()(Fill& s) const {
        region(s.region);
        if (s.partition >= 0) partition(s.partition);
    }
    void operator()(HostRead& s) const { region(s.region); }
    void operator()(HostWrite& s) const { region(s.region); }
    void operator()(OpenView& s) const { region(s.region); }
    void operator()(CloseView& s) const { region(s.region); }
    void operator()(GetFuture& s) const {
        s.future = scope_.futures[static_cast<std::size_t>(s.future)];
    }
    void operator()(DropFuture& s) const {
        s.future = scope_.futures[static_cast<std::size_t>(s.future)];
    }
    template <class Other>
    void operator()(Other&) const {}

  private:
    static constexpr int dead = 1 << 20;  // the number of no handle
    void region(int& slot) const {
        const int number = scope_.regions[static_cast<std::size_t>(slot)].region;
        slot = number < 0 ? dead : number;
    }
    void partition(int& slot) const {
        const int number = scope_.partitions[static_cast<std::size_t>(slot)].partition;
        slot = number < 0 ? dead : number;
    }
    const Scope& scope_;
};

}  // namespace

Statement Scope::bind(const Statement& over_slots) {
    Statement bound = over_slots;
    std::visit(Binder(*this), bound.what);
    if (auto* s = std::get_if<CreateRegion>(&bound.what)) s->region = next_region_;
    if (auto* s = std::get_if<CreatePartition>(&bound.what)) s->partition = next_partition_;
    if (auto* s = std::get_if<Launch>(&bound.what); s != nullptr && s->result >= 0)
        s->result = next_future_;
    return bound;
}

Seen Scope::append(const Statement& statement) {
    program_.statements.push_back(statement);
    return oracle_.execute(statement);
}

void Scope::give_up(const Statement& statement) {
    if (property::judge(oracle_, statement) == Legality::legal) append(statement);
}

bool Scope::emit(const Statement& over_slots) {
    const Statement bound = bind(over_slots);
    const Legality wanted = over_slots.refused ? Legality::refused : Legality::legal;
    if (property::judge(oracle_, bound) != wanted) return false;
    if (const auto* s = std::get_if<CreateRegion>(&over_slots.what)) {
        const RegionState* old = region_in(s->region);
        if (old != nullptr && old->is_open) return false;
    }
    append(bound);
    if (!over_slots.refused) assign(over_slots, bound);
    return true;
}

void Scope::assign(const Statement& over_slots, const Statement& bound) {
    if (const auto* s = std::get_if<CreateRegion>(&over_slots.what)) {
        int& slot = regions[static_cast<std::size_t>(s->region)].region;
        give_up({DestroyRegion{slot}});
        slot = next_region_++;
    } else if (const auto* d = std::get_if<DestroyRegion>(&over_slots.what)) {
        regions[static_cast<std::size_t>(d->region)].region = -1;
    } else if (const auto* p = std::get_if<CreatePartition>(&over_slots.what)) {
        int& slot = partitions[static_cast<std::size_t>(p->partition)].partition;
        give_up({DestroyPartition{slot}});
        slot = next_partition_++;
    } else if (const auto* l = std::get_if<Launch>(&over_slots.what); l != nullptr) {
        if (l->result < 0) return;
        int& slot = futures[static_cast<std::size_t>(l->result)];
        give_up({DropFuture{slot}});
        slot = std::get<Launch>(bound.what).result;
        ++next_future_;
    }
}

const RegionState* Scope::region_in(int slot) const {
    const auto found = oracle_.regions.find(regions[static_cast<std::size_t>(slot)].region);
    return found == oracle_.regions.end() ? nullptr : &found->second;
}

const Subsets* Scope::partition_in(int slot) const {
    const auto found =
        oracle_.partitions.find(partitions[static_cast<std::size_t>(slot)].partition);
    return found == oracle_.partitions.end() ? nullptr : &found->second;
}

}  // namespace refrain::property
