/// Typed handles as variants, and the host program's operations on them.
#pragma once

#include "refrain/refrain.hpp"

#include <functional>
#include <variant>
#include <vector>

#include "property/program.hpp"

namespace refrain::property {

using AnyRegion =
    std::variant<Region<std::int64_t, 1>, Region<std::int64_t, 2>, Region<std::int64_t, 3>,
                 Region<double, 1>, Region<double, 2>, Region<double, 3>>;
using AnyPartition = std::variant<Partition<1, 1>, Partition<1, 2>, Partition<1, 3>,
                                  Partition<2, 1>, Partition<2, 2>, Partition<2, 3>,
                                  Partition<3, 1>, Partition<3, 2>, Partition<3, 3>>;
using AnyView = std::variant<HostView<const std::int64_t, 1>, HostView<const std::int64_t, 2>,
                             HostView<const std::int64_t, 3>, HostView<const double, 1>,
                             HostView<const double, 2>, HostView<const double, 3>>;

/// The result of a single task or of an index launch.
struct AnyFuture {
    Future<std::int64_t> single;
    FutureMap<std::int64_t, 3> map;
    bool is_map = false;

    [[nodiscard]] regions::FutureState* state() const {
        return is_map ? map.state() : single.state();
    }
    [[nodiscard]] std::int64_t get(int point) const;
};

[[nodiscard]] AnyRegion create_region(Runtime& runtime, const Space& space, ElementType type,
                                      const char* name);
[[nodiscard]] regions::RegionRoot* root_of(const AnyRegion& region);

/// The handles that a partition is made from.
struct PartitionParts {
    const Space& space;
    const AnyPartition* of;
    const AnyRegion* pointers;
};
[[nodiscard]] AnyPartition create_partition(Runtime& runtime, const CreatePartition& create,
                                            const PartitionParts& parts);
[[nodiscard]] const data::PartitionData* data_of(const AnyPartition& partition);

[[nodiscard]] AnyFuture make_future(Runtime& runtime, const Launch& launch);

/// Fills through `partition`, if that is not null.
void fill(Runtime& runtime, const AnyRegion& region, const AnyPartition* partition,
          std::int64_t value, LaunchSite site);

/// The bits of the elements in row-major order.
[[nodiscard]] std::vector<std::uint64_t> read_all(Runtime& runtime, const AnyRegion& region);
[[nodiscard]] AnyView open_view(Runtime& runtime, const AnyRegion& region);
[[nodiscard]] std::vector<std::uint64_t> elements_of(const AnyView& view);
/// Calls change(element, bits) for every element.
void write_all(Runtime& runtime, const AnyRegion& region, bool keeps_old,
               const std::function<void(int, std::uint64_t&)>& change);

}  // namespace refrain::property
