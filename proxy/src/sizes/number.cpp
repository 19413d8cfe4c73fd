#include "sizes/number.hpp"

#include <algorithm>
#include <set>

namespace refrain::proxy {
namespace {

using Kind_ = Term::Kind;
__extension__ using Wide = __int128;

constexpr std::size_t rows_tried = 200;  // before all samples are asked

std::int64_t share_of(std::int64_t items, std::int64_t parts, std::int64_t part) {
    return items / parts + (part < items % parts ? 1 : 0);
}

std::int64_t begin_of_share_of(std::int64_t items, std::int64_t parts, std::int64_t part) {
    return items / parts * part + std::min(part, items % parts);
}

std::string dims_text(const Term& term) {
    return std::to_string(term.dims) + ", " + std::to_string(term.axis);
}

std::vector<Term> all_terms() {
    std::vector<Term> terms{{Kind_::one}};
    for (std::uint8_t i = 0; i < loop_depth_max; ++i) terms.push_back({Kind_::loop, 0, i});
    for (const Kind_ kind : {Kind_::element, Kind_::rank, Kind_::ranks, Kind_::size,
                             Kind_::size_by_ranks, Kind_::share, Kind_::largest_share})
        terms.push_back({kind});
    for (std::uint8_t dims = 2; dims <= 3; ++dims)
        for (const Kind_ kind :
             {Kind_::side, Kind_::coordinate, Kind_::size_by_side, Kind_::share_of_side})
            for (std::uint8_t axis = 0; axis < dims; ++axis) terms.push_back({kind, dims, axis});
    for (std::uint8_t dims = 2; dims <= 3; ++dims) terms.push_back({Kind_::tile, dims, 0});
    for (const Kind_ kind :
         {Kind_::odd, Kind_::log_ranks, Kind_::begin_of_share, Kind_::share_by_size,
          Kind_::squared_size, Kind_::squared_size_by_ranks, Kind_::blocks, Kind_::share_of_element,
          Kind_::begin_of_element})
        terms.push_back({kind});
    return terms;
}

/// Whether two terms are parts of the size for the same ranks, and differ only where these do not divide it.
bool are_parts_alike(const Term& a, const Term& b) {
    const auto is_part = [](const Term& term) {
        return term.kind == Kind_::size_by_ranks || term.kind == Kind_::share ||
               term.kind == Kind_::largest_share || term.kind == Kind_::size_by_side ||
               term.kind == Kind_::share_of_side;
    };
    return is_part(a) && is_part(b) && a.dims == b.dims && a.axis == b.axis && a.kind != b.kind;
}

/// Terms whose values change from sample to sample, the constant one first.
struct Columns {
    std::vector<Term> terms;
    std::vector<std::vector<std::int64_t>> values;
    std::vector<std::optional<Term>> twins;  // are_parts_alike, and have the same values

    explicit Columns(std::span<const NumberSample> samples) {
        const bool in_array = std::any_of(samples.begin(), samples.end(), [](const auto& sample) {
            return sample.setting.element != 0;
        });
        for (const Term& term : all_terms()) {
            if (!in_array && (term.kind == Kind_::element || term.kind == Kind_::share_of_element ||
                              term.kind == Kind_::begin_of_element))
                continue;
            std::vector<std::int64_t> column;
            for (const NumberSample& sample : samples) column.push_back(term.value(sample.setting));
            const bool changes = std::any_of(column.begin(), column.end(),
                                             [&](auto value) { return value != column[0]; });
            if (term.kind != Kind_::one && !changes) continue;
            const auto same = std::find(values.begin(), values.end(), column);
            if (same != values.end()) {
                const auto index = static_cast<std::size_t>(same - values.begin());
                // The first rank has the largest share.
                const bool others =
                    std::any_of(samples.begin(), samples.end(),
                                [](const auto& each) { return each.setting.rank != 0; });
                if (!twins[index] && others && are_parts_alike(terms[index], term))
                    twins[index] = term;
                continue;
            }
            terms.push_back(term);
            values.push_back(std::move(column));
            twins.emplace_back();
        }
    }
};

/// Factors so that the chosen columns add up to the samples; nothing if there are none that are whole, or if no sample
/// is left over to hold them.
std::optional<std::vector<std::int64_t>> solve(const Columns& columns,
                                               std::span<const std::size_t> chosen,
                                               std::span<const NumberSample> samples) {
    // Rows that are independent of each other, reduced; the last entry is the sample.
    const std::size_t width = chosen.size();
    std::vector<std::vector<Wide>> rows;
    std::vector<std::size_t> leads;
    for (std::size_t i = 0; i < samples.size() && rows.size() < width; ++i) {
        std::vector<Wide> row;
        for (const std::size_t column : chosen) row.push_back(columns.values[column][i]);
        row.push_back(samples[i].value);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const Wide own = row[leads[k]], other = rows[k][leads[k]];
            if (own == 0) continue;
            for (std::size_t c = 0; c <= width; ++c) row[c] = row[c] * other - rows[k][c] * own;
        }
        std::size_t lead = 0;
        while (lead < width && row[lead] == 0) ++lead;
        if (lead == width) {
            if (row[width] != 0) return std::nullopt;
            continue;
        }
        rows.push_back(std::move(row));
        leads.push_back(lead);
    }
    if (rows.size() < width) return std::nullopt;
    std::vector<std::int64_t> factors(width, 0);
    std::vector<bool> known(width, false);
    for (std::size_t k = rows.size(); k-- > 0;) {
        Wide rest = rows[k][width];
        for (std::size_t c = 0; c < width; ++c)
            if (c != leads[k]) {
                if (rows[k][c] != 0 && !known[c]) return std::nullopt;
                rest -= rows[k][c] * factors[c];
            }
        const Wide lead = rows[k][leads[k]];
        if (rest % lead != 0 || rest / lead > INT64_MAX / 2 || rest / lead < INT64_MIN / 2)
            return std::nullopt;
        factors[leads[k]] = static_cast<std::int64_t>(rest / lead);
        known[leads[k]] = true;
    }
    std::set<std::vector<std::int64_t>> different;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        Wide sum = 0;
        std::vector<std::int64_t> row;
        for (std::size_t c = 0; c < width; ++c) {
            row.push_back(columns.values[chosen[c]][i]);
            sum += Wide{row.back()} * factors[c];
        }
        if (sum != samples[i].value) return std::nullopt;
        if (different.size() <= width) different.insert(std::move(row));
    }
    if (different.size() <= width) return std::nullopt;
    return factors;
}

}  // namespace

std::int64_t grid_side(std::int64_t ranks, int dims, int axis) {
    if (dims == 1) return ranks;
    std::int64_t best[3] = {ranks, 1, 1};
    for (std::int64_t c = 1; c * c <= ranks && (dims == 3 || c == 1); ++c) {
        if (ranks % c != 0) continue;
        const std::int64_t rest = ranks / c;
        for (std::int64_t b = c; b * b <= rest; ++b)
            if (rest % b == 0 && rest / b <= best[0]) {
                best[0] = rest / b;
                best[1] = b;
                best[2] = c;
            }
    }
    return best[axis];
}

std::int64_t grid_coordinate(std::int64_t rank, std::int64_t ranks, int dims, int axis) {
    for (int i = dims - 1; i > axis; --i) rank /= grid_side(ranks, dims, i);
    return rank % grid_side(ranks, dims, axis);
}

std::int64_t Term::value(const Setting& at) const {
    const auto side_here = [&](int which) { return grid_side(at.ranks, dims, which); };
    const auto share_here = [&](int which) {
        return share_of(at.size, side_here(which), grid_coordinate(at.rank, at.ranks, dims, which));
    };
    switch (kind) {
        case Kind::one:
            return 1;
        case Kind::loop:
            return at.loops[axis];
        case Kind::element:
            return at.element;
        case Kind::ranks:
            return at.ranks;
        case Kind::rank:
            return at.rank;
        case Kind::odd:
            return at.rank % 2;
        case Kind::log_ranks: {
            std::int64_t log = 0;
            while (std::int64_t{2} << log <= at.ranks) ++log;
            return log;
        }
        case Kind::size:
            return at.size;
        case Kind::size_by_ranks:
            return at.size / at.ranks;
        case Kind::share:
            return share_of(at.size, at.ranks, at.rank);
        case Kind::largest_share:
            return share_of(at.size, at.ranks, 0);
        case Kind::begin_of_share:
            return begin_of_share_of(at.size, at.ranks, at.rank);
        case Kind::side:
            return side_here(axis);
        case Kind::coordinate:
            return grid_coordinate(at.rank, at.ranks, dims, axis);
        case Kind::size_by_side:
            return at.size / side_here(axis);
        case Kind::share_of_side:
            return share_here(axis);
        case Kind::tile: {
            std::int64_t all = 1;
            for (int i = 0; i < dims; ++i) all *= share_here(i);
            return all;
        }
        case Kind::squared_size:
            return at.size * at.size;
        case Kind::share_by_size:
            return share_of(at.size, at.ranks, at.rank) * at.size;
        case Kind::squared_size_by_ranks:
            return (at.size / at.ranks) * (at.size / at.ranks);
        case Kind::blocks:
            return (at.size / at.ranks) * (at.size / at.ranks) * at.ranks;
        case Kind::share_of_element:
            return share_of(at.size, at.ranks, at.element);
        case Kind::begin_of_element:
            return begin_of_share_of(at.size, at.ranks, at.element);
    }
    return 0;
}

std::string Term::text() const {
    const std::string side = "side(size[0], " + dims_text(*this) + ")";
    switch (kind) {
        case Kind::one:
            return "1";
        case Kind::loop:
            return "i" + std::to_string(axis);
        case Kind::element:
            return "j";
        case Kind::ranks:
            return "size[0]";
        case Kind::rank:
            return "me[0]";
        case Kind::odd:
            return "(me[0] % 2)";
        case Kind::log_ranks:
            return "log_of(size[0])";
        case Kind::size:
            return "problem";
        case Kind::size_by_ranks:
            return "(problem / size[0])";
        case Kind::share:
            return "share(problem, size[0], me[0])";
        case Kind::largest_share:
            return "share(problem, size[0], 0)";
        case Kind::begin_of_share:
            return "begin_of_share(problem, size[0], me[0])";
        case Kind::side:
            return side;
        case Kind::coordinate:
            return "coordinate(me[0], size[0], " + dims_text(*this) + ")";
        case Kind::size_by_side:
            return "(problem / " + side + ")";
        case Kind::share_of_side:
            return "share_of_side(" + dims_text(*this) + ")";
        case Kind::tile: {
            std::string all;
            for (int i = 0; i < dims; ++i)
                all += (i == 0 ? "(share_of_side(" : " * share_of_side(") + std::to_string(dims) +
                       ", " + std::to_string(i) + ")";
            return all + ")";
        }
        case Kind::squared_size:
            return "(problem * problem)";
        case Kind::share_by_size:
            return "(share(problem, size[0], me[0]) * problem)";
        case Kind::squared_size_by_ranks:
            return "((problem / size[0]) * (problem / size[0]))";
        case Kind::blocks:
            return "((problem / size[0]) * (problem / size[0]) * size[0])";
        case Kind::share_of_element:
            return "share(problem, size[0], (int)j)";
        case Kind::begin_of_element:
            return "begin_of_share(problem, size[0], (int)j)";
    }
    return "0";
}

std::int64_t Number::value(const Setting& setting) const {
    std::int64_t sum = 0;
    for (const Part& part : parts) sum += part.factor * part.term.value(setting);
    return sum;
}

std::string Number::text() const {
    std::string all;
    for (const Part& part : parts) {
        std::string one = part.term.text();
        const std::int64_t factor = part.factor;
        const std::uint64_t amount = factor < 0 ? 0 - static_cast<std::uint64_t>(factor)
                                                : static_cast<std::uint64_t>(factor);
        if (part.term.kind == Term::Kind::one)
            one = std::to_string(amount);
        else if (amount != 1)
            one = std::to_string(amount) + " * " + one;
        if (all.empty())
            all = (factor < 0 ? "-" : "") + one;
        else
            all += (factor < 0 ? " - " : " + ") + one;
    }
    return all.empty() ? "0" : all;
}

std::optional<std::int64_t> Number::constant() const {
    if (parts.empty()) return 0;
    if (parts.size() == 1 && parts[0].term.kind == Term::Kind::one) return parts[0].factor;
    return std::nullopt;
}

bool Number::has_grid() const {
    return std::any_of(parts.begin(), parts.end(),
                       [](const Part& part) { return part.term.dims != 0; });
}

std::optional<Number> fit_number(std::span<const NumberSample> samples) {
    if (samples.empty()) return Number{};
    const bool same = std::all_of(samples.begin(), samples.end(), [&](const NumberSample& each) {
        return each.value == samples[0].value;
    });
    if (same) return Number::constant(samples[0].value);
    // A part of the samples says which sums are worth asking all: those that differ most in value and place.
    std::vector<NumberSample> some;
    const std::size_t stride = samples.size() / rows_tried + 1;
    for (std::size_t i = 0; i < samples.size(); i += stride) some.push_back(samples[i]);
    for (std::size_t i = 0; i < samples.size() && stride > 1; ++i)
        if (samples[i].value != samples[0].value) {
            some.push_back(samples[i]);
            break;
        }
    const Columns columns(some);
    const auto made = [&](std::initializer_list<std::size_t> list) -> std::optional<Number> {
        const std::vector<std::size_t> chosen(list);
        const auto factors = solve(columns, chosen, some);
        if (!factors) return std::nullopt;
        Number number;
        for (std::size_t i = 0; i < chosen.size(); ++i)
            if ((*factors)[i] != 0) {
                number.parts.push_back({(*factors)[i], columns.terms[chosen[i]]});
                if (columns.twins[chosen[i]]) number.twin = columns.twins[chosen[i]];
            }
        // What is added stands last.
        if (!number.parts.empty() && number.parts[0].term.kind == Kind_::one)
            std::rotate(number.parts.begin(), number.parts.begin() + 1, number.parts.end());
        const bool holds = std::all_of(
            samples.begin(), samples.end(),
            [&](const NumberSample& each) { return number.value(each.setting) == each.value; });
        return holds ? std::optional(number) : std::nullopt;
    };
    const std::size_t count = columns.terms.size();
    for (std::size_t a = 1; a < count; ++a)
        if (const auto found = made({a})) return found;
    for (std::size_t a = 1; a < count; ++a)
        if (const auto found = made({0, a})) return found;
    for (std::size_t a = 1; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b)
            if (const auto found = made({a, b})) return found;
    for (std::size_t a = 1; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b)
            if (const auto found = made({0, a, b})) return found;
    return std::nullopt;
}

}  // namespace refrain::proxy
