#include "property/oracle.hpp"

#include <algorithm>
#include <bit>

namespace refrain::property {
namespace {

template <class Visit>
void for_each_element(Elements elements, Visit&& visit) {
    for (; elements != 0; elements &= elements - 1) visit(std::countr_zero(elements));
}

template <class T>
std::uint64_t fold_as(Operator op, std::uint64_t into_bits, std::uint64_t value_bits) {
    const T into = std::bit_cast<T>(into_bits);
    const T value = std::bit_cast<T>(value_bits);
    switch (op) {
        case Operator::sum:
            return std::bit_cast<std::uint64_t>(static_cast<T>(into + value));
        case Operator::minimum:
            return std::bit_cast<std::uint64_t>(std::min(into, value));
        case Operator::maximum:
            return std::bit_cast<std::uint64_t>(std::max(into, value));
        case Operator::bit_xor:
            return into_bits ^ value_bits;
        case Operator::lanes:
            break;
    }
    const std::uint64_t low = (into_bits + value_bits) & 0xffffffffU;
    return ((into_bits ^ value_bits) >> 32 << 32) | low;
}

std::uint64_t fold(ElementType type, Operator op, std::uint64_t into, std::uint64_t value) {
    return type == ElementType::real ? fold_as<double>(op, into, value)
                                     : fold_as<std::int64_t>(op, into, value);
}

Coordinates point_of_launch(const Launch& launch, int index) {
    return launch.index ? data::point_at(launch.domain, index) : Coordinates{};
}

std::uint64_t bits_of_fill(const ValueRange& range, std::int64_t value) {
    return range.type == ElementType::real
               ? std::bit_cast<std::uint64_t>(static_cast<double>(value))
               : static_cast<std::uint64_t>(value);
}

}  // namespace

Elements RegionState::all_tainted() const {
    Elements all = tainted;
    for (const Elements elements : tainted_by) all |= elements;
    return all;
}

Oracle::Oracle(const Program& program) : program_(program) {}

Elements Oracle::subset(const Launch& launch, const Requirement& requirement,
                        const Coordinates& point) const {
    if (requirement.partition < 0) return space(regions.at(requirement.region).space).all();
    const Subsets& partition = partitions.at(requirement.partition);
    const Coordinates colour =
        launch.index ? project(requirement.projection, point) : requirement.colour;
    return partition
        .of_colour[static_cast<std::size_t>(data::linear_index(partition.colours, colour))];
}

Launch Oracle::launch_of(const Fill& fill) const {
    Launch launch;
    launch.site = fill.site;
    launch.requirements = {
        {fill.region, fill.partition, Privilege::write, Operator::sum, Projection::same, {}}};
    const auto partition = partitions.find(fill.partition);
    if (partition != partitions.end()) {
        launch.index = true;
        launch.domain = partition->second.colours;
        launch.domain_rank = partition->second.colour_rank;
    }
    return launch;
}

void Oracle::create(const CreateRegion& create) {
    RegionState state;
    state.space = create.space;
    state.range = range_of(program_, create);
    state.pointee = create.pointee;
    state.bits.resize(static_cast<std::size_t>(space(create.space).size()));
    state.causes.resize(state.bits.size());
    regions.emplace(create.region, std::move(state));
}

void Oracle::create(const CreatePartition& create) {
    SubsetSources sources;
    sources.spaces = &program_.spaces;
    if (create.of >= 0) sources.of = &partitions.at(create.of);
    if (create.pointers >= 0) {
        sources.values = &regions.at(create.pointers).bits;
        sources.pointer_space = regions.at(create.pointers).space;
    }
    partitions.emplace(create.partition, make_subsets(create, sources));
}

Seen Oracle::execute(const Statement& statement) {
    Seen seen;
    if (statement.refused) return seen;
    std::visit(Overloaded{
                   [&](const CreateRegion& s) { create(s); },
                   [&](const DestroyRegion& s) { regions.erase(s.region); },
                   [&](const CreatePartition& s) { create(s); },
                   [&](const DestroyPartition& s) { partitions.erase(s.partition); },
                   [&](const Launch& s) { seen = run(s, nullptr); },
                   [&](const Fill& s) { seen = run(launch_of(s), &s); },
                   [&](const HostRead& s) { seen = read(s.region); },
                   [&](const HostWrite& s) { seen = write(s); },
                   [&](const OpenView& s) {
                       seen = read(s.region);
                       regions.at(s.region).is_open = seen.causes == 0;
                   },
                   [&](const CloseView& s) { regions.at(s.region).is_open = false; },
                   [&](const GetFuture& s) {
                       const FutureState& future = futures.at(s.future);
                       seen.causes = future.causes;
                       if (seen.causes == 0)
                           seen.values = {static_cast<std::uint64_t>(
                               future.values[static_cast<std::size_t>(s.point)])};
                   },
                   [&](const DropFuture& s) { futures.erase(s.future); },
                   [&](const Fence&) {},
                   [&](const WaitAll&) {},
                   [&](const BeginTrace& s) {
                       in_trace = true;
                       open_trace = s.id;
                   },
                   [&](const EndTrace&) { in_trace = false; },
               },
               statement.what);
    return seen;
}

Seen Oracle::run(const Launch& launch, const Fill* fill) {
    Seen seen;
    const int points = point_count(launch);
    for (const Requirement& requirement : launch.requirements)
        if (requirement.privilege != Privilege::read) regions.at(requirement.region).is_used = true;
    if (launch.throws_at >= 0) seen.thrown = Causes{1} << (throwers_++ % 64);
    if (launch.result >= 0) {
        FutureState& future = futures[launch.result];
        future.values.assign(static_cast<std::size_t>(points), 0);
        future.single = !launch.index;
    }
    // Points of one launch do not affect one another; all failures of a launch share its causes.
    std::vector<Coordinates> failed;
    for (int index = 0; index < points; ++index) {
        const Causes causes = run_point(launch, fill, index, seen);
        seen.causes |= causes;
        if (causes != 0) failed.push_back(point_of_launch(launch, index));
    }
    for (const Coordinates& point : failed) taint(launch, point, seen.causes);
    if (launch.result >= 0) futures.at(launch.result).causes = seen.causes;
    return seen;
}

/// Returns the causes if the task failed or was skipped, else 0.
Causes Oracle::run_point(const Launch& launch, const Fill* fill, int index, Seen& seen) {
    const Coordinates point = point_of_launch(launch, index);
    Causes causes = 0;
    for (const Requirement& requirement : launch.requirements)
        causes |= missing(requirement, subset(launch, requirement, point));
    for (const int future : launch.futures) causes |= futures.at(future).causes;
    seen.ran.push_back(causes == 0);
    if (causes != 0) return causes;
    if (launch.throws_at == index) return seen.thrown;
    const std::uint64_t key = read_all(launch, point);
    write_all(launch, fill, point, key);
    if (launch.result >= 0)
        futures.at(launch.result).values[static_cast<std::size_t>(index)] = result_of(key);
    return 0;
}

/// The causes of missing values of a requirement; 0 if all are valid.
Causes Oracle::missing(const Requirement& requirement, Elements subset) const {
    if (requirement.privilege == Privilege::write) return 0;
    const RegionState& region = regions.at(requirement.region);
    const bool commutes =
        requirement.privilege == Privilege::reduce && program_.reductions == Reductions::free;
    Elements tainted = region.tainted;
    for (int op = 0; op < operator_count; ++op)
        if (!commutes || static_cast<Operator>(op) != requirement.op)
            tainted |= region.tainted_by[static_cast<std::size_t>(op)];
    Causes causes = 0;
    for_each_element(tainted & subset,
                     [&](int e) { causes |= region.causes[static_cast<std::size_t>(e)]; });
    return causes;
}

const std::vector<std::uint64_t>& Oracle::values_for(const Requirement& requirement) const {
    return regions.at(requirement.region).bits;
}

std::uint64_t Oracle::read_all(const Launch& launch, const Coordinates& point) const {
    std::uint64_t key = key_of_task(launch, point);
    for (const int future : launch.futures) key = with_future(key, futures.at(future).values[0]);
    for (std::size_t i = 0; i < launch.requirements.size(); ++i) {
        const Requirement& requirement = launch.requirements[i];
        if (!reads(requirement.privilege)) continue;
        const std::vector<std::uint64_t>& values = values_for(requirement);
        for_each_element(subset(launch, requirement, point), [&](int e) {
            key += part_of_key(i, e, values[static_cast<std::size_t>(e)]);
        });
    }
    return key;
}

void Oracle::write_all(const Launch& launch, const Fill* fill, const Coordinates& point,
                       std::uint64_t key) {
    for (std::size_t i = 0; i < launch.requirements.size(); ++i)
        if (overwrites(launch.requirements[i].privilege))
            write(launch.requirements[i], fill, subset(launch, launch.requirements[i], point), key,
                  i);
    for (std::size_t i = 0; i < launch.requirements.size(); ++i)
        if (launch.requirements[i].privilege == Privilege::reduce)
            reduce(launch.requirements[i], subset(launch, launch.requirements[i], point), key, i);
}

void Oracle::write(const Requirement& requirement, const Fill* fill, Elements elements,
                   std::uint64_t key, std::size_t index) {
    RegionState& region = regions.at(requirement.region);
    for_each_element(elements, [&](int e) {
        const std::uint64_t hash = value_at(key, index, e);
        region.causes[static_cast<std::size_t>(e)] = 0;
        if (requirement.privilege == Privilege::read_write && !is_touched(hash)) return;
        region.bits[static_cast<std::size_t>(e)] = fill != nullptr
                                                       ? bits_of_fill(region.range, fill->value)
                                                       : bits_from(region.range, hash);
    });
    region.initialised |= elements;
    region.tainted &= ~elements;
    for (Elements& by : region.tainted_by) by &= ~elements;
}

void Oracle::reduce(const Requirement& requirement, Elements elements, std::uint64_t key,
                    std::size_t index) {
    RegionState& region = regions.at(requirement.region);
    for_each_element(elements, [&](int e) {
        const std::uint64_t hash = value_at(key, index, e);
        if (!is_touched(hash)) return;
        std::uint64_t& bits = region.bits[static_cast<std::size_t>(e)];
        bits = fold(region.range.type, requirement.op, bits, bits_from(region.range, hash));
    });
}

void Oracle::taint(const Launch& launch, const Coordinates& point, Causes causes) {
    for (const Requirement& requirement : launch.requirements) {
        if (requirement.privilege == Privilege::read) continue;
        RegionState& region = regions.at(requirement.region);
        const Elements elements = subset(launch, requirement, point);
        if (requirement.privilege == Privilege::reduce) {
            region.tainted_by[static_cast<std::size_t>(requirement.op)] |= elements;
            for_each_element(elements,
                             [&](int e) { region.causes[static_cast<std::size_t>(e)] |= causes; });
            continue;
        }
        region.initialised |= elements;
        region.tainted |= elements;
        for (Elements& by : region.tainted_by) by &= ~elements;
        for_each_element(elements,
                         [&](int e) { region.causes[static_cast<std::size_t>(e)] = causes; });
    }
}

Seen Oracle::read(int number) const {
    const RegionState& region = regions.at(number);
    Seen seen;
    for_each_element(region.all_tainted(),
                     [&](int e) { seen.causes |= region.causes[static_cast<std::size_t>(e)]; });
    if (seen.causes == 0) seen.values = region.bits;
    return seen;
}

Seen Oracle::write(const HostWrite& write) {
    RegionState& region = regions.at(write.region);
    if (write.keeps_old) {
        Seen seen = read(write.region);
        if (seen.causes != 0) return seen;  // refused: nothing changes
    }
    for (std::size_t e = 0; e < region.bits.size(); ++e) {
        const std::uint64_t hash = host_value(write.seed, static_cast<int>(e));
        if (write.keeps_old && !is_touched(hash)) continue;
        region.bits[e] = bits_from(region.range, hash);
    }
    region.is_used = true;
    region.initialised = space(region.space).all();
    region.tainted = 0;
    region.tainted_by = {};
    std::fill(region.causes.begin(), region.causes.end(), 0);
    return {};
}

std::vector<Seen> run_oracle(const Program& program) {
    Oracle oracle(program);
    std::vector<Seen> all;
    for (const Statement& statement : program.statements) all.push_back(oracle.execute(statement));
    return all;
}

}  // namespace refrain::property
