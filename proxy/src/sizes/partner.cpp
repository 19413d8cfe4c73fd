#include "sizes/partner.hpp"

#include "events/event.hpp"

#include <algorithm>
#include <vector>

namespace refrain::proxy {
namespace {

std::int64_t root_of(std::int64_t square) {
    std::int64_t root = 0;
    while ((root + 1) * (root + 1) <= square) ++root;
    return root;
}

std::int64_t wrapped(std::int64_t value, std::int64_t size) {
    return (value % size + size) % size;
}

/// The grid neighbour of `me`.
std::int64_t grid_neighbour(std::int64_t me, std::int64_t size, const Partner& partner) {
    std::int64_t sides[3] = {1, 1, 1}, at[3] = {0, 0, 0};
    for (int i = 0; i < partner.dims; ++i)
        sides[partner.ascending ? partner.dims - 1 - i : i] = grid_side(size, partner.dims, i);
    for (int i = partner.dims - 1; i >= 0; --i) {
        at[i] = me % sides[i];
        me /= sides[i];
    }
    std::int64_t& moved = at[partner.axis];
    moved += partner.distance;
    if (partner.kind == Partner::Kind::torus) moved = wrapped(moved, sides[partner.axis]);
    if (moved < 0 || moved >= sides[partner.axis]) return rank_null;
    std::int64_t rank = 0;
    for (int i = 0; i < partner.dims; ++i) rank = rank * sides[i] + at[i];
    return rank;
}

/// Distances must not follow from the number of ranks alone: terms of the sum are those of any number.
template <class Value>
std::optional<Number> fitted(std::span<const PartnerSample> samples, Value value) {
    std::vector<NumberSample> numbers;
    for (const PartnerSample& each : samples)
        if (each.value >= 0) numbers.push_back({each.setting, value(each)});
    return fit_number(numbers);
}

bool holds(const Partner& partner, std::span<const PartnerSample> samples) {
    return std::all_of(samples.begin(), samples.end(), [&](const PartnerSample& each) {
        return partner.value(each) == each.value;
    });
}

struct GridFit {
    std::optional<Partner> partner;
    bool ambiguous =
        false;  // the neighbour before is the one behind in all samples: sides of 2 say neither
};

GridFit fit_on_grid(std::span<const PartnerSample> samples, int dims_known) {
    for (int dims = 2; dims <= 3; ++dims)
        for (const bool ascending : {false, true}) {
            if (dims_known != 0 && (dims != dims_known || ascending)) continue;
            for (int axis = 0; axis < dims; ++axis) {
                std::optional<Partner> found;
                for (const auto kind : {Partner::Kind::grid, Partner::Kind::torus})
                    for (const int distance : {-1, 1, -2, 2}) {
                        const Partner partner{kind, {}, dims, axis, distance, ascending};
                        if (!holds(partner, samples)) continue;
                        if (found && found->distance != distance) return {{}, true};
                        if (!found) found = partner;
                    }
                if (found) return {found, false};
            }
        }
    return {};
}

}  // namespace

std::int64_t Partner::value(const PartnerSample& at) const {
    const std::int64_t by = number.value(at.setting);
    switch (kind) {
        case Kind::nobody:
            return rank_null;
        case Kind::absolute:
            return by;
        case Kind::from_end:
            return at.size - 1 - by;
        case Kind::ring:
            return wrapped(at.me + by, at.size);
        case Kind::row:
            return at.me + by >= 0 && at.me + by < at.size ? at.me + by : rank_null;
        case Kind::exclusive:
            return at.me ^ by;
        case Kind::doubling:
            return by >= 0 && by < 62 ? at.me ^ (std::int64_t{1} << by) : rank_null;
        case Kind::grid:
        case Kind::torus:
            return grid_neighbour(at.me, at.size, *this);
        case Kind::transposed: {
            const std::int64_t side = root_of(at.size);
            return side * side == at.size ? at.me % side * side + at.me / side : rank_null;
        }
    }
    return rank_null;
}

std::string Partner::text(const std::string& place) const {
    const std::string by = number.text();
    switch (kind) {
        case Kind::nobody:
            return "MPI_PROC_NULL";
        case Kind::absolute:
            return by;
        case Kind::from_end:
            return "size[" + place + "] - 1" + (number.constant() == 0 ? "" : " - (" + by + ")");
        case Kind::ring:
            return number.constant() == 0 ? "me[" + place + "]"
                                          : "on_ring(" + place + ", " + by + ")";
        case Kind::row:
            return "in_row(" + place + ", " + by + ")";
        case Kind::exclusive:
            return "me[" + place + "] ^ (" + by + ")";
        case Kind::doubling:
            return "me[" + place + "] ^ (1 << (" + by + "))";
        case Kind::grid:
        case Kind::torus:
            return "on_grid(" + place + ", " + std::to_string(dims) + ", " + std::to_string(axis) +
                   ", " + std::to_string(distance) + ", " + (kind == Kind::torus ? "1" : "0") +
                   ", " + (ascending ? "1" : "0") + ")";
        case Kind::transposed:
            return "transposed(" + place + ")";
    }
    return "MPI_PROC_NULL";
}

std::optional<Partner> fit_partner(std::span<const PartnerSample> samples, int grid_dims) {
    using PartnerKind = Partner::Kind;
    const bool somebody = std::any_of(samples.begin(), samples.end(),
                                      [](const PartnerSample& each) { return each.value >= 0; });
    if (!somebody) {
        const Partner nobody;
        return holds(nobody, samples) ? std::optional(nobody) : std::nullopt;
    }
    const auto try_kind = [&](PartnerKind kind, auto value) -> std::optional<Partner> {
        const auto number = fitted(samples, value);
        if (!number) return std::nullopt;
        const Partner partner{kind, *number};
        return holds(partner, samples) ? std::optional(partner) : std::nullopt;
    };
    const auto is_plain = [](const std::optional<Partner>& partner) {
        return partner && partner->number.constant();
    };
    const auto absolute = try_kind(PartnerKind::absolute, [](const auto& at) { return at.value; });
    if (is_plain(absolute)) return absolute;
    if (grid_dims != 0) {
        const GridFit grid = fit_on_grid(samples, grid_dims);
        if (grid.partner || grid.ambiguous) return grid.partner;
    }
    const auto on = try_kind(PartnerKind::ring,
                             [](const auto& at) { return wrapped(at.value - at.me, at.size); });
    if (is_plain(on)) return on;
    const auto back = try_kind(PartnerKind::ring,
                               [](const auto& at) { return -wrapped(at.me - at.value, at.size); });
    if (is_plain(back)) return back;
    const auto row = try_kind(PartnerKind::row, [](const auto& at) { return at.value - at.me; });
    if (is_plain(row)) return row;
    const auto last =
        try_kind(PartnerKind::from_end, [](const auto& at) { return at.size - 1 - at.value; });
    if (is_plain(last)) return last;
    const auto exclusive =
        try_kind(PartnerKind::exclusive, [](const auto& at) { return at.value ^ at.me; });
    if (is_plain(exclusive)) return exclusive;
    if (const GridFit grid = fit_on_grid(samples, 0); grid.partner || grid.ambiguous)
        return grid.partner;
    if (const Partner partner{PartnerKind::transposed}; holds(partner, samples)) return partner;
    const auto doubling = try_kind(PartnerKind::doubling, [](const auto& at) {
        const std::int64_t bit = at.value ^ at.me;
        std::int64_t log = 0;
        while (bit >> (log + 1) != 0) ++log;
        return log;
    });
    for (const auto& each : {doubling, absolute, on, back, row, last, exclusive})
        if (each) return each;
    return std::nullopt;
}

}  // namespace refrain::proxy
