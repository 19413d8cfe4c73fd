// Sorting and partitioning along an axis. The steps are those of NumPy 1.24, since they decide where
// equal elements come to lie: zeros of both signs, indices of equal elements.
#include <algorithm>
#include <bit>
#include <complex>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "kernels/ordering.hpp"
#include "kernels/whole.hpp"

namespace refrain::array::kernels {

namespace {

/// What is sorted: elements, or indices of elements by what they point to.
template <class T>
struct Values {
    using Item = T;
    static bool less(const T& a, const T& b) noexcept { return comes_before(a, b); }
};
template <class T>
struct Indices {
    using Item = std::int64_t;
    const T* values;
    bool less(std::int64_t a, std::int64_t b) const noexcept {
        return comes_before(values[a], values[b]);
    }
};

template <class By, class Item>
void sift(const By& by, Item* heap, Extent from, Extent count, Item item) {
    Extent i = from;
    for (Extent j = 2 * i; j <= count;) {
        if (j < count && by.less(heap[j - 1], heap[j])) ++j;
        if (!by.less(item, heap[j - 1])) break;
        heap[i - 1] = heap[j - 1];
        i = j;
        j += j;
    }
    heap[i - 1] = item;
}
template <class By, class Item>
void heap_sort(const By& by, Item* items, Extent count) {
    for (Extent l = count >> 1; l > 0; --l) sift(by, items, l, count, items[l - 1]);
    for (Extent n = count; n > 1;) {
        const Item item = std::exchange(items[n - 1], items[0]);
        --n;
        sift(by, items, Extent{1}, n, item);
    }
}

int log2_of(Extent count) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count))) - 1;
}

template <class By, class Item>
void insertion_sort(const By& by, Item* first, Item* last) {
    for (Item* i = first + 1; i <= last; ++i) {
        const Item item = *i;
        Item* to = i;
        for (; to > first && by.less(item, to[-1]); --to) *to = to[-1];
        *to = item;
    }
}

/// Median of three, insertion up to 16 elements, heaps where it goes too deep.
template <class By, class Item>
void quick_sort(const By& by, Item* items, Extent count) {
    struct Part {
        Item* first;
        Item* last;
        int depth;
    };
    if (count < 2) return;
    std::array<Part, 128> stack;
    std::size_t waiting = 0;
    Item* first = items;
    Item* last = items + count - 1;
    int depth = 2 * log2_of(count);
    for (;;) {
        if (depth < 0) {
            heap_sort(by, first, last - first + 1);
        } else {
            while (last - first > 15) {
                Item* middle = first + ((last - first) >> 1);
                if (by.less(*middle, *first)) std::swap(*middle, *first);
                if (by.less(*last, *middle)) std::swap(*last, *middle);
                if (by.less(*middle, *first)) std::swap(*middle, *first);
                const Item pivot = *middle;
                Item* i = first;
                Item* j = last - 1;
                std::swap(*middle, *j);
                for (;;) {
                    do ++i;
                    while (by.less(*i, pivot));
                    do --j;
                    while (by.less(pivot, *j));
                    if (i >= j) break;
                    std::swap(*i, *j);
                }
                std::swap(*i, last[-1]);
                --depth;
                if (i - first < last - i) {
                    stack[waiting++] = {i + 1, last, depth};
                    last = i - 1;
                } else {
                    stack[waiting++] = {first, i - 1, depth};
                    first = i + 1;
                }
            }
            insertion_sort(by, first, last);
        }
        if (waiting == 0) return;
        const Part& part = stack[--waiting];
        first = part.first;
        last = part.last;
        depth = part.depth;
    }
}

/// Equal elements keep their order.
template <class By, class Item>
void stable_sort(const By& by, Item* items, Extent count, std::vector<Item>& spare) {
    constexpr Extent run = 16;
    for (Extent begin = 0; begin < count; begin += run)
        insertion_sort(by, items + begin, items + std::min(begin + run, count) - 1);
    spare.resize(static_cast<std::size_t>(count));
    for (Extent width = run; width < count; width *= 2) {
        for (Extent begin = 0; begin + width < count; begin += 2 * width) {
            Item* left = items + begin;
            Item* right = left + width;
            Item* end = items + std::min(begin + 2 * width, count);
            if (!by.less(*right, right[-1])) continue;
            Item* copy = spare.data();
            Item* copy_end = std::copy(left, right, copy);
            Item* to = left;
            while (copy != copy_end && right != end)
                *to++ = by.less(*right, *copy) ? *right++ : *copy++;
            std::copy(copy, copy_end, to);
        }
    }
}

/// Puts the elements that sorting would put at some places there, smaller ones before them.
template <class By, class Item, bool IsInexact>
class Partitioner {
  public:
    Partitioner(const By& by, Item* items) noexcept : by_(by), items_(items) {}

    /// `places` ascend.
    void run(Extent count, std::span<const std::int64_t> places) {
        std::array<Extent, pivots_max> pivots;
        int pivot_count = 0;
        for (const std::int64_t place : places)
            select(0, count, place, pivots.data(), &pivot_count);
    }

  private:
    static constexpr int pivots_max = 50;

    bool less(Extent a, Extent b) const { return by_.less(items_[a], items_[b]); }
    void swap(Extent a, Extent b) { std::swap(items_[a], items_[b]); }

    static void store(Extent pivot, Extent place, Extent* pivots, int* count) {
        if (pivots == nullptr) return;
        if (pivot == place && *count == pivots_max)
            pivots[*count - 1] = pivot;
        else if (pivot >= place && *count < pivots_max)
            pivots[(*count)++] = pivot;
    }

    /// The smallest `places` of `count` elements from `base` on, by looking for each.
    void select_few(Extent base, Extent count, Extent places) {
        for (Extent i = 0; i < places; ++i) {
            Extent least = i;
            for (Extent k = i + 1; k < count; ++k)
                if (less(base + k, base + least)) least = k;
            swap(base + i, base + least);
        }
    }
    void median_of_three_first(Extent low, Extent middle, Extent high) {
        if (less(high, middle)) swap(high, middle);
        if (less(high, low)) swap(high, low);
        if (less(low, middle)) swap(low, middle);
        swap(middle, low + 1);
    }
    Extent median_of_five(Extent at) {
        if (less(at + 1, at)) swap(at + 1, at);
        if (less(at + 4, at + 3)) swap(at + 4, at + 3);
        if (less(at + 3, at)) swap(at + 3, at);
        if (less(at + 4, at + 1)) swap(at + 4, at + 1);
        if (less(at + 2, at + 1)) swap(at + 2, at + 1);
        if (less(at + 3, at + 2)) return less(at + 3, at + 1) ? 1 : 3;
        return 2;
    }
    Extent median_of_medians(Extent base, Extent count) {
        const Extent medians = count / 5;
        for (Extent i = 0; i < medians; ++i)
            swap(base + 5 * i + median_of_five(base + 5 * i), base + i);
        if (medians > 2) select(base, medians, medians / 2, nullptr, nullptr);
        return medians / 2;
    }

    /// Places and pivots count from `base`.
    void select(Extent base, Extent count, Extent place, Extent* pivots, int* pivot_count) {
        Extent low = 0;
        Extent high = count - 1;
        while (pivots != nullptr && *pivot_count > 0) {
            const Extent pivot = pivots[*pivot_count - 1];
            if (pivot > place) {
                high = pivot - 1;
                break;
            }
            if (pivot == place) return;
            low = pivot + 1;
            --*pivot_count;
        }
        if (place - low < 3) {
            select_few(base + low, high - low + 1, place - low + 1);
            store(place, place, pivots, pivot_count);
            return;
        }
        if (IsInexact && place == count - 1) {
            Extent greatest = low;
            for (Extent k = low + 1; k < count; ++k)
                if (!less(base + k, base + greatest)) greatest = k;
            swap(base + place, base + greatest);
            return;
        }
        int depth = 2 * log2_of(count);
        while (low + 1 < high) {
            Extent ll = low + 1;
            Extent hh = high;
            if (depth > 0 || hh - ll < 5) {
                median_of_three_first(base + low, base + low + (high - low) / 2, base + high);
            } else {
                swap(base + ll + median_of_medians(base + ll, hh - ll), base + low);
                --ll;
                ++hh;
            }
            --depth;
            const Item pivot = items_[base + low];
            for (;;) {
                do ++ll;
                while (by_.less(items_[base + ll], pivot));
                do --hh;
                while (by_.less(pivot, items_[base + hh]));
                if (hh < ll) break;
                swap(base + ll, base + hh);
            }
            swap(base + low, base + hh);
            if (hh != place) store(hh, place, pivots, pivot_count);
            if (hh >= place) high = hh - 1;
            if (hh <= place) low = ll;
        }
        if (high == low + 1 && less(base + high, base + low)) swap(base + high, base + low);
        store(place, place, pivots, pivot_count);
    }

    const By& by_;
    Item* items_;
};

/// How a lane is arranged: numbers {axis, kind}, or {axis, -1, places...} for a partition.
enum class Kind : std::int64_t { partition = -1, quick, heap, stable };

template <class T, class By, class Item>
void arrange(const By& by, Item* items, Extent count, std::span<const std::int64_t> numbers,
             std::vector<Item>& spare) {
    switch (static_cast<Kind>(numbers[1])) {
        case Kind::partition:
            Partitioner<By, Item, !std::is_integral_v<T> && !std::is_enum_v<T>>(by, items).run(
                count, numbers.subspan(2));
            return;
        case Kind::quick:
            return quick_sort(by, items, count);
        case Kind::heap:
            return heap_sort(by, items, count);
        case Kind::stable:
            return stable_sort(by, items, count, spare);
    }
}

/// views: the array, in place.
void sort(const TaskCall& call) {
    const TaskView& array = call.views[0];
    const int axis = static_cast<int>(call.numbers[0]);
    const Extent count = array.extent(axis);
    const Extent step = array.step(axis);
    if (count < 2) return;
    with_ordered(array.dtype, [&](auto zero) {
        using T = decltype(zero);
        std::vector<T> lane(step == sizeof(T) ? 0 : static_cast<std::size_t>(count));
        std::vector<T> spare;
        for_each_lane(
            array.layout->shape, axis, std::array<const TaskView*, 1>{&array},
            [&](const std::array<std::byte*, 1>& at) {
                if (lane.empty())
                    return arrange<T>(Values<T>(), reinterpret_cast<T*>(at[0]), count, call.numbers,
                                      spare);
                for (Extent i = 0; i < count; ++i)
                    lane[static_cast<std::size_t>(i)] = *reinterpret_cast<T*>(at[0] + i * step);
                arrange<T>(Values<T>(), lane.data(), count, call.numbers, spare);
                for (Extent i = 0; i < count; ++i)
                    *reinterpret_cast<T*>(at[0] + i * step) = lane[static_cast<std::size_t>(i)];
            });
    });
}

/// views: out, int64, and the array, of one shape.
void argsort(const TaskCall& call) {
    const TaskView& out = call.views[0];
    const TaskView& array = call.views[1];
    const int axis = static_cast<int>(call.numbers[0]);
    const Extent count = array.extent(axis);
    const Extent step = array.step(axis);
    const Extent out_step = out.step(axis);
    with_ordered(array.dtype, [&](auto zero) {
        using T = decltype(zero);
        std::vector<T> lane(step == sizeof(T) ? 0 : static_cast<std::size_t>(count));
        // Indices side by side are arranged where they stay.
        const bool is_direct = out_step == sizeof(std::int64_t);
        std::vector<std::int64_t> room(is_direct ? 0 : static_cast<std::size_t>(count));
        std::vector<std::int64_t> spare;
        for_each_lane(
            array.layout->shape, axis, std::array<const TaskView*, 2>{&out, &array},
            [&](const std::array<std::byte*, 2>& at) {
                const T* values = reinterpret_cast<const T*>(at[1]);
                for (std::size_t i = 0; i < lane.size(); ++i)
                    lane[i] = *reinterpret_cast<const T*>(at[1] + static_cast<Extent>(i) * step);
                if (!lane.empty()) values = lane.data();
                std::int64_t* indices =
                    is_direct ? reinterpret_cast<std::int64_t*>(at[0]) : room.data();
                std::iota(indices, indices + count, 0);
                if (count > 1) arrange<T>(Indices<T>{values}, indices, count, call.numbers, spare);
                for (std::size_t i = 0; i < room.size(); ++i)
                    *reinterpret_cast<std::int64_t*>(at[0] + static_cast<Extent>(i) * out_step) =
                        room[i];
            });
    });
}

constexpr Task sorting_table[] = {{"sort", sort, 16}, {"argsort", argsort, 24}};

}  // namespace

std::span<const Task> sorting_tasks() noexcept {
    return sorting_table;
}

}  // namespace refrain::array::kernels
