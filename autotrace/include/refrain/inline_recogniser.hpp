#pragma once

/// Automatic tracing for a runtime that needs no traces: it is enough for it to know of an operation
/// which earlier one stood in the same context.
///
///     program launches   a b c a b c a b c a  ...
///     position           0 1 2 3 4 5 6 7 8 9
///     precedent                0 1 2 3 4 5 6      what was found out for it can be used again,
///     context                  1 2 3 4 5 6 7      as far as it depends on so many operations only
///
/// Nothing is held back, nothing waits for the end of a trace, and nothing runs in the background.
/// refrain/autotrace.hpp has the other way, for runtimes that record and replay complete traces.
///
/// docs/recognisers.md compares the two and proves what is promised here.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace refrain::autotrace {

namespace detail {

class InlineEngine;

/// The descriptions of operations that are remembered, as autotrace/description_log.hpp keeps them.
struct Descriptions {
    /// Further back than any word that is kept.
    static constexpr std::uint64_t nowhere = 0;

    std::uint64_t operation_mask = 0;
    std::uint64_t word_mask = 0;
    std::uint64_t* references = nullptr;  // ring: where an operation's description begins
    std::uint64_t* words = nullptr;       // ring: the number of words, then the words, unbroken
    std::uint64_t end = 0;                // behind the newest word; words are numbered

    [[nodiscard]] bool is_kept(std::uint64_t reference) const {
        return end - reference <= word_mask;
    }
    /// Nothing if the description is not known any more. Valid until the next one is written.
    [[nodiscard]] std::optional<std::span<const std::uint64_t>> at(std::uint64_t position) const {
        const std::uint64_t reference = references[position & operation_mask];
        if (!is_kept(reference)) return std::nullopt;
        const std::uint64_t* description = &words[reference & word_mask];
        return std::span<const std::uint64_t>(description + 1, description[0]);
    }
};

}  // namespace detail

/// An operation that need not be put into words to be compared with others.
template <class D>
concept OperationDescription = requires(const D& d, std::span<const std::uint64_t> words) {
    /// How far it is described by `words`, which are those of an earlier operation:
    /// InlineRecogniser::equal; or the longest context in which the two may count as equal all the
    /// same, themselves included; or nothing, if they never do.
    { d.likeness(words) } -> std::convertible_to<std::optional<std::uint32_t>>;
    /// Its words, if they are needed. Valid until the description is asked again.
    { d.words() } -> std::convertible_to<std::span<const std::uint64_t>>;
};

/// Finds, for each operation as it is launched, an earlier one that stands in the same context: its
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
/// Descriptions. An operation is described by words, any number of them; equal words must mean
/// exchangeable operations. They should not have the names of data in them if these change from one
/// iteration to the next: how many operations ago a thing was last used, and how, names it as well.
///
/// Contexts. The context of an operation and its precedent is how many operations, counted back from
/// these, are equal one by one, themselves included. What was found out for the precedent holds if it
/// depends on no more than that. Hashes find precedents; is_proved compares descriptions, word by
/// word, and as far back as somebody asks.
///
/// Operations that differ in part. What is said of two operations may differ in something that only
/// matters if the context is long enough to hold it: a link to an operation outside. Such an operation
/// does not end a match, but shortens its context to what both have in common; and neither do up to
/// four operations that do not belong there. So a loop is gone on with behind a foreign operation.
///
/// Folded loops. Where a loop has gone on for so long that the longest context agrees, another turn
/// tells nothing new. Its operations get no positions of their own, but have that of their precedent,
/// until the loop is left; then what is over a whole number of turns gets positions after all
/// (Finding::unfolded). No answer depends on it, and a loop leaves the history as it is, however long
/// it lasts.
///
/// Guarantees.
///   - Every precedent is described like its operation, word by word, or alike as far as is_proved
///     says; and it is less than capacity() positions ago.
///   - Answers are a function of what the recogniser was told and asked: no clock, no threads, no
///     randomness.
///   - In a stream u x x x ..., |x| = P, P + context_max at most capacity(): if no operation occurs
///     more than 16 times in x, none share a bucket of the hash table, and no 32 come again within
///     less than P, then from position |u| + P on each operation has a precedent, with a context of
///     min(context_max, n + 1 - |u| - P) at least. Whatever x is, matches of context_max operations
///     are found from |u| + P + 2 context_max on.
///   - Where nothing repeats, looks are seldom, and rests() asks for most operations to be passed
///     over; a loop that begins then is found later by what was passed over.
///
/// Complexity:  an operation that is as expected: one comparison of its description. Another one: its
///              hash, and a look at no more than 66 places where it may have occurred before.
///              23 bytes per operation and 8 per word that are remembered, 5.4 MiB with the defaults,
///              of which words take memory when they are used first. Nothing is allocated after
///              construction.
/// Threads:     one at a time.
/// See:         examples/precedent_host.
class InlineRecogniser {
  public:
    /// Counts operations that were looked at and are not folded, and interruptions.
    using Position = std::uint64_t;
    /// The likeness of operations with equal descriptions.
    static constexpr std::uint32_t equal = ~std::uint32_t{0};

    /// The defaults need no tuning.
    struct Options {
        /// Operations remembered, 16 to 16,777,216.
        unsigned capacity_log2 = 16;
        /// Words of descriptions remembered, 16 or more. One of more than an eighth of them is not
        /// kept, and equals nothing.
        unsigned words_log2 = 19;
        /// Nobody asks for a longer context. A loop is folded after as many operations.
        std::uint32_t context_max = 1025;
        /// Of the hashes; fewer than 32 provoke collisions, which cost time only. For tests.
        unsigned token_bits = 32;
        /// Further turns of a loop take no positions.
        bool fold_loops = true;
    };
    /// Positions first + i, for i < count, that stand where those `distance` before them do.
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
        bool is_equal = true;    ///< to the precedent; else only alike, in contexts that are short
        std::uint64_t loop = 0;  ///< operations of a turn of the folded loop it is in; 0: in none
        Turn unfolded{};         ///< what is before it and gets positions only now
    };
    /// Counts since construction.
    struct Statistics {
        std::uint64_t operations = 0;  ///< looked at
        std::uint64_t predicted = 0;   ///< that were as expected
        std::uint64_t found = 0;       ///< that were not, but had a precedent all the same
        std::uint64_t alike = 0;       ///< that had one which is equal in part
        std::uint64_t collisions = 0;  ///< equal hashes, but another description, or one forgotten
    };

    /// Errors: std::invalid_argument that names the option, its value and the way out.
    explicit InlineRecogniser(const Options& options);
    InlineRecogniser(const InlineRecogniser&) = delete;
    InlineRecogniser& operator=(const InlineRecogniser&) = delete;
    InlineRecogniser(InlineRecogniser&&) = delete;
    InlineRecogniser& operator=(InlineRecogniser&&) = delete;
    ~InlineRecogniser();

    /// Looks at the next operation.
    Finding operation(std::span<const std::uint64_t> words);
    /// The same for one that is compared before it is put into words. What the description throws is
    /// passed on, and the operation was not looked at.
    template <OperationDescription D>
    Finding look(const D& description);
    /// In a folded loop, where the operation that is expected next stands; else nothing.
    [[nodiscard]] std::optional<Position> expected_in_loop() const {
        if (outlook_.loop == 0) return std::nullopt;
        return outlook_.expected;
    }
    /// The next operation is the one expected in the folded loop that there is: the caller knows that
    /// its description is the same, word by word.
    Finding go_round();
    /// Whether the newest `count` operations equal as many up to the precedent of the newest one, by
    /// comparison, so far as they may count as equal. False if that has no precedent; not asked for
    /// more than context_max.
    [[nodiscard]] bool is_proved(std::uint32_t count);
    /// Operations follow that are not looked at; no context spans them. Returns what is before them
    /// and gets positions only now.
    Turn interrupt();

    /// Whether the next operation is to be passed over: for long, nothing has repeated. It may be
    /// looked at all the same.
    [[nodiscard]] bool rests() const;
    /// It is passed over: only if rests(). No context spans it.
    void pass();

    /// As if all so far had repeated: none is passed over because they did not.
    void awaken();

    /// Forgets all operations: words mean something else from now on. Positions begin from 0.
    void clear();

    /// How the operation at `position`, one before end(), was described; nothing if that is not known
    /// any more. Valid until the next operation.
    [[nodiscard]] std::optional<std::span<const std::uint64_t>> description(
        Position position) const {
        if (outlook_.end - position > capacity()) return std::nullopt;
        return outlook_.descriptions.at(position);
    }

    /// Positions given so far.
    [[nodiscard]] Position end() const;
    /// Operations remembered: a power of two.
    [[nodiscard]] std::size_t capacity() const;
    [[nodiscard]] const Statistics& statistics() const;
    /// Of what finds precedents, and of the descriptions, the latter if all were used.
    [[nodiscard]] std::size_t matcher_bytes() const;
    [[nodiscard]] std::size_t description_bytes() const;
    /// Of the descriptions, what was used so far.
    [[nodiscard]] std::size_t description_bytes_used() const;

  private:
    friend class detail::InlineEngine;
    /// What is expected to come next; all that a look needs that is not disappointed, in one place.
    struct Outlook {
        detail::Descriptions descriptions{};
        /// Equals the next operation, as it seems; where it is not described, nothing does.
        Position expected = 0;
        Position end = 0;           // positions given
        std::uint64_t loop = 0;     // operations of a turn of the folded loop; 0: nothing is folded
        std::uint32_t proved = 0;   // operations that were compared, the newest included
        bool is_next = false;       // what is expected is behind the newest operation's precedent
        bool refuted = false;       // the operation before those that are proved differs
        bool is_passing = false;    // some of those to be passed over were
        std::uint64_t to_pass = 0;  // operations
        Turn unfolded{};            // before the newest operation, unless that was as expected
        Statistics statistics{};

        /// In a folded loop the next operation is as expected.
        Position turn_on() {
            ++statistics.operations;
            ++statistics.predicted;
            const Position precedent = expected;
            if (++expected == end) expected -= loop;
            return precedent;
        }
    };

    // These take and return plain numbers: what passes through memory there does so everywhere.
    static constexpr std::int64_t unlike = -1;
    static constexpr Position none = ~Position{0};
    Position go_on();
    Position look_elsewhere(std::span<const std::uint64_t> words, std::int64_t likeness);
    [[nodiscard]] bool prove(std::uint32_t count);
    void begin_to_pass();

    Outlook outlook_;
    std::unique_ptr<detail::InlineEngine> engine_;
};

/// Throws std::invalid_argument that names the option, its value and the way out.
void validate(const InlineRecogniser::Options& options);

template <OperationDescription D>
InlineRecogniser::Finding InlineRecogniser::look(const D& description) {
    Finding finding;  // one for all ways out, so that it need not lie in memory
    std::int64_t known = unlike;
    if (const auto words = outlook_.descriptions.at(outlook_.expected)) {
        const std::optional<std::uint32_t> likeness = description.likeness(*words);
        if (likeness == equal && outlook_.is_next) {
            finding.loop = outlook_.loop;
            finding.position = finding.loop != 0 ? outlook_.expected : outlook_.end;
            finding.precedent = finding.loop != 0 ? outlook_.turn_on() : go_on();
            return finding;
        }
        if (likeness) known = *likeness;
    }
    const Position found = look_elsewhere(description.words(), known);
    finding.position = outlook_.end - 1;
    if (found != none) finding.precedent = found;
    finding.is_equal = !outlook_.refuted;
    finding.unfolded = outlook_.unfolded;
    return finding;
}

inline InlineRecogniser::Finding InlineRecogniser::go_round() {
    Finding finding;
    finding.loop = outlook_.loop;
    finding.position = outlook_.expected;
    finding.precedent = outlook_.turn_on();
    return finding;
}

inline bool InlineRecogniser::is_proved(std::uint32_t count) {
    return count <= outlook_.proved || prove(count);
}

inline bool InlineRecogniser::rests() const {
    return outlook_.to_pass != 0;
}

inline void InlineRecogniser::pass() {
    if (!outlook_.is_passing) begin_to_pass();
    --outlook_.to_pass;
}

inline InlineRecogniser::Position InlineRecogniser::end() const {
    return outlook_.end;
}

inline const InlineRecogniser::Statistics& InlineRecogniser::statistics() const {
    return outlook_.statistics;
}

}  // namespace refrain::autotrace
