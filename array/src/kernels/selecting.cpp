// Elements chosen by arrays of integers or booleans.

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/nest.hpp"
#include "kernels/whole.hpp"

namespace refrain::array::kernels {

namespace {

/// The steps of an axis that arrays of integers select from.
struct Selected {
    const std::int64_t* index = nullptr;  // of the lane at hand
    Extent step = 0;                      // bytes of the indexed array
    Extent extent = 0;
    Extent index_step = 0;  // elements, along a lane
    int axis = 0;

    /// Checked here, too: another thread may have changed the indices since the call.
    [[nodiscard]] Extent offset(Extent i) const {
        const std::int64_t given = index[i * index_step];
        const std::int64_t at = given < 0 ? given + extent : given;
        if (static_cast<std::uint64_t>(at) >= static_cast<std::uint64_t>(extent)) refuse(given);
        return at * step;
    }
    [[noreturn, gnu::noinline, gnu::cold]] void refuse(std::int64_t given) const {
        throw std::out_of_range(
            "index " + std::to_string(given) + " is out of bounds for axis " +
            std::to_string(axis) + " with size " + std::to_string(extent) +
            ": it was changed after the call that it was given to had checked it");
    }
};

/// Moves the elements of a lane one by one. `Writes`: into the indexed array.
template <bool Writes, class T>
void move_lane(std::byte* indexed, std::byte* other, Extent other_step, Extent count,
               std::span<const Selected> chosen) {
    const auto move = [&](Extent i, Extent offset) {
        T* to = reinterpret_cast<T*>(Writes ? indexed + offset : other + i * other_step);
        const T* from =
            reinterpret_cast<const T*>(Writes ? other + i * other_step : indexed + offset);
        *to = *from;
    };
    if (chosen.size() == 1) {
        const Selected one = chosen[0];
        for (Extent i = 0; i < count; ++i) move(i, one.offset(i));
        return;
    }
    for (Extent i = 0; i < count; ++i) {
        Extent offset = 0;
        for (const Selected& axis : chosen) offset += axis.offset(i);
        move(i, offset);
    }
}

/// The axes that are not indexed: a block of elements that is moved as a whole.
struct Block {
    Nest nest;
    std::array<Extent, 2> origin;  // of the nest's addresses, beyond those it was made with
    std::size_t bytes;             // of an element
    std::size_t whole = 0;         // bytes, if it is one piece on both sides

    Block(std::span<const Extent> shape, const Operand& to, const Operand& from)
        : nest(shape, std::array<const Operand*, 2>{&to, &from}), bytes(bytes_of(to.dtype)) {
        nest.arrange_by(0);
        origin = {nest.addresses[0] - to.address, nest.addresses[1] - from.address};
        const auto step = static_cast<Extent>(bytes);
        if (nest.rank == 1 &&
            (nest.shape[0] == 1 || (nest.strides[0][0] == step && nest.strides[0][1] == step)))
            whole = static_cast<std::size_t>(nest.shape[0]) * bytes;
    }
    void move(std::byte* to, std::byte* from) {
        if (whole != 0) {
            std::memmove(to + origin[0], from + origin[1], whole);
            return;
        }
        nest.addresses[0] = to + origin[0];
        nest.addresses[1] = from + origin[1];
        with_element(bytes, [&](auto element) {
            using T = decltype(element);
            nest.for_each_row([](std::byte* const* at, const Extent* steps, Extent count) {
                for (Extent i = 0; i < count; ++i)
                    *reinterpret_cast<T*>(at[0] + i * steps[0]) =
                        *reinterpret_cast<const T*>(at[1] + i * steps[1]);
            });
        });
    }
};

/// views: written, read, arrays of int64 of one shape B; numbers: the axis that each of them indexes.
/// One of the first two is indexed; the other one has B's axes first, then the axes not indexed.
template <bool Writes>
void move_by_indices(const TaskCall& call) {
    const TaskView& indexed = call.views[Writes ? 0 : 1];
    const TaskView& other = call.views[Writes ? 1 : 0];
    const std::span<const TaskView> indices = call.views.subspan(2);
    const Extents& by = indices[0].layout->shape;
    const int rank = by.size();
    if (other.size() == 0) return;
    if (rank == 1 && indexed.rank() == 1) {  // the commonest case has no need of lists
        const Selected one{reinterpret_cast<const std::int64_t*>(indices[0].address),
                           indexed.step(0), indexed.extent(0), indices[0].layout->strides[0], 0};
        with_element(bytes_of(other.dtype), [&](auto element) {
            move_lane<Writes, decltype(element)>(indexed.address, other.address, other.step(0),
                                                 by[0], {&one, 1});
        });
        return;
    }

    std::vector<Selected> chosen;
    std::uint32_t axes = 0;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        const int axis = static_cast<int>(call.numbers[k]);
        axes |= std::uint32_t{1} << axis;
        chosen.push_back({reinterpret_cast<const std::int64_t*>(indices[k].address),
                          indexed.step(axis), indexed.extent(axis),
                          rank > 0 ? indices[k].layout->strides[rank - 1] : 0, axis});
    }
    std::vector<Extent> shape;
    std::vector<Extent> indexed_steps;
    std::vector<Extent> other_steps;
    bool has_block = false;
    for (int d = 0; d < indexed.rank(); ++d) {
        if ((axes >> d & 1) != 0) continue;
        other_steps.push_back(other.step(rank + static_cast<int>(shape.size())));
        shape.push_back(indexed.extent(d));
        indexed_steps.push_back(indexed.step(d));
        has_block = has_block || indexed.extent(d) != 1;
    }
    const Operand inside{indexed.address, indexed_steps.data(), indexed.dtype};
    const Operand outside{other.address, other_steps.data(), other.dtype};
    Block block(shape, Writes ? inside : outside, Writes ? outside : inside);

    const Extent count = rank > 0 ? by[rank - 1] : 1;
    const Extent other_step = rank > 0 ? other.step(rank - 1) : 0;
    std::vector<Extent> index(static_cast<std::size_t>(std::max(rank, 1)), 0);
    std::byte* at = other.address;
    for (;;) {
        if (!has_block) {
            with_element(bytes_of(other.dtype), [&](auto element) {
                move_lane<Writes, decltype(element)>(indexed.address, at, other_step, count,
                                                     chosen);
            });
        } else {
            for (Extent i = 0; i < count; ++i) {
                Extent offset = 0;
                for (const Selected& axis : chosen) offset += axis.offset(i);
                std::byte* place = indexed.address + offset;
                std::byte* element = at + i * other_step;
                block.move(Writes ? place : element, Writes ? element : place);
            }
        }
        int d = rank - 1;
        for (;;) {
            if (--d < 0) return;
            const bool goes_on = ++index[static_cast<std::size_t>(d)] < by[d];
            const Extent steps = goes_on ? 1 : 1 - by[d];
            at += steps * other.step(d);
            for (std::size_t k = 0; k < chosen.size(); ++k)
                chosen[k].index += steps * indices[k].layout->strides[d];
            if (goes_on) break;
            index[static_cast<std::size_t>(d)] = 0;
        }
    }
}

Operand operand_of(const TaskView& view, std::array<Extent, rank_max>& steps) {
    for (int d = 0; d < view.rank(); ++d) steps[static_cast<std::size_t>(d)] = view.step(d);
    return {view.address, steps.data(), view.dtype};
}

/// Calls row(addresses, steps, count) for views of one shape, in C order.
template <class Row>
void for_each_row(std::span<const TaskView* const> views, const Row& row) {
    if (views[0]->rank() == 1) {
        std::array<std::byte*, operands_max> at;
        std::array<Extent, operands_max> along;
        for (std::size_t i = 0; i < views.size(); ++i) {
            at[i] = views[i]->address;
            along[i] = views[i]->step(0);
        }
        row(at.data(), along.data(), views[0]->extent(0));
        return;
    }
    std::array<std::array<Extent, rank_max>, operands_max> steps;
    std::array<Operand, operands_max> operands;
    std::array<const Operand*, operands_max> pointers{};
    for (std::size_t i = 0; i < views.size(); ++i) {
        operands[i] = operand_of(*views[i], steps[i]);
        pointers[i] = &operands[i];
    }
    Nest nest(views[0]->layout->shape, {pointers.data(), views.size()});
    if (nest.empty) return;
    nest.merge();
    nest.for_each_row(row);
}

/// array[mask]: views: out of rank 1, array, mask of its shape. Each element is written where the next true
/// one belongs: no branch depends on the mask.
void extract(const TaskCall& call) {
    const TaskView& out = call.views[0];
    const Extent out_step = out.step(0);
    with_element(bytes_of(out.dtype), [&](auto element) {
        using T = decltype(element);
        std::byte* to = out.address;
        Extent left = out.extent(0);
        const TaskView* views[] = {&call.views[1], &call.views[2]};
        for_each_row(views, [&](std::byte* const* at, const Extent* steps, Extent count) {
            for (Extent i = 0; i < count && left > 0; ++i) {
                *reinterpret_cast<T*>(to) = *reinterpret_cast<const T*>(at[0] + i * steps[0]);
                const Extent is_set = at[1][i * steps[1]] != std::byte{0} ? 1 : 0;
                to += is_set * out_step;
                left -= is_set;
            }
        });
    });
}

/// array[mask] = values: views: array, mask of its shape, values of rank 1. The next value for each true
/// element, from the first one again after the last. numbers: 1 if false elements use up values, too.
void place(const TaskCall& call) {
    const TaskView& values = call.views[2];
    const Extent value_count = values.extent(0);
    if (value_count == 0) return;
    const bool by_position = call.numbers[0] != 0;
    with_element(bytes_of(values.dtype), [&](auto element) {
        using T = decltype(element);
        Extent next = 0;
        const TaskView* views[] = {&call.views[0], &call.views[1]};
        for_each_row(views, [&](std::byte* const* at, const Extent* steps, Extent count) {
            for (Extent i = 0; i < count; ++i) {
                const bool is_set = at[1][i * steps[1]] != std::byte{0};
                if (is_set)
                    *reinterpret_cast<T*>(at[0] + i * steps[0]) =
                        *reinterpret_cast<const T*>(values.address + next * values.step(0));
                if ((is_set || by_position) && ++next == value_count) next = 0;
            }
        });
    });
}

/// Writes the places of a run's elements that are not 0; `end`: behind the last one.
void places_of_run(std::int64_t* to, const std::int64_t* end, const std::byte* run, Extent step,
                   Extent count) {
    constexpr Extent block = 8;
    Extent i = 0;
    const auto note = [&](Extent at) {
        *to = at;
        to +=
            static_cast<Extent>(run[at * step] != std::byte{0});  // compilers branch on conditions
    };
    for (; i + block <= count && end - to >= block; i += block)  // a place too many has room
        for (Extent k = 0; k < block; ++k) note(i + k);
    for (; i < count && to != end; ++i) note(i);
}

/// views: out, int64 of shape (count, rank), row-major; a boolean array. Of each element the index is written
/// where that of the next true one belongs: no branch depends on the mask.
void nonzero(const TaskCall& call) {
    auto* to = reinterpret_cast<std::int64_t*>(call.views[0].address);
    const TaskView& mask = call.views[1];
    const int rank = mask.rank();
    const int last = rank - 1;
    const Extent count = mask.extent(last);
    const Extent step = mask.step(last);
    const std::int64_t* const end = to + call.views[0].size();
    if (rank == 1) return places_of_run(to, end, mask.address, step, count);
    std::array<Extent, rank_max> index{};
    for_each_lane(mask.layout->shape, last, std::array<const TaskView*, 1>{&mask},
                  [&](const std::array<std::byte*, 1>& at) {
                      for (Extent i = 0; i < count && to != end; ++i) {
                          const auto is_set = static_cast<Extent>(at[0][i * step] != std::byte{0});
                          for (int d = 0; d < last; ++d) to[d] = index[static_cast<std::size_t>(d)];
                          to[last] = i;
                          to += is_set * rank;  // a product, since compilers branch on conditions
                      }
                      for (int d = last; d-- > 0;) {
                          if (++index[static_cast<std::size_t>(d)] < mask.extent(d)) break;
                          index[static_cast<std::size_t>(d)] = 0;
                      }
                  });
}

[[noreturn, gnu::cold]] void refuse_counts() {
    throw std::out_of_range(
        "repeats were changed by another thread while numpy.repeat summed them; let one of the two "
        "wait for the other, or give it a copy");
}

/// k, counts[k] times: views: out, int64 of the counts' sum; counts, int64. Checked here, too: another thread may have changed
/// the counts since they were summed.
void repeat_indices(const TaskCall& call) {
    auto* to = reinterpret_cast<std::int64_t*>(call.views[0].address);
    const TaskView& counts = call.views[1];
    Extent left = call.views[0].extent(0);
    for (Extent k = 0; k < counts.extent(0); ++k) {
        const std::int64_t count = *counts.at<std::int64_t>(k);
        if (count < 0 || count > left) refuse_counts();
        to = std::fill_n(to, count, k);
        left -= count;
    }
    if (left != 0) refuse_counts();
}

constexpr Task selecting_table[] = {
    {"gather", move_by_indices<false>, 2},
    {"scatter", move_by_indices<true>, 2},
    {"extract", extract, 2},
    {"place", place, 2},
    {"nonzero", nonzero, 2},
    {"repeat_indices", repeat_indices},
};

}  // namespace

std::span<const Task> selecting_tasks() noexcept {
    return selecting_table;
}

}  // namespace refrain::array::kernels
