/// The problem: a periodic square of side one with a mixture of many species, carried by a given
/// flow.
///
///     case     flow                 mixture
///     flame    stationary eddies    cold fuel in stripes between hot air; it ignites where they mix
///     wave     uniform              inert; each species is a wave with a known solution
///
/// Fields are stored by rows: point (j, i) is at x = i / n, y = j / n. Quantity k of a point is a
/// mass fraction for k < species, and for k = species the temperature, in units of the air
/// temperature.
///
/// All quantities diffuse at the same rate (Lewis numbers of one). So the mass fractions always sum
/// to one everywhere, and T + sum of h_k Y_k, initially one, stays one.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "reacting_flow/chemistry.hpp"
#include "reacting_flow/scheme.hpp"

namespace reacting_flow {

enum class Case { flame, wave };

struct Velocity {
    double u, v;
};

class Problem {
  public:
    static constexpr double diffusivity = 0.01;
    static constexpr double speed = 1;     // of the flow
    static constexpr double enthalpy = 1;  // T + sum of h_k Y_k
    static constexpr double collisions = 200;

    Problem(Case which, std::int64_t size, int species)
        : which_(which),
          size_(size),
          mechanism_(species, which == Case::flame ? collisions : 0),
          dt_(stable_time_step()) {}

    [[nodiscard]] bool is_wave() const { return which_ == Case::wave; }
    [[nodiscard]] std::int64_t size() const { return size_; }
    [[nodiscard]] const Mechanism& mechanism() const { return mechanism_; }
    [[nodiscard]] int species() const { return mechanism_.species(); }
    [[nodiscard]] int quantities() const { return species() + 1; }
    [[nodiscard]] double spacing() const { return 1 / static_cast<double>(size_); }
    [[nodiscard]] double dt() const { return dt_; }
    [[nodiscard]] Transport transport() const { return {static_cast<double>(size_), diffusivity}; }

    [[nodiscard]] Velocity velocity(std::int64_t j, std::int64_t i) const {
        if (is_wave()) return {speed, speed / 2};
        const double x = turn * static_cast<double>(i) * spacing();
        const double y = turn * static_cast<double>(j) * spacing();
        return {speed * std::sin(x) * std::cos(y), -speed * std::cos(x) * std::sin(y)};
    }

    [[nodiscard]] double initial(int k, std::int64_t j, std::int64_t i) const {
        return at_time(k, j, i, 0);
    }
    /// Quantity k: of a wave at any time; of a flame at time zero.
    [[nodiscard]] double at_time(int k, std::int64_t j, std::int64_t i, double time) const {
        if (k < species()) return is_wave() ? wave(k, j, i, time) : mixture(k, i);
        double temperature = enthalpy;
        for (int s = 0; s < species(); ++s)
            temperature -= mechanism_.enthalpy(s) * at_time(s, j, i, time);
        return temperature;
    }

    /// Frequency and decay of a wave: per unit of time it changes by i (k, u) - D k k of itself.
    /// Both components of k are one turn.
    [[nodiscard]] static double wave_frequency() { return turn * (speed + speed / 2); }
    [[nodiscard]] static double wave_decay() { return diffusivity * 2 * turn * turn; }
    static constexpr double turn = 2 * std::numbers::pi;

  private:
    /// Stripes of fuel between stripes of air.
    [[nodiscard]] double mixture(int k, std::int64_t i) const {
        const double fuel = 0.5 - 0.5 * std::cos(turn * static_cast<double>(i) * spacing());
        if (k == Mechanism::fuel) return fuel;
        return k == Mechanism::oxidiser ? 1 - fuel : 0;
    }
    /// Waves whose phases are evenly spaced sum to zero.
    [[nodiscard]] double wave(int k, std::int64_t j, std::int64_t i, double time) const {
        const double share = 1 / static_cast<double>(species());
        const double place = turn * static_cast<double>(i + j) * spacing();
        const double phase = place - wave_frequency() * time + turn * share * k;
        return share * (1 + std::exp(-wave_decay() * time) * std::sin(phase));
    }

    /// Half of the stable time step. Along the imaginary axis the method is stable up to 3.3, and
    /// the differences reach 1.73 per axis; along the real axis 4.6 and 6.5.
    [[nodiscard]] double stable_time_step() const {
        const double n = static_cast<double>(size_);
        const double carrying = 2 * 1.73 * speed * n / 3.3;
        const double diffusing = 2 * 6.5 * diffusivity * n * n / 4.6;
        return 0.5 / (carrying + diffusing + mechanism_.speed_max());
    }

    Case which_;
    std::int64_t size_;
    Mechanism mechanism_;
    double dt_;
};

}  // namespace reacting_flow
