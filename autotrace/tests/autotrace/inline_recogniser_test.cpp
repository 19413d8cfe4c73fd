#include "refrain/inline_recogniser.hpp"

#include "autotrace/streams.hpp"
#include "autotrace/watched_recogniser.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace refrain::autotrace::testing::inline_recogniser_test {
namespace {

TEST(InlineRecogniser, of_the_example) {
    Watched watched(tiny);
    std::vector<std::optional<InlinePosition>> precedents;
    for (const std::uint64_t each : {1, 2, 3, 1, 2, 3, 1})
        precedents.push_back(watched.operation({each}));
    using P = std::optional<InlinePosition>;
    EXPECT_EQ(precedents, (std::vector<P>{P{}, P{}, P{}, 0, 1, 2, 3}));
    EXPECT_EQ(watched.context(), 4u);
}

TEST(InlineRecogniser, an_operation_of_a_loop_has_its_precedent_one_iteration_before) {
    for (const std::uint64_t period : {1, 2, 3, 10, 51}) {
        Watched watched(tiny);
        for (std::uint64_t i = 0; i < 10 * period; ++i) {
            const auto precedent = watched.operation({i % period, 7});
            ASSERT_EQ(precedent.has_value(), i >= period) << i;
            if (!precedent) continue;
            ASSERT_EQ(*precedent, i - period);
            ASSERT_EQ(watched.context(), std::min<std::uint64_t>(12, i + 1 - period));
        }
        const auto& counts = watched.recogniser().statistics();
        EXPECT_EQ(counts.operations, 10 * period);
        EXPECT_EQ(counts.found, 1u) << "all others were predicted";
        EXPECT_EQ(counts.predicted, 9 * period - 1);
        EXPECT_EQ(counts.collisions, 0u);
    }
}

TEST(InlineRecogniser, new_operations_have_no_precedent) {
    Watched watched(tiny);
    for (std::uint64_t i = 0; i < 5000; ++i) EXPECT_FALSE(watched.operation({i, 1, i}));
    Watched squeezed({.capacity_log2 = 6, .words_log2 = 10, .context_max = 12, .token_bits = 4});
    for (std::uint64_t i = 0; i < 5000; ++i) EXPECT_FALSE(squeezed.operation({i, 1, i}));
    EXPECT_GT(squeezed.recogniser().statistics().collisions, 1000u);
}

TEST(InlineRecogniser, recognises_a_loop_around_an_operation_with_a_new_name) {
    Watched watched(tiny);
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const bool is_fresh = i % 20 == 19;
        const auto precedent = watched.operation({i % 20, is_fresh ? i : 0});
        EXPECT_EQ(precedent.has_value(), i >= 20 && !is_fresh) << i;
        if (precedent) {
            EXPECT_EQ(watched.context(), std::min<std::uint64_t>(i % 20 + 1, 12));
        }
    }
}

/// Operations of one kind that differ in the link count as equal in contexts up to the shorter
/// link.
struct Linked {
    std::uint64_t kind;
    std::uint32_t link;
    Words spelled = {kind, link};

    [[nodiscard]] std::optional<std::uint32_t> likeness(
        std::span<const std::uint64_t> other) const {
        if (other[0] != kind) return std::nullopt;
        if (other[1] == link) return InlineRecogniser::equal;
        return std::min(link, static_cast<std::uint32_t>(other[1]));
    }
    [[nodiscard]] std::span<const std::uint64_t> words() const { return spelled; }
};

TEST(InlineRecogniser, a_different_link_shortens_the_context_but_does_not_end_the_match) {
    InlineRecogniser recogniser({});
    for (int turn = 0; turn < 3; ++turn)
        for (std::uint64_t i = 0; i < 20; ++i) recogniser.look(Linked{i, 20});
    EXPECT_TRUE(recogniser.is_proved(40));
    const auto other = recogniser.look(Linked{0, 7});
    EXPECT_EQ(other.precedent, 40u);
    EXPECT_TRUE(recogniser.is_proved(7));
    EXPECT_FALSE(recogniser.is_proved(8));
    EXPECT_EQ(recogniser.look(Linked{1, 20}).precedent, 41u);
    EXPECT_TRUE(recogniser.is_proved(8));
    EXPECT_FALSE(recogniser.is_proved(9));
    EXPECT_EQ(recogniser.look(Linked{2, 0}).precedent, std::nullopt) << "the context is empty";
    EXPECT_EQ(recogniser.look(Linked{3, 20}).precedent, 43u);
    EXPECT_TRUE(recogniser.is_proved(1));
    EXPECT_FALSE(recogniser.is_proved(2));
}

TEST(InlineRecogniser, a_match_survives_up_to_four_foreign_operations) {
    for (std::uint64_t foreign = 1; foreign <= 4; ++foreign) {
        InlineRecogniser recogniser({});
        for (int turn = 0; turn < 3; ++turn)
            for (std::uint64_t i = 0; i < 20; ++i) recogniser.look(Linked{i, 20});
        for (std::uint64_t i = 0; i < foreign; ++i)
            EXPECT_EQ(recogniser.look(Linked{100 + i, 1}).precedent, std::nullopt);
        for (std::uint32_t i = 0; i < 20; ++i) {  // links span the foreign operations
            const auto finding =
                recogniser.look(Linked{i, 20 + static_cast<std::uint32_t>(foreign)});
            EXPECT_EQ(finding.precedent, 40u + i) << foreign;
            EXPECT_TRUE(recogniser.is_proved(i + 1));
            EXPECT_FALSE(recogniser.is_proved(i + 2)) << "the context spans a foreign operation";
        }
    }
}

TEST(InlineRecogniser, no_context_spans_an_interruption) {
    Watched watched(tiny);
    for (int round = 0; round < 3; ++round) {
        for (std::uint64_t each = 0; each < 8; ++each) {
            const auto precedent = watched.operation({each});
            ASSERT_EQ(precedent.has_value(), round > 0);
            if (precedent) {
                EXPECT_EQ(watched.context(), each + 1);
            }
        }
        watched.interrupt();
    }
}

TEST(InlineRecogniser, an_operation_with_too_long_a_description_has_and_is_no_precedent) {
    Watched watched(tiny);
    for (int i = 0; i < 5; ++i) {
        EXPECT_FALSE(watched.operation(Words(128, 3)));
        EXPECT_EQ(watched.operation(Words(127, 3)).has_value(), i > 0);
        if (i > 0) {
            EXPECT_EQ(watched.context(), 1u);
        }
    }
}

/// Checks every answer word by word on blocks of a few operations, with random new operations and
/// interruptions.
void fuzz(const InlineOptions& options, unsigned seed) {
    std::mt19937_64 random(seed);
    Watched watched(options);
    const std::uint64_t block = 1 + random() % 90;
    for (std::uint64_t i = 0; i < 60; ++i) {
        const std::uint64_t which = random() % 3 == 0 ? random() % 4 : 0;
        for (std::uint64_t at = 0; at < block; ++at) {
            if (random() % 128 == 0) watched.interrupt();
            if (random() % 64 == 0) watched.operation({random(), 1});
            watched.operation(Words(1 + at % 3, which * 100 + at % 50));
        }
        if (::testing::Test::HasFailure()) return;
    }
}

TEST(InlineRecogniser, is_correct_with_collisions_and_small_memory) {
    for (const unsigned token_bits : {1u, 4u, 32u})
        for (unsigned capacity_log2 = 4; capacity_log2 <= 7; ++capacity_log2)
            for (const unsigned words_log2 : {5u, 7u, 12u})
                for (unsigned seed = 1; seed <= 12; ++seed) {
                    SCOPED_TRACE(::testing::Message() << token_bits << " bits, 2^" << capacity_log2
                                                      << ", 2^" << words_log2 << ", " << seed);
                    fuzz({.capacity_log2 = capacity_log2,
                          .words_log2 = words_log2,
                          .context_max = 40,
                          .token_bits = token_bits},
                         seed);
                    if (HasFailure()) return;
                }
}

/// The context of the precedent begins up to a period before it and is overwritten while the match
/// continues. The operations that overwrote it must not be compared in its place.
TEST(InlineRecogniser, overwritten_operations_do_not_prove_a_context) {
    const InlineOptions options{
        .capacity_log2 = 4, .words_log2 = 12, .context_max = 16, .token_bits = 1};
    for (unsigned seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        auto loop = random_symbols(13 + seed % 3, 3, seed);
        Watched watched(options);
        for (std::size_t i = 0; i < 600; ++i) {
            std::uint64_t& each = loop[i % loop.size()];
            if (random() % 16 == 0) each = random() % 3;
            watched.operation({each});
        }
        if (HasFailure()) return;
    }
}

TEST(InlineRecogniser, the_same_operations_get_the_same_precedents) {
    InlineRecogniser first(unfolded(tiny)), second(unfolded(tiny));
    for (const auto each : random_branches(500, 3, 7, 1)) {
        const auto precedent = first.operation(Words{each}).precedent;
        ASSERT_EQ(second.operation(Words{each}).precedent, precedent);
        if (precedent) static_cast<void>(second.is_proved(6));  // a query changes no answer
    }
}

TEST(InlineRecogniser, an_operation_without_a_precedent_has_no_context) {
    InlineRecogniser recogniser(tiny);
    EXPECT_FALSE(recogniser.is_proved(1));
    EXPECT_FALSE(recogniser.operation(Words{1}).precedent);
    EXPECT_FALSE(recogniser.is_proved(1));
    EXPECT_TRUE(recogniser.operation(Words{1}).precedent);
    EXPECT_TRUE(recogniser.is_proved(1));
    recogniser.interrupt();
    EXPECT_FALSE(recogniser.is_proved(1));
}

TEST(InlineRecogniser, after_clear_it_behaves_like_a_new_one_but_keeps_its_counts) {
    InlineRecogniser recogniser(tiny), other(tiny);
    for (std::uint64_t i = 0; i < 200; ++i) recogniser.operation(Words{i % 7});
    recogniser.clear();
    EXPECT_EQ(recogniser.end(), 0u);
    EXPECT_EQ(recogniser.description_bytes_used(), 0u);
    for (std::uint64_t i = 0; i < 200; ++i) {
        const auto found = recogniser.operation(Words{i % 9});
        const auto expected = other.operation(Words{i % 9});
        ASSERT_EQ(found.precedent, expected.precedent) << i;
        ASSERT_EQ(found.position, expected.position) << i;
        ASSERT_EQ(recogniser.is_proved(5), other.is_proved(5)) << i;
    }
    EXPECT_EQ(recogniser.statistics().operations, 400u);
}

/// Throws from likeness or from words.
struct Failing {
    bool when_compared;
    [[nodiscard]] std::optional<std::uint32_t> likeness(std::span<const std::uint64_t>) const {
        if (when_compared) throw std::runtime_error("no");
        return std::nullopt;
    }
    [[nodiscard]] std::span<const std::uint64_t> words() const { throw std::runtime_error("no"); }
};

TEST(InlineRecogniser, an_operation_whose_description_throws_does_not_count) {
    for (const std::uint64_t before : {3, 30, 300}) {  // seen once, in a loop, in a folded one
        InlineRecogniser recogniser(tiny), other(tiny);
        for (std::uint64_t i = 0; i < before; ++i) {
            recogniser.operation(Words{i % 3});
            other.operation(Words{i % 3});
        }
        EXPECT_THROW(recogniser.look(Failing{false}), std::runtime_error);
        if (before > 3) {
            EXPECT_THROW(recogniser.look(Failing{true}), std::runtime_error);
        }
        for (std::uint64_t i = before; i < before + 5; ++i)
            ASSERT_EQ(recogniser.operation(Words{i % 3}).precedent,
                      other.operation(Words{i % 3}).precedent);
        EXPECT_EQ(recogniser.statistics().operations, before + 5);
    }
}

std::string error_of(const InlineOptions& options) {
    try {
        const InlineRecogniser recogniser(options);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(InlineRecogniser, rejects_invalid_options) {
    EXPECT_EQ(error_of({.capacity_log2 = 3}),
              "automatic tracing: option 'capacity_log2' is 3, outside [4, 24]; choose a value in "
              "that range");
    EXPECT_NE(error_of({.capacity_log2 = 25}), "");
    EXPECT_NE(error_of({.words_log2 = 31}).find("'words_log2' is 31"), std::string::npos);
    EXPECT_NE(error_of({.context_max = 0}).find("'context_max' is 0"), std::string::npos);
    EXPECT_NE(error_of({.token_bits = 33}).find("'token_bits' is 33"), std::string::npos);
    EXPECT_NE(error_of({.token_bits = 0}), "");
    EXPECT_EQ(error_of({.capacity_log2 = 4, .words_log2 = 4, .context_max = 1, .token_bits = 1}),
              "");
}

TEST(InlineRecogniser, reports_reserved_and_used_memory) {
    InlineRecogniser recogniser({});
    EXPECT_LT(recogniser.matcher_bytes(), std::size_t{1} << 20);
    EXPECT_EQ(recogniser.description_bytes(), ((1u << 16) + (1u << 19)) * sizeof(std::uint64_t));
    EXPECT_EQ(recogniser.description_bytes_used(), 0u);
    for (std::uint64_t i = 0; i < 1000; ++i) recogniser.operation(Words{i % 10, 1});
    EXPECT_EQ(recogniser.description_bytes_used(), (1000 + 10 * 3) * sizeof(std::uint64_t));
}

}  // namespace
}  // namespace refrain::autotrace::testing::inline_recogniser_test
