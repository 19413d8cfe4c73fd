#include "sizes/number.hpp"

#include "events/event.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "sizes/partner.hpp"

namespace refrain::proxy {
namespace {

/// What a term is on all ranks of some numbers of ranks and sizes.
std::vector<NumberSample> samples_of(const std::function<std::int64_t(const Setting&)>& value) {
    std::vector<NumberSample> samples;
    for (const auto& [ranks, size] : {std::pair{4, 64}, {6, 64}, {9, 64}, {4, 100}, {9, 250}})
        for (int rank = 0; rank < ranks; ++rank) {
            Setting setting;
            setting.ranks = ranks;
            setting.rank = rank;
            setting.size = size;
            samples.push_back({setting, value(setting)});
        }
    return samples;
}

TEST(Number, a_sum_of_terms_is_found_from_its_values) {
    const std::vector<std::function<std::int64_t(const Setting&)>> formulas = {
        [](const Setting&) { return 7; },
        [](const Setting& at) { return 3 * at.size; },
        [](const Setting& at) { return at.size + 2; },
        [](const Setting& at) { return 2 * at.ranks - 1; },
        [](const Setting& at) { return at.size / at.ranks + (at.rank < at.size % at.ranks); },
        [](const Setting& at) { return 8 * (at.size / grid_side(at.ranks, 2, 1) + 2); },
    };
    for (std::size_t i = 0; i < formulas.size(); ++i) {
        const auto samples = samples_of(formulas[i]);
        const auto number = fit_number(samples);
        ASSERT_TRUE(number) << i;
        Setting unseen{25, 13, 1000};
        EXPECT_EQ(number->value(unseen), formulas[i](unseen)) << i << ": " << number->text();
    }
}

TEST(Number, what_follows_no_formula_has_none) {
    EXPECT_FALSE(fit_number(
        samples_of([](const Setting& at) { return (at.rank * 7919 + at.size * 31) % 101; })));
}

TEST(Number, two_values_make_no_sum_of_two_terms) {
    const std::vector<NumberSample> two = {{{4, 0, 64}, 10}, {{4, 0, 100}, 17}};
    EXPECT_FALSE(fit_number(two));
}

TEST(Number, the_most_even_grid_has_its_longest_side_first) {
    const auto sides = [](std::int64_t ranks, int dims) {
        std::vector<std::int64_t> all;
        for (int axis = 0; axis < dims; ++axis) all.push_back(grid_side(ranks, dims, axis));
        return all;
    };
    EXPECT_EQ(sides(12, 2), (std::vector<std::int64_t>{4, 3}));
    EXPECT_EQ(sides(7, 2), (std::vector<std::int64_t>{7, 1}));
    EXPECT_EQ(sides(64, 3), (std::vector<std::int64_t>{4, 4, 4}));
    EXPECT_EQ(sides(12, 3), (std::vector<std::int64_t>{3, 2, 2}));
    EXPECT_EQ(grid_coordinate(5, 6, 2, 0), 2);
    EXPECT_EQ(grid_coordinate(5, 6, 2, 1), 1);
}

TEST(Partner, neighbours_in_rings_rows_and_grids_are_found) {
    using Kind = Partner::Kind;
    for (const Partner& truth :
         {Partner{Kind::absolute, Number::constant(0)}, Partner{Kind::ring, Number::constant(1)},
          Partner{Kind::ring, Number::constant(-1)}, Partner{Kind::row, Number::constant(-1)},
          Partner{Kind::from_end, Number::constant(0)},
          Partner{Kind::exclusive, Number::constant(2)}, Partner{Kind::grid, {}, 2, 0, 1},
          Partner{Kind::torus, {}, 2, 1, -1}}) {
        std::vector<PartnerSample> samples;
        for (const std::int64_t ranks : {4, 6, 12, 16})
            for (std::int64_t rank = 0; rank < ranks; ++rank) {
                PartnerSample sample{{ranks, rank}, rank, ranks, 0};
                sample.value = truth.value(sample);
                samples.push_back(sample);
            }
        const auto found = fit_partner(samples);
        ASSERT_TRUE(found) << truth.text("0");
        for (std::int64_t rank = 0; rank < 20; ++rank) {
            const PartnerSample unseen{{20, rank}, rank, 20, 0};
            EXPECT_EQ(found->value(unseen), truth.value(unseen)) << found->text("0");
        }
    }
}

TEST(Partner, a_side_of_two_ranks_does_not_tell_before_from_behind) {
    const Partner truth{Partner::Kind::torus, {}, 2, 1, 1};
    const auto found = [&](std::initializer_list<std::int64_t> numbers) {
        std::vector<PartnerSample> samples;
        for (const std::int64_t ranks : numbers)
            for (std::int64_t rank = 0; rank < ranks; ++rank) {
                PartnerSample sample{{ranks, rank}, rank, ranks, 0};
                sample.value = truth.value(sample);
                samples.push_back(sample);
            }
        return fit_partner(samples, 2);
    };
    EXPECT_FALSE(found({4, 6}));
    EXPECT_TRUE(found({4, 6, 9}));
}

}  // namespace
}  // namespace refrain::proxy
