/// Typed handles as variants, and the host program's operations on them.
#pragma once

#include "refrain/refrain.hpp"

#include <functional>
#include <variant>
#include <vector>

#include "property/elements.hpp"

namespace refrain::property {

/// One handle of each type of element and rank that random programs use.
template <template <class, int> class Handle>
using AnyOf =
    std::variant<Handle<std::int64_t, 1>, Handle<std::int64_t, 2>, Handle<std::int64_t, 3>,
                 Handle<double, 1>, Handle<double, 2>, Handle<double, 3>, Handle<std::int32_t, 1>,
                 Handle<Point<2>, 1>, Handle<Point<2>, 2>, Handle<Point<3>, 1>, Handle<Block, 1>>;
template <class T, int R>
using ReadView = HostView<const T, R>;

using AnyRegion = AnyOf<Region>;
using AnyView = AnyOf<ReadView>;
using AnyPartition = std::variant<Partition<1, 1>, Partition<1, 2>, Partition<1, 3>,
                                  Partition<2, 1>, Partition<2, 2>, Partition<2, 3>,
                                  Partition<3, 1>, Partition<3, 2>, Partition<3, 3>>;

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

[[nodiscard]] AnyRegion create_region(Runtime& runtime, const Space& space, const ValueRange& range,
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
