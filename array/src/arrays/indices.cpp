// What is known of the elements of index arrays and masks.
#include <algorithm>
#include <array>

#include "arrays/compute.hpp"
#include "arrays/parts.hpp"

namespace refrain::array {

namespace {

/// Whether the array has every element of its store: as many elements are not enough, since a view may
/// repeat some.
bool has_all_of_store(const Array& array) {
    return array.size() == array.store().form->size &&
           (array.layout().is_row_major() || array.layout().is_column_major());
}

struct MinMax {
    std::int64_t low;
    std::int64_t high;
};
MinMax min_max(const std::int64_t* elements, Extent count) {
    MinMax found{elements[0], elements[0]};
    for (Extent i = 1; i < count; ++i) {
        found.low = std::min(found.low, elements[i]);
        found.high = std::max(found.high, elements[i]);
    }
    return found;
}

}  // namespace

namespace {

/// How many bytes are not 0.
Extent count_run(const std::byte* elements, Extent count, Extent step) noexcept {
    Extent found = 0;
    Extent i = 0;
    if (step == 1) {
        // Lanes of bytes count for themselves, as long as they can.
        constexpr Extent lanes = 16;
        constexpr Extent turns_max = 255;
        while (count - i >= lanes) {
            std::array<std::uint8_t, lanes> sums{};
            const Extent turns = std::min(turns_max, (count - i) / lanes);
            for (Extent turn = 0; turn < turns; ++turn, i += lanes)
                for (std::size_t lane = 0; lane < lanes; ++lane)
                    sums[lane] = static_cast<std::uint8_t>(
                        sums[lane] + (elements[i + static_cast<Extent>(lane)] != std::byte{0}));
            for (const std::uint8_t sum : sums) found += sum;
        }
    }
    for (; i < count; ++i) found += static_cast<Extent>(elements[i * step] != std::byte{0});
    return found;
}

}  // namespace

bool Machine::knows_bounds(const Array& indices) const noexcept {
    return indices.store().bounds() && has_all_of_store(indices);
}

std::optional<std::pair<std::int64_t, std::int64_t>> Machine::bounds_of(const Array& indices) {
    const Extent count = indices.size();
    if (count == 0) return std::nullopt;
    if (knows_bounds(indices)) {
        const auto& known = *indices.store().bounds();
        return std::pair(known.low, known.high);
    }
    const std::byte* root = parts_->wait_for(indices.store(), indices.layout(), Privilege::read);
    MinMax found{};
    if (indices.layout().is_row_major()) {
        found =
            min_max(reinterpret_cast<const std::int64_t*>(root) + indices.layout().offset, count);
    } else {
        std::vector<std::int64_t> copy(static_cast<std::size_t>(count));
        copy_to(indices, copy.data());
        found = min_max(copy.data(), count);
    }
    note_bounds(indices, found.low, found.high);
    return std::pair(found.low, found.high);
}

void Machine::note_bounds(const Array& indices, std::int64_t low, std::int64_t high) noexcept {
    if (has_all_of_store(indices)) indices.store().note_bounds({low, high});
}

Extent Machine::count_true(const Array& mask) {
    if (mask.size() == 0) return 0;
    const std::byte* root = parts_->wait_for(mask.store(), mask.layout(), Privilege::read);
    const Layout& layout = mask.layout();
    if (layout.is_row_major()) return count_run(root + layout.offset, mask.size(), 1);
    Extent found = 0;
    const int last = layout.rank() - 1;
    Layout rows = layout.at(last, 0);
    const Extent count = layout.shape[last];
    std::vector<Extent> index(static_cast<std::size_t>(rows.rank()), 0);
    for (Extent row = 0; row < rows.size(); ++row) {
        Extent at = rows.offset;
        for (int d = 0; d < rows.rank(); ++d)
            at += index[static_cast<std::size_t>(d)] * rows.strides[d];
        found += count_run(root + at, count, layout.strides[last]);
        for (int d = rows.rank(); d-- > 0;) {
            if (++index[static_cast<std::size_t>(d)] < rows.shape[d]) break;
            index[static_cast<std::size_t>(d)] = 0;
        }
    }
    return found;
}

}  // namespace refrain::array
