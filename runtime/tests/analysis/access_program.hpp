/// Programs as dependence analysis sees them, small enough to be checked element by element.
#pragma once

#include "refrain/detail/box_set.hpp"
#include "refrain/privilege.hpp"

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

namespace refrain::analysis::testing {

using Random = std::mt19937_64;

/// Set of elements of a region with at most 64, row by row.
using Elements = std::uint64_t;

/// Extents of a region; a line has one row.
struct Extents {
    std::uint32_t rows = 1;
    std::uint32_t columns = 8;
    [[nodiscard]] std::uint32_t count() const { return rows * columns; }
    [[nodiscard]] Elements all() const { return ~Elements{0} >> (64 - count()); }
};

/// One requirement of a launch: the elements that each point touches, and how.
struct Use {
    std::size_t region = 0;
    Privilege privilege = Privilege::read;
    std::vector<Elements> elements;  // by point
    std::uint16_t reduction = 0;
};

/// One step: some regions are replaced by new ones, then a launch.
struct Step {
    std::vector<Use> uses;
    std::vector<std::size_t> renewed_before{};
    [[nodiscard]] std::uint32_t points() const {
        return uses.empty() ? 1U : static_cast<std::uint32_t>(uses.front().elements.size());
    }
};

struct AccessProgram {
    std::vector<Extents> regions;
    std::vector<Step> steps;
};

// Notation for tests.

[[nodiscard]] constexpr Elements span(std::uint32_t begin, std::uint32_t end) {
    return end == begin ? 0 : (~Elements{0} >> (64 - (end - begin))) << begin;
}
inline Use reads(std::size_t region, std::vector<Elements> elements) {
    return {region, Privilege::read, std::move(elements)};
}
inline Use writes(std::size_t region, std::vector<Elements> elements) {
    return {region, Privilege::write, std::move(elements)};
}
inline Use updates(std::size_t region, std::vector<Elements> elements) {
    return {region, Privilege::read_write, std::move(elements)};
}
inline Use reduces(std::size_t region, std::vector<Elements> elements, std::uint16_t op = 1) {
    return {region, Privilege::reduce, std::move(elements), op};
}

[[nodiscard]] inline data::BoxSet box_set(Elements elements, const Extents& extents) {
    std::vector<data::Coordinates> points;
    for (; elements != 0; elements &= elements - 1) {
        const auto at = static_cast<std::uint32_t>(std::countr_zero(elements));
        if (extents.rows == 1)
            points.push_back({at, 0, 0});
        else
            points.push_back({at / extents.columns, at % extents.columns, 0});
    }
    return data::BoxSet::of_points(points);
}
[[nodiscard]] inline data::Box bounds(const Extents& extents) {
    if (extents.rows == 1) return {{0, 0, 0}, {extents.columns, 1, 1}};
    return {{0, 0, 0}, {extents.rows, extents.columns, 1}};
}

/// Makes random programs in which rare cases are common: few elements, subsets of several boxes,
/// several requirements on one region, empty subsets, replaced regions.
class ProgramMaker {
  public:
    explicit ProgramMaker(std::uint64_t seed) : random_(seed) {
        loops_ = random_() % 2 == 0;
        pieces_only_ = random_() % 4 == 0;
        points_max_ = random_() % 8 == 0 ? 12 : 3;
    }

    [[nodiscard]] AccessProgram make(std::size_t steps_max) {
        program_ = {};
        for (std::size_t regions = 1 + random_() % 3; regions > 0; --regions)
            program_.regions.push_back(
                random_() % 3 == 0 ? Extents{static_cast<std::uint32_t>(2 + random_() % 3),
                                             static_cast<std::uint32_t>(2 + random_() % 4)}
                                   : Extents{1, static_cast<std::uint32_t>(2 + random_() % 9)});
        palette_.assign(program_.regions.size(), {});
        while (program_.steps.size() < steps_max) {
            if (loops_)
                add_loop(steps_max);
            else
                program_.steps.push_back(step());
        }
        return std::move(program_);
    }

  private:
    void add_loop(std::size_t steps_max) {
        std::vector<Step> body;
        for (std::size_t length = 1 + random_() % 5; length > 0; --length) body.push_back(step());
        for (std::size_t rounds = 1 + random_() % 6; rounds > 0; --rounds)
            for (const Step& repeated : body) {
                if (program_.steps.size() == steps_max) return;
                if (random_() % 12 == 0) program_.steps.push_back(step());
                program_.steps.push_back(repeated);
            }
    }
    Step step() {
        Step step;
        const auto points =
            random_() % 2 == 0 ? 1U : 1U + static_cast<std::uint32_t>(random_() % points_max_);
        for (std::size_t uses = random_() % 16 == 0 ? 0 : 1 + random_() % 3; uses > 0; --uses)
            step.uses.push_back(use(points));
        if (random_() % 24 == 0) step.renewed_before.push_back(random_() % program_.regions.size());
        return step;
    }
    Use use(std::uint32_t points) {
        Use use;
        use.region = random_() % program_.regions.size();
        use.privilege = static_cast<Privilege>(random_() % 4);
        if (use.privilege == Privilege::reduce)
            use.reduction = static_cast<std::uint16_t>(1 + random_() % 2);
        const bool whole = !pieces_only_ && random_() % 4 == 0;
        for (std::uint32_t point = 0; point < points; ++point)
            use.elements.push_back(whole ? program_.regions[use.region].all() : subset(use.region));
        return use;
    }
    /// Mostly a subset that was used before, so that shapes recur.
    Elements subset(std::size_t region) {
        std::vector<Elements>& known = palette_[region];
        if (!known.empty() && random_() % 4 != 0) return known[random_() % known.size()];
        known.push_back(fresh_subset(program_.regions[region]));
        return known.back();
    }
    Elements fresh_subset(const Extents& extents) {
        switch (random_() % 8) {
            case 0:
                return 0;
            case 1:
                return random_() & extents.all();
            case 2:
                return (random_() | random_()) & extents.all();
            default:
                return some_box(extents);
        }
    }
    Elements some_box(const Extents& extents) {
        const auto [top, bottom] = some_interval(extents.rows);
        const auto [left, right] = some_interval(extents.columns);
        Elements elements = 0;
        for (std::uint32_t row = top; row < bottom; ++row)
            elements |= span(row * extents.columns + left, row * extents.columns + right);
        return elements;
    }
    std::pair<std::uint32_t, std::uint32_t> some_interval(std::uint32_t extent) {
        const auto a = static_cast<std::uint32_t>(random_() % extent);
        const auto b = static_cast<std::uint32_t>(random_() % extent);
        const auto longest = pieces_only_ ? std::max(1U, extent / 4) : extent;
        return {std::min(a, b), std::min(std::max(a, b) + 1, std::min(a, b) + longest)};
    }

    Random random_;
    bool loops_;
    bool pieces_only_;
    std::uint32_t points_max_;
    AccessProgram program_;
    std::vector<std::vector<Elements>> palette_;
};

}  // namespace refrain::analysis::testing
