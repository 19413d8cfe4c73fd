#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace refrain::base {

/// 128 bits that stand for a sequence of words until a comparison proves that they do.
struct Hash128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    /// The lowest `bits` bits only, 0 to 128: tests squeeze hashes until they collide.
    [[nodiscard]] constexpr Hash128 truncated(unsigned bits) const {
        return {low & mask(bits), bits > 64 ? high & mask(bits - 64) : 0};
    }

    friend constexpr auto operator<=>(const Hash128&, const Hash128&) = default;

  private:
    static constexpr std::uint64_t mask(unsigned bits) {
        return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    }
};

/// Lets a Hash128 be the key of a hashed container; its bits are already mixed.
struct Hash128Hash {
    [[nodiscard]] std::size_t operator()(const Hash128& hash) const noexcept {
        return static_cast<std::size_t>(hash.low);
    }
};

/// Hashes a sequence of words.
///
///     Hasher hasher;
///     hasher.add(task); hasher.add(domain);
///     Hash128 token = hasher.finish();          // the hasher may take more words afterwards
///
/// Two lanes take the words in turn, and one multiplication per word feeds three registers:
///
///     low:high  = (lane ^ word) * odd constant
///     lane      = rotate(low)                  a permutation of the lane for each word, and of the
///                                              word for each lane
///     carry     = rotate(carry) + high
///
/// The lanes do not wait for each other, so that a word costs half a multiplication's latency. Not
/// for adversaries: who picks the words can make hashes collide, which costs time and never a
/// result.
///
/// Hot path:    3 ns for four words where the next hash need not wait for this one, 6 where it
///              must; bench/base.
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

/// A hash that is mixed already and one word more: half of what a Hasher costs.
[[nodiscard]] constexpr Hash128 mix(const Hash128& hash, std::uint64_t word) {
    __extension__ using Wide = unsigned __int128;
    const Wide low = static_cast<Wide>(hash.low ^ word) * 0x9fb21c651e98df25U;
    const Wide high = static_cast<Wide>(hash.high + word) * 0xe7037ed1a0b428dbU;
    return {static_cast<std::uint64_t>(low) ^ static_cast<std::uint64_t>(high >> 64),
            static_cast<std::uint64_t>(high) ^ static_cast<std::uint64_t>(low >> 64)};
}

/// Spreads one word over 64 bits; a permutation, so that different words stay different.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
    return word ^ (word >> 31);
}

}  // namespace refrain::base
