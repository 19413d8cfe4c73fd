/// NumPy's distributions by name: functions that draw one number from a generator of NumPy's.
///
/// Those of NumPy's library, and the ones that only its legacy generator has ("legacy_normal").
#pragma once

#include <cstdint>
#include <numpy/random/distributions.h>
#include <string_view>

namespace refrain::ndarray {

/// What one draw is called with: of NumPy's generator, and up to three parameters.
struct Draw {
    bitgen_t* generator = nullptr;
    double parameters[3] = {0, 0, 0};
    std::int64_t integers[3] = {0, 0, 0};  // parameters that are whole numbers, in their places
    double* second = nullptr;              // of the legacy generator's normals: see random.cpp
    binomial_t* kept = nullptr;            // what binomials of the same parameters share
};

using Floating = double (*)(const Draw&);
using Whole = std::int64_t (*)(const Draw&);

/// Null if there is none of that name.
[[nodiscard]] Floating floating_named(std::string_view name) noexcept;
[[nodiscard]] Whole whole_named(std::string_view name) noexcept;
/// Whether that parameter of a distribution is a whole number.
[[nodiscard]] bool takes_whole(std::string_view name, int parameter) noexcept;

/// Of the legacy generator; `Draw::parameters` do not count.
[[nodiscard]] double legacy_gamma(const Draw& draw, double shape) noexcept;

[[nodiscard]] inline double next_double(const Draw& draw) noexcept {
    return draw.generator->next_double(draw.generator->state);
}

}  // namespace refrain::ndarray
