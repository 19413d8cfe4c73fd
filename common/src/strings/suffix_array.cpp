#include "strings/suffix_array.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace refrain::strings {
namespace {

constexpr Index vacant = -1;

constexpr std::size_t words_for(Index bits) {
    return (static_cast<std::size_t>(bits) + 63) / 64;
}

/// Memory for one level of the recursion, which uses the front of each array and passes the rest to
/// the level below. A level has at most half as many symbols as the one above, so twice the needs
/// of the first level suffice for all.
struct Workspace {
    std::span<std::uint64_t> type_words;
    std::span<Index> buckets;
};

/// Sorts the suffixes of one sequence by induced sorting.
///
/// A suffix is of type S if it is smaller than the one that starts one symbol later, else of type
/// L; a position is LMS if it is S and its left neighbour is L. Once the LMS suffixes are sorted,
/// one scan upwards puts all L suffixes in their places and one scan downwards all S suffixes. The
/// same two scans, started from unsorted LMS suffixes, sort the substrings between LMS positions;
/// these are named by their ranks, and the sequence of names, at most half as long, is sorted
/// recursively.
///
///   position  0 1 2 3 4 5        symbols [0, n) over [0, alphabet); the end counts as a symbol
///   symbol    b a n a n a        smaller than all others, so the last suffix is of type L
///   type      L S L S L L
///   LMS         *   *
template <class Letter>
class InducedSorter {
  public:
    InducedSorter(std::span<const Letter> symbols, Index alphabet, std::span<Index> suffixes,
                  Workspace workspace)
        : symbols_(symbols),
          suffixes_(suffixes),
          n_(static_cast<Index>(symbols.size())),
          type_s_(workspace.type_words.first(words_for(n_))),
          bucket_ends_(workspace.buckets.first(alphabet)),
          cursors_(workspace.buckets.subspan(alphabet, alphabet)),
          below_{workspace.type_words.subspan(words_for(n_)),
                 workspace.buckets.subspan(2 * static_cast<std::size_t>(alphabet))} {}

    void sort() {
        classify();
        measure_buckets();
        scatter_lms_by_first_symbol();
        induce();
        const Index lms_count = collect_sorted_lms();
        if (lms_count > 1) sort_lms_suffixes(lms_count);
        scatter_sorted_lms(lms_count);
        induce();
    }

  private:
    [[nodiscard]] bool is_s(Index i) const { return (type_s_[i >> 6] >> (i & 63)) & 1; }
    [[nodiscard]] bool is_lms(Index i) const { return i > 0 && is_s(i) && !is_s(i - 1); }

    void classify() {
        std::fill(type_s_.begin(), type_s_.end(), 0);
        bool right_is_s = false;
        for (Index i = n_ - 2; i >= 0; --i) {
            right_is_s =
                symbols_[i] < symbols_[i + 1] || (symbols_[i] == symbols_[i + 1] && right_is_s);
            if (right_is_s) type_s_[i >> 6] |= std::uint64_t{1} << (i & 63);
        }
    }

    void measure_buckets() {
        std::fill(bucket_ends_.begin(), bucket_ends_.end(), 0);
        for (const Letter symbol : symbols_) ++bucket_ends_[symbol];
        Index end = 0;
        for (Index& bucket : bucket_ends_) bucket = end += bucket;
    }

    void cursors_to_ends() {
        std::copy(bucket_ends_.begin(), bucket_ends_.end(), cursors_.begin());
    }

    void cursors_to_begins() {
        Index begin = 0;
        for (std::size_t symbol = 0; symbol < bucket_ends_.size(); ++symbol) {
            cursors_[symbol] = begin;
            begin = bucket_ends_[symbol];
        }
    }

    void scatter_lms_by_first_symbol() {
        std::fill(suffixes_.begin(), suffixes_.end(), vacant);
        cursors_to_ends();
        for (Index i = n_ - 1; i > 0; --i) {
            if (is_lms(i)) suffixes_[--cursors_[symbols_[i]]] = i;
        }
    }

    /// Places all suffixes, given the LMS ones in order at the ends of their buckets. The downward
    /// scan also rewrites the LMS entries: each is induced by the suffix to its right.
    void induce() {
        cursors_to_begins();
        suffixes_[cursors_[symbols_[n_ - 1]]++] = n_ - 1;  // induced by the end of the sequence
        for (Index i = 0; i < n_; ++i) {
            const Index left = suffixes_[i] - 1;
            if (left >= 0 && !is_s(left)) suffixes_[cursors_[symbols_[left]]++] = left;
        }
        cursors_to_ends();
        for (Index i = n_ - 1; i >= 0; --i) {
            const Index left = suffixes_[i] - 1;
            if (left >= 0 && is_s(left)) suffixes_[--cursors_[symbols_[left]]] = left;
        }
    }

    /// Moves the LMS positions to the front without reordering them; returns their number.
    Index collect_sorted_lms() {
        Index count = 0;
        for (Index i = 0; i < n_; ++i) {
            if (is_lms(suffixes_[i])) suffixes_[count++] = suffixes_[i];
        }
        return count;
    }

    /// Layout of `suffixes_` here: LMS positions in [0, count), the sequence of names in
    /// [n - count, n). Since LMS positions are at least two apart, count <= n / 2.
    void sort_lms_suffixes(Index count) {
        const std::span<Index> order = suffixes_.first(count);
        const Index names = name_lms_substrings(order);
        const std::span<Index> name_sequence = compact_names(count);
        if (names < count) {
            InducedSorter<Index>(name_sequence, names, order, below_).sort();
        } else {
            for (Index i = 0; i < count; ++i) order[name_sequence[i]] = i;
        }
        std::span<Index> positions = name_sequence;  // the names are no longer needed
        Index next = 0;
        for (Index i = 1; i < n_; ++i) {
            if (is_lms(i)) positions[next++] = i;
        }
        for (Index& entry : order) entry = positions[entry];
    }

    /// Writes the name of the LMS substring at position p to order.size() + p / 2.
    Index name_lms_substrings(std::span<const Index> order) {
        const Index count = static_cast<Index>(order.size());
        std::fill(suffixes_.begin() + count, suffixes_.end(), vacant);
        Index names = 0;
        for (Index i = 0; i < count; ++i) {
            if (i == 0 || !equal_lms_substrings(order[i - 1], order[i])) ++names;
            suffixes_[count + order[i] / 2] = names - 1;
        }
        return names;
    }

    [[nodiscard]] bool equal_lms_substrings(Index a, Index b) const {
        for (Index offset = 0;; ++offset) {
            if (a + offset == n_ || b + offset == n_) return false;  // only one reaches the end
            if (symbols_[a + offset] != symbols_[b + offset]) return false;
            if (is_s(a + offset) != is_s(b + offset)) return false;
            if (offset > 0 && is_lms(a + offset)) return true;
        }
    }

    std::span<Index> compact_names(Index count) {
        Index next = n_;
        for (Index i = n_ - 1; i >= count; --i) {
            if (suffixes_[i] != vacant) suffixes_[--next] = suffixes_[i];
        }
        REFRAIN_ASSERT(next == n_ - count, "every LMS substring has one name");
        return suffixes_.subspan(next);
    }

    void scatter_sorted_lms(Index count) {
        std::fill(suffixes_.begin() + count, suffixes_.end(), vacant);
        cursors_to_ends();
        for (Index i = count - 1; i >= 0; --i) {
            const Index position = suffixes_[i];
            suffixes_[i] = vacant;
            suffixes_[--cursors_[symbols_[position]]] = position;
        }
    }

    std::span<const Letter> symbols_;
    std::span<Index> suffixes_;
    Index n_;
    std::span<std::uint64_t> type_s_;
    std::span<Index> bucket_ends_;
    std::span<Index> cursors_;
    Workspace below_;
};

}  // namespace

std::span<const Index> SuffixArrayBuilder::build(std::span<const Symbol> symbols) {
    const std::size_t n = symbols.size();
    if (n > static_cast<std::size_t>(sequence_length_max)) {
        throw std::length_error("suffix_array: argument 'symbols' has " + std::to_string(n) +
                                " entries, more than the " + std::to_string(sequence_length_max) +
                                " that an Index can address; split the sequence");
    }
    suffixes_.resize(n);
    if (n == 0) return suffixes_;
    std::size_t alphabet = std::size_t{*std::max_element(symbols.begin(), symbols.end())} + 1;
    if (alphabet > 2 * n + 256) {  // buckets would cost more than the sequence
        symbols = compressor_.compress(symbols);
        alphabet = compressor_.distinct();
    }
    // Levels below the first have at most n/2, n/4, ... symbols and no larger alphabets: at most n
    // symbols in total.
    type_words_.resize(2 * words_for(static_cast<Index>(n)) + 64);
    buckets_.resize(2 * (alphabet + n));
    InducedSorter<Symbol>(symbols, static_cast<Index>(alphabet), suffixes_, {type_words_, buckets_})
        .sort();
    return suffixes_;
}

std::size_t SuffixArrayBuilder::memory_bytes() const {
    return compressor_.memory_bytes() + suffixes_.capacity() * sizeof(Index) +
           type_words_.capacity() * sizeof(std::uint64_t) + buckets_.capacity() * sizeof(Index);
}

std::vector<Index> suffix_array(std::span<const Symbol> symbols) {
    SuffixArrayBuilder builder;
    const std::span<const Index> suffixes = builder.build(symbols);
    return {suffixes.begin(), suffixes.end()};
}

}  // namespace refrain::strings
