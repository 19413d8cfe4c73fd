#include "arrays/launcher.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "arrays/compute.hpp"

namespace refrain::array {

namespace {

data::Box hull_of(const data::Box& a, const data::Box& b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    data::Box hull;
    for (std::size_t d = 0; d < 3; ++d) {
        hull.lo[d] = std::min(a.lo[d], b.lo[d]);
        hull.hi[d] = std::max(a.hi[d], b.hi[d]);
    }
    return hull;
}

std::string name_of(const Signature& what) {
    const std::string function(name_of(what.function));
    switch (what.action) {
        case Action::ufunc:
            return function;
        case Action::assign:
            return "assign";
        case Action::select:
            return "where";
        case Action::arange:
            return "arange";
        case Action::reduce:
            return function + ".reduce";
        case Action::accumulate:
            return function + ".accumulate";
        case Action::argmin:
            return "argmin";
        case Action::argmax:
            return "argmax";
    }
    return function;
}

/// How a whole store is cut that is written tile by tile along an axis.
const Tiling* tiling_of(TilingTable& tilings, const Plan& plan, const Extents& root) {
    std::vector<IndexBox> boxes;
    for (Extent tile = 0; tile < plan.tiles; ++tile) {
        boxes.push_back({Extents(root.size(), 0), root});
        boxes.back().lo[plan.axis] = plan.first_of_tile(tile);
        boxes.back().hi[plan.axis] = plan.first_of_tile(tile + 1);
    }
    return tilings.intern(root, std::move(boxes));
}

}  // namespace

Launcher::Launcher(Runtime& runtime, StoreTable& stores, ViewTable& views, TilingTable& tilings,
                   ValueEvents& events, const Tuning& tuning)
    : runtime_(runtime),
      stores_(stores),
      views_(views),
      tilings_(tilings),
      events_(events),
      tuning_(tuning) {
    if (tuning_.tiles <= 0) tuning_.tiles = static_cast<int>(runtime.worker_count());
}

void Launcher::operation(const Record& record) {
    if (give_up_.ask != nullptr) dynamic::wait_for_room(runtime_, give_up_);
    const Plan& plan = plan_of(record);
    std::array<dynamic::RegionUse, uses_max> uses;
    std::size_t count = 0;
    for (const Plan::Requirement& requirement : plan.requirements) {
        Store& store = *record.uses[static_cast<std::size_t>(requirement.use)].store;
        if (!store.in_region) stores_.put_into_region(store);
        uses[count++] = dynamic::use(store.region, requirement.partition);
    }
    Closure closure{&plan,         &events_,     record.site,  record.order,
                    record.policy, record.fails, record.values};
    dynamic::launch(runtime_, plan.kind, site_of(plan.kind, record.site),
                    plan.tiles > 1 ? dynamic::line(plan.tiles) : dynamic::single_task,
                    {uses.data(), count}, &closure);
    for (const Plan::Requirement& requirement : plan.requirements)
        record.uses[static_cast<std::size_t>(requirement.use)].store->note_launch(
            requirement.privilege);
    if (std::shared_ptr<const Tiling>& key = record.uses[0].store->key;
        plan.output != nullptr && key != plan.output)
        key = plan.output;
}

LaunchSite Launcher::site_of(const dynamic::TaskKind& kind, const Site& site) const {
    if (!resolver_.has_value()) return kind.site("", 0);
    return {kind.name(), *resolver_, site.words[0], static_cast<std::uint32_t>(site.words[1])};
}

void Launcher::run(const runtime::TaskFrame& frame) {
    const Closure& closure = *static_cast<const Closure*>(frame.closure);
    const Plan& plan = *closure.plan;
    if (closure.fails) throw std::runtime_error("a failure that was asked for");
    std::array<Placed, uses_max> places;
    std::array<Layout, uses_max> tiles;
    Extent first = 0;
    Extent count = 0;
    if (plan.tiles > 1) {
        first = plan.first_of_tile(frame.point[0]);
        count = plan.first_of_tile(frame.point[0] + 1) - first;
    }
    for (std::size_t i = 0; i < plan.uses.size(); ++i) {
        const Plan::PlannedUse& use = plan.uses[i];
        places[i].dtype = use.dtype;
        if (use.requirement < 0) continue;
        places[i].root = static_cast<std::byte*>(
            frame.arguments[static_cast<std::size_t>(use.requirement)].elements);
        places[i].layout = &use.layout;
        if (plan.tiles > 1) {
            tiles[i] = use.layout.slice(plan.axis, first, 1, count);
            places[i].layout = &tiles[i];
        }
    }
    const unsigned flags = compute(plan.what, {places.data(), plan.uses.size()}, closure.values,
                                   first, plan.tiles > 1 ? plan.axis : -1);
    if ((flags & closure.policy.wanted) != 0)
        closure.events->add({closure.order, closure.site, warned_name_of(plan.what),
                             flags & closure.policy.wanted, closure.policy.tag});
}

namespace {

Plan::Key key_of(const Record& record) noexcept {
    const Signature& what = record.what;
    Plan::Key key;
    key.add(what.word(record.use_count));
    key.add(what.axes);
    for (std::size_t i = 0; i < record.use_count; ++i) {
        const Use& use = record.uses[i];
        if (use.store == nullptr) {
            key.add(~std::uint64_t{0});
            continue;
        }
        key.add(use.view->number);
        std::uint64_t same = i;  // the first use of its store
        for (std::size_t j = i; j-- > 0;) {
            if (record.uses[j].store == use.store) same = j;
        }
        key.add(same | static_cast<std::uint64_t>(use.store->form->dtype) << 8);
    }
    return key;
}

}  // namespace

Launcher::Plans::iterator Launcher::find(Plans& plans, const Plan::Key& key) {
    auto [it, last] = plans.equal_range(key.hash);
    while (it != last && !(it->second->key == key)) ++it;
    return it == last ? plans.end() : it;
}

const Plan& Launcher::plan_of(const Record& record) {
    const Plan::Key key = key_of(record);
    const Plan*& recent = recent_[key.hash >> 56];
    if (recent != nullptr && recent->key == key) return *recent;
    auto found = find(young_, key);
    if (found == young_.end()) {
        const auto old = find(old_, key);
        if (old != old_.end()) {
            found = young_.insert(old_.extract(old));
        } else {
            auto plan = std::make_unique<Plan>();
            plan->key = key;
            make_plan(*plan, record);
            ++plans_made_;
            found = young_.emplace(key.hash, std::move(plan));
        }
    }
    recent = found->second.get();
    return *recent;
}

void Launcher::make_plan(Plan& plan, const Record& record) {
    plan.what = record.what;
    for (std::size_t i = 0; i < record.use_count; ++i) {
        const Use& use = record.uses[i];
        Plan::PlannedUse planned;
        if (use.store != nullptr) {
            planned.layout = use.view->layout;
            planned.dtype = use.store->form->dtype;
            for (std::size_t r = 0; r < plan.requirements.size(); ++r) {
                if (record.uses[static_cast<std::size_t>(plan.requirements[r].use)].store ==
                    use.store)
                    planned.requirement = static_cast<int>(r);
            }
            if (planned.requirement < 0) {
                planned.requirement = static_cast<int>(plan.requirements.size());
                plan.requirements.push_back({static_cast<int>(i), Privilege::read, {}});
            }
        } else if (i > 0 && (record.what.action == Action::select || i <= 2)) {
            planned.dtype = record.what.action == Action::select ? record.what.types.output
                                                                 : record.what.types.inputs[i - 1];
        }
        plan.uses.push_back(std::move(planned));
    }

    // The loop's domain: the input of reductions, else the output.
    const bool reduces =
        record.what.action == Action::reduce || record.what.action == Action::accumulate ||
        record.what.action == Action::argmin || record.what.action == Action::argmax;
    const Layout& domain = plan.uses[reduces ? 1 : 0].layout;
    std::int64_t bytes = 0;
    for (const Plan::PlannedUse& use : plan.uses)
        bytes += use.layout.size() * static_cast<std::int64_t>(bytes_of(use.dtype));
    const int wanted = tiles_for(bytes);
    int axis = -1;
    if (wanted > 1) {
        Extent largest = -1;
        for (int a = 0; a < domain.rank(); ++a) {
            if ((record.what.axes >> a & 1) != 0 || domain.shape[a] < wanted) continue;
            const Extent stride = std::abs(domain.strides[a]);
            if (stride > largest) {
                largest = stride;
                axis = a;
            }
        }
    }
    if (axis < 0 || !cut(plan, record, axis, wanted)) {
        const bool done = cut(plan, record, -1, 1);
        (void)done;
    }
    plan.kind = kind_of(plan);
    const Extents& root = record.uses[0].store->form->shape;
    if (plan.tiles > 1 && plan.what.axes == 0 && !plan.what.masked &&
        plan.uses[0].layout == Layout::row_major(root))
        plan.output = tiling_of(tilings_, plan, root)->shared_from_this();
}

bool Launcher::cut(Plan& plan, const Record& record, int axis, int tiles) {
    plan.axis = axis;
    plan.tiles = tiles;
    plan.extent = axis < 0 ? 0 : plan.uses[plan.what.axes != 0 ? 1 : 0].layout.shape[axis];
    std::vector<data::Box> boxes(static_cast<std::size_t>(tiles));
    for (std::size_t r = 0; r < plan.requirements.size(); ++r) {
        Plan::Requirement& requirement = plan.requirements[r];
        const Store& store = *record.uses[static_cast<std::size_t>(requirement.use)].store;
        const bool writes = r == 0;  // the output comes first
        int users = 0;
        bool exact = true;
        std::fill(boxes.begin(), boxes.end(), data::Box{});
        for (const Plan::PlannedUse& use : plan.uses) {
            if (use.requirement != static_cast<int>(r)) continue;
            ++users;
            for (Extent tile = 0; tile < tiles; ++tile) {
                RegionBox box;
                if (axis < 0) {
                    box = footprint(use.layout, store.form->shape);
                } else {
                    const Extent first = plan.first_of_tile(tile);
                    box = footprint(
                        use.layout.slice(axis, first, 1, plan.first_of_tile(tile + 1) - first),
                        store.form->shape);
                }
                exact = exact && box.exact;
                data::Box& hull = boxes[static_cast<std::size_t>(tile)];
                hull = hull_of(hull, box_of(box));
            }
        }
        if (writes) {
            for (std::size_t a = 0; a < boxes.size(); ++a) {
                for (std::size_t b = a + 1; b < boxes.size(); ++b) {
                    if (boxes[a].overlaps(boxes[b])) return false;
                }
            }
            requirement.privilege =
                users == 1 && exact && !plan.what.masked ? Privilege::write : Privilege::read_write;
        }
        data::Box whole{.lo = {0, 0, 0}, .hi = {1, 1, 1}};
        const int rank = std::max(store.form->region.size(), 1);
        for (int d = 0; d < store.form->region.size(); ++d)
            whole.hi[static_cast<std::size_t>(d)] = store.form->region[d];
        const bool all_whole = std::all_of(boxes.begin(), boxes.end(),
                                           [&](const data::Box& box) { return box == whole; });
        requirement.partition =
            all_whole ? dynamic::AnyPartition() : dynamic::make_partition(whole, rank, boxes);
    }
    return true;
}

const dynamic::TaskKind& Launcher::kind_of(const Plan& plan) {
    std::vector<int> key{static_cast<int>(plan.what.action), static_cast<int>(plan.what.function),
                         plan.tiles > 1 ? 1 : 0};
    std::vector<dynamic::Requirement> requirements;
    for (const Plan::Requirement& requirement : plan.requirements) {
        key.push_back(static_cast<int>(requirement.privilege));
        requirements.push_back({.privilege = requirement.privilege});
    }
    const auto found = kinds_.find(key);
    if (found != kinds_.end()) return found->second;
    dynamic::TaskDescription description;
    const std::string name = name_of(plan.what);
    description.name = name;
    description.function = &Launcher::run;
    description.domain_rank = plan.tiles > 1 ? 1 : 0;
    description.requirements = requirements;
    description.closure = {.bytes = sizeof(Closure), .align = alignof(Closure)};
    return kinds_.emplace(std::move(key), dynamic::TaskKind(description)).first->second;
}

void Launcher::age() noexcept {
    recent_.fill(nullptr);
    old_ = std::move(young_);
    young_.clear();
    views_.age();
    tilings_.forget_unused();
}

}  // namespace refrain::array
