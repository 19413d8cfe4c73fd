#include "ndarray/distributions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace refrain::ndarray {

namespace {

// -- NumPy's functions, which differ in what they take.

template <double (*function)(bitgen_t*)>
double plain(const Draw& draw) {
    return function(draw.generator);
}
template <double (*function)(bitgen_t*, double)>
double one(const Draw& draw) {
    return function(draw.generator, draw.parameters[0]);
}
template <double (*function)(bitgen_t*, double, double)>
double two(const Draw& draw) {
    return function(draw.generator, draw.parameters[0], draw.parameters[1]);
}
template <double (*function)(bitgen_t*, double, double, double)>
double three(const Draw& draw) {
    return function(draw.generator, draw.parameters[0], draw.parameters[1], draw.parameters[2]);
}
template <std::int64_t (*function)(bitgen_t*, double)>
std::int64_t whole(const Draw& draw) {
    return function(draw.generator, draw.parameters[0]);
}

std::int64_t binomial(const Draw& draw) {
    return random_binomial(draw.generator, draw.parameters[1], draw.integers[0], draw.kept);
}
std::int64_t hypergeometric(const Draw& draw) {
    return random_hypergeometric(draw.generator, draw.integers[0], draw.integers[1],
                                 draw.integers[2]);
}
std::int64_t negative_binomial(const Draw& draw) {
    return random_negative_binomial(draw.generator, draw.parameters[0], draw.parameters[1]);
}

// -- The legacy generator's own.

/// Marsaglia's polar method, which makes two normals.
double legacy_normal(const Draw& draw) {
    if (draw.second[0] != 0.0) {
        draw.second[0] = 0.0;
        return std::exchange(draw.second[1], 0.0);
    }
    double x = 0;
    double y = 0;
    double square = 0;
    do {
        x = 2.0 * next_double(draw) - 1.0;
        y = 2.0 * next_double(draw) - 1.0;
        square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    const double factor = std::sqrt(-2.0 * std::log(square) / square);
    draw.second[0] = 1.0;
    draw.second[1] = factor * x;
    return factor * y;
}

double legacy_exponential(const Draw& draw) {
    return -std::log(1.0 - next_double(draw));
}

/// Gammas of a shape below 1: Ahrens and Dieter.
double small_gamma(const Draw& draw, double shape) {
    for (;;) {
        const double u = next_double(draw);
        const double v = legacy_exponential(draw);
        if (u <= 1.0 - shape) {
            const double x = std::pow(u, 1. / shape);
            if (x <= v) return x;
        } else {
            const double y = -std::log((1 - u) / shape);
            const double x = std::pow(1.0 - shape + shape * y, 1. / shape);
            if (x <= v + y) return x;
        }
    }
}

/// Above 1: Marsaglia and Tsang.
double large_gamma(const Draw& draw, double shape) {
    const double b = shape - 1. / 3.;
    const double c = 1. / std::sqrt(9 * b);
    for (;;) {
        double x = 0;
        double v = 0;
        do {
            x = legacy_normal(draw);
            v = 1.0 + c * x;
        } while (v <= 0.0);
        v = v * v * v;
        const double u = next_double(draw);
        if (u < 1.0 - 0.0331 * (x * x) * (x * x)) return b * v;
        if (std::log(u) < 0.5 * x * x + b * (1. - v + std::log(v))) return b * v;
    }
}

double legacy_chisquare(const Draw& draw, double df) {
    return 2.0 * legacy_gamma(draw, df / 2.0);
}

double legacy_noncentral_chisquare(const Draw& draw, double df, double nonc) {
    if (nonc == 0) return legacy_chisquare(draw, df);
    if (df > 1) {
        const double central = legacy_chisquare(draw, df - 1);
        const double moved = legacy_normal(draw) + std::sqrt(nonc);
        return central + moved * moved;
    }
    const std::int64_t steps = random_poisson(draw.generator, nonc / 2.0);
    const double drawn = legacy_chisquare(draw, df + 2 * static_cast<double>(steps));
    return std::isnan(nonc) ? std::numeric_limits<double>::quiet_NaN() : drawn;
}

double legacy_f(const Draw& draw) {
    const double above = legacy_chisquare(draw, draw.parameters[0]) * draw.parameters[1];
    return above / (legacy_chisquare(draw, draw.parameters[1]) * draw.parameters[0]);
}
double legacy_noncentral_f(const Draw& draw) {
    const double above = legacy_noncentral_chisquare(draw, draw.parameters[0], draw.parameters[2]) *
                         draw.parameters[1];
    return above / (legacy_chisquare(draw, draw.parameters[1]) * draw.parameters[0]);
}

/// Two shapes of at most 1: Jöhnk.
double small_beta(const Draw& draw, double a, double b) {
    for (;;) {
        const double u = next_double(draw);
        const double v = next_double(draw);
        const double x = std::pow(u, 1.0 / a);
        const double y = std::pow(v, 1.0 / b);
        if (x + y > 1.0 || u + v == 0.0) continue;
        if (x + y > 0) return x / (x + y);
        double log_x = std::log(u) / a;
        double log_y = std::log(v) / b;
        const double larger = std::max(log_x, log_y);
        log_x -= larger;
        log_y -= larger;
        return std::exp(log_x - std::log(std::exp(log_x) + std::exp(log_y)));
    }
}
double legacy_beta(const Draw& draw) {
    const double a = draw.parameters[0];
    const double b = draw.parameters[1];
    if (a <= 1.0 && b <= 1.0) return small_beta(draw, a, b);
    const double x = legacy_gamma(draw, a);
    const double y = legacy_gamma(draw, b);
    return x / (x + y);
}

double legacy_standard_t(const Draw& draw) {
    const double df = draw.parameters[0];
    const double above = legacy_normal(draw);
    const double below = legacy_gamma(draw, df / 2);
    return std::sqrt(df / 2) * above / std::sqrt(below);
}

double legacy_wald(const Draw& draw) {
    const double mean = draw.parameters[0];
    const double scale = draw.parameters[1];
    const double half = mean / (2 * scale);
    double y = legacy_normal(draw);
    y = mean * y * y;
    const double x = mean + half * (y - std::sqrt(4 * scale * y + y * y));
    return next_double(draw) <= mean / (mean + x) ? x : mean * mean / x;
}

double legacy_standard_cauchy(const Draw& draw) {
    const double above = legacy_normal(draw);
    return above / legacy_normal(draw);
}

std::int64_t legacy_geometric(const Draw& draw) {
    const double p = draw.parameters[0];
    if (p >= 1.0 / 3) return random_geometric_search(draw.generator, p);
    return static_cast<std::int64_t>(std::ceil(std::log1p(-next_double(draw)) / std::log(1 - p)));
}

/// Draws once where the present function knows the answer.
std::int64_t legacy_binomial(const Draw& draw) {
    if (draw.integers[0] != 0 && draw.parameters[1] != 0) return binomial(draw);
    static_cast<void>(next_double(draw));
    return 0;
}

/// Best and Fisher, for every concentration: the present function takes normals for the large ones.
double legacy_vonmises(const Draw& draw) {
    const double mean = draw.parameters[0];
    const double kappa = draw.parameters[1];
    if (std::isnan(kappa)) return std::numeric_limits<double>::quiet_NaN();
    if (kappa < 1e-8) return std::numbers::pi * (2 * next_double(draw) - 1);
    double s = 1 / kappa + kappa;  // its second-order expansion
    if (kappa >= 1e-5) {
        const double r = 1 + std::sqrt(1 + 4 * kappa * kappa);
        const double rho = (r - std::sqrt(2 * r)) / (2 * kappa);
        s = (1 + rho * rho) / (2 * rho);
    }
    double w = 0;
    for (;;) {
        const double z = std::cos(std::numbers::pi * next_double(draw));
        w = (1 + s * z) / (s + z);
        const double y = kappa * (s - w);
        const double v = next_double(draw);
        if (y * (2 - y) - v >= 0 || std::log(y / v) + 1 - y >= 0) break;
    }
    const double angle = next_double(draw) < 0.5 ? -std::acos(w) : std::acos(w);
    const double moved = angle + mean;
    const double turned =
        std::fmod(std::fabs(moved) + std::numbers::pi, 2 * std::numbers::pi) - std::numbers::pi;
    return moved < 0 ? -turned : turned;
}

std::int64_t legacy_negative_binomial(const Draw& draw) {
    const double p = draw.parameters[1];
    const double mean = (1 - p) / p * legacy_gamma(draw, draw.parameters[0]);
    return random_poisson(draw.generator, mean);
}

/// Few samples: one after the other.
std::int64_t sampled(const Draw& draw, std::int64_t good, std::int64_t bad, std::int64_t sample) {
    const std::int64_t others = bad + good - sample;
    const auto fewer = static_cast<double>(std::min(bad, good));
    double left = fewer;
    for (std::int64_t k = sample; left > 0.0 && k > 0; --k)
        left -= std::floor(next_double(draw) + left / static_cast<double>(others + k));
    const auto drawn = static_cast<std::int64_t>(fewer - left);
    return good > bad ? sample - drawn : drawn;
}

/// Many samples: ratio of uniforms (Stadlober's HRUA).
std::int64_t by_ratios(const Draw& draw, std::int64_t good, std::int64_t bad, std::int64_t sample) {
    constexpr double d1 = 1.7155277699214135;  // 2 sqrt(2 / e)
    constexpr double d2 = 0.8989161620588988;  // 3 - 2 sqrt(3 / e)
    const std::int64_t fewer = std::min(good, bad);
    const std::int64_t more = std::max(good, bad);
    const std::int64_t all = good + bad;
    const std::int64_t m = std::min(sample, all - sample);
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    const double share = real(fewer) / real(all);
    const double middle = real(m) * share + 0.5;
    const double spread =
        std::sqrt(real(all - m) * real(sample) * share * (1.0 - share) / real(all - 1) + 0.5);
    const double width = d1 * spread + d2;
    const auto mode =
        static_cast<std::int64_t>(std::floor(real(m + 1) * real(fewer + 1) / real(all + 2)));
    const auto weight = [&](std::int64_t z) {
        return random_loggam(real(z + 1)) + random_loggam(real(fewer - z + 1)) +
               random_loggam(real(m - z + 1)) + random_loggam(real(more - m + z + 1));
    };
    const double at_mode = weight(mode);
    const double above = std::min(real(std::min(m, fewer)) + 1.0, std::floor(middle + 16 * spread));
    std::int64_t z = 0;
    for (;;) {
        const double x = next_double(draw);
        const double y = next_double(draw);
        const double w = middle + width * (y - 0.5) / x;
        if (w < 0.0 || w >= above) continue;
        z = static_cast<std::int64_t>(std::floor(w));
        const double t = at_mode - weight(z);
        if (x * (4.0 - x) - 3.0 <= t) break;
        if (x * (x - t) >= 1) continue;
        if (2.0 * std::log(x) <= t) break;
    }
    if (good > bad) z = m - z;
    return m < sample ? good - z : z;
}

std::int64_t legacy_hypergeometric(const Draw& draw) {
    const std::int64_t sample = draw.integers[2];
    if (sample > 10) return by_ratios(draw, draw.integers[0], draw.integers[1], sample);
    return sample > 0 ? sampled(draw, draw.integers[0], draw.integers[1], sample) : 0;
}

// -- By name.

struct FloatingName {
    std::string_view name;
    Floating function;
};
constexpr FloatingName floating_names[] = {
    {"standard_normal", plain<random_standard_normal>},
    {"standard_exponential", plain<random_standard_exponential>},
    {"standard_cauchy", plain<random_standard_cauchy>},
    {"standard_gamma", one<random_standard_gamma>},
    {"standard_t", one<random_standard_t>},
    {"chisquare", one<random_chisquare>},
    {"pareto", one<random_pareto>},
    {"weibull", one<random_weibull>},
    {"power", one<random_power>},
    {"rayleigh", one<random_rayleigh>},
    {"exponential", one<random_exponential>},
    {"normal", two<random_normal>},
    {"gamma", two<random_gamma>},
    {"beta", two<random_beta>},
    {"f", two<random_f>},
    {"laplace", two<random_laplace>},
    {"gumbel", two<random_gumbel>},
    {"logistic", two<random_logistic>},
    {"lognormal", two<random_lognormal>},
    {"noncentral_chisquare", two<random_noncentral_chisquare>},
    {"wald", two<random_wald>},
    {"vonmises", two<random_vonmises>},
    {"noncentral_f", three<random_noncentral_f>},
    {"triangular", three<random_triangular>},
    {"legacy_standard_normal", legacy_normal},
    {"legacy_normal",
     [](const Draw& d) { return d.parameters[0] + d.parameters[1] * legacy_normal(d); }},
    {"legacy_lognormal",
     [](const Draw& d) { return std::exp(d.parameters[0] + d.parameters[1] * legacy_normal(d)); }},
    {"legacy_standard_exponential", legacy_exponential},
    {"legacy_exponential", [](const Draw& d) { return d.parameters[0] * legacy_exponential(d); }},
    {"legacy_pareto",
     [](const Draw& d) { return std::exp(legacy_exponential(d) / d.parameters[0]) - 1; }},
    {"legacy_weibull",
     [](const Draw& d) {
         return d.parameters[0] == 0.0 ? 0.0
                                       : std::pow(legacy_exponential(d), 1. / d.parameters[0]);
     }},
    {"legacy_power",
     [](const Draw& d) {
         return std::pow(1 - std::exp(-legacy_exponential(d)), 1. / d.parameters[0]);
     }},
    {"legacy_rayleigh",
     [](const Draw& d) { return d.parameters[0] * std::sqrt(-2.0 * std::log1p(-next_double(d))); }},
    {"legacy_standard_cauchy", legacy_standard_cauchy},
    {"legacy_standard_gamma", [](const Draw& d) { return legacy_gamma(d, d.parameters[0]); }},
    {"legacy_gamma",
     [](const Draw& d) { return d.parameters[1] * legacy_gamma(d, d.parameters[0]); }},
    {"legacy_chisquare", [](const Draw& d) { return legacy_chisquare(d, d.parameters[0]); }},
    {"legacy_noncentral_chisquare",
     [](const Draw& d) {
         return legacy_noncentral_chisquare(d, d.parameters[0], d.parameters[1]);
     }},
    {"legacy_f", legacy_f},
    {"legacy_noncentral_f", legacy_noncentral_f},
    {"legacy_beta", legacy_beta},
    {"legacy_standard_t", legacy_standard_t},
    {"legacy_vonmises", legacy_vonmises},
    {"legacy_wald", legacy_wald},
};

/// integers: the least one, how many more there are.
template <bool masked>
std::int64_t bounded(const Draw& draw) noexcept {
    const auto range = static_cast<std::uint64_t>(draw.integers[1]);
    const std::uint64_t mask = range == 0 ? 0 : ~std::uint64_t{0} >> std::countl_zero(range);
    return static_cast<std::int64_t>(
        random_bounded_uint64(draw.generator, static_cast<std::uint64_t>(draw.integers[0]), range,
                              masked ? mask : 0, masked));
}

struct WholeName {
    std::string_view name;
    Whole function;
    unsigned whole_parameters = 0;  // a bit each
};
constexpr WholeName whole_names[] = {
    {"poisson", whole<random_poisson>},
    {"geometric", whole<random_geometric>},
    {"zipf", whole<random_zipf>},
    {"logseries", whole<random_logseries>},
    {"binomial", binomial, 0b001},
    {"negative_binomial", negative_binomial},
    {"hypergeometric", hypergeometric, 0b111},
    {"integers", bounded<false>, 0b011},
    {"legacy_integers", bounded<true>, 0b011},
    {"legacy_binomial", legacy_binomial, 0b001},
    {"legacy_geometric", legacy_geometric},
    {"legacy_negative_binomial", legacy_negative_binomial},
    {"legacy_hypergeometric", legacy_hypergeometric, 0b111},
};

template <class Table>
auto function_named(const Table& table, std::string_view name) noexcept
    -> decltype(table[0].function) {
    for (const auto& entry : table)
        if (entry.name == name) return entry.function;
    return nullptr;
}

}  // namespace

Floating floating_named(std::string_view name) noexcept {
    return function_named(floating_names, name);
}
Whole whole_named(std::string_view name) noexcept {
    return function_named(whole_names, name);
}

bool takes_whole(std::string_view name, int parameter) noexcept {
    for (const WholeName& entry : whole_names)
        if (entry.name == name) return (entry.whole_parameters >> parameter & 1) != 0;
    return false;
}

double legacy_gamma(const Draw& draw, double shape) noexcept {
    if (shape == 1.0) return legacy_exponential(draw);
    if (shape == 0.0) return 0.0;
    return shape < 1.0 ? small_gamma(draw, shape) : large_gamma(draw, shape);
}

}  // namespace refrain::ndarray
