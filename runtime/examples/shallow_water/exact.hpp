/// Flows with known solutions.
///
/// Source: O. Delestre et al., "SWASHES: a compilation of shallow water analytic solutions for
///     hydraulic and environmental studies", Int. J. Numer. Meth. Fluids 72(3), 2013, sections
///     4.1.1 (Stoker), 4.1.2 (Ritter) and 4.2.2 (planar surface in a paraboloid).
#pragma once

#include <algorithm>
#include <cmath>

#include "shallow_water/scheme.hpp"

namespace shallow_water {

/// The water at one place.
struct Water {
    double depth = 0;
    double u = 0;
    double v = 0;
};

/// A dam at x = 0 between water at rest, deeper on the left, breaks at time zero. A rarefaction fan
/// spreads to both sides; downstream there is a bore, or a front on dry ground.
class DamBreak {
  public:
    DamBreak(double left, double right) : left_(left), right_(right), c_left_(celerity(left)) {
        if (right_ <= 0) return;
        middle_ = middle_depth();
        u_middle_ = 2 * (c_left_ - celerity(middle_));
        bore_speed_ = middle_ * u_middle_ / (middle_ - right_);
    }

    [[nodiscard]] Water at(double x, double time) const {
        if (time <= 0) return {x < 0 ? left_ : right_, 0, 0};
        const double speed = x / time;
        if (speed <= -c_left_) return {left_, 0, 0};
        if (right_ <= 0) return speed < 2 * c_left_ ? in_fan(speed) : Water{};
        if (speed <= u_middle_ - celerity(middle_)) return in_fan(speed);
        if (speed <= bore_speed_) return {middle_, u_middle_, 0};
        return {right_, 0, 0};
    }

  private:
    [[nodiscard]] static double celerity(double depth) { return std::sqrt(gravity * depth); }
    [[nodiscard]] Water in_fan(double speed) const {
        const double c = (2 * c_left_ - speed) / 3;
        return {c * c / gravity, 2 * (c_left_ + speed) / 3, 0};
    }
    /// The depth at which the velocities behind the fan and behind the bore are equal, by
    /// bisection: the former falls with the depth, the latter rises.
    [[nodiscard]] double middle_depth() const {
        double low = right_;
        double high = left_;
        for (int i = 0; i < 100; ++i) {
            const double h = (low + high) / 2;
            const double behind_fan = 2 * (c_left_ - celerity(h));
            const double behind_bore = (h - right_) * std::sqrt(gravity / 2 * (1 / h + 1 / right_));
            (behind_fan > behind_bore ? low : high) = h;
        }
        return (low + high) / 2;
    }

    double left_, right_, c_left_;
    double middle_ = 0, u_middle_ = 0, bore_speed_ = 0;
};

/// Water in a paraboloid bowl with its lowest point at the origin; at rest, the shore has the
/// radius `radius`. The surface is a rotating plane, whose shore wets and dries.
struct Bowl {
    double radius = 1;
    double depth = 0.1;  // of the middle, at rest
    double tilt = 0.5;   // displacement of the shore

    [[nodiscard]] double frequency() const { return std::sqrt(2 * gravity * depth) / radius; }
    [[nodiscard]] double bed(double x, double y) const {
        return depth * (x * x + y * y) / (radius * radius);
    }
    [[nodiscard]] Water at(double x, double y, double time) const {
        const double phase = frequency() * time;
        const double slope = tilt * depth / (radius * radius);
        const double surface =
            depth + slope * (2 * x * std::cos(phase) + 2 * y * std::sin(phase) - tilt);
        const double h = surface - bed(x, y);
        if (h <= 0) return {};
        return {h, -tilt * frequency() * std::sin(phase), tilt * frequency() * std::cos(phase)};
    }
};

}  // namespace shallow_water
