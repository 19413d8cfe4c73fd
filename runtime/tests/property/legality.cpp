#include "property/legality.hpp"

#include <algorithm>
#include <bit>

namespace refrain::property {
namespace {

using enum Legality;

/// The more severe of two judgements.
Legality worse_of(Legality a, Legality b) {
    return std::max(a, b);
}

bool reducible(const ValueRange& range, Operator op) {
    const bool ordered = op == Operator::minimum || op == Operator::maximum;
    switch (range.type) {
        case ElementType::integer:
        case ElementType::block:
            return true;
        case ElementType::real:
            return ordered || op == Operator::sum;
        case ElementType::pointer:
            // Results of other operators would be invalid pointers; points have no order.
            return ordered && range.target_rank == 1;
        case ElementType::short_pointer:
            return false;
    }
    return false;
}

bool disturbs(const Requirement& a, const Requirement& b) {
    if (a.privilege != b.privilege) return true;
    return a.privilege != Privilege::read && (a.privilege != Privilege::reduce || a.op != b.op);
}

class Judge {
  public:
    explicit Judge(const Oracle& oracle) : oracle_(oracle) {}

    Legality operator()(const CreateRegion& s) const {
        return oracle_.regions.contains(s.region) ? undefined : legal;
    }
    Legality operator()(const DestroyRegion& s) const {
        const auto region = oracle_.regions.find(s.region);
        return region == oracle_.regions.end() || region->second.is_open ? undefined : legal;
    }
    Legality operator()(const CreatePartition& s) const {
        if (oracle_.partitions.contains(s.partition)) return undefined;
        const auto of = oracle_.partitions.find(s.of);
        if (s.of >= 0 && of == oracle_.partitions.end()) return undefined;
        if (s.pointers < 0) return s.of < 0 || of->second.space == s.space ? legal : undefined;
        const auto pointers = oracle_.regions.find(s.pointers);
        if (pointers == oracle_.regions.end()) return undefined;
        const RegionState& state = pointers->second;
        const bool is_image = s.kind == PartitionKind::image;
        if (of->second.space != (is_image ? state.space : state.pointee) ||
            s.space != (is_image ? state.pointee : state.space))
            return undefined;
        return state.all_tainted() == 0 && is_written(state) ? legal : undefined;
    }
    Legality operator()(const DestroyPartition& s) const {
        return oracle_.partitions.contains(s.partition) ? legal : undefined;
    }
    Legality operator()(const Launch& s) const;
    Legality operator()(const Fill& s) const {
        if (!oracle_.regions.contains(s.region)) return undefined;
        if (s.partition >= 0 && !oracle_.partitions.contains(s.partition)) return undefined;
        return (*this)(oracle_.launch_of(s));
    }
    Legality operator()(const HostRead& s) const {
        const auto region = oracle_.regions.find(s.region);
        if (region == oracle_.regions.end()) return undefined;
        return readable(region->second);
    }
    Legality operator()(const HostWrite& s) const {
        const auto region = oracle_.regions.find(s.region);
        if (region == oracle_.regions.end()) return undefined;
        if (region->second.is_open) return refused;
        return s.keeps_old ? readable(region->second) : legal;
    }
    Legality operator()(const OpenView& s) const {
        const auto region = oracle_.regions.find(s.region);
        if (region == oracle_.regions.end() || region->second.is_open) return undefined;
        return region->second.all_tainted() == 0 ? readable(region->second) : undefined;
    }
    Legality operator()(const CloseView& s) const {
        const auto region = oracle_.regions.find(s.region);
        return region != oracle_.regions.end() && region->second.is_open ? legal : undefined;
    }
    Legality operator()(const GetFuture& s) const {
        const auto future = oracle_.futures.find(s.future);
        if (future == oracle_.futures.end()) return undefined;
        if (s.point < static_cast<int>(future->second.values.size())) return legal;
        return future->second.single ? undefined : refused;
    }
    Legality operator()(const DropFuture& s) const {
        return oracle_.futures.contains(s.future) ? legal : undefined;
    }
    Legality operator()(const Fence&) const { return legal; }
    Legality operator()(const WaitAll&) const { return legal; }
    // Undefined rather than refused: modes without manual traces do not execute them.
    Legality operator()(const BeginTrace&) const { return oracle_.in_trace ? undefined : legal; }
    Legality operator()(const EndTrace& s) const {
        return oracle_.in_trace && oracle_.open_trace == s.id ? legal : undefined;
    }

  private:
    [[nodiscard]] bool is_written(const RegionState& region) const {
        return region.initialised == oracle_.space(region.space).all();
    }
    [[nodiscard]] Legality readable(const RegionState& region) const {
        if (!region.is_used) return refused;
        return is_written(region) ? legal : undefined;
    }
    [[nodiscard]] Legality requirement(const Launch& launch, const Requirement& r) const;
    [[nodiscard]] Legality colours(const Launch& launch, const Requirement& r) const;
    [[nodiscard]] bool reads_unwritten(const Launch& launch, const Requirement& r) const;
    [[nodiscard]] Legality overlaps(const Launch& launch) const;
    [[nodiscard]] Legality overlap(const Launch& launch, const Requirement& a,
                                   const Requirement& b) const;
    [[nodiscard]] std::vector<Elements> subsets(const Launch& launch, const Requirement& r) const;
    [[nodiscard]] static bool meets_earlier(Elements elements, const std::vector<Elements>& subsets,
                                            std::size_t end);

    const Oracle& oracle_;
};

Legality Judge::operator()(const Launch& s) const {
    Legality worst = legal;
    for (const Requirement& r : s.requirements) worst = worse_of(worst, requirement(s, r));
    for (const int number : s.futures) {
        const auto future = oracle_.futures.find(number);
        if (future == oracle_.futures.end() || !future->second.single) return undefined;
    }
    if (oracle_.futures.contains(s.result)) return undefined;
    if (worst != legal) return worst;
    for (const Requirement& r : s.requirements)
        if (reads_unwritten(s, r)) return undefined;
    return overlaps(s);
}

Legality Judge::requirement(const Launch& launch, const Requirement& r) const {
    const auto region = oracle_.regions.find(r.region);
    if (region == oracle_.regions.end()) return undefined;
    if (r.privilege == Privilege::reduce && !reducible(region->second.range, r.op))
        return undefined;
    if (r.partition >= 0) {
        const auto partition = oracle_.partitions.find(r.partition);
        if (partition == oracle_.partitions.end()) return undefined;
        if (partition->second.space != region->second.space) return undefined;
        const Legality judgement = colours(launch, r);
        if (judgement != legal) return judgement;
    }
    if (!region->second.is_used && r.privilege != Privilege::write) return refused;
    return region->second.is_open && r.privilege != Privilege::read ? refused : legal;
}

/// Every point of the launch must select an existing colour.
Legality Judge::colours(const Launch& launch, const Requirement& r) const {
    const Subsets& partition = oracle_.partitions.at(r.partition);
    if (!launch.index) return partition.colours.contains(r.colour) ? legal : refused;
    if (r.projection == Projection::same && launch.domain_rank != partition.colour_rank)
        return undefined;
    for (int i = 0; i < point_count(launch); ++i)
        if (!partition.colours.contains(project(r.projection, data::point_at(launch.domain, i))))
            return refused;
    return legal;
}

bool Judge::reads_unwritten(const Launch& launch, const Requirement& r) const {
    if (r.privilege == Privilege::write) return false;
    const Elements written = oracle_.regions.at(r.region).initialised;
    for (int i = 0; i < point_count(launch); ++i) {
        const Coordinates point = launch.index ? data::point_at(launch.domain, i) : Coordinates{};
        if ((oracle_.subset(launch, r, point) & ~written) != 0) return true;
    }
    return false;
}

Legality Judge::overlaps(const Launch& launch) const {
    Legality worst = legal;
    for (const Requirement& a : launch.requirements)
        for (const Requirement& b : launch.requirements)
            if (a.region == b.region) worst = worse_of(worst, overlap(launch, a, b));
    return worst;
}

/// Different points must not conflict. One task must not reduce an element with two operators,
/// whose order is undefined.
Legality Judge::overlap(const Launch& launch, const Requirement& a, const Requirement& b) const {
    if (!disturbs(a, b)) return legal;
    const std::vector<Elements> of_a = subsets(launch, a);
    const std::vector<Elements> of_b = subsets(launch, b);
    Elements used = 0, used_again = 0;  // through b
    for (const Elements elements : of_b) {
        used_again |= used & elements;
        used |= elements;
    }
    const bool both_reduce = a.privilege == Privilege::reduce && b.privilege == Privilege::reduce;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
        const Elements by_others = used_again | (used & ~of_b[i]);
        const bool meets_itself = (of_a[i] & of_b[i]) != 0;
        if (both_reduce && meets_itself && !meets_earlier(of_a[i], of_b, i)) return undefined;
        if ((of_a[i] & by_others) != 0) return refused;
    }
    return legal;
}

/// Whether a point before `end` uses one of the elements.
bool Judge::meets_earlier(Elements elements, const std::vector<Elements>& subsets,
                          std::size_t end) {
    return std::any_of(subsets.begin(), subsets.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](Elements others) { return (elements & others) != 0; });
}

/// The elements that each point uses through the requirement.
std::vector<Elements> Judge::subsets(const Launch& launch, const Requirement& r) const {
    std::vector<Elements> all;
    for (int i = 0; i < point_count(launch); ++i)
        all.push_back(oracle_.subset(
            launch, r, launch.index ? data::point_at(launch.domain, i) : Coordinates{}));
    return all;
}

/// Statements that close the traces and views which the program leaves open.
std::vector<Statement> closing(const Oracle& oracle) {
    std::vector<Statement> statements;
    for (const auto& [number, region] : oracle.regions)
        if (region.is_open) statements.push_back({CloseView{number}});
    if (oracle.in_trace) statements.push_back({EndTrace{oracle.open_trace}});
    return statements;
}

}  // namespace

Legality judge(const Oracle& oracle, const Statement& statement) {
    return std::visit(Judge(oracle), statement.what);
}

Program repaired(const Program& program) {
    Program result = program;
    result.statements.clear();
    Oracle oracle(result);
    const auto keep = [&](const Statement& statement) {
        oracle.execute(statement);
        result.statements.push_back(statement);
    };
    for (const Statement& statement : program.statements)
        if (judge(oracle, statement) == (statement.refused ? refused : legal)) keep(statement);
    for (const Statement& statement : closing(oracle)) keep(statement);
    return result;
}

}  // namespace refrain::property
