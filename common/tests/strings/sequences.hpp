#pragma once

#include "strings/index.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// Sequences that are hard for string algorithms, and all short sequences.
namespace refrain::strings::testing {

using Sequence = std::vector<Symbol>;

inline Sequence from_text(std::string_view text) {
    return {text.begin(), text.end()};
}

inline std::string to_text(const Sequence& symbols) {
    std::string text;
    for (const Symbol symbol : symbols)
        text += static_cast<char>(symbol < 26 ? 'a' + symbol : symbol);
    return text;
}

/// Calls `use` for each of the alphabet^length sequences over [0, alphabet).
template <class Use>
void for_each_sequence(Symbol alphabet, std::size_t length, Use use) {
    Sequence symbols(length, 0);
    for (;;) {
        use(static_cast<const Sequence&>(symbols));
        std::size_t i = 0;
        while (i < length && ++symbols[i] == alphabet) symbols[i++] = 0;
        if (i == length) return;
    }
}

/// The same for all lengths up to `length_max`.
template <class Use>
void for_each_short_sequence(Symbol alphabet, std::size_t length_max, Use use) {
    for (std::size_t length = 0; length <= length_max; ++length) {
        for_each_sequence(alphabet, length, use);
    }
}

/// abaababaabaab...: the word with the most repeats of different lengths.
inline Sequence fibonacci_word(std::size_t length) {
    Sequence before{1};
    Sequence word{0};
    while (word.size() < length) {
        Sequence longer = word;
        longer.insert(longer.end(), before.begin(), before.end());
        before = std::move(word);
        word = std::move(longer);
    }
    word.resize(length);
    return word;
}

/// abbabaabbaababba...: no substring follows itself twice.
inline Sequence thue_morse_word(std::size_t length) {
    Sequence word(length);
    for (std::size_t i = 0; i < length; ++i) word[i] = __builtin_popcountll(i) & 1;
    return word;
}

/// Each of the 2^order binary words of length `order` exactly once, cyclically: no long repeats.
inline Sequence de_bruijn_word(unsigned order) {
    const std::size_t length = std::size_t{1} << order;
    std::vector<bool> seen(length, false);
    Sequence word;
    std::size_t window = 0;  // prefer a one, the greedy construction of Martin (1934)
    seen[0] = true;
    for (std::size_t i = 0; i < length; ++i) {
        const std::size_t with_one = ((window << 1) | 1) & (length - 1);
        const bool one = !seen[with_one];
        window = one ? with_one : with_one - 1;
        seen[window] = true;
        word.push_back(one ? 1 : 0);
    }
    return word;
}

inline Sequence periodic_word(std::size_t length, Symbol period) {
    Sequence word(length);
    for (std::size_t i = 0; i < length; ++i) word[i] = static_cast<Symbol>(i) % period;
    return word;
}

inline Sequence random_word(std::size_t length, Symbol alphabet, std::uint32_t seed) {
    std::mt19937 generator(seed);
    Sequence word(length);
    for (Symbol& symbol : word) symbol = static_cast<Symbol>(generator() % alphabet);
    return word;
}

/// A loop with noise: period `period`, one symbol in `rarity` replaced by a random one.
inline Sequence noisy_loop(std::size_t length, Symbol period, std::uint32_t rarity,
                           std::uint32_t seed) {
    std::mt19937 generator(seed);
    Sequence word = periodic_word(length, period);
    for (Symbol& symbol : word) {
        if (generator() % rarity == 0) symbol = static_cast<Symbol>(period + generator() % 1000);
    }
    return word;
}

struct NamedSequence {
    std::string name;
    Sequence symbols;
};

/// One sequence of each kind, about `length` long.
inline std::vector<NamedSequence> hard_sequences(std::size_t length) {
    std::vector<NamedSequence> all{
        {"empty", {}},
        {"one symbol", {5}},
        {"equal symbols", Sequence(length, 3)},
        {"fibonacci", fibonacci_word(length)},
        {"thue-morse", thue_morse_word(length)},
        {"noisy loop", noisy_loop(length, 17, 50, 1)},
        {"all different", periodic_word(length, static_cast<Symbol>(length + 1))}};
    for (unsigned order = 1; (std::size_t{1} << order) <= length; ++order) {
        all.push_back({"de bruijn " + std::to_string(order), de_bruijn_word(order)});
    }
    for (Symbol period = 2; period < 12; ++period) {
        all.push_back({"period " + std::to_string(period), periodic_word(length, period)});
    }
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        for (const Symbol alphabet : {2u, 3u, 26u, 4000000000u}) {
            all.push_back({"random " + std::to_string(alphabet) + " seed " + std::to_string(seed),
                           random_word(length, alphabet, seed)});
        }
    }
    return all;
}

}  // namespace refrain::strings::testing
