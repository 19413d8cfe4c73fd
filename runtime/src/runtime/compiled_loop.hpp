#pragma once

#include "base/record_arena.hpp"
#include "runtime/kept_records.hpp"
#include "runtime/launch_key.hpp"
#include "trace/description.hpp"
#include "trace/stream_position.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace refrain::runtime {

/// The launches of a folded loop, each expected to be launched again.
///
///     position     40    41    42    43   |
///     launch       a     b     c     d    |  one iteration; compared with the launches of the next
///
/// A launch is compared with the expected one before an operation is built. If they agree, the
/// launch needs neither a check nor a description.
///
/// Why comparing is enough. Launches with equal kinds, domains and keys have the same shapes and
/// task (launch_key.hpp), so their descriptions (trace/) differ at most in links, and links are
/// compared too. The regions may be others, so each is checked for use. `first`, the part of a key
/// that tells which requirements share a region, is not compared as such: links tell it.
///   - A requirement that is not the first on its region has a link to the first, and its region is
///     compared with the region of that.
///   - Two requirements that are first on their regions have links that differ if they lead
///     somewhere, since an access is of one region. So if both links agree, the regions differ. If
///     several links lead nowhere, the regions of these requirements are compared.
///
/// Launches of a loop with equal keys and links share what is compiled: a loop in a loop, 500 turns of
/// 16 launches with a wait between, costs a pointer for each of its 8,000 launches, and what is
/// compared stays in the cache.
///
/// Not compiled: launches with more than 64 requirements, launches beyond the first mebibyte, and
/// loops of more than 65,536 launches.
///
/// Hot path:    six compares per region argument; nothing is written. Guarded by bench/overhead.
/// Complexity:  a pointer per launch; bytes_per_launch and bytes_per_requirement for each that differs
///              from those before, index launches 48 bytes more; where they keep records, bytes_per_launch
///              for each, sizeof(LaunchRecords), a pointer per record and the records.
/// Threads:     the launching thread only.
class CompiledLoop {
    struct Requirement {
        RequirementKey key;
        trace::Describer::Link link;
    };
    struct Launch {
        const void* kind;                 // LaunchKind::identity; null: uncompilable
        const data::Box* domain;          // null: single task
        const Requirement* requirements;  // as many as the kind has
        bool has_several_new;             // links that lead nowhere: regions are compared
        CheckedLaunch checked;
    };

  public:
    using Position = trace::Position;

    /// Its entry in the table of those that are known included, as libstdc++ makes it.
    static constexpr std::size_t bytes_per_launch = sizeof(Launch) + 5 * sizeof(void*);
    static constexpr std::size_t bytes_per_requirement =
        sizeof(Requirement) + sizeof(CheckedRequirement) + sizeof(analysis::RequirementShape);

    /// `describer` and `regions`: those that the program's launches use.
    CompiledLoop(const trace::Describer& describer, const regions::RegionTable& regions)
        : describer_(describer), regions_(regions) {}

    /// The check result of the launch expected at `position`, if `launch`, operation `number`,
    /// agrees with it; else null.
    [[nodiscard]] const CheckedLaunch* find(Position position, const LaunchDescription& launch,
                                            graph::OperationNumber number) const {
        const std::uint64_t index = position - first_;
        if (index >= launches_.size() || launches_[index] == nullptr) return nullptr;
        return agrees(*launches_[index], launch, number) ? &launches_[index]->checked : nullptr;
    }
    /// The same in a row (launch_row.hpp). There, links are as expected and regions are admitted if the
    /// regions are those of an earlier turn, which the caller compares.
    [[nodiscard]] const CheckedLaunch* find_in_row(Position position,
                                                   const LaunchDescription& launch) const {
        const Launch& known = *launches_[position - first_];
        return agrees_in_row(known, launch) ? &known.checked : nullptr;
    }
    /// Compiles `launch`, which is at `position` of the loop of `length` positions from `first` on
    /// and is described by `words`. `checked` has the shapes of its operation.
    void add(Position first, std::uint64_t length, Position position,
             const LaunchDescription& launch, const CheckedLaunch& checked,
             std::span<const std::uint64_t> words);
    void clear();

    /// Memory of the compiled loop, kept records included.
    [[nodiscard]] std::size_t bytes() const { return bytes_ + kept_.bytes_held(); }

  private:
    static constexpr std::size_t bytes_max = std::size_t{1} << 20;
    static constexpr std::uint64_t length_max = bytes_max / (2 * sizeof(const Launch*));
    static constexpr std::uint32_t requirements_max = remembered_requirements_max;
    static const Launch uncompilable;  // sentinel; matches no launch

    [[nodiscard]] bool agrees(const Launch& expected, const LaunchDescription& launch,
                              graph::OperationNumber number) const;
    [[nodiscard]] static bool agrees_in_row(const Launch& expected,
                                            const LaunchDescription& launch);
    /// Whether requirement `index` uses the region of an earlier one, as expected.
    [[nodiscard]] static bool repeats(const Requirement& known, const LaunchDescription& launch,
                                      std::uint32_t index) {
        return known.link.distance == trace::Describer::Link::same_operation &&
               launch.requirements[known.link.index].region == launch.requirements[index].region;
    }
    /// Whether the regions differ that have no link.
    [[nodiscard]] static bool new_regions_differ(const Launch& expected,
                                                 const LaunchDescription& launch);
    void begin(Position first, std::uint64_t length);
    [[nodiscard]] const Launch* compile(const LaunchDescription& launch,
                                        const CheckedLaunch& checked,
                                        std::span<const std::uint64_t> words);
    [[nodiscard]] const Launch* find_or_make(const LaunchDescription& launch,
                                             const CheckedLaunch& checked,
                                             std::span<const std::uint64_t> words);
    [[nodiscard]] const Launch* make(const LaunchDescription& launch, const CheckedLaunch& checked,
                                     std::span<const std::uint64_t> words);
    /// Whether what is compiled of `launch` would equal `known`, its records apart.
    [[nodiscard]] static bool is_like(const Launch& known, const LaunchDescription& launch,
                                      const CheckedLaunch& checked,
                                      std::span<const std::uint64_t> words);
    /// Whether there is room for `bytes` more, which are then taken.
    [[nodiscard]] bool takes(std::size_t bytes);

    [[nodiscard]] static bool keeps_records(const LaunchDescription& launch);
    /// The shapes of a launch that may be direct; else null.
    [[nodiscard]] const analysis::RequirementShape* shapes_of(const LaunchDescription& launch,
                                                              const CheckedLaunch& checked);
    [[nodiscard]] LaunchRecords* make_records(const CheckedLaunch& checked);

    const trace::Describer& describer_;
    const regions::RegionTable& regions_;
    base::RecordArena records_;
    KeptRecords kept_;
    std::vector<const Launch*> launches_;  // by position, from first_ on; null: not yet compiled
    std::unordered_map<std::uint64_t, const Launch*> known_;  // by what is_like compares, hashed
    Position first_ = 0;
    std::size_t bytes_ = 0;
};

inline bool CompiledLoop::agrees(const Launch& expected, const LaunchDescription& launch,
                                 graph::OperationNumber number) const {
    if (expected.kind != launch.kind->identity) return false;
    if (expected.domain != nullptr && !same(*expected.domain, *launch.domain)) return false;
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i) {
        const RequirementDescription& given = launch.requirements[i];
        const Requirement& known = expected.requirements[i];
        const regions::RegionRoot* region = given.region;
        if (region == nullptr || region->table != &regions_ ||
            !region->use.admits(launch.kind->requirements[i].privilege) ||
            !known.key.agrees(given) ||
            !(describer_.matches_link(number, *region, known.link) || repeats(known, launch, i)))
            return false;
    }
    return !expected.has_several_new || new_regions_differ(expected, launch);
}

/// Only single tasks have colours to compare (RequirementKind::has_colour).
inline bool CompiledLoop::agrees_in_row(const Launch& expected, const LaunchDescription& launch) {
    const bool is_single = expected.domain == nullptr;
    if (expected.kind != launch.kind->identity ||
        (!is_single && !same(*expected.domain, *launch.domain)))
        return false;
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i) {
        const RequirementKey& key = expected.requirements[i].key;
        const RequirementDescription& given = launch.requirements[i];
        if (key.partition != RequirementKey::partition_of(given) ||
            (is_single && !data::same(key.colour, given.colour)))
            return false;
    }
    return true;
}

}  // namespace refrain::runtime
