#include "data/message.hpp"
#include "data/partition_checks.hpp"
#include "refrain/detail/partition_factories.hpp"
#include "refrain/error.hpp"
#include "refrain/index_space.hpp"

#include <algorithm>
#include <utility>

namespace refrain::data {
namespace {

/// The value of element `index`.
Coordinates value_at(const PointValues& values, std::int64_t index) {
    Coordinates c{};
    for (int d = 0; d < values.rank; ++d) c[d] = values.coordinates[index * values.rank + d];
    return c;
}

bool has_negative(const Coordinates& c) {
    return c[0] < 0 || c[1] < 0 || c[2] < 0;
}

template <class F>
void for_each_point(const BoxSet& set, const F& f) {
    for (const Box& box : set.boxes())
        for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
            for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j)
                for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k) f(Coordinates{i, j, k});
}

[[noreturn]] void refuse_value(const Coordinates& element, int rank, const Coordinates& value,
                               int target_rank, const Box& target_space) {
    throw UsageError(message(
        "image: values at element ", point_text(element.data(), rank), " is ",
        point_text(value.data(), target_rank), ", outside of the target space ",
        to_string(target_space, target_rank), "; correct the value",
        has_negative(value) ? ", or pass Negative::points_nowhere if negative values mean no target"
                            : ""));
}

/// Elements sorted by the row-major position of their value in the target's bounds.
class ElementsByValue {
  public:
    ElementsByValue(const PointValues& values, const Box& bounds) : bounds_(bounds) {
        for (std::size_t e = 0; e < values.count; ++e) {
            const Coordinates value = value_at(values, static_cast<std::int64_t>(e));
            if (bounds.contains(value)) {
                entries_.push_back({linear_index(bounds, value), static_cast<std::int64_t>(e)});
            }
        }
        std::sort(entries_.begin(), entries_.end());
    }

    /// Calls f(element) for the elements whose value lies in the box.
    template <class F>
    void for_each_in(const Box& box, const F& f) const {
        // Trailing dimensions that the box spans entirely are contiguous: one run of positions.
        int run = rank_max - 1;
        while (run > 0 && box.extent(run) == bounds_.extent(run)) --run;
        Box starts = box;
        for (int d = run; d < rank_max; ++d) starts.hi[d] = starts.lo[d] + 1;
        std::int64_t length = 1;
        for (int d = run; d < rank_max; ++d) length *= box.extent(d);
        for_each_point(starts, [&](const Coordinates& start) {
            const std::int64_t first = linear_index(bounds_, start);
            auto at = std::lower_bound(entries_.begin(), entries_.end(), Entry{first, 0});
            for (; at != entries_.end() && at->first < first + length; ++at) f(at->second);
        });
    }

  private:
    using Entry = std::pair<std::int64_t, std::int64_t>;  ///< (position of the value, element)

    Box bounds_;
    std::vector<Entry> entries_;
};

}  // namespace

PartitionHandle make_image(const Box& target_space, const PartitionData& source,
                           const PointValues& values, bool ignore_negative) {
    const Box& elements = source.space.bounds();
    checked_volume(target_space, values.rank, "image", "target_space");
    check_values(values, elements, source.rank, "image", "source.space()");
    std::vector<BoxSet> subsets;
    subsets.reserve(source.subsets.size());
    std::vector<Coordinates> points;
    for (const BoxSet& subset : source.subsets) {
        points.clear();
        for_each_point(subset, [&](const Coordinates& element) {
            const Coordinates value = value_at(values, linear_index(elements, element));
            if (ignore_negative && has_negative(value)) return;
            if (!target_space.contains(value))
                refuse_value(element, source.rank, value, values.rank, target_space);
            points.push_back(value);
        });
        subsets.push_back(BoxSet::of_points(points));
    }
    return std::make_shared<PartitionData>(target_space, values.rank, source.colours,
                                           source.colour_rank, std::move(subsets));
}

PartitionHandle make_preimage(const Box& source_space, int rank, const PointValues& values,
                              const PartitionData& target) {
    check_values(values, source_space, rank, "preimage", "source_space");
    const ElementsByValue by_value(values, target.space.bounds());
    std::vector<BoxSet> subsets;
    subsets.reserve(target.subsets.size());
    std::vector<Coordinates> points;
    for (const BoxSet& subset : target.subsets) {
        points.clear();
        for (const Box& box : subset.boxes()) {
            by_value.for_each_in(box, [&](std::int64_t element) {
                points.push_back(point_at(source_space, element));
            });
        }
        subsets.push_back(BoxSet::of_points(points));
    }
    return std::make_shared<PartitionData>(source_space, rank, target.colours, target.colour_rank,
                                           std::move(subsets));
}

}  // namespace refrain::data
