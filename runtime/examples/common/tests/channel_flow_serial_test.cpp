#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <vector>

#include "channel_flow/serial.hpp"

namespace channel_flow::channel_flow_serial_test {
namespace {

Config small(std::int64_t size, std::int64_t steps) {
    Config config;
    config.size = size;
    config.steps = steps;
    config.pressure_iterations = 20;
    return config;
}

/// The steady velocity in the middle of the channel.
double channel_maximum() {
    return Channel::force * Channel::height * Channel::height / (8 * Channel::viscosity);
}

double largest_divergence(const Channel& channel, const State& state) {
    double largest = 0;
    for (std::int64_t j = 1; j < channel.ny - 1; ++j) {
        for (std::int64_t i = 0; i < channel.nx; ++i) {
            const Star u = state.u.star(j, i);
            const Star v = state.v.star(j, i);
            const double divergence =
                (u.east - u.west) / (2 * channel.dx) + (v.north - v.south) / (2 * channel.dy);
            largest = std::max(largest, std::abs(divergence));
        }
    }
    return largest;
}

TEST(ChannelFlowSerial, the_flow_settles_at_poiseuilles_parabola) {
    const Config config = small(12, 100000);
    SerialSolver solver(config);
    const State& state = solver.solve();
    ASSERT_LT(state.steps, config.steps);
    EXPECT_NO_THROW(check_against_parabola(config.channel(), state));
    EXPECT_NEAR(state.u(6, 0), config.channel().steady_u(6), 0.005);
}

TEST(ChannelFlowSerial, a_flow_that_has_not_settled_is_refused) {
    const Config config = small(12, 100000);
    SerialSolver solver(config);
    State state = solver.solve();
    state.u(5, 3) += 0.01;
    EXPECT_THROW(check_against_parabola(config.channel(), state), example::WrongResult);
}

TEST(ChannelFlowSerial, the_pressure_keeps_the_divergence_small) {
    const Config with = small(24, 100);
    Config without = with;
    without.pressure_iterations = 0;
    SerialSolver good(with);
    SerialSolver bad(without);
    EXPECT_LT(largest_divergence(with.channel(), good.solve()) * 20,
              largest_divergence(without.channel(), bad.solve()));
}

TEST(ChannelFlowSerial, the_time_step_keeps_a_tenth_in_reserve_at_the_fastest_point) {
    const Channel channel = small(24, 1).channel();
    const Momentum scheme(channel);
    const double u_max = Channel::eddy_strength * std::numbers::pi / 2 + channel_maximum();
    const double v_max = Channel::eddy_strength * std::numbers::pi;
    const Star u{u_max, 0, 0, 0, 0};
    const Star v{v_max, 0, 0, 0, 0};
    const double next = scheme.next_u(u, v, {0, 0, 0, 0, 0}) - scheme.impulse;
    EXPECT_NEAR(next, 0.1 * u_max, 1e-12) << "below zero would be a new extreme";
}

TEST(ChannelFlowSerial, a_difference_in_the_last_bit_is_reported_with_its_position) {
    const std::vector<double> expected{1, 2, 3, 4, 5, 6};
    std::vector<double> found = expected;
    EXPECT_NO_THROW(detail::check_equal("u", found, expected, 3));
    found[4] = std::nextafter(5.0, 6.0);
    try {
        detail::check_equal("u", found, expected, 3);
        FAIL();
    } catch (const example::WrongResult& error) {
        EXPECT_NE(std::string(error.what()).find("u(1,1)"), std::string::npos);
    }
}

}  // namespace
}  // namespace channel_flow::channel_flow_serial_test
