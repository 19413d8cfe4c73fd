#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <utility>

#include "shallow_water/check.hpp"

namespace shallow_water::shallow_water_serial_test {
namespace {

Config small(const char* name, std::int64_t size, std::int64_t steps) {
    Config config;
    config.case_name = name;
    config.size = size;
    config.steps = steps;
    return config;
}

double error_of(const Config& config) {
    return depth_error(config.test_case(), SerialSolver(config).solve(), config.size);
}

TEST(ShallowWaterScheme, minmod_takes_the_smaller_slope_and_zero_at_an_extreme) {
    EXPECT_EQ(minmod(1, 2), 1);
    EXPECT_EQ(minmod(-3, -2), -2);
    EXPECT_EQ(minmod(-1, 2), 0);
    EXPECT_EQ(minmod(0, 2), 0);
}

TEST(ShallowWaterScheme, the_flux_between_equal_sides_is_the_exact_flux) {
    const Side side{2, 2, 0.5, -0.3};
    const FaceFlux flux = flux_between(side, side);
    EXPECT_DOUBLE_EQ(flux.mass, 1);
    EXPECT_DOUBLE_EQ(flux.along_low, 0.5);  // without the pressure at rest
    EXPECT_DOUBLE_EQ(flux.along_high, 0.5);
    EXPECT_DOUBLE_EQ(flux.across, -0.3);
}

TEST(ShallowWaterScheme, the_flux_of_supercritical_water_is_the_upstream_flux) {
    const Side fast{1, 1, 10, 2};
    const FaceFlux flux = flux_between(fast, {0.5, 0.5, 9, 1});
    EXPECT_DOUBLE_EQ(flux.mass, 10);
    EXPECT_DOUBLE_EQ(flux.along_low, 100);
    EXPECT_DOUBLE_EQ(flux.across, 20);
}

TEST(ShallowWaterScheme, deep_water_flows_towards_shallow_water) {
    // Signals leave at the speed c of the deeper side, both ways: c / 2 times the jump.
    const double c = std::sqrt(gravity * 2);
    const FaceFlux flux = flux_between({2, 2, 0, 0}, {1, 1, 0, 0});
    EXPECT_DOUBLE_EQ(flux.mass, c / 2);
    // Each side sees the mean of both pressures, without its own.
    EXPECT_DOUBLE_EQ(flux.along_low, gravity / 4 * (1 - 4));
    EXPECT_DOUBLE_EQ(flux.along_high, gravity / 4 * (4 - 1));
}

TEST(ShallowWaterScheme, nothing_flows_through_a_wall) {
    const Side side{1.5, 1.7, 0.8, 0.4};
    EXPECT_EQ(flux_between(side, side.mirrored()).mass, 0);
    EXPECT_GT(flux_between(side, side.mirrored()).along_low, 0) << "the wall stops it";
}

TEST(ShallowWaterScheme, still_water_does_not_flow_over_a_step_in_the_bed_nor_onto_a_shore) {
    for (const double depth_behind : {0.3, 0.0}) {
        const FaceFlux flux = flux_between({2, 1, 0, 0}, {depth_behind, 1, 0, 0});
        EXPECT_EQ(flux.mass, 0);
        EXPECT_EQ(flux.along_low, 0);
        EXPECT_EQ(flux.along_high, 0);
    }
    EXPECT_EQ(flux_between({2, 1, 0, 0}, {0, 1.5, 0, 0}).mass, 0);
}

/// Smooth water over a smooth bed, without an extreme between -0.1 and 0.1.
Side smooth(double x) {
    const double h = 2 + 0.3 * x + 0.1 * x * x;
    return {h, h + 0.2 * x * x - 0.05 * x, 0.5 + 0.2 * x + 0.05 * x * x, 0};
}

/// The errors of the rates of depth and momentum at x = 0, with cells of this width.
std::pair<double, double> smooth_errors(double cell) {
    const auto slope = [&](double x) {
        const Side a = smooth(x - cell);
        const Side b = smooth(x);
        const Side c = smooth(x + cell);
        return Side{minmod(b.depth - a.depth, c.depth - b.depth),
                    minmod(b.surface - a.surface, c.surface - b.surface),
                    minmod(b.along - a.along, c.along - b.along), 0};
    };
    const auto side = [&](double x, double towards) {
        return side_of(smooth(x), slope(x), towards);
    };
    const FaceFlux low = flux_between(side(-cell, 0.5), side(0, -0.5));
    const FaceFlux high = flux_between(side(0, 0.5), side(cell, -0.5));
    const double rise = depth_rate(low.mass, high.mass, 0, 0, cell);
    const double push =
        momentum_rate(low.along_high, high.along_low, 0, 0, 2, slope(0).surface, cell);
    // h = 2, u = 1/2, with slopes 0.3 and 0.2; the surface's slope is 0.25.
    const double exact_rise = -(0.3 * 0.5 + 2 * 0.2);
    const double exact_push = -(0.3 * 0.25 + 2 * 2 * 0.5 * 0.2) - gravity * 2 * 0.25;
    return {std::abs(rise - exact_rise), std::abs(push - exact_push)};
}

TEST(ShallowWaterScheme, the_scheme_is_of_second_order_for_smooth_water) {
    const auto coarse = smooth_errors(0.04);
    const auto fine = smooth_errors(0.02);
    EXPECT_NEAR(std::log2(coarse.first / fine.first), 2, 0.2);
    EXPECT_NEAR(std::log2(coarse.second / fine.second), 2, 0.2);
}

TEST(ShallowWaterScheme, the_velocity_of_a_film_is_reduced) {
    EXPECT_DOUBLE_EQ(velocity(0.5, 1), 2);
    EXPECT_DOUBLE_EQ(velocity(film_depth, film_depth), 1);
    EXPECT_LT(velocity(film_depth / 1000, film_depth), 0.01 * 1000);
    EXPECT_EQ(velocity(0, 0), 0);
}

TEST(ShallowWaterScheme, the_last_step_ends_at_the_end_time_to_the_bit) {
    const Clock clock = next_step({0.55, 0}, 1, 0.6);
    EXPECT_EQ(clock.time, 0.6);
    EXPECT_EQ(next_step(clock, 1, 0.6).step, 0);
    EXPECT_EQ(next_step({0, 0}, 100, 0.6).step, courant / 100);
}

/// The volume of water on [-4, 4] at time 0.5, per metre of width.
double water_in(const DamBreak& dam) {
    constexpr int cells = 100000;
    double sum = 0;
    for (int i = 0; i < cells; ++i) sum += dam.at(-4 + 8 * (i + 0.5) / cells, 0.5).depth;
    return sum * 8 / cells;
}

TEST(ShallowWaterExact, a_dam_break_conserves_water) {
    EXPECT_NEAR(water_in(DamBreak(1, 0.2)), 4 * 1.2, 1e-3);
    EXPECT_NEAR(water_in(DamBreak(1, 0)), 4, 1e-3);
}

TEST(ShallowWaterExact, a_bore_conserves_momentum) {
    const DamBreak dam(1, 0.2);
    const Water behind = dam.at(0.1, 1);
    double bore = 0.1;
    while (dam.at(bore, 1).depth > 0.2) bore += 1e-5;
    const double pressure = gravity / 2 * (behind.depth * behind.depth - 0.2 * 0.2);
    const double flux = behind.depth * behind.u * behind.u + pressure;
    EXPECT_NEAR(bore * behind.depth * behind.u, flux, 1e-3);
}

TEST(ShallowWaterExact, the_surface_in_the_bowl_rotates_and_moves_the_shore) {
    const Bowl bowl;
    const double turn = 2 * std::numbers::pi / bowl.frequency();
    EXPECT_NEAR(bowl.at(0.4, 0.3, turn).depth, bowl.at(0.4, 0.3, 0).depth, 1e-12);
    EXPECT_GT(bowl.at(1.2, 0, 0).depth, 0);
    EXPECT_EQ(bowl.at(1.2, 0, turn / 2).depth, 0);
}

TEST(ShallowWaterSerial, the_error_of_a_dam_break_falls_on_finer_grids) {
    for (const char* name : {"dam", "dry-dam"}) {
        const double coarse = error_of(small(name, 20, 1000));
        const double fine = error_of(small(name, 60, 1000));
        EXPECT_LT(coarse, 1.4 / 20) << name;
        EXPECT_LT(fine, 0.55 * coarse) << name;
    }
}

TEST(ShallowWaterSerial, shores_wet_and_dry_at_the_right_places) {
    const Config config = small("bowl", 32, 150);
    const TestCase test = config.test_case();
    const Solution solution = SerialSolver(config).solve();
    int flooded = 0;
    int dried = 0;
    for (std::int64_t j = 0; j < config.size; ++j) {
        for (std::int64_t i = 0; i < config.size; ++i) {
            const bool was_wet = test.water(j, i, 0).depth > 0;
            const bool is_wet = solution.state.h(j, i) > 1e-3;
            ASSERT_GE(solution.state.h(j, i), 0);
            flooded += !was_wet && is_wet;
            dried += was_wet && !is_wet;
        }
    }
    EXPECT_GT(flooded, 20);
    EXPECT_GT(dried, 20);
    EXPECT_NO_THROW(check_against_theory(config, solution));
}

TEST(ShallowWaterSerial, a_lake_at_rest_with_exact_weights_does_not_move_by_one_bit) {
    for (const char* name : {"lake", "islands"}) {
        Config config = small(name, 20, 50);
        config.stages = 2;  // weights of one and one half: no rounding errors
        const Solution solution = SerialSolver(config).solve();
        for (const double flow : solution.state.hu.values()) ASSERT_EQ(flow, 0);
        for (const double flow : solution.state.hv.values()) ASSERT_EQ(flow, 0);
    }
}

TEST(ShallowWaterSerial, a_lake_that_moves_is_refused) {
    const Config config = small("islands", 16, 20);
    Solution solution = SerialSolver(config).solve();
    EXPECT_NO_THROW(check_against_theory(config, solution));
    solution.state.hv(3, 4) = 1e-12;
    EXPECT_THROW(check_against_theory(config, solution), example::WrongResult);
}

TEST(ShallowWaterSerial, lost_water_is_refused) {
    const Config config = small("dam", 16, 20);
    Solution solution = SerialSolver(config).solve();
    EXPECT_NO_THROW(check_against_theory(config, solution));
    solution.state.h(3, 4) -= 1e-9;
    EXPECT_THROW(check_against_theory(config, solution), example::WrongResult);
}

TEST(ShallowWaterSerial, a_difference_in_the_last_bit_is_reported_with_its_position) {
    const Config config = small("bowl", 8, 5);
    Solution solution = SerialSolver(config).solve();
    const Expected expected(config);
    EXPECT_NO_THROW(expected.check(solution));
    double& value = solution.state.hu(4, 5);
    value = std::nextafter(value, 1e9);
    try {
        expected.check(solution);
        FAIL();
    } catch (const example::WrongResult& error) {
        EXPECT_NE(std::string(error.what()).find("hu(4,5)"), std::string::npos);
    }
}

}  // namespace
}  // namespace shallow_water::shallow_water_serial_test
