#pragma once

#include "base/record_arena.hpp"
#include "runtime/launch_key.hpp"
#include "trace/description.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::runtime {

/// The launches of a folded loop, as they are expected to come again.
///
///     position     40    41    42    43   |
///     launch       a     b     c     d    |  a turn; each is compared with the next launch
///
/// Before anything is made of a launch it is compared with the one expected. If it is that one, it need
/// not be checked, nor be put into words to be found again.
///
/// What is compared settles both. Launches that agree in kind, domain and keys, and use no region
/// twice, have the same shapes and the same task (launch_key.hpp); so their descriptions (trace/)
/// differ in links at most, and those are compared as well. The regions themselves may be others, so
/// each is asked whether it may be used. That none is used twice follows from the links, unless
/// several lead nowhere: one that leads somewhere leads to an access of one region.
///
/// Not compiled are launches that use a region twice, or more than 64, or that begin beyond a
/// mebibyte, and loops of more than 16,384 launches.
///
/// Hot path:    six compares per region argument; nothing is written. Guarded by bench/overhead.
/// Complexity:  bytes_per_launch and bytes_per_requirement; index launches 48 more.
/// Threads:     the launching thread only.
class CompiledLoop {
    struct Requirement {
        RequirementKey key;
        trace::Describer::Link link;
    };
    struct Launch {
        const LaunchKind* kind;           // null: of no launch
        const data::Box* domain;          // null: of a single task
        const Requirement* requirements;  // as many as the kind has
        bool may_name_one_region_twice;   // links do not tell; else they differ
        CheckedLaunch checked;
    };

  public:
    using Position = std::uint64_t;

    static constexpr std::size_t bytes_per_launch = sizeof(Launch) + sizeof(const Launch*);
    static constexpr std::size_t bytes_per_requirement =
        sizeof(Requirement) + sizeof(CheckedRequirement);

    /// `describer` and `regions` of the program's launches.
    CompiledLoop(const trace::Describer& describer, const regions::RegionTable& regions)
        : describer_(describer), regions_(regions) {}

    /// What was found for the launch expected at `position` if `launch`, operation `number`, is it;
    /// else null.
    [[nodiscard]] const CheckedLaunch* find(Position position, const LaunchDescription& launch,
                                            std::uint64_t number) const {
        const std::uint64_t place = position - first_;
        if (place >= launches_.size() || launches_[place] == nullptr) return nullptr;
        return agrees(*launches_[place], launch, number) ? &launches_[place]->checked : nullptr;
    }
    /// In the loop of `length` positions from `first` on, `launch` was the one expected at
    /// `position`, and described by `words`.
    void add(Position first, std::uint64_t length, Position position,
             const LaunchDescription& launch, const CheckedLaunch& checked,
             std::span<const std::uint64_t> words);
    void clear();

    /// Of the loop that was compiled last.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    static constexpr std::size_t bytes_max = std::size_t{1} << 20;
    static constexpr std::uint64_t length_max = bytes_max / 64;
    static constexpr std::uint32_t requirements_max = 64;
    static const Launch never;  // is expected where nothing is compiled, and nothing is it

    [[nodiscard]] bool agrees(const Launch& expected, const LaunchDescription& launch,
                              std::uint64_t number) const;
    void begin(Position first, std::uint64_t length);
    [[nodiscard]] const Launch* compile(const LaunchDescription& launch,
                                        const CheckedLaunch& checked,
                                        std::span<const std::uint64_t> words);

    const trace::Describer& describer_;
    const regions::RegionTable& regions_;
    base::RecordArena records_;
    std::vector<const Launch*> launches_;  // by position, from `first_` on; null: not compiled
    Position first_ = 0;
    std::size_t bytes_ = 0;
};

inline bool CompiledLoop::agrees(const Launch& expected, const LaunchDescription& launch,
                                 std::uint64_t number) const {
    if (expected.kind != launch.kind) return false;
    if (expected.domain != nullptr && !same(*expected.domain, *launch.domain)) return false;
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i) {
        const RequirementDescription& given = launch.requirements[i];
        const Requirement& known = expected.requirements[i];
        const regions::RegionRoot* region = given.region;
        if (region == nullptr || region->table != &regions_ ||
            !region->use.admits(launch.kind->requirements[i].privilege) ||
            !known.key.agrees(given) || !describer_.is_linked(number, *region, known.link))
            return false;
    }
    return !expected.may_name_one_region_twice || uses_each_region_once(launch);
}

}  // namespace refrain::runtime
