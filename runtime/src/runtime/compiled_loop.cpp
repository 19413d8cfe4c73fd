#include "runtime/compiled_loop.hpp"

#include "base/hash.hpp"
#include "runtime/direct_launch.hpp"

#include <algorithm>

namespace refrain::runtime {
namespace {

/// Whether some requirements are reductions.
[[nodiscard]] bool reduces(const LaunchKind& kind) {
    return std::any_of(
        kind.requirements, kind.requirements + kind.requirement_count,
        [](const RequirementKind& requirement) { return requirement.reduction != nullptr; });
}

}  // namespace

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
    if (launch.kind->requirement_count > requirements_max) return &uncompilable;
    const Launch* const shared = find_or_make(launch, checked, words);
    if (shared == nullptr) return &uncompilable;
    if (!keeps_records(launch) || !takes(sizeof(Launch))) return shared;
    LaunchRecords* const records = make_records(shared->checked);
    if (records == nullptr) return shared;
    auto* const with_records = records_.make<Launch>(0, *shared);
    with_records->checked.records = records;
    return with_records;
}

const CompiledLoop::Launch* CompiledLoop::find_or_make(const LaunchDescription& launch,
                                                       const CheckedLaunch& checked,
                                                       std::span<const std::uint64_t> words) {
    base::Hasher hasher;
    for (const std::uint64_t word : words) hasher.add(word);
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i)
        hasher.add(RequirementKey::partition_of(launch.requirements[i]));
    hasher.add(reinterpret_cast<std::uintptr_t>(checked.cost.cost));
    const std::uint64_t hash = hasher.finish().low;
    const auto known = known_.find(hash);
    if (known != known_.end() && is_like(*known->second, launch, checked, words))
        return known->second;
    const Launch* const made = make(launch, checked, words);
    if (made != nullptr) known_.insert_or_assign(hash, made);
    return made;
}

/// The whole description is compared by its parts: kind, domain and keys tell the rest (launch_key.hpp).
bool CompiledLoop::is_like(const Launch& known, const LaunchDescription& launch,
                           const CheckedLaunch& checked, std::span<const std::uint64_t> words) {
    if (known.kind != launch.kind->identity || !(known.checked.cost == checked.cost)) return false;
    if (known.domain != nullptr && !same(*known.domain, *launch.domain)) return false;
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i) {
        const Requirement& requirement = known.requirements[i];
        if (!requirement.key.agrees(launch.requirements[i]) ||
            requirement.link != trace::Describer::Link(trace::Describer::link_in(words, i)))
            return false;
    }
    return true;
}

const CompiledLoop::Launch* CompiledLoop::make(const LaunchDescription& launch,
                                               const CheckedLaunch& checked,
                                               std::span<const std::uint64_t> words) {
    const std::uint32_t count = launch.kind->requirement_count;
    if (!takes(bytes_per_launch + (launch.kind->domain_rank != 0 ? sizeof(data::Box) : 0) +
               count * bytes_per_requirement))
        return nullptr;
    auto* requirements = records_.allocate_array<Requirement>(count, 0);
    auto* found = records_.allocate_array<CheckedRequirement>(count, 0);
    std::uint32_t without_link = 0;
    std::uint32_t links_max = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const trace::Describer::Link link(trace::Describer::link_in(words, i));
        requirements[i] = {.key = RequirementKey::of(launch.requirements[i], i), .link = link};
        if (link.distance == 0) ++without_link;
        if (link.distance == trace::Describer::Link::same_operation) continue;
        links_max = std::max(links_max, link.distance == 0 ? describer_.window() : link.distance);
    }
    std::copy_n(checked.requirements, count, found);
    const data::Box* domain =
        launch.kind->domain_rank != 0 ? records_.make<data::Box>(0, *launch.domain) : nullptr;
    return records_.make<Launch>(0, launch.kind->identity, domain, requirements, without_link > 1,
                                 CheckedLaunch{.requirements = found,
                                               .points = checked.points,
                                               .links_max = links_max,
                                               .layout = checked.layout,
                                               .hash = checked.hash,
                                               .cost = checked.cost,
                                               .shapes = shapes_of(launch, checked),
                                               .reduces = reduces(*launch.kind)});
}

const analysis::RequirementShape* CompiledLoop::shapes_of(const LaunchDescription& launch,
                                                          const CheckedLaunch& checked) {
    if (!DirectLaunch::suits(launch, checked)) return nullptr;
    const std::uint32_t count = launch.kind->requirement_count;
    auto* shapes = records_.allocate_array<analysis::RequirementShape>(std::max(1U, count), 0);
    std::copy_n(checked.shapes, count, shapes);
    return shapes;
}

/// Index launches that own nothing which a next turn could not simply write over.
bool CompiledLoop::keeps_records(const LaunchDescription& launch) {
    const LaunchKind& kind = *launch.kind;
    return kind.domain_rank != 0 && kind.future_count == 0 && launch.result == nullptr &&
           kind.closure.destroy == nullptr && kind.requirement_count <= arguments_inline_max &&
           !reduces(kind);
}

LaunchRecords* CompiledLoop::make_records(const CheckedLaunch& checked) {
    const std::uint32_t count = KeptRecords::count_for(launches_.size());
    if (!takes(sizeof(LaunchRecords) + count * sizeof(Operation*))) return nullptr;
    auto* slots = records_.allocate_array<Operation*>(count, 0);
    std::fill_n(slots, count, nullptr);
    return records_.make<LaunchRecords>(0, &kept_, slots, count, checked.links_max);
}

bool CompiledLoop::takes(std::size_t bytes) {
    if (bytes_ + bytes > bytes_max) return false;
    bytes_ += bytes;
    return true;
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
    known_.clear();
    records_.retire_all();
    first_ = 0;
    bytes_ = 0;
}

}  // namespace refrain::runtime
