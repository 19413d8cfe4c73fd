#pragma once

#include "base/record_arena.hpp"
#include "runtime/launch_key.hpp"
#include "trace/description.hpp"
#include "trace/stream_position.hpp"

#include <cstdint>
#include <span>
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
/// Why comparing is enough. Launches with equal kinds, domains and keys that use no region twice
/// have the same shapes and task (launch_key.hpp), so their descriptions (trace/) differ at most in
/// links, and links are compared too. The regions may be others, so each is checked for use. A
/// region used twice shows in the links, since a link that leads somewhere leads to an access of
/// one region; if several links lead nowhere, the regions are compared.
///
/// Not compiled: launches that use a region twice or more than 64 regions, launches beyond the
/// first mebibyte, and loops of more than 16,384 launches.
///
/// Hot path:    six compares per region argument; nothing is written. Guarded by bench/overhead.
/// Complexity:  bytes_per_launch and bytes_per_requirement of memory; index launches 48 bytes more.
/// Threads:     the launching thread only.
class CompiledLoop {
    struct Requirement {
        RequirementKey key;
        trace::Describer::Link link;
    };
    struct Launch {
        std::uint64_t kind;               // LaunchKind::identity; 0: uncompilable
        const data::Box* domain;          // null: single task
        const Requirement* requirements;  // as many as the kind has
        bool may_repeat_regions;          // links do not rule out that a region is used twice
        CheckedLaunch checked;
    };

  public:
    using Position = trace::Position;

    static constexpr std::size_t bytes_per_launch = sizeof(Launch) + sizeof(const Launch*);
    static constexpr std::size_t bytes_per_requirement =
        sizeof(Requirement) + sizeof(CheckedRequirement);

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
    /// Compiles `launch`, which is at `position` of the loop of `length` positions from `first` on
    /// and is described by `words`.
    void add(Position first, std::uint64_t length, Position position,
             const LaunchDescription& launch, const CheckedLaunch& checked,
             std::span<const std::uint64_t> words);
    void clear();

    /// Memory of the compiled loop.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    static constexpr std::size_t bytes_max = std::size_t{1} << 20;
    static constexpr std::uint64_t length_max = bytes_max / 64;
    static constexpr std::uint32_t requirements_max = 64;
    static const Launch uncompilable;  // sentinel; matches no launch

    [[nodiscard]] bool agrees(const Launch& expected, const LaunchDescription& launch,
                              graph::OperationNumber number) const;
    void begin(Position first, std::uint64_t length);
    [[nodiscard]] const Launch* compile(const LaunchDescription& launch,
                                        const CheckedLaunch& checked,
                                        std::span<const std::uint64_t> words);

    const trace::Describer& describer_;
    const regions::RegionTable& regions_;
    base::RecordArena records_;
    std::vector<const Launch*> launches_;  // by position, from first_ on; null: not yet compiled
    Position first_ = 0;
    std::size_t bytes_ = 0;
};

inline bool CompiledLoop::agrees(const Launch& expected, const LaunchDescription& launch,
                                 graph::OperationNumber number) const {
    if (expected.kind != launch.kind->identity()) return false;
    if (expected.domain != nullptr && !same(*expected.domain, *launch.domain)) return false;
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i) {
        const RequirementDescription& given = launch.requirements[i];
        const Requirement& known = expected.requirements[i];
        const regions::RegionRoot* region = given.region;
        if (region == nullptr || region->table != &regions_ ||
            !region->use.admits(launch.kind->requirements[i].privilege) ||
            !known.key.agrees(given) || !describer_.matches_link(number, *region, known.link))
            return false;
    }
    return !expected.may_repeat_regions || uses_each_region_once(launch);
}

}  // namespace refrain::runtime
