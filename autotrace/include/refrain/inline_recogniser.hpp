#pragma once

/// Automatic tracing one operation at a time: finds for each operation an earlier one in the same
/// context, whose results the runtime can reuse. There are no traces to begin or end.
///
///     program launches   a b c a b c a b c a  ...
///     position           0 1 2 3 4 5 6 7 8 9
///     precedent                0 1 2 3 4 5 6      its results are valid here too if they depend
///     context                  1 2 3 4 5 6 7      on at most this many operations
///
/// No operation is held back, and nothing runs in the background. For runtimes that record and
/// replay complete traces there is refrain/autotrace.hpp.
///
/// autotrace/docs/recognisers.md compares the two and proves the guarantees stated here.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace refrain::autotrace {

namespace detail {

class InlineEngine;

/// The storage of DescriptionLog (autotrace/description_log.hpp), which look() reads inline.
struct Descriptions {
    /// Refers to no kept word.
    static constexpr std::uint64_t no_reference = 0;

    std::uint64_t operation_mask = 0;
    std::uint64_t word_mask = 0;
    std::uint64_t* references =
        nullptr;                     // ring, by position: number of the description's first word
    std::uint64_t* words = nullptr;  // ring, by word number: count, then the words, contiguous
    std::uint64_t end = 0;           // number of the next word

    [[nodiscard]] bool is_kept(std::uint64_t reference) const {
        return end - reference <= word_mask;
    }
    /// The description of an operation, if it is still kept. Valid until the next one is written.
    [[nodiscard]] std::optional<std::span<const std::uint64_t>> at(std::uint64_t position) const {
        const std::uint64_t reference = references[position & operation_mask];
        if (!is_kept(reference)) return std::nullopt;
        const std::uint64_t* description = &words[reference & word_mask];
        return std::span<const std::uint64_t>(description + 1, description[0]);
    }
};

}  // namespace detail

/// An operation that can be compared with the words of another without producing its own.
template <class D>
concept OperationDescription = requires(const D& d, std::span<const std::uint64_t> words) {
    /// Compares with the words of an earlier operation. InlineRecogniser::equal if they describe
    /// this operation too; otherwise the longest context, both operations included, in which the
    /// two count as equal; nothing if they never do.
    { d.likeness(words) } -> std::convertible_to<std::optional<std::uint32_t>>;
    /// The words of the operation. Valid until the next call.
    { d.words() } -> std::convertible_to<std::span<const std::uint64_t>>;
};

/// Finds, for each operation as it is launched, an earlier one in the same context: its
/// *precedent*.
///
///     InlineRecogniser recogniser({});
///     std::vector<Memo> memos(recogniser.capacity());           // of the operation at each position
///     const auto memo = [&](auto position) -> Memo& { return memos[position % memos.size()]; };
///     for (const Launch& launch : program) {                    // for each launch
///         const auto found = recogniser.operation(words_of(launch));
///         found.unfolded.repeat_in(memos);                      // before anything else
///         const bool known = found.precedent && recogniser.is_proved(5);
///         memo(found.position) = known ? memo(*found.precedent) : find_out(launch);
///     }
///
/// Descriptions. An operation is described by any number of words; operations with equal words must
/// be exchangeable. Words should not contain names of data that change from one iteration to the
/// next; use instead how many operations ago the data were last used, and how.
///
/// Contexts. The context of an operation and its precedent is the number of operations, counted
/// back from these two and including them, that are equal pair by pair. Results of the precedent
/// hold for the operation if they depend on no more operations than that. The recogniser finds
/// precedents by hash; is_proved() compares descriptions word by word, as far back as the caller
/// asks.
///
/// Partial matches. Two operations may differ only in something that matters in a long context,
/// such as a link to an operation further back. Such an operation does not end a match; it shortens
/// the context to one in which the two count as equal. A match also survives up to four intervening
/// operations, so a loop continues after a foreign operation.
///
/// Folded loops. Once a loop has lasted for the longest context, further iterations bring nothing
/// new. Their operations get no positions of their own; each has the position of its precedent.
/// When the loop ends, the operations of the last, incomplete iteration get positions after all
/// (Finding::unfolded). A loop of any duration displaces nothing from the history. Folding changes
/// no answer; but where loops are nested, the precedent may be another one in an equal context.
///
/// Guarantees.
///   - Every precedent has the same words as its operation, or is a partial match within the
///     contexts that is_proved() confirms; and it is less than capacity() positions ago.
///   - Answers are a function of the calls alone: no clock, no threads, no randomness.
///   - In a stream u x x x ..., |x| = P, P + context_max at most capacity(): if no operation occurs
///     more than 16 times in x, none share a bucket of the hash table, and no 32 operations repeat
///     at a distance of less than P, then each operation from position n = |u| + P on has a
///     precedent with a context of at least min(context_max, n + 1 - |u| - P). For any x, matches
///     of context_max operations are found from |u| + P + 2 context_max on.
///   - Where nothing repeats, the recogniser searches rarely, and backing_off() asks the caller to
///     skip most operations; a loop that begins then is found later by the number of skipped ones.
///
/// Complexity:  a predicted operation: one comparison of its description. Another one: its hash,
///              and at most 66 places where it may have occurred before. 23 bytes per remembered
///              operation and 8 per word, 5.4 MiB with the defaults; pages of words are touched on
///              first use. Nothing is allocated after construction.
/// Threads:     one at a time.
/// See:         examples/precedent_host.
class InlineRecogniser {
  public:
    /// Index of an operation. Folded and skipped operations have none; an interruption takes one.
    using Position = std::uint64_t;
    /// The likeness of operations with equal descriptions.
    static constexpr std::uint32_t equal = ~std::uint32_t{0};

    /// The defaults need no tuning.
    struct Options {
        /// Operations remembered, 16 to 16,777,216.
        unsigned capacity_log2 = 16;
        /// Words of descriptions remembered, 16 or more. A description with more than an eighth of
        /// them is not kept, and equals no other.
        unsigned words_log2 = 19;
        /// The longest context that is_proved() may be asked for. A loop is folded after as many
        /// operations; a longer one after another turn, while an inner loop is looked for.
        std::uint32_t context_max = 1025;
        /// Bits of the hashes. Tests use fewer than 32 to provoke collisions, which only cost time.
        unsigned token_bits = 32;
        /// Further iterations of a loop take no positions.
        bool fold_loops = true;
    };
    /// New positions [first, first + count) of operations that were folded: each equals the
    /// operation at `distance` positions before it.
    struct Turn {
        Position first = 0;
        std::uint64_t count = 0;
        std::uint64_t distance = 0;

        /// Copies what a host notes of operations to these positions. `notes` is a ring of at least
        /// capacity() elements: that of a position is notes[position % notes.size()].
        template <class Notes>
        void repeat_in(Notes& notes) const {
            for (std::uint64_t i = 0; i < count; ++i)
                notes[(first + i) % notes.size()] = notes[(first + i - distance) % notes.size()];
        }
    };
    struct Finding {
        Position position = 0;  ///< of the operation; in a folded loop, of its precedent
        std::optional<Position> precedent{};  ///< less than capacity() before `position`
        bool is_equal = true;    ///< the words equal those of the precedent; else a partial match
        std::uint64_t loop = 0;  ///< iteration length of the folded loop around it; 0: none
        Turn unfolded{};         ///< earlier operations that get positions only now
    };
    /// Counts since construction.
    struct Statistics {
        std::uint64_t operations = 0;  ///< not skipped
        std::uint64_t predicted = 0;   ///< equal to the expected operation
        std::uint64_t found = 0;       ///< unexpected, but with a precedent found by hash
        std::uint64_t alike = 0;       ///< partial matches
        std::uint64_t collisions = 0;  ///< equal hashes of different or forgotten descriptions
    };

    /// Errors: std::invalid_argument that names the option, its value and the way out.
    explicit InlineRecogniser(const Options& options);
    InlineRecogniser(const InlineRecogniser&) = delete;
    InlineRecogniser& operator=(const InlineRecogniser&) = delete;
    InlineRecogniser(InlineRecogniser&&) = delete;
    InlineRecogniser& operator=(InlineRecogniser&&) = delete;
    ~InlineRecogniser();

    /// Finds the precedent of the next operation.
    Finding operation(std::span<const std::uint64_t> words);
    /// The same for an operation that is compared before its words are produced. An exception of
    /// the description is passed on; the operation then does not count.
    template <OperationDescription D>
    Finding look(const D& description);
    /// The iteration length of the folded loop that goes on; 0: none does.
    [[nodiscard]] std::uint64_t loop_length() const { return state_.loop; }
    /// In a folded loop, the position of the operation expected next; otherwise nothing.
    [[nodiscard]] std::optional<Position> expected_in_loop() const {
        if (state_.loop == 0) return std::nullopt;
        return state_.expected;
    }
    /// In a folded loop only: the next operation is the expected one. The caller guarantees that
    /// its words are equal.
    Finding advance_in_loop();
    /// Whether the newest `count` operations equal as many up to the precedent of the newest one.
    /// Compares descriptions; partial matches count as equal in the contexts they allow. False
    /// without a precedent. `count` is at most context_max.
    [[nodiscard]] bool is_proved(std::uint32_t count);
    /// Call before operations that the recogniser does not see; no context spans them. Returns
    /// earlier operations that get positions only now.
    Turn interrupt();

    /// True while repeats are too rare: the caller should skip the next operation, but need not.
    [[nodiscard]] bool backing_off() const;
    /// Skips the next operation; only if backing_off(). No context spans it.
    void skip();

    /// How many of the newest operations had too few repeats among them: in each round of 1024, and
    /// in the present one so far, fewer than one in eight had a context of at least five.
    [[nodiscard]] std::uint64_t fruitless() const;
    /// Searches for each operation again: there is a reason to expect repeats.
    void end_backoff();

    /// Former names.
    [[deprecated("use backing_off()")]] [[nodiscard]] bool rests() const { return backing_off(); }
    [[deprecated("use skip()")]] void pass() { skip(); }
    [[deprecated("use advance_in_loop()")]] Finding go_round() { return advance_in_loop(); }

    /// Forgets all operations, for example because words change their meaning. Positions restart at
    /// 0.
    void clear();

    /// The words of the operation at `position` < end(), if they are still kept. Valid until the
    /// next operation.
    [[nodiscard]] std::optional<std::span<const std::uint64_t>> description(
        Position position) const {
        if (state_.end - position > capacity()) return std::nullopt;
        return state_.descriptions.at(position);
    }

    /// The next position.
    [[nodiscard]] Position end() const;
    /// Operations remembered: a power of two.
    [[nodiscard]] std::size_t capacity() const;
    [[nodiscard]] const Statistics& statistics() const;
    /// Memory for finding precedents.
    [[nodiscard]] std::size_t matcher_bytes() const;
    /// Memory for descriptions: reserved, and touched so far.
    [[nodiscard]] std::size_t description_bytes() const;
    [[nodiscard]] std::size_t description_bytes_used() const;

  private:
    friend class detail::InlineEngine;
    /// All that look() reads when the prediction holds, in one place.
    struct FastState {
        detail::Descriptions descriptions{};
        /// The position that the next operation is expected to equal; one without a description if
        /// nothing is expected.
        Position expected = 0;
        Position end = 0;           // the next position
        std::uint64_t loop = 0;     // iteration length of the folded loop; 0: none is folded
        std::uint32_t proved = 0;   // newest operations that were compared and are equal
        bool is_predicted = false;  // `expected` follows the newest operation's precedent
        bool refuted = false;       // the operation before the proved ones differs
        bool is_skipping = false;   // the interruption before the skipped operations is made
        std::uint64_t to_skip = 0;  // operations
        Turn unfolded{};            // set by search(): earlier operations with new positions
        Statistics statistics{};

        /// The next operation of the folded loop is the expected one. Returns its precedent.
        Position advance_in_loop() {
            ++statistics.operations;
            ++statistics.predicted;
            const Position precedent = expected;
            if (++expected == end) expected -= loop;
            return precedent;
        }
    };

    // Plain numbers instead of optionals: an optional that is returned through memory here would
    // force the caller of look() to keep the Finding in memory, too.
    static constexpr std::int64_t unlike = -1;
    static constexpr Position none = ~Position{0};
    Position advance();
    Position search(std::span<const std::uint64_t> words, std::int64_t likeness);
    [[nodiscard]] bool prove(std::uint32_t count);
    void begin_skipping();

    FastState state_;
    std::unique_ptr<detail::InlineEngine> engine_;
};

/// Throws std::invalid_argument that names the option, its value and the way out.
void validate(const InlineRecogniser::Options& options);

template <OperationDescription D>
InlineRecogniser::Finding InlineRecogniser::look(const D& description) {
    Finding finding;  // a single result object, so that it can stay in registers
    std::int64_t known = unlike;
    if (const auto words = state_.descriptions.at(state_.expected)) {
        const std::optional<std::uint32_t> likeness = description.likeness(*words);
        if (likeness == equal && state_.is_predicted) {
            finding.loop = state_.loop;
            finding.position = finding.loop != 0 ? state_.expected : state_.end;
            finding.precedent = finding.loop != 0 ? state_.advance_in_loop() : advance();
            return finding;
        }
        if (likeness) known = *likeness;
    }
    const Position found = search(description.words(), known);
    finding.position = state_.end - 1;
    if (found != none) finding.precedent = found;
    finding.is_equal = !state_.refuted;
    finding.unfolded = state_.unfolded;
    return finding;
}

inline InlineRecogniser::Finding InlineRecogniser::advance_in_loop() {
    Finding finding;
    finding.loop = state_.loop;
    finding.position = state_.expected;
    finding.precedent = state_.advance_in_loop();
    return finding;
}

inline bool InlineRecogniser::is_proved(std::uint32_t count) {
    return count <= state_.proved || prove(count);
}

inline bool InlineRecogniser::backing_off() const {
    return state_.to_skip != 0;
}

inline void InlineRecogniser::skip() {
    if (!state_.is_skipping) begin_skipping();
    --state_.to_skip;
}

inline InlineRecogniser::Position InlineRecogniser::end() const {
    return state_.end;
}

inline const InlineRecogniser::Statistics& InlineRecogniser::statistics() const {
    return state_.statistics;
}

}  // namespace refrain::autotrace
