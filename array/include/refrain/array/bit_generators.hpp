/// NumPy's bit generators that can jump ahead, as values: PCG64 by its algebra, Philox by counting.
///
///     Pcg64 bits = Pcg64::seeded(7);      // numpy.random.PCG64(7)
///     Pcg64 later = bits;
///     later.advance(1'000'000);           // as after so many next()
///
/// Threads: pure.
/// Source:  numpy/random/src/pcg64, philox; numpy/random/bit_generator.pyx, SeedSequence.
///
// room: random
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace refrain::array {

__extension__ using Wide = unsigned __int128;

/// numpy.random.SeedSequence(seed).generate_state(): as many words as `words` has.
void spread_seed(std::uint64_t seed, std::span<std::uint64_t> words) noexcept;

struct Pcg64 {
    Wide state = 0;
    Wide increment = 1;

    [[nodiscard]] static Pcg64 seeded(std::uint64_t seed) noexcept {
        std::uint64_t words[4];
        spread_seed(seed, words);
        Pcg64 made{0, (Wide{words[2]} << 64 | words[3]) << 1 | 1};
        made.step();
        made.state += Wide{words[0]} << 64 | words[1];
        made.step();
        return made;
    }

    std::uint64_t next() noexcept {
        step();
        const auto high = static_cast<std::uint64_t>(state >> 64);
        const std::uint64_t mixed = high ^ static_cast<std::uint64_t>(state);
        const auto turn = static_cast<unsigned>(high >> 58);
        return mixed >> turn | mixed << (-turn & 63U);
    }

    /// Squares of the step, multiplied as the bits of `count` say.
    void advance(std::uint64_t count) noexcept {
        Wide factor = 1;
        Wide sum = 0;
        Wide step_factor = multiplier;
        Wide step_sum = increment;
        for (; count != 0; count >>= 1) {
            if ((count & 1) != 0) {
                factor *= step_factor;
                sum = sum * step_factor + step_sum;
            }
            step_sum *= step_factor + 1;
            step_factor *= step_factor;
        }
        state = factor * state + sum;
    }

  private:
    static constexpr Wide multiplier =
        (Wide{2549297995355413924ULL} << 64) + Wide{4865540595714422341ULL};
    void step() noexcept { state = state * multiplier + increment; }
};

/// Philox 4x64 of ten rounds: a block of four numbers per count.
struct Philox {
    std::array<std::uint64_t, 4> counter{};
    std::array<std::uint64_t, 2> key{};
    std::array<std::uint64_t, 4> drawn{};
    std::uint64_t used = 4;  // of the drawn block

    [[nodiscard]] static Philox seeded(std::uint64_t seed) noexcept {
        Philox made;
        spread_seed(seed, made.key);
        return made;
    }

    std::uint64_t next() noexcept {
        if (used == 4) {
            count(1);
            draw();
            used = 0;
        }
        return drawn[used++];
    }

    void advance(std::uint64_t ahead) noexcept {
        const std::uint64_t left = 4 - used;
        if (ahead < left) {
            used += ahead;
            return;
        }
        ahead -= left;
        used = 4;
        if (ahead == 0) return;
        const std::uint64_t whole = (ahead - 1) / 4;  // blocks before the last one
        count(whole);
        for (ahead -= 4 * whole; ahead > 0; --ahead) static_cast<void>(next());
    }

  private:
    void count(std::uint64_t blocks) noexcept {
        for (std::uint64_t& word : counter) {
            word += blocks;
            if (word >= blocks) break;  // nothing to carry
            blocks = 1;
        }
    }
    void draw() noexcept {
        constexpr std::uint64_t multipliers[] = {0xD2E7470EE14C6C93ULL, 0xCA5A826395121157ULL};
        constexpr std::uint64_t steps[] = {0x9E3779B97F4A7C15ULL, 0xBB67AE8584CAA73BULL};
        std::array<std::uint64_t, 2> keys = key;
        drawn = counter;
        for (int round = 0; round < 10; ++round) {
            const Wide first = Wide{multipliers[0]} * drawn[0];
            const Wide second = Wide{multipliers[1]} * drawn[2];
            drawn = {static_cast<std::uint64_t>(second >> 64) ^ drawn[1] ^ keys[0],
                     static_cast<std::uint64_t>(second),
                     static_cast<std::uint64_t>(first >> 64) ^ drawn[3] ^ keys[1],
                     static_cast<std::uint64_t>(first)};
            for (std::size_t i = 0; i < 2; ++i) keys[i] += steps[i];
        }
    }
};

/// numpy.random.Generator.random: 53 bits of a draw.
[[nodiscard]] inline double unit_interval(std::uint64_t bits) noexcept {
    return static_cast<double>(bits >> 11) * (1.0 / 9007199254740992.0);
}

}  // namespace refrain::array
