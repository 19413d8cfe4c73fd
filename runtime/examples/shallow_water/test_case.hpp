/// The test cases: a square basin with walls, its bed, and the exact water at each time.
///
///     case        bed                        water
///     bowl        a paraboloid               a rotating tilted plane; its shore wets and dries
///     dam         flat                       1 m against 0.2 m: a fan and a bore
///     dry-dam     flat                       1 m against nothing: a fan and a front on dry ground
///     lake        two hills under water      at rest
///     islands     two hills above water      at rest
///
/// Fields are stored by rows: element (j, i) is the cell around x = (i + 1/2) cell, y = (j + 1/2)
/// cell.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "shallow_water/exact.hpp"

namespace shallow_water {

enum class Case { bowl, dam, dry_dam, lake, islands };

inline constexpr std::array<const char*, 5> case_names{"bowl", "dam", "dry-dam", "lake", "islands"};

[[nodiscard]] inline Case case_named(const std::string& name) {
    std::size_t at = 0;
    while (at + 1 < case_names.size() && name != case_names[at]) ++at;
    return static_cast<Case>(at);
}

class TestCase {
  public:
    TestCase(Case which, std::int64_t size)
        : which_(which), cell_(length() / static_cast<double>(size)) {}

    [[nodiscard]] bool is_at_rest() const {
        return which_ == Case::lake || which_ == Case::islands;
    }
    [[nodiscard]] bool is_dam() const { return which_ == Case::dam || which_ == Case::dry_dam; }
    [[nodiscard]] std::string description() const {
        switch (which_) {
            case Case::bowl:
                return "a rotating tilted surface in a bowl";
            case Case::dam:
                return "a dam break onto shallower water";
            case Case::dry_dam:
                return "a dam break onto dry ground";
            case Case::lake:
                return "a lake at rest over two hills";
            case Case::islands:
                return "a lake at rest around two islands";
        }
        return "";
    }
    [[nodiscard]] double length() const { return which_ == Case::bowl ? 4 : 10; }
    [[nodiscard]] double cell() const { return cell_; }
    /// The end of a dam break: until then no wave has reached a wall, behind which the solution is
    /// unknown. Other flows do not end.
    [[nodiscard]] double end_time() const {
        return is_dam() ? 0.6 : std::numeric_limits<double>::infinity();
    }

    [[nodiscard]] double bed(std::int64_t j, std::int64_t i) const {
        const double x = middle(i);
        const double y = middle(j);
        switch (which_) {
            case Case::bowl:
                return Bowl{}.bed(x, y);
            case Case::lake:
                return 0.8 * hills(x, y);
            case Case::islands:
                return 1.4 * hills(x, y);
            default:
                return 0;
        }
    }
    [[nodiscard]] Water water(std::int64_t j, std::int64_t i, double time) const {
        switch (which_) {
            case Case::bowl:
                return Bowl{}.at(middle(i), middle(j), time);
            case Case::dam:
                return DamBreak(1, 0.2).at(middle(i), time);
            case Case::dry_dam:
                return DamBreak(1, 0).at(middle(i), time);
            default:
                return {std::max(lake_level - bed(j, i), 0.0), 0, 0};
        }
    }

    static constexpr double lake_level = 1;

  private:
    /// The coordinate of the middle of a cell, from the middle of the basin.
    [[nodiscard]] double middle(std::int64_t index) const {
        return (static_cast<double>(index) + 0.5) * cell_ - length() / 2;
    }
    /// Two hills of height one.
    [[nodiscard]] static double hills(double x, double y) {
        const auto hill = [](double dx, double dy) { return std::exp(-(dx * dx + dy * dy)); };
        return hill(x - 1.5, y - 1) + hill(x + 2, y + 1.5);
    }

    Case which_;
    double cell_;
};

}  // namespace shallow_water
