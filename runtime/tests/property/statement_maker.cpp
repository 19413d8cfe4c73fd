#include "property/statement_maker.hpp"

#include <algorithm>
#include <array>

namespace refrain::property {
namespace {

constexpr int points_max = 16;

void make_single(Launch& launch) {
    launch.index = false;
    launch.domain = Launch{}.domain;
    launch.domain_rank = 1;
}

}  // namespace

Space StatementMaker::space() {
    Space space;
    space.rank = random_.among<int>({1, 1, 1, 2, 2, 3});
    const int largest = space.rank == 1 ? 24 : space.rank == 2 ? 7 : 4;
    for (int d = 0; d < rank_max; ++d) {
        space.bounds.lo[d] = d < space.rank && random_.once_in(3) ? random_.between(-3, 5) : 0;
        const int extent = d < space.rank ? random_.between(1, largest) : 1;
        space.bounds.hi[d] = space.bounds.lo[d] + extent;
    }
    if (space.rank == 1 && (random_.once_in(6) || (style_.blocks && random_.once_in(2))))
        space.bounds.hi[0] = space.bounds.lo[0] + 64;
    if (style_.many_pieces && scope_.program().spaces.empty()) space = {{{0, 0, 0}, {64, 1, 1}}, 1};
    return space;
}

CreateRegion StatementMaker::region(int slot) {
    CreateRegion create;
    create.region = slot;
    create.space = random_.below(static_cast<int>(scope_.program().spaces.size()));
    create.type = random_.among<ElementType>(
        {ElementType::integer, ElementType::integer, ElementType::real, ElementType::pointer});
    std::vector<int> targets;
    for (int s = 0; s < static_cast<int>(scope_.program().spaces.size()); ++s)
        if (scope_.oracle().space(s).rank == 1) targets.push_back(s);
    if (targets.empty() && create.type == ElementType::pointer) create.type = ElementType::real;
    if (!targets.empty()) create.pointee = random_.among(targets);
    if (style_.pointers && random_.once_in(2)) point_far(create);
    if (style_.blocks && scope_.oracle().space(create.space).rank == 1 && !random_.once_in(4))
        create.type = ElementType::block;
    return create;
}

/// Makes pointers of the region that are no int64, if its space is of a rank that has such.
void StatementMaker::point_far(CreateRegion& create) {
    const int rank = scope_.oracle().space(create.space).rank;
    std::vector<int> targets;
    for (int s = 0; s < static_cast<int>(scope_.program().spaces.size()); ++s) {
        const int target = scope_.oracle().space(s).rank;
        if (rank == 1 || (rank == 2 && target == 2)) targets.push_back(s);
    }
    if (targets.empty()) return;
    create.pointee = random_.among(targets);
    const bool is_far = scope_.oracle().space(create.pointee).rank > 1;
    create.type = is_far ? ElementType::pointer : ElementType::short_pointer;
}

int StatementMaker::slot_like(int slot) {
    const CreateRegion& make = scope_.regions[static_cast<std::size_t>(slot)].make;
    std::vector<int> alike;
    for (int s = 0; s < static_cast<int>(scope_.regions.size()); ++s) {
        const CreateRegion& other = scope_.regions[static_cast<std::size_t>(s)].make;
        if (s != slot && other.space == make.space && other.type == make.type &&
            other.pointee == make.pointee)
            alike.push_back(s);
    }
    return alike.empty() ? -1 : random_.among(alike);
}

int StatementMaker::partition_of_space(int space) {
    std::vector<int> fitting;
    for (int p = 0; p < static_cast<int>(scope_.partitions.size()); ++p) {
        const Subsets* subsets = scope_.partition_in(p);
        if (subsets != nullptr && subsets->space == space) fitting.push_back(p);
    }
    return fitting.empty() ? -1 : random_.among(fitting);
}

Privilege StatementMaker::privilege() {
    int sum = 0;
    for (const int weight : style_.privileges) sum += weight;
    int choice = random_.below(sum);
    for (int p = 0; p < 4; ++p) {
        choice -= style_.privileges[static_cast<std::size_t>(p)];
        if (choice < 0) return static_cast<Privilege>(p);
    }
    return Privilege::read;
}

Requirement StatementMaker::requirement(const Launch& launch) {
    const bool again = !launch.requirements.empty() && random_.percent(style_.region_again);
    return requirement_on(again ? random_.among(launch.requirements).region : any_region(), launch);
}

Requirement StatementMaker::requirement_on(int region, const Launch& launch) {
    Requirement r;
    r.region = region;
    r.privilege = privilege();
    r.op = random_.among(style_.operators);
    const CreateRegion& make = scope_.regions[static_cast<std::size_t>(r.region)].make;
    if (random_.percent(style_.whole_region)) return r;
    r.partition = partition_of_space(make.space);
    if (r.partition < 0) return r;
    const Subsets& subsets = *scope_.partition_in(r.partition);
    const auto colours = static_cast<int>(subsets.colours.volume());
    if (!launch.index) r.colour = data::point_at(subsets.colours, random_.below(colours));
    if (launch.index &&
        (random_.percent(style_.projections) || subsets.colour_rank != launch.domain_rank))
        r.projection = static_cast<Projection>(random_.between(1, projection_count - 1));
    return r;
}

void StatementMaker::choose_domain(Launch& launch) {
    launch.index = true;
    const int slot =
        scope_.partitions.empty() ? -1 : random_.below(static_cast<int>(scope_.partitions.size()));
    const Subsets* subsets = slot < 0 ? nullptr : scope_.partition_in(slot);
    if (style_.broad && random_.once_in(6)) {
        launch.domain_rank = random_.between(1, 3);
        const int extent = launch.domain_rank == 1 ? 65 : launch.domain_rank == 2 ? 9 : 5;
        for (int d = 0; d < launch.domain_rank; ++d)
            launch.domain.hi[d] = random_.between(extent, 2 * extent);
        return;
    }
    if (subsets == nullptr || random_.once_in(10)) {
        launch.domain_rank = random_.between(1, 2);
        launch.domain = small_colours(launch.domain_rank);
        return;
    }
    launch.domain_rank = subsets->colour_rank;
    launch.domain = subsets->colours;
    for (int d = 0; d < launch.domain_rank; ++d) {
        if (launch.domain.extent(d) > 1 && random_.once_in(6)) --launch.domain.hi[d];
        if (launch.domain.extent(d) > 1 && random_.once_in(8)) ++launch.domain.lo[d];
    }
}

void StatementMaker::begin(Launch& launch) {
    launch.site = next_site_++;
    launch.task = random_.below(random_.once_in(2) ? 3 : 16);
    launch.scalar = scalar();
    if (random_.percent(style_.index_launches)) choose_domain(launch);
}

void StatementMaker::add_requirements(Launch& launch) {
    int wanted = random_.among<int>({0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4});
    if (style_.broad && random_.once_in(3)) wanted = random_.between(5, 12);
    for (int i = 0; i < wanted; ++i) {
        for (int attempt = 0; attempt < 6; ++attempt) {
            launch.requirements.push_back(requirement(launch));
            if (scope_.judge({launch}) == Legality::legal) break;
            launch.requirements.pop_back();
        }
    }
}

void StatementMaker::add_futures(Launch& launch) {
    if (random_.percent(style_.futures))
        launch.result = random_.below(static_cast<int>(scope_.futures.size()));
    int wanted = random_.between(1, 2);
    if (style_.broad && random_.once_in(3)) wanted = random_.between(3, 8);
    for (int i = wanted; i > 0 && (wanted > 2 || random_.percent(style_.futures)); --i) {
        launch.futures.push_back(random_.below(static_cast<int>(scope_.futures.size())));
        if (scope_.judge({launch}) != Legality::legal) launch.futures.pop_back();
    }
}

Launch StatementMaker::launch() {
    Launch launch;
    begin(launch);
    add_requirements(launch);
    add_futures(launch);
    return launch;
}

Launch StatementMaker::views() {
    Launch launch;
    begin(launch);
    const int region = any_region();
    const int wanted = random_.among<int>({2, 3, 3, 3, 5, 7, 9, 17, 30});
    for (int attempt = 0; attempt < 3 * wanted; ++attempt) {
        if (static_cast<int>(launch.requirements.size()) == wanted) break;
        launch.requirements.push_back(
            requirement_on(random_.once_in(6) ? any_region() : region, launch));
        if (scope_.judge({launch}) != Legality::legal) launch.requirements.pop_back();
    }
    return launch;
}

Launch StatementMaker::row_launch() {
    Launch launch;
    launch.site = next_site_++;
    launch.task = random_.below(3);
    launch.scalar = scalar();
    launch.index = true;
    const bool is_other = random_.once_in(6);
    const int own = is_other ? row_other_tiles : row_tiles;
    if (const Subsets* subsets = scope_.partition_in(own)) launch.domain = subsets->colours;
    const auto use = [&](Privilege privilege, int partition) {
        Requirement r;
        r.region = any_region();
        r.partition = partition;
        r.privilege = privilege;
        launch.requirements.push_back(r);
    };
    const int reads = is_other ? 0 : random_.below(3);
    if (reads > 0) use(Privilege::read, random_.once_in(3) ? row_tiles : row_halos);
    if (reads > 1) use(Privilege::read, row_tiles);
    use(random_.once_in(2) ? Privilege::write : Privilege::read_write, own);
    return launch;
}

Launch StatementMaker::row_part() {
    Launch launch;
    launch.site = next_site_++;
    launch.task = random_.below(3);
    launch.scalar = scalar();
    launch.index = true;
    if (const Subsets* subsets = scope_.partition_in(row_tiles)) launch.domain = subsets->colours;
    const std::int64_t points = launch.domain.hi[0];
    launch.domain.lo[0] = random_.below(static_cast<int>(points - 1));
    launch.domain.hi[0] =
        random_.between(static_cast<int>(launch.domain.lo[0]) + 2, static_cast<int>(points));
    const auto use = [&](Privilege privilege, int partition) {
        Requirement r;
        r.region = any_region();
        r.partition = partition;
        r.privilege = privilege;
        launch.requirements.push_back(r);
        if (scope_.judge({launch}) != Legality::legal) launch.requirements.pop_back();
    };
    for (int reads = random_.below(3); reads > 0; --reads)
        use(Privilege::read, random_.among<int>({-1, row_halos, row_halos, row_tiles}));
    use(random_.once_in(2) ? Privilege::write : Privilege::read_write, row_tiles);
    return launch;
}

Launch StatementMaker::row_task() {
    Launch launch;
    launch.site = next_site_++;
    launch.task = random_.below(3);
    launch.scalar = scalar();
    const auto use = [&](Privilege privilege, int partition) {
        Requirement r;
        r.region = any_region();
        r.partition = partition;
        r.privilege = privilege;
        const Subsets* subsets = partition < 0 ? nullptr : scope_.partition_in(partition);
        if (subsets != nullptr)
            r.colour = data::point_at(subsets->colours,
                                      random_.below(static_cast<int>(subsets->colours.volume())));
        launch.requirements.push_back(r);
        if (scope_.judge({launch}) != Legality::legal) launch.requirements.pop_back();
    };
    for (int reads = random_.below(3); reads > 0; --reads)
        use(Privilege::read, random_.among<int>({-1, row_other_tiles, row_halos}));
    use(random_.once_in(2) ? Privilege::write : Privilege::read_write,
        random_.once_in(4) ? row_other_tiles : row_tiles);
    return launch;
}

std::optional<Statement> StatementMaker::misuse() {
    for (int attempt = 0; attempt < 20; ++attempt) {
        Statement statement;
        statement.refused = true;
        if (random_.once_in(6)) {
            statement.what = GetFuture{random_.below(static_cast<int>(scope_.futures.size())), 99};
        } else if (random_.once_in(6)) {
            statement.what = HostWrite{any_region(), random_.once_in(2), scalar()};
        } else {
            Launch launch;
            begin(launch);
            add_requirements(launch);
            launch.requirements.push_back(requirement(launch));
            if (!launch.index && random_.once_in(3)) launch.requirements.back().colour[0] += 7;
            add_futures(launch);
            statement.what = launch;
        }
        if (scope_.judge(statement) == Legality::refused) return statement;
    }
    return std::nullopt;
}

Statement StatementMaker::initialisation(int slot) {
    const CreateRegion& make = scope_.regions[static_cast<std::size_t>(slot)].make;
    if (!style_.tasks_only && random_.once_in(4)) return {HostWrite{slot, false, scalar()}};
    const bool pieces = random_.percent(style_.index_launches);
    const int partition = pieces ? partition_of_space(make.space) : -1;
    if (random_.once_in(2)) {
        Fill fill{slot, partition, random_.below(1 << 20), next_site_++};
        if (has_pointers(make)) {
            const Space& target = scope_.oracle().space(make.pointee);
            fill.value = static_cast<std::int64_t>(packed(target.bounds.lo, target.rank));
        }
        if (scope_.judge({fill}) == Legality::legal) return {fill};
        fill.partition = -1;
        return {fill};
    }
    Launch launch;
    begin(launch);
    make_single(launch);
    launch.requirements = {{slot, -1, Privilege::write, Operator::sum, Projection::same, {}}};
    return {launch};
}

Statement StatementMaker::host_access() {
    const int slot = any_region();
    if (style_.tasks_only) return {HostRead{slot}};
    switch (random_.below(5)) {
        case 0:
            return {HostWrite{slot, random_.once_in(2), scalar()}};
        case 1:
            return {OpenView{slot}};
        case 2:
            return {CloseView{slot}};
        default:
            return {HostRead{slot}};
    }
}

Statement StatementMaker::wait() {
    if (random_.once_in(3)) return {WaitAll{}};
    return {Fence{}};
}

std::vector<Statement> StatementMaker::sweep() {
    Launch launch;
    begin(launch);
    make_single(launch);
    add_requirements(launch);
    std::vector<Statement> statements;
    for (const Requirement& r : launch.requirements) {
        if (r.partition < 0) continue;
        const Box colours = scope_.partition_in(r.partition)->colours;
        for (std::int64_t c = 0; c < colours.volume() && c < points_max; ++c) {
            Launch one = launch;
            for (Requirement& moved : one.requirements)
                if (moved.partition == r.partition) moved.colour = data::point_at(colours, c);
            statements.push_back({one});
        }
        break;
    }
    return statements;
}

std::vector<Statement> StatementMaker::aliases() {
    const int one = any_region();
    const int other = slot_like(one);
    const int partition =
        partition_of_space(scope_.regions[static_cast<std::size_t>(one)].make.space);
    if (other < 0 || partition < 0) return {};
    const Subsets& subsets = *scope_.partition_in(partition);
    const bool uninitialised = random_.once_in(2);  // the regions can only be written
    const auto use = [&](std::int64_t colour) {
        Requirement r;
        r.region = one;
        r.partition = partition;
        r.privilege = uninitialised ? Privilege::write : privilege();
        r.op = style_.operators.front();
        r.colour = data::point_at(subsets.colours, colour);
        return r;
    };
    const auto colours = static_cast<int>(subsets.colours.volume());
    Launch pair;
    begin(pair);
    make_single(pair);
    pair.requirements = {use(random_.below(colours)), use(random_.below(colours))};
    Launch pieces;
    begin(pieces);
    pieces.index = true;
    pieces.domain = subsets.colours;
    pieces.domain_rank = subsets.colour_rank;
    pieces.requirements = {use(0)};
    pieces.requirements[0].colour = {};

    std::vector<Statement> statements;
    for (const int last : random_.once_in(2) ? std::array{one, other} : std::array{other, one}) {
        if (uninitialised)
            for (const int slot : {one, other})
                statements.push_back({scope_.regions[static_cast<std::size_t>(slot)].make});
        pair.requirements[1].region = pieces.requirements[0].region = last;
        statements.push_back({pair});
        statements.push_back({pieces});
    }
    return statements;
}

}  // namespace refrain::property
