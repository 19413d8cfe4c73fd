#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace refrain::base {

/// A 128-bit hash of a sequence of words. Equal hashes suggest equal sequences; only a comparison
/// proves it.
struct Hash128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    /// The lowest `bits` bits only, 0 to 128; tests shorten hashes to make them collide.
    [[nodiscard]] constexpr Hash128 truncated(unsigned bits) const {
        return {low & mask(bits), bits > 64 ? high & mask(bits - 64) : 0};
    }

    friend constexpr auto operator<=>(const Hash128&, const Hash128&) = default;

  private:
    static constexpr std::uint64_t mask(unsigned bits) {
        return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    }
};

/// For hashed containers with Hash128 keys. The low half suffices: its bits are already mixed.
struct Hash128Hash {
    [[nodiscard]] std::size_t operator()(const Hash128& hash) const noexcept {
        return static_cast<std::size_t>(hash.low);
    }
};

/// Hashes a sequence of words.
///
///     Hasher hasher;
///     hasher.add(task); hasher.add(domain);
///     Hash128 token = hasher.finish();          // more words may be added afterwards
///
/// Words go to two lanes alternately; one multiplication per word updates three registers:
///
///     low:high  = (lane ^ word) * odd constant
///     lane      = rotate(low)                  for a fixed word a permutation of the lane, and for
///                                              a fixed lane one of the word
///     carry     = rotate(carry) + high
///
/// The lanes are independent, so a word costs half a multiplication's latency. Not secure: an
/// adversary who picks the words can make hashes collide, which costs time but never changes a
/// result.
///
/// Hot path:    3 ns for four words if the next hash does not depend on this one, 6 if it does;
///              bench/base.
/// Complexity:  one 64 x 64 -> 128-bit multiplication per word, three more in finish.
/// Source:      the folded multiplication is that of wyhash (Wang Yi).
class Hasher {
  public:
    constexpr explicit Hasher(std::uint64_t seed = 0)
        : lane_(seed ^ key0), next_lane_(seed + key1) {}

    constexpr void add(std::uint64_t word) {
        const Product product = multiply(lane_ ^ word, odd);
        lane_ = next_lane_;
        next_lane_ = std::rotl(product.low, 32);
        carry_ = std::rotl(carry_, 29) + product.high;
    }

    constexpr void add(const Hash128& hash) {
        add(hash.low);
        add(hash.high);
    }

    [[nodiscard]] constexpr Hash128 finish() const {
        const std::uint64_t first = fold(lane_ ^ key2, next_lane_ ^ key0);
        const std::uint64_t low = fold(carry_ ^ key1, lane_ ^ key3) ^ std::rotl(first, 17);
        const std::uint64_t high = fold(carry_ + next_lane_, first ^ key3) + lane_;
        return {low ^ std::rotl(high, 23), high};
    }

  private:
    struct Product {
        std::uint64_t low;
        std::uint64_t high;
    };
    static constexpr std::uint64_t odd = 0x9fb21c651e98df25U;
    static constexpr std::uint64_t key0 = 0xa0761d6478bd642fU;
    static constexpr std::uint64_t key1 = 0xe7037ed1a0b428dbU;
    static constexpr std::uint64_t key2 = 0x8ebc6af09c88c6e3U;
    static constexpr std::uint64_t key3 = 0x589965cc75374cc3U;

    static constexpr Product multiply(std::uint64_t a, std::uint64_t b) {
        __extension__ using Wide = unsigned __int128;
        const Wide product = static_cast<Wide>(a) * b;
        return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)};
    }
    static constexpr std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
        const Product product = multiply(a, b);
        return product.low ^ product.high;
    }

    std::uint64_t lane_;
    std::uint64_t next_lane_;
    std::uint64_t carry_ = 0;
};

/// Adds one word to a hash that is already mixed; costs half as much as a Hasher.
[[nodiscard]] constexpr Hash128 mix(const Hash128& hash, std::uint64_t word) {
    __extension__ using Wide = unsigned __int128;
    const Wide low = static_cast<Wide>(hash.low ^ word) * 0x9fb21c651e98df25U;
    const Wide high = static_cast<Wide>(hash.high + word) * 0xe7037ed1a0b428dbU;
    return {static_cast<std::uint64_t>(low) ^ static_cast<std::uint64_t>(high >> 64),
            static_cast<std::uint64_t>(high) ^ static_cast<std::uint64_t>(low >> 64)};
}

/// Mixes the bits of one word; a permutation, so different words stay different.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
    return word ^ (word >> 31);
}

}  // namespace refrain::base
