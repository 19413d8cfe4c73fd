/// NumPy's generators that jump ahead, as values of ours (refrain/array/bit_generators.hpp): tiles of an array draw their
/// own part by copies, and the generator itself jumps over all of them.
#pragma once

#include "refrain/array/bit_generators.hpp"

#include <algorithm>
#include <cstdint>
#include <numpy/random/bitgen.h>

namespace refrain::ndarray {

/// NumPy's states, and how they are read and written.
struct PcgState {
    using Bits = array::Pcg64;
    struct Held {
        struct Words {
            array::Wide state;
            array::Wide increment;
        } * pcg;
        int has_half;
        std::uint32_t half;
    };
    [[nodiscard]] static Bits load(const bitgen_t& of) noexcept {
        const Held& held = *static_cast<Held*>(of.state);
        return {held.pcg->state, held.pcg->increment};
    }
    static void store(const bitgen_t& to, const Bits& bits) noexcept {
        static_cast<Held*>(to.state)->pcg->state = bits.state;
    }
};

struct PhiloxState {
    using Bits = array::Philox;
    struct Held {
        std::uint64_t* counter;
        std::uint64_t* key;
        int used;  // of the drawn block
        std::uint64_t drawn[4];
        int has_half;
        std::uint32_t half;
    };
    [[nodiscard]] static Bits load(const bitgen_t& of) noexcept {
        const Held& held = *static_cast<Held*>(of.state);
        Bits bits;
        std::copy_n(held.counter, 4, bits.counter.begin());
        std::copy_n(held.key, 2, bits.key.begin());
        std::copy_n(held.drawn, 4, bits.drawn.begin());
        bits.used = static_cast<std::uint64_t>(held.used);
        return bits;
    }
    static void store(const bitgen_t& to, const Bits& bits) noexcept {
        Held& held = *static_cast<Held*>(to.state);
        std::copy_n(bits.counter.begin(), 4, held.counter);
        std::copy_n(bits.drawn.begin(), 4, held.drawn);
        held.used = static_cast<int>(bits.used);
    }
};

}  // namespace refrain::ndarray
