#include "autotrace/streams.hpp"
#include "autotrace/watched_recogniser.hpp"
#include "refrain/inline_recogniser.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <vector>

namespace refrain::autotrace::testing::folded_loops_test {
namespace {

/// A recogniser that folds loops, all operations, and the operation of each position.
class Folding {
  public:
    explicit Folding(const InlineOptions& options) : options_(options), recogniser_(options) {}

    /// Checks the finding of the next operation; returns whether it has a precedent.
    bool operation(std::uint64_t word) {
        const Words words{word};
        all_.emplace_back(words);
        const auto found = recogniser_.operation(words);
        follow(found.unfolded);
        EXPECT_EQ(found.loop != 0, found.position < at_.size());
        if (found.loop != 0) ++folded_;
        at_.resize(std::max<std::size_t>(at_.size(), found.position + 1));
        const std::uint64_t of_precedent = found.precedent ? at_[*found.precedent] : 0;
        at_[found.position] = all_.size() - 1;
        if (found.precedent) expect_truth(of_precedent);
        return found.precedent.has_value();
    }
    void interrupt() {
        follow(recogniser_.interrupt());
        all_.emplace_back(std::nullopt);
        at_.resize(recogniser_.end());
    }
    [[nodiscard]] bool is_proved(std::uint32_t count) { return recogniser_.is_proved(count); }
    [[nodiscard]] std::uint64_t folded() const { return folded_; }
    [[nodiscard]] InlinePosition end() const { return recogniser_.end(); }

  private:
    /// New positions get the operations one iteration before them.
    void follow(const InlineRecogniser::Turn& turn) {
        ASSERT_EQ(turn.count == 0 ? at_.size() : turn.first, at_.size());
        for (std::uint64_t i = 0; i < turn.count; ++i) {
            const std::uint64_t here = at_[turn.first + i - turn.distance];
            at_.push_back(here);
        }
    }
    void expect_truth(std::uint64_t precedent) {
        const std::uint64_t now = all_.size() - 1;
        for (std::uint32_t i = 0; i < options_.context_max && recogniser_.is_proved(i + 1); ++i) {
            ASSERT_LE(i, precedent);
            ASSERT_TRUE(all_[now - i]) << "interrupted";
            ASSERT_EQ(all_[now - i], all_[precedent - i]) << i << " before " << now;
        }
    }

    InlineOptions options_;
    InlineRecogniser recogniser_;
    std::vector<std::optional<Words>> all_;
    std::vector<std::uint64_t> at_;  // by position: an operation
    std::uint64_t folded_ = 0;
};

TEST(FoldedLoops, findings_inside_and_after_a_folded_loop_are_true) {
    for (const unsigned token_bits : {2u, 32u})
        for (unsigned seed = 1; seed <= 40; ++seed) {
            SCOPED_TRACE(::testing::Message() << token_bits << " bits, seed " << seed);
            Folding folding({.capacity_log2 = 6,
                             .words_log2 = 10,
                             .context_max = 12,
                             .token_bits = token_bits});
            leave_loops_at_random(
                seed, [&](std::uint64_t word) { folding.operation(word); },
                [&] { folding.interrupt(); });
            if (HasFailure()) return;
            EXPECT_GT(folding.folded(), 500u);
        }
}

/// An inner loop takes 64 operations and a turn to be found, so the history is longer here.
TEST(FoldedLoops, findings_inside_and_after_nested_loops_are_true) {
    for (const unsigned token_bits : {2u, 32u})
        for (unsigned seed = 1; seed <= 20; ++seed) {
            SCOPED_TRACE(::testing::Message() << token_bits << " bits, seed " << seed);
            Folding folding({.capacity_log2 = 10,
                             .words_log2 = 12,
                             .context_max = 12,
                             .token_bits = token_bits});
            nest_loops_at_random(
                seed, [&](std::uint64_t word) { folding.operation(word); },
                [&] { folding.interrupt(); });
            if (HasFailure()) return;
            EXPECT_GT(folding.folded(), 500u);
        }
}

TEST(FoldedLoops, folding_changes_no_answer) {
    const InlineOptions roomy{.capacity_log2 = 14, .words_log2 = 14, .context_max = 12};
    for (unsigned seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed);
        Folding folding(roomy);
        InlineRecogniser plain(unfolded(roomy));
        std::uint64_t answers = 0, different = 0;
        leave_loops_at_random(
            seed,
            [&](std::uint64_t word) {
                const bool has_precedent = folding.operation(word);
                ++answers;
                if (plain.operation(Words{word}).precedent.has_value() != has_precedent)
                    ++different;
                else if (has_precedent && plain.is_proved(5) != folding.is_proved(5))
                    ++different;
            },
            [&] {
                folding.interrupt();
                plain.interrupt();
            });
        EXPECT_EQ(different, 0u) << "of " << answers;
        if (HasFailure()) return;
    }
}

/// Counts the operations of folded loops, and asks for no context: that would fold loops earlier.
class Counting {
  public:
    explicit Counting(const InlineOptions& options) : recogniser_(options) {}

    void operations(const std::vector<std::uint64_t>& words) {
        for (const std::uint64_t word : words) {
            const auto found = recogniser_.operation(Words{word});
            if (found.loop == 0 || found.loop != loop_) in_loop_ = 0;
            loop_ = found.loop;
            if (loop_ != 0 && in_loop_++ >= loop_) ++again_;
        }
    }
    /// Operations that a folded loop had before: what a host keeps for its operations serves them.
    [[nodiscard]] std::uint64_t again() const { return again_; }
    [[nodiscard]] InlinePosition end() const { return recogniser_.end(); }

  private:
    InlineRecogniser recogniser_;
    std::uint64_t again_ = 0;
    std::uint64_t loop_ = 0;     // that the latest operation is in,
    std::uint64_t in_loop_ = 0;  // and so many
};

/// Folded as a part of the outer loop, which ended within each turn, nothing came again in a folded loop.
TEST(FoldedLoops, a_long_inner_loop_is_folded_by_itself_where_its_turns_differ) {
    for (const std::uint64_t period : {1u, 2u, 7u}) {
        std::mt19937_64 random(period);
        const auto stream =
            nested_loops(100, period, [&] { return 1000 * period + random() % (50 * period); });
        Counting counting({.capacity_log2 = 16, .words_log2 = 10, .context_max = 100});
        counting.operations(stream);
        EXPECT_GT(counting.again() * 10, stream.size() * 7) << period;
    }
}

TEST(FoldedLoops, an_outer_loop_is_folded_where_its_inner_loops_have_equal_turns) {
    Counting counting({.capacity_log2 = 14, .words_log2 = 10, .context_max = 100});
    const auto stream = nested_loops(100, 2, [] { return 1000; });
    counting.operations(stream);
    const InlinePosition end = counting.end();
    const std::uint64_t before = counting.again();
    counting.operations(stream);
    EXPECT_EQ(counting.end(), end);
    EXPECT_EQ(counting.again() - before, stream.size());
}

/// The numbers of turns differ at first.
TEST(FoldedLoops, an_outer_loop_is_tried_again) {
    std::mt19937_64 random(1);
    Counting counting({.capacity_log2 = 14, .words_log2 = 10, .context_max = 100});
    counting.operations(nested_loops(20, 2, [&] { return 1000 + random() % 100; }));
    const auto stream = nested_loops(100, 2, [] { return 1000; });
    counting.operations(stream);
    const InlinePosition end = counting.end();
    counting.operations(stream);
    EXPECT_EQ(counting.end(), end);
}

TEST(FoldedLoops, a_folded_loop_takes_no_positions) {
    Folding folding(tiny);
    for (std::uint64_t i = 0; i < 10'000; ++i) folding.operation(i % 10);
    EXPECT_LE(folding.end(), 10u + 12 + 10 + 1);
    for (std::uint64_t i = 0; i < 10; ++i) EXPECT_FALSE(folding.operation(1000 + i));
    EXPECT_TRUE(folding.operation(0));
}

}  // namespace
}  // namespace refrain::autotrace::testing::folded_loops_test
