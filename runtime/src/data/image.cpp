#include "data/box_runs.hpp"
#include "data/message.hpp"
#include "data/partition_checks.hpp"
#include "refrain/detail/partition_factories.hpp"
#include "refrain/error.hpp"
#include "refrain/index_space.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace refrain::data {
namespace {

/// The value of element `index`.
Coordinates value_at(const PointValues& values, std::int64_t index) {
    Coordinates c{};
    for (int d = 0; d < values.rank; ++d)
        c[d] = values[static_cast<std::size_t>(index * values.rank + d)];
    return c;
}

bool has_negative(const Coordinates& c) {
    return c[0] < 0 || c[1] < 0 || c[2] < 0;
}

template <class F>
void for_each_point(const BoxSet& set, const F& f) {
    set.for_each_box([&](const Box& box) {
        for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
            for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j)
                for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k) f(Coordinates{i, j, k});
    });
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

/// Finds the image of one subset at a time. Threads: pure.
class ImageMaker {
  public:
    ImageMaker(const Box& target_space, const PartitionData& source, const PointValues& values,
               bool ignore_negative)
        : target_(target_space),
          source_(source),
          values_(values),
          ignore_negative_(ignore_negative) {}

    [[nodiscard]] BoxSet image_of(const BoxSet& subset) const {
        if (values_.rank != 1) return points_of(subset);
        return values_.coordinates != nullptr ? line_of(subset, values_.coordinates)
                                              : line_of(subset, values_.short_coordinates);
    }

  private:
    /// Targets of any rank.
    [[nodiscard]] BoxSet points_of(const BoxSet& subset) const {
        std::vector<Coordinates> points;
        for_each_point(subset, [&](const Coordinates& element) {
            const Coordinates value =
                value_at(values_, linear_index(source_.space.bounds(), element));
            if (ignore_negative_ && has_negative(value)) return;
            if (!target_.contains(value))
                refuse_value(element, source_.rank, value, values_.rank, target_);
            points.push_back(value);
        });
        return BoxSet::of_points(points);
    }

    /// Targets on a line: a bitmap over what the subset points to, or a sorted list if that is
    /// thinly spread.
    template <class Integer>
    [[nodiscard]] BoxSet line_of(const BoxSet& subset, const Integer* values) const {
        constexpr std::uint64_t bits_per_value_max = 64;  // as much memory as the list
        const Extent extent = extent_of(subset, values);
        if (extent.count == 0) return {};
        const auto width =
            static_cast<std::uint64_t>(extent.hi) - static_cast<std::uint64_t>(extent.lo);
        if (width / bits_per_value_max <= extent.count) {
            BitLine bits(extent.lo, extent.hi);
            for_each_value(subset, values, [&](std::int64_t value) { bits.insert(value); });
            return BoxSet::of_bits(std::move(bits));
        }
        std::vector<std::int64_t> list;
        list.reserve(extent.count);
        for_each_value(subset, values, [&](std::int64_t value) { list.push_back(value); });
        std::sort(list.begin(), list.end());
        std::vector<Box> runs;
        for (const std::int64_t value : list)
            if (!runs.empty() && value <= runs.back().hi[0])
                runs.back().hi[0] = value + 1;
            else
                runs.push_back({{value, 0, 0}, {value + 1, 1, 1}});
        return BoxSet::of_boxes(runs);
    }

    struct Extent {
        std::int64_t lo = INT64_MAX, hi = INT64_MIN;  // of the values
        std::size_t count = 0;                        // of elements that have one
    };
    template <class Integer>
    [[nodiscard]] Extent extent_of(const BoxSet& subset, const Integer* values) const {
        Extent extent;
        for_each_value(subset, values, [&](std::int64_t value) {
            extent.lo = std::min(extent.lo, value);
            extent.hi = std::max(extent.hi, value);
            ++extent.count;
        });
        if (extent.count != 0 && (extent.lo < target_.lo[0] || extent.hi >= target_.hi[0]))
            static_cast<void>(points_of(subset));  // refuses the first of them
        if (extent.count != 0) ++extent.hi;
        return extent;
    }
    /// Of the elements that point somewhere. Elements of a row are neighbours in memory.
    template <class Integer, class F>
    void for_each_value(const BoxSet& subset, const Integer* values, const F& f) const {
        subset.for_each_box([&](const Box& box) {
            for_each_run(box, source_.space.bounds(), source_.space.bounds(),
                         [&](std::size_t first, std::size_t, std::size_t count) {
                             for (std::size_t i = first; i < first + count; ++i)
                                 if (!ignore_negative_ || values[i] >= 0) f(values[i]);
                         });
        });
    }

    const Box& target_;
    const PartitionData& source_;
    const PointValues& values_;
    bool ignore_negative_;
};

/// Calls f(i) for 0 <= i < count, on several threads if that is worth it. Throws what the call with
/// the smallest i threw.
template <class F>
void for_each_in_parallel(std::size_t count, std::int64_t work, const F& f) {
    constexpr std::int64_t work_min = 1 << 18;  // some hundred microseconds
    constexpr unsigned threads_max = 16;
    std::vector<std::exception_ptr> errors(count);
    std::atomic<std::size_t> next{0};
    const auto run = [&]() noexcept {
        // Relaxed: the number alone is shared; join() publishes what is done.
        for (std::size_t i = next.fetch_add(1, std::memory_order_relaxed); i < count;
             i = next.fetch_add(1, std::memory_order_relaxed)) {
            try {
                f(i);
            } catch (...) {
                errors[i] = std::current_exception();
            }
        }
    };
    std::vector<std::thread> others;
    if (work >= work_min) {
        const unsigned threads = std::min(std::thread::hardware_concurrency(), threads_max);
        try {
            while (others.size() + 1 < std::min<std::size_t>(threads, count))
                others.emplace_back(run);
        } catch (const std::system_error&) {  // no more threads: the others do the work
        }
    }
    run();
    for (std::thread& other : others) other.join();
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

}  // namespace

PartitionHandle make_image(const Box& target_space, const PartitionData& source,
                           const PointValues& values, bool ignore_negative) {
    checked_volume(target_space, values.rank, "image", "target_space");
    check_values(values, source.space.bounds(), source.rank, "image", "source.space()");
    std::vector<BoxSet> subsets(source.subsets.size());
    std::int64_t pointers = 0;
    for (const BoxSet& subset : source.subsets) pointers += subset.volume();
    const ImageMaker maker(target_space, source, values, ignore_negative);
    for_each_in_parallel(subsets.size(), pointers,
                         [&](std::size_t i) { subsets[i] = maker.image_of(source.subsets[i]); });
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
