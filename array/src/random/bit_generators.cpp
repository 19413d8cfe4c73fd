#include "refrain/array/bit_generators.hpp"

namespace refrain::array {

namespace {

/// NumPy's hash of 32-bit words; its constant changes with each word.
struct WordHash {
    std::uint32_t constant;
    std::uint32_t multiplier;
    std::uint32_t operator()(std::uint32_t word) noexcept {
        word ^= constant;
        constant *= multiplier;
        word *= constant;
        return word ^ word >> 16;
    }
};

}  // namespace

void spread_seed(std::uint64_t seed, std::span<std::uint64_t> words) noexcept {
    WordHash mixing{0x43b0d7e5, 0x931e8875};
    std::array<std::uint32_t, 4> pool{};
    pool[0] = static_cast<std::uint32_t>(seed);
    pool[1] = static_cast<std::uint32_t>(seed >> 32);
    for (std::uint32_t& word : pool) word = mixing(word);
    for (std::size_t from = 0; from < pool.size(); ++from)
        for (std::size_t to = 0; to < pool.size(); ++to) {
            if (from == to) continue;
            const std::uint32_t mixed = 0xca01f9dd * pool[to] - 0x4973f715 * mixing(pool[from]);
            pool[to] = mixed ^ mixed >> 16;
        }
    WordHash drawing{0x8b51f9dd, 0x58f38ded};
    std::size_t at = 0;
    const auto draw = [&] { return std::uint64_t{drawing(pool[at++ % pool.size()])}; };
    for (std::uint64_t& word : words) {
        word = draw();
        word |= draw() << 32;
    }
}

}  // namespace refrain::array
