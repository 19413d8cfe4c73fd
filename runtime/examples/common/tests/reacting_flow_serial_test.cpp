#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "reacting_flow/check.hpp"

namespace reacting_flow::reacting_flow_serial_test {
namespace {

Config small(const char* name, std::int64_t size, std::int64_t steps) {
    Config config;
    config.case_name = name;
    config.size = size;
    config.steps = steps;
    config.species = 5;
    return config;
}

/// The error of a difference of sin at 0.3, with this spacing.
template <class Difference>
double error_of(const Difference& difference, double h, double exact) {
    return std::abs(difference([&](int m) { return std::sin(0.3 + m * h); }) - exact);
}

TEST(ReactingFlowScheme, differences_are_of_order_eight) {
    const auto first = [](const auto& f) { return first_difference(f); };
    const auto second = [](const auto& f) { return second_difference(f); };
    const double cosine = std::cos(0.3);
    const double sine = std::sin(0.3);
    // Half the distance, a 256th of the error per distance.
    EXPECT_NEAR(error_of(first, 0.8, 0.8 * cosine) / error_of(first, 0.4, 0.4 * cosine), 512, 80);
    EXPECT_NEAR(error_of(second, 0.8, -0.64 * sine) / error_of(second, 0.4, -0.16 * sine), 1024,
                160);
}

/// The error of y' = - y + cos t at t = 1, after this many steps.
double error_of_steps(int steps) {
    const double dt = 1. / steps;
    double time = 0;  // a second unknown, so that each stage has its time
    double y = 0;
    double time_register = 0;
    double y_register = 0;
    for (int step = 0; step < steps; ++step) {
        for (const Stage& stage : runge_kutta) {
            const double rate = std::cos(time) - y;
            stage.advance(time, time_register, 1, dt);
            stage.advance(y, y_register, rate, dt);
        }
    }
    const double exact = (std::cos(1.) + std::sin(1.) - std::exp(-1.)) / 2;
    return std::abs(y - exact);
}

TEST(ReactingFlowScheme, steps_are_of_order_four) {
    EXPECT_LT(error_of_steps(10), 1e-6);
    EXPECT_NEAR(std::log2(error_of_steps(10) / error_of_steps(20)), 4, 0.2);
}

TEST(ReactingFlowChemistry, reactions_conserve_mass_and_energy) {
    for (const int species : {3, 4, 9}) {
        const Mechanism mechanism(species, 200);
        std::vector<double> rate(static_cast<std::size_t>(species + 1), 7);
        const auto y = [&](int k) { return (1. + k) / (species * (species + 1) / 2); };
        mechanism.find_rates(y, 1.3,
                             [&](int k) -> double& { return rate[static_cast<std::size_t>(k)]; });
        double mass = 0;
        double energy = rate.back();
        for (int k = 0; k < species; ++k) {
            mass += rate[static_cast<std::size_t>(k)];
            energy += mechanism.enthalpy(k) * rate[static_cast<std::size_t>(k)];
        }
        EXPECT_NEAR(mass, 0, 1e-12);
        EXPECT_NEAR(energy, 0, 1e-12);
        EXPECT_LT(rate.front(), 0) << "fuel burns";
        EXPECT_GT(rate.back(), 0) << "and heats";
    }
}

TEST(ReactingFlowChemistry, nothing_burns_without_oxidiser) {
    const Mechanism mechanism(4, 200);
    std::vector<double> rate(5);
    mechanism.find_rates([](int k) { return k == Mechanism::oxidiser ? -0.001 : 0.5; }, 2,
                         [&](int k) -> double& { return rate[static_cast<std::size_t>(k)]; });
    for (const double r : rate) EXPECT_EQ(r, 0);
}

TEST(ReactingFlowLegacy, it_runs_after_each_of_the_first_ten_steps_and_then_after_every_tenth) {
    for (std::int64_t step = 1; step <= 10; ++step) EXPECT_TRUE(hand_off_follows(step));
    for (std::int64_t step = 11; step < 20; ++step) EXPECT_FALSE(hand_off_follows(step));
    EXPECT_TRUE(hand_off_follows(20));
    EXPECT_FALSE(hand_off_follows(21));
}

/// Two quantities on a square of 12 points by 12.
template <class F>
std::vector<double> filtered(const F& f) {
    std::vector<double> fields;
    for (int j = 0; j < 12; ++j)
        for (int i = 0; i < 12; ++i)
            for (int k = 0; k < 2; ++k) fields.push_back(f(k, j, i));
    LegacyCode(12, 2).run(fields);
    return fields;
}

TEST(ReactingFlowLegacy, its_filter_removes_alternating_signs_and_keeps_smooth_waves) {
    const auto kept = filtered([](int k, int, int) { return 1. + k; });
    EXPECT_NEAR(kept[0], 1, 1e-15);
    EXPECT_NEAR(kept[1], 2, 1e-15);
    for (const double v : filtered([](int, int, int i) { return i % 2 == 0 ? 1. : -1.; }))
        EXPECT_NEAR(v, 0, 1e-15);
    for (const double v : filtered([](int, int j, int) { return j % 2 == 0 ? 1. : -1.; }))
        EXPECT_NEAR(v, 0, 1e-15);
    const double kh = Problem::turn / 12;
    const auto wave = filtered([&](int, int, int i) { return std::cos(kh * i); });
    EXPECT_NEAR(wave[0], 1 - std::pow(std::sin(kh / 2), 10), 1e-15);
}

TEST(ReactingFlowSerial, the_fuel_ignites_and_mass_and_energy_are_conserved) {
    const Config config = small("flame", 16, 120);
    const Solution solution = SerialSolver(config).solve();
    EXPECT_NO_THROW(check_against_theory(config, solution));
    ASSERT_EQ(solution.peak_temperatures.size(), 21u);  // 10 at first, 11 later
    EXPECT_LT(solution.peak_temperatures.front(), 1.1);
    EXPECT_GT(solution.peak_temperatures.back(), 1.8);
}

TEST(ReactingFlowSerial, the_error_of_a_wave_is_below_the_theoretical_bound_and_near_it) {
    for (const std::int64_t size : {8, 12, 24}) {
        const Config config = small("wave", size, 45);
        const double error = wave_error(config, SerialSolver(config).solve());
        EXPECT_LE(error, wave_error_allowed(config)) << size;
        EXPECT_GE(error, wave_error_allowed(config) / 10) << size;
    }
}

TEST(ReactingFlowSerial, lost_mass_is_refused) {
    const Config config = small("flame", 8, 20);
    Solution solution = SerialSolver(config).solve();
    EXPECT_NO_THROW(check_against_theory(config, solution));
    solution.state(2, 3, 4) += 1e-13;
    EXPECT_THROW(check_against_theory(config, solution), example::WrongResult);
}

TEST(ReactingFlowSerial, a_shifted_wave_is_refused) {
    Config config = small("wave", 12, 20);
    const Solution solution = SerialSolver(config).solve();
    EXPECT_NO_THROW(check_against_theory(config, solution));
    config.steps = 21;
    EXPECT_THROW(check_against_theory(config, solution), example::WrongResult);
}

TEST(ReactingFlowSerial, a_difference_in_the_last_bit_is_reported_with_its_position) {
    const Config config = small("flame", 8, 5);
    Solution solution = SerialSolver(config).solve();
    const Expected expected(config);
    EXPECT_NO_THROW(expected.check(solution));
    double& value = solution.state(3, 1, 2);
    value = std::nextafter(value, 1e9);
    try {
        expected.check(solution);
        FAIL();
    } catch (const example::WrongResult& error) {
        EXPECT_NE(std::string(error.what()).find("mass fraction 3 at (1,2)"), std::string::npos);
    }
}

}  // namespace
}  // namespace reacting_flow::reacting_flow_serial_test
