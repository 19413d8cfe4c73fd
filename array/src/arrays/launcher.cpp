#include "arrays/launcher.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "arrays/compute.hpp"
#include "arrays/partitioner.hpp"

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

}  // namespace

dynamic::AnyPartition partition_into(const std::vector<data::Box>& boxes, const StoreForm& form) {
    data::Box whole{.lo = {0, 0, 0}, .hi = {1, 1, 1}};
    const int rank = form.region.size();
    for (int d = 0; d < rank; ++d) whole.hi[static_cast<std::size_t>(d)] = form.region[d];
    if (std::all_of(boxes.begin(), boxes.end(), [&](const data::Box& box) { return box == whole; }))
        return {};
    return dynamic::make_partition(whole, std::max(rank, 1), boxes);
}

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
    const auto tile = static_cast<std::size_t>(frame.point[0]);
    if (plan.tiles > 1) {
        const IndexBox& box = plan.uses[plan.domain()].tiling->boxes[tile];
        if (box.is_empty()) return;
        if (plan.axis >= 0) first = box.lo[plan.axis];
    }
    for (std::size_t i = 0; i < plan.uses.size(); ++i) {
        const Plan::PlannedUse& use = plan.uses[i];
        places[i].dtype = use.dtype;
        if (use.requirement < 0) continue;
        places[i].root = static_cast<std::byte*>(
            frame.arguments[static_cast<std::size_t>(use.requirement)].elements);
        places[i].layout = &use.layout;
        if (plan.tiles > 1) {
            tiles[i] = part_of(use.layout, use.tiling->boxes[tile]);
            places[i].layout = &tiles[i];
        }
    }
    const unsigned flags =
        compute(plan.what, {places.data(), plan.uses.size()}, closure.values, first, plan.axis);
    if ((flags & closure.policy.wanted) != 0)
        closure.events->add({closure.order, closure.site, warned_name_of(plan.what),
                             flags & closure.policy.wanted, closure.policy.tag});
}

namespace {

/// Calls visit(word) for each word that the plan is a function of. Of two records, neither's words are the first ones of
/// the other's.
template <class Visit>
inline void for_each_word(const Record& record, const Visit& visit) noexcept {
    const Signature& what = record.what;
    visit(what.word(record.use_count));
    visit(what.axes);
    for (std::size_t i = 0; i < record.use_count; ++i) {
        const Use& use = record.uses[i];
        if (use.store == nullptr) {
            visit(~std::uint64_t{0});
            continue;
        }
        visit(use.view->number);
        std::uint64_t same = i;  // the first use of its store
        for (std::size_t j = i; j-- > 0;) {
            if (record.uses[j].store == use.store) same = j;
        }
        const std::uint64_t written = use.store->key != nullptr ? use.store->key->number + 1 : 0;
        visit(same | static_cast<std::uint64_t>(use.store->form->dtype) << 8 | written << 16);
    }
}

Plan::Key key_of(const Record& record) noexcept {
    Plan::Key key;
    for_each_word(record, [&](std::uint64_t word) { key.add(word); });
    return key;
}

/// Where a plan used lately is remembered. No product waits for another one, and no word goes through memory.
std::size_t place_of(const Record& record) noexcept {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t sum = 0;
    std::uint64_t factor = odd;
    for_each_word(record, [&](std::uint64_t word) {
        sum += word * factor;
        factor = factor * 5 + 2 * odd;  // stays odd
    });
    return mixed(sum, 0) >> 56;
}

bool is_key_of(const Plan::Key& key, const Record& record) noexcept {
    const std::uint64_t* at = key.words.data();
    std::uint64_t differ = 0;
    for_each_word(record, [&](std::uint64_t word) { differ |= word ^ *at++; });
    return differ == 0;
}

}  // namespace

Launcher::Plans::iterator Launcher::find(Plans& plans, const Plan::Key& key) {
    auto [it, last] = plans.equal_range(key.hash);
    while (it != last && !(it->second->key == key)) ++it;
    return it == last ? plans.end() : it;
}

const Plan& Launcher::plan_of(const Record& record) {
    const Plan*& recent = recent_[place_of(record)];
    if (recent != nullptr && is_key_of(recent->key, record)) return *recent;
    const Plan::Key key = key_of(record);
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

    std::int64_t bytes = 0;
    for (const Plan::PlannedUse& use : plan.uses)
        bytes += use.layout.size() * static_cast<std::int64_t>(bytes_of(use.dtype));
    const int wanted = tiles_for(bytes);
    const int axis = axis_for(plan, wanted);
    bool is_cut = false;
    for (const bool by_keys : {true, false}) {
        if (axis < 0 || is_cut) break;
        solve(plan, record, wanted, axis, by_keys);
        is_cut = cut(plan, record, wanted);
    }
    if (!is_cut) {
        const bool is_one_task = cut(plan, record, 1);
        (void)is_one_task;
    }
    plan.kind = kind_of(plan);
    const Plan::PlannedUse& output = plan.uses[0];
    if (plan.tiles > 1 && plan.what.axes == 0 && !plan.what.masked &&
        output.layout == Layout::row_major(record.uses[0].store->form->shape))
        plan.output = output.tiling;
}

int Launcher::axis_for(const Plan& plan, int tiles) noexcept {
    int axis = -1;
    if (tiles < 2) return axis;
    const Layout& domain = plan.uses[plan.domain()].layout;
    if (domain.size() == 0) return axis;  // a reduction of nothing still writes: in one task
    Extent largest = -1;
    for (int a = 0; a < domain.rank(); ++a) {
        if ((plan.what.axes >> a & 1) != 0 || domain.shape[a] < tiles) continue;
        const Extent stride = std::abs(domain.strides[a]);
        if (stride > largest) {
            largest = stride;
            axis = a;
        }
    }
    return axis;
}

void Launcher::solve(Plan& plan, const Record& record, int tiles, int axis, bool by_keys) {
    // What counts elements, or has NumPy's order of sums, is cut along that axis only.
    const bool any_boxes = plan.what.axes == 0 && plan.what.action != Action::arange &&
                           plan.what.action != Action::reduce;
    Problem problem;
    std::array<int, uses_max> argument{};
    for (std::size_t i = 0; i < plan.uses.size(); ++i) {
        const Plan::PlannedUse& use = plan.uses[i];
        if (use.requirement < 0) continue;
        const Tiling* key = by_keys ? written_tiling(*record.uses[i].store, use.layout) : nullptr;
        if (key != nullptr && !any_boxes && key->cut_dimension() != axis) key = nullptr;
        argument[i] =
            problem.add("operand " + std::to_string(i), use.layout.shape,
                        use.layout.size() * static_cast<std::int64_t>(bytes_of(use.dtype)), key);
    }
    const std::size_t domain = plan.domain();
    const Extents& shape = plan.uses[domain].layout.shape;
    problem.broadcast(argument[domain], plan.what.axes);
    problem.prefer(argument[domain], axis);
    for (std::size_t i = 0; i < plan.uses.size(); ++i) {
        const Plan::PlannedUse& use = plan.uses[i];
        if (use.requirement < 0 || i == domain) continue;
        if (use.layout.shape == shape)
            problem.align(argument[domain], argument[i]);
        else  // a reduction's output has one element along axes that are reduced
            problem.scale(argument[domain], argument[i], Extents(shape.size(), 1));
    }
    const std::vector<const Tiling*> solution = problem.solve(tilings_, tiles);
    for (std::size_t i = 0; i < plan.uses.size(); ++i) {
        Plan::PlannedUse& use = plan.uses[i];
        if (use.requirement >= 0)
            use.tiling = solution[static_cast<std::size_t>(argument[i])]->shared_from_this();
    }
}

bool Launcher::cut(Plan& plan, const Record& record, int tiles) {
    plan.tiles = tiles;
    plan.axis = tiles > 1 ? plan.uses[plan.domain()].tiling->cut_dimension().value_or(-1) : -1;
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
            for (std::size_t tile = 0; tile < boxes.size(); ++tile) {
                RegionBox box;
                if (tiles == 1) {
                    box = footprint(use.layout, store.form->shape);
                } else {
                    const IndexBox& part = use.tiling->boxes[tile];
                    if (part.is_empty()) continue;
                    box = footprint(part_of(use.layout, part), store.form->shape);
                }
                exact = exact && box.exact;
                boxes[tile] = hull_of(boxes[tile], box_of(box));
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
        requirement.partition = partition_into(boxes, *store.form);
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
