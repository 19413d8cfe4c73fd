/// A synthetic mechanism for any number of species: fuel burns in steps, each of which consumes
/// oxidiser.
///
///     4 species: fuel, oxidiser, intermediate, product
///     fuel         + s oxidiser -> (1 + s) intermediate
///     intermediate + s oxidiser -> (1 + s) product
///
/// in mass fractions, with s = oxidiser_share, at Arrhenius rates.
///
/// Invariants: the rates of the mass fractions sum to zero, and heat balances enthalpy, so
///     T + sum of h_k Y_k is constant.
#pragma once

#include <algorithm>
#include <cmath>

namespace reacting_flow {

class Mechanism {
  public:
    static constexpr int fuel = 0;
    static constexpr int oxidiser = 1;
    static constexpr int species_min = 3;
    static constexpr double oxidiser_share = 1.5;
    static constexpr double activation =
        4;  // of the first reaction, in units of the air temperature
    static constexpr double temperature_max = 2.5;  // no mixture of fuel and air gets hotter

    /// `frequency` is the collision frequency, in reactions per time; zero for an inert mixture.
    Mechanism(int species, double frequency) : species_(species), frequency_(frequency) {}

    [[nodiscard]] int species() const { return species_; }
    [[nodiscard]] int reactions() const { return species_ - 2; }

    /// h_k, the enthalpy of formation: zero for oxidiser, positive for fuel, and smaller for later
    /// products.
    [[nodiscard]] double enthalpy(int k) const {
        if (k == oxidiser) return 0;
        if (k == fuel) return fuel_enthalpy;
        const double burnt = static_cast<double>(k - 1) / static_cast<double>(reactions());
        return fuel_enthalpy + burnt * (product_enthalpy - fuel_enthalpy);
    }

    /// The rate of reaction r per mass fraction of both reactants. Later reactions have lower
    /// activation.
    [[nodiscard]] double speed(int r, double temperature) const {
        const double ease = 1 + static_cast<double>(r) / static_cast<double>(reactions());
        return frequency_ * std::exp(-activation / (ease * std::max(temperature, 0.1)));
    }
    /// A bound of the rate, for the time step.
    [[nodiscard]] double speed_max() const { return speed(reactions() - 1, temperature_max); }

    /// Sets rate(k) for each species k, and rate(species()) for the temperature, from y(k).
    template <class MassFraction, class Rate>
    void find_rates(const MassFraction& y, double temperature, const Rate& rate) const {
        for (int k = 0; k < species_; ++k) rate(k) = 0;
        for (int r = 0; r < reactions(); ++r) {
            const int burning = r == 0 ? fuel : r + 1;
            const double burnt =
                speed(r, temperature) * std::max(y(burning), 0.0) * std::max(y(oxidiser), 0.0);
            rate(burning) -= burnt;
            rate(oxidiser) -= oxidiser_share * burnt;
            rate(r + 2) += (1 + oxidiser_share) * burnt;
        }
        double heat = 0;
        for (int k = 0; k < species_; ++k) heat -= enthalpy(k) * rate(k);
        rate(species_) = heat;
    }

  private:
    static constexpr double fuel_enthalpy = 0.5;
    static constexpr double product_enthalpy = -1.5;

    int species_;
    double frequency_;
};

}  // namespace reacting_flow
