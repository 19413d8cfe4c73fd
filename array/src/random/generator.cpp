#include "refrain/array/bit_generators.hpp"
#include "refrain/array/random.hpp"
#include "refrain/array/work.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace refrain::array {

namespace {

/// A generator's state, as the array of int64 that draws use holds it.
template <class Bits>
struct StreamState {
    Bits bits;
    std::uint32_t half = 0;  // the upper half of a draw of which the lower one was used
    std::uint32_t has_half = 0;

    std::uint32_t next_half() noexcept {
        if (has_half != 0) {
            has_half = 0;
            return half;
        }
        const std::uint64_t drawn = bits.next();
        half = static_cast<std::uint32_t>(drawn >> 32);
        has_half = 1;
        return static_cast<std::uint32_t>(drawn);
    }
};

template <class Bits>
StreamState<Bits> load_state(const WorkView& view) noexcept {
    StreamState<Bits> state;
    std::memcpy(static_cast<void*>(&state), view.address, sizeof state);
    return state;
}
template <class Bits>
void store_state(const WorkView& view, const StreamState<Bits>& state) noexcept {
    std::memcpy(view.address, &state, sizeof state);
}

template <class Bits>
Array new_state(Machine& machine, std::uint64_t seed) {
    const StreamState<Bits> state{.bits = Bits::seeded(seed)};
    static_assert(sizeof state % sizeof(std::int64_t) == 0);
    return machine.copy_of(&state, Layout::row_major({Extent{sizeof state / sizeof(std::int64_t)}}),
                           DType::int64);
}

struct Uniform {
    double low;
    double width;
    Extent count;
};

/// views: the state, a tile.
template <class Bits>
void draw_uniform(const WorkFrame& frame) {
    const auto call = frame.parameters<Uniform>();
    Bits bits = load_state<Bits>(frame.views[0]).bits;
    bits.advance(static_cast<std::uint64_t>(frame.tile_first));
    double* to = frame.views[1].first<double>();
    const Extent count = frame.views[1].layout.size();
    for (Extent i = 0; i < count; ++i) to[i] = call.low + call.width * unit_interval(bits.next());
}

template <class Bits>
void jump(const WorkFrame& frame) {
    auto state = load_state<Bits>(frame.views[0]);
    state.bits.advance(static_cast<std::uint64_t>(frame.parameters<Uniform>().count));
    store_state(frame.views[0], state);
}

struct Integers {
    std::uint64_t low;
    std::uint64_t range;  // the greatest number less the least one
};

/// Lemire's method: the upper half of a product, drawn again where that would favour some numbers.
template <class Word, class Product>
Word below(Word count, auto&& next) noexcept {
    constexpr int bits = std::numeric_limits<Word>::digits;
    auto product = static_cast<Product>(next()) * count;
    if (static_cast<Word>(product) < count) {
        const Word least = static_cast<Word>(Word{0} - count) % count;
        while (static_cast<Word>(product) < least) product = static_cast<Product>(next()) * count;
    }
    return static_cast<Word>(product >> bits);
}

/// views: the state, the numbers.
template <class Bits>
void draw_integers(const WorkFrame& frame) {
    const auto call = frame.parameters<Integers>();
    auto state = load_state<Bits>(frame.views[0]);
    auto* to = frame.views[1].first<std::uint64_t>();
    const Extent count = frame.views[1].layout.size();
    const auto half = [&] { return state.next_half(); };
    const auto whole = [&] { return state.bits.next(); };
    constexpr std::uint64_t half_max = 0xFFFFFFFF;
    for (Extent i = 0; i < count; ++i) {
        std::uint64_t number = 0;
        if (call.range == half_max)
            number = half();
        else if (call.range == std::numeric_limits<std::uint64_t>::max())
            number = whole();
        else if (call.range > half_max)
            number = below<std::uint64_t, Wide>(call.range + 1, whole);
        else if (call.range > 0)
            number = below<std::uint32_t, std::uint64_t>(static_cast<std::uint32_t>(call.range + 1),
                                                         half);
        to[i] = call.low + number;
    }
    store_state(frame.views[0], state);
}

// What a draw costs, in bytes that an elementwise function touches in that time.
constexpr std::int64_t draw_cost = 24;
constexpr Extent tile_elements = Extent{1} << 16;
constexpr Extent tiles_max = 64;

Array shaped(const Array& line, const Extents& shape) {
    return line.view(Layout::row_major(shape));
}

Extent checked_size(const Extents& shape) {
    Extent size = 1;
    for (const Extent extent : shape) {
        if (extent < 0)
            throw ArrayError(ErrorKind::value,
                             "negative dimensions are not allowed: " + shape.text());
        if (__builtin_mul_overflow(size, extent, &size))
            throw ArrayError(ErrorKind::value, "the shape " + shape.text() +
                                                   " has more elements than can be counted");
    }
    return size;
}

}  // namespace

Generator::Generator(Machine& machine, std::uint64_t seed, BitGenerator bits)
    : bits_(bits),
      state_(bits == BitGenerator::pcg64 ? new_state<Pcg64>(machine, seed)
                                         : new_state<Philox>(machine, seed)) {}

Array Generator::uniform(double low, double high, const Extents& shape) {
    const double width = high - low;
    if (!std::isfinite(width))
        throw ArrayError(ErrorKind::value, "uniform: the range from " + std::to_string(low) +
                                               " to " + std::to_string(high) +
                                               " is not finite; draw from a smaller one");
    if (width < 0)
        throw ArrayError(ErrorKind::value, "uniform: low is " + std::to_string(low) +
                                               ", but high " + std::to_string(high) +
                                               "; exchange them");
    Machine& machine = state_.machine();
    const Extent count = checked_size(shape);
    const Array line = machine.empty({count}, DType::float64);
    if (count == 0) return shaped(line, shape);
    const bool is_pcg = bits_ == BitGenerator::pcg64;
    const Uniform call{low, width, count};
    const WorkUse uses[] = {{&state_, Privilege::read}, {&line, Privilege::write, 0}};
    Work draw;
    draw.name = "random";
    draw.function = is_pcg ? &draw_uniform<Pcg64> : &draw_uniform<Philox>;
    draw.uses = uses;
    draw.cost = count * draw_cost;
    draw.tiles = std::clamp<Extent>(count / tile_elements, 1, tiles_max);
    machine.issue(std::move(draw).with(call));
    const WorkUse state_only[] = {{&state_, Privilege::read_write}};
    Work after;
    after.name = "random.advance";
    after.function = is_pcg ? &jump<Pcg64> : &jump<Philox>;
    after.uses = state_only;
    machine.issue(std::move(after).with(call));
    return shaped(line, shape);
}

Array Generator::integers(std::int64_t low, std::int64_t high, const Extents& shape) {
    if (high <= low)
        throw ArrayError(ErrorKind::value, "integers: low is " + std::to_string(low) +
                                               ", but high " + std::to_string(high) +
                                               ", and only numbers below high are drawn");
    Machine& machine = state_.machine();
    const Extent count = checked_size(shape);
    const Array line = machine.empty({count}, DType::int64);
    if (count == 0) return shaped(line, shape);
    const WorkUse uses[] = {{&state_, Privilege::read_write}, {&line, Privilege::write}};
    Work draw;
    draw.name = "random.integers";
    draw.function = bits_ == BitGenerator::pcg64 ? &draw_integers<Pcg64> : &draw_integers<Philox>;
    draw.uses = uses;
    draw.cost = count * draw_cost;
    const auto least = static_cast<std::uint64_t>(low);
    machine.issue(
        std::move(draw).with(Integers{least, static_cast<std::uint64_t>(high) - 1 - least}));
    return shaped(line, shape);
}

}  // namespace refrain::array
