#include "data/box_runs.hpp"
#include "data/message.hpp"
#include "data/partition_checks.hpp"
#include "refrain/detail/partition_factories.hpp"
#include "refrain/error.hpp"
#include "refrain/index_space.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>
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

/// A bitmap takes no more memory than a list of values that are spread over no more than that.
constexpr std::uint64_t bits_per_value_max = 64;

[[nodiscard]] bool is_dense(std::int64_t lo, std::int64_t hi, std::size_t count) {
    const auto width = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
    return width / bits_per_value_max <= count;
}

/// The set of points of a line, in any order; they may repeat. Sorts them.
BoxSet sorted_line(std::vector<std::int64_t>& points) {
    std::sort(points.begin(), points.end());
    std::vector<Box> runs;
    for (const std::int64_t point : points)
        if (!runs.empty() && point <= runs.back().hi[0])
            runs.back().hi[0] = point + 1;
        else
            runs.push_back({{point, 0, 0}, {point + 1, 1, 1}});
    return BoxSet::of_boxes(runs);
}

/// Elements by the row-major position of their value in the target's bounds.
class ElementsByValue {
  public:
    ElementsByValue(const PointValues& values, const Box& bounds) : bounds_(bounds) {
        constexpr std::uint64_t positions_per_element_max = 4;
        const auto positions = static_cast<std::uint64_t>(bounds.volume());
        if (positions / positions_per_element_max <= values.count)
            count(values, positions);
        else
            sort(values);
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
            const std::size_t end = place_of(first + length);
            for (std::size_t i = place_of(first); i < end; ++i) f(elements_[i]);
        });
    }

  private:
    /// Calls f(element, position), the last element first.
    template <class F>
    void for_each_value(const PointValues& values, const F& f) const {
        for (auto e = static_cast<std::int64_t>(values.count) - 1; e >= 0; --e) {
            const Coordinates value = value_at(values, e);
            if (bounds_.contains(value)) f(e, linear_index(bounds_, value));
        }
    }
    /// Linear, where there are not many more positions than elements.
    void count(const PointValues& values, std::uint64_t positions) {
        begins_.assign(positions + 1, 0);
        for_each_value(values, [&](std::int64_t, std::int64_t position) {
            ++begins_[static_cast<std::size_t>(position)];
        });
        std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());  // where they end
        elements_.resize(begins_.back());
        for_each_value(values, [&](std::int64_t element, std::int64_t position) {
            elements_[--begins_[static_cast<std::size_t>(position)]] = element;
        });
    }
    void sort(const PointValues& values) {
        std::vector<std::pair<std::int64_t, std::int64_t>> entries;
        for_each_value(values, [&](std::int64_t element, std::int64_t position) {
            entries.emplace_back(position, element);
        });
        std::sort(entries.begin(), entries.end());
        for (const auto& [position, element] : entries) {
            positions_.push_back(position);
            elements_.push_back(element);
        }
    }
    /// The first place in elements_ whose element has that position or a higher one.
    [[nodiscard]] std::size_t place_of(std::int64_t position) const {
        if (!begins_.empty()) return begins_[static_cast<std::size_t>(position)];
        const auto at = std::lower_bound(positions_.begin(), positions_.end(), position);
        return static_cast<std::size_t>(at - positions_.begin());
    }

    Box bounds_;
    std::vector<std::int64_t> elements_;  // by ascending position
    std::vector<std::size_t> begins_;  // by position: its first place in elements_; or empty, and
    std::vector<std::int64_t> positions_;  // that of each element
};

/// The elements whose values are in a subset.
BoxSet preimage_of(const BoxSet& subset, const ElementsByValue& elements, const Box& source_space,
                   int rank) {
    std::vector<std::int64_t> found;
    subset.for_each_box([&](const Box& box) {
        elements.for_each_in(box, [&](std::int64_t element) { found.push_back(element); });
    });
    if (found.empty()) return {};
    if (rank != 1) {
        std::vector<Coordinates> points;
        points.reserve(found.size());
        for (const std::int64_t element : found) points.push_back(point_at(source_space, element));
        return BoxSet::of_points(points);
    }
    const auto [first, last] = std::minmax_element(found.begin(), found.end());
    const std::int64_t lo = source_space.lo[0] + *first, hi = source_space.lo[0] + *last + 1;
    if (!is_dense(lo, hi, found.size())) {
        for (std::int64_t& element : found) element += source_space.lo[0];
        return sorted_line(found);
    }
    BitLine bits(lo, hi);
    for (const std::int64_t element : found) bits.insert(source_space.lo[0] + element);
    return BoxSet::of_bits(std::move(bits));
}

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
        const Extent extent = extent_of(subset, values);
        if (extent.count == 0) return {};
        if (is_dense(extent.lo, extent.hi, extent.count)) {
            BitLine bits(extent.lo, extent.hi);
            for_each_value(subset, values, [&](std::int64_t value) { bits.insert(value); });
            return BoxSet::of_bits(std::move(bits));
        }
        std::vector<std::int64_t> list;
        list.reserve(extent.count);
        for_each_value(subset, values, [&](std::int64_t value) { list.push_back(value); });
        return sorted_line(list);
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
    std::vector<BoxSet> subsets(target.subsets.size());
    for_each_in_parallel(
        subsets.size(), static_cast<std::int64_t>(values.count), [&](std::size_t i) {
            subsets[i] = preimage_of(target.subsets[i], by_value, source_space, rank);
        });
    return std::make_shared<PartitionData>(source_space, rank, target.colours, target.colour_rank,
                                           std::move(subsets));
}

}  // namespace refrain::data
