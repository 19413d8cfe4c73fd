/// Copies of NumPy's generators that jump ahead: PCG64 by its algebra, Philox by counting. So tiles of an
/// array draw their own part, and the generator itself jumps over all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numpy/random/bitgen.h>

namespace refrain::ndarray {

__extension__ using Wide = unsigned __int128;
struct Pcg {
    Wide state;
    Wide increment;
};
struct PcgState {  // NumPy's
    Pcg* pcg;
    int has_half;
    std::uint32_t half;
};
constexpr Wide pcg_multiplier = (Wide{2549297995355413924ULL} << 64) + Wide{4865540595714422341ULL};

/// The state after `count` draws: squares of the step, multiplied as count's bits say.
inline Wide advanced(const Pcg& pcg, std::uint64_t count) {
    Wide factor = 1;
    Wide sum = 0;
    Wide step_factor = pcg_multiplier;
    Wide step_sum = pcg.increment;
    for (; count != 0; count >>= 1) {
        if ((count & 1) != 0) {
            factor *= step_factor;
            sum = sum * step_factor + step_sum;
        }
        step_sum *= step_factor + 1;
        step_factor *= step_factor;
    }
    return factor * pcg.state + sum;
}

/// A copy of a generator, advanced by `ahead` draws.
class PcgCopy {
  public:
    PcgCopy(const bitgen_t& of, std::uint64_t ahead)
        : pcg_(*static_cast<PcgState*>(of.state)->pcg) {
        pcg_.state = advanced(pcg_, ahead);
    }
    std::uint64_t next() {
        pcg_.state = pcg_.state * pcg_multiplier + pcg_.increment;
        const auto high = static_cast<std::uint64_t>(pcg_.state >> 64);
        const std::uint64_t mixed = high ^ static_cast<std::uint64_t>(pcg_.state);
        const auto turn = static_cast<unsigned>(high >> 58);
        return mixed >> turn | mixed << (-turn & 63U);
    }
    static void advance(const bitgen_t& generator, std::uint64_t count) {
        Pcg& pcg = *static_cast<PcgState*>(generator.state)->pcg;
        pcg.state = advanced(pcg, count);
    }

  private:
    Pcg pcg_;
};

struct PhiloxState {  // NumPy's
    std::uint64_t* counter;
    std::uint64_t* key;
    int used;  // of the drawn block
    std::uint64_t drawn[4];
    int has_half;
    std::uint32_t half;
};

/// Philox 4x64 of ten rounds: a block of four numbers per count.
class PhiloxCopy {
  public:
    PhiloxCopy(const bitgen_t& of, std::uint64_t ahead) {
        const PhiloxState& state = *static_cast<PhiloxState*>(of.state);
        std::copy_n(state.counter, 4, counter_);
        std::copy_n(state.key, 2, key_);
        std::copy_n(state.drawn, 4, drawn_);
        const auto left = static_cast<std::uint64_t>(4 - state.used);
        used_ = state.used;
        if (ahead < left) {
            used_ += static_cast<int>(ahead);
            return;
        }
        ahead -= left;
        used_ = 4;
        if (ahead == 0) return;
        const std::uint64_t whole = (ahead - 1) / 4;  // blocks before the last one
        count(whole);
        for (ahead -= 4 * whole; ahead > 0; --ahead) static_cast<void>(next());
    }
    std::uint64_t next() {
        if (used_ == 4) {
            count(1);
            draw();
            used_ = 0;
        }
        return drawn_[used_++];
    }
    static void advance(const bitgen_t& generator, std::uint64_t count) {
        const PhiloxCopy ahead(generator, count);
        PhiloxState& state = *static_cast<PhiloxState*>(generator.state);
        std::copy_n(ahead.counter_, 4, state.counter);
        std::copy_n(ahead.drawn_, 4, state.drawn);
        state.used = ahead.used_;
    }

  private:
    void count(std::uint64_t blocks) {
        for (std::uint64_t& word : counter_) {
            word += blocks;
            if (word >= blocks) break;  // nothing to carry
            blocks = 1;
        }
    }
    void draw() {
        constexpr std::uint64_t multipliers[] = {0xD2E7470EE14C6C93ULL, 0xCA5A826395121157ULL};
        constexpr std::uint64_t steps[] = {0x9E3779B97F4A7C15ULL, 0xBB67AE8584CAA73BULL};
        std::uint64_t keys[2] = {key_[0], key_[1]};
        std::copy_n(counter_, 4, drawn_);
        for (int round = 0; round < 10; ++round) {
            const Wide first = Wide{multipliers[0]} * drawn_[0];
            const Wide second = Wide{multipliers[1]} * drawn_[2];
            const std::uint64_t made[4] = {
                static_cast<std::uint64_t>(second >> 64) ^ drawn_[1] ^ keys[0],
                static_cast<std::uint64_t>(second),
                static_cast<std::uint64_t>(first >> 64) ^ drawn_[3] ^ keys[1],
                static_cast<std::uint64_t>(first)};
            std::copy_n(made, 4, drawn_);
            for (int i = 0; i < 2; ++i) keys[i] += steps[i];
        }
    }

    std::uint64_t counter_[4];
    std::uint64_t key_[2];
    std::uint64_t drawn_[4];
    int used_;
};

}  // namespace refrain::ndarray
