#include "runtime/compiled_loop.hpp"

#include <algorithm>

namespace refrain::runtime {

const CompiledLoop::Launch CompiledLoop::uncompilable{};

void CompiledLoop::add(Position first, std::uint64_t length, Position position,
                       const LaunchDescription& launch, const CheckedLaunch& checked,
                       std::span<const std::uint64_t> words) {
    if (length > length_max) return;
    if (first != first_ || length != launches_.size()) begin(first, length);
    const Launch*& compiled = launches_[position - first_];
    if (compiled == nullptr) compiled = compile(launch, checked, words);
}

const CompiledLoop::Launch* CompiledLoop::compile(const LaunchDescription& launch,
                                                  const CheckedLaunch& checked,
                                                  std::span<const std::uint64_t> words) {
    const std::uint32_t count = launch.kind->requirement_count;
    const std::size_t bytes = sizeof(Launch) +
                              (launch.kind->domain_rank != 0 ? sizeof(data::Box) : 0) +
                              count * bytes_per_requirement;
    if (count > requirements_max || bytes_ + bytes > bytes_max) return &uncompilable;
    auto* requirements = records_.allocate_array<Requirement>(count, 0);
    auto* found = records_.allocate_array<CheckedRequirement>(count, 0);
    std::uint32_t without_link = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const trace::Describer::Link link(trace::Describer::link_in(words, i));
        requirements[i] = {.key = RequirementKey::of(launch.requirements[i], i), .link = link};
        if (link.distance == 0) ++without_link;
    }
    std::copy_n(checked.requirements, count, found);
    const data::Box* domain =
        launch.kind->domain_rank != 0 ? records_.make<data::Box>(0, *launch.domain) : nullptr;
    bytes_ += bytes;
    return records_.make<Launch>(0, launch.kind->identity, domain, requirements, without_link > 1,
                                 CheckedLaunch{.requirements = found,
                                               .points = checked.points,
                                               .layout = checked.layout,
                                               .hash = checked.hash,
                                               .cost = checked.cost,
                                               .records = records_for(launch, requirements)});
}

/// Of an index launch that owns nothing which a next turn could not simply write over.
LaunchRecords* CompiledLoop::records_for(const LaunchDescription& launch,
                                         const Requirement* requirements) {
    const LaunchKind& kind = *launch.kind;
    const bool is_able =
        kind.domain_rank != 0 && kind.future_count == 0 && launch.result == nullptr &&
        kind.closure.destroy == nullptr && kind.requirement_count <= arguments_inline_max &&
        std::all_of(
            kind.requirements, kind.requirements + kind.requirement_count,
            [](const RequirementKind& requirement) { return requirement.reduction == nullptr; });
    if (!is_able) return nullptr;
    const std::uint32_t count = KeptRecords::count_for(launches_.size());
    auto* slots = records_.allocate_array<Operation*>(count, 0);
    std::fill_n(slots, count, nullptr);
    bytes_ += sizeof(LaunchRecords) + count * sizeof(Operation*);
    std::uint32_t links_max = 0;
    for (std::uint32_t i = 0; i < kind.requirement_count; ++i) {
        const std::uint32_t distance = requirements[i].link.distance;
        if (distance == trace::Describer::Link::same_operation) continue;
        links_max = std::max(links_max, distance == 0 ? describer_.window() : distance);
    }
    return records_.make<LaunchRecords>(0, &kept_, slots, count, links_max);
}

bool CompiledLoop::new_regions_differ(const Launch& expected, const LaunchDescription& launch) {
    for (std::uint32_t i = 1; i < launch.kind->requirement_count; ++i) {
        if (expected.requirements[i].link.distance != 0) continue;
        for (std::uint32_t j = 0; j < i; ++j)
            if (expected.requirements[j].link.distance == 0 &&
                launch.requirements[i].region == launch.requirements[j].region)
                return false;
    }
    return true;
}

void CompiledLoop::begin(Position first, std::uint64_t length) {
    clear();
    first_ = first;
    bytes_ = length * sizeof(const Launch*);
    launches_.resize(length);
}

void CompiledLoop::clear() {
    kept_.leave();
    launches_.clear();
    records_.retire_all();
    first_ = 0;
    bytes_ = 0;
}

}  // namespace refrain::runtime
