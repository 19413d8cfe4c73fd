#include "refrain/inline_recogniser.h"

#include <cstring>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

namespace {

refrain_inline_recogniser* create(const refrain_inline_options* options = nullptr) {
    refrain_inline_recogniser* recogniser = nullptr;
    char message[256] = "";
    EXPECT_EQ(refrain_inline_create(options, &recogniser, message, sizeof message),
              REFRAIN_AUTOTRACE_OK)
        << message;
    return recogniser;
}

TEST(CInlineRecogniser, finds_a_precedent_for_each_operation_of_a_loop) {
    refrain_inline_recogniser* recogniser = create();
    EXPECT_EQ(refrain_inline_capacity(recogniser), std::size_t{1} << 16);
    refrain_inline_finding found{};
    for (std::uint64_t i = 0; i < 100; ++i) {
        const std::uint64_t words[] = {i % 10, 7};
        ASSERT_EQ(refrain_inline_operation(recogniser, words, 2, &found), REFRAIN_AUTOTRACE_OK);
        EXPECT_EQ(found.position, i);
        EXPECT_EQ(found.precedent, i < 10 ? REFRAIN_INLINE_NONE : i - 10);
        EXPECT_EQ(found.loop, 0U);
        EXPECT_EQ(refrain_inline_is_proved(recogniser, 5), i < 14 ? 0 : 1);
    }
    EXPECT_EQ(found.is_equal, 1);
    EXPECT_EQ(refrain_inline_end(recogniser), 100U);
    EXPECT_EQ(refrain_inline_backing_off(recogniser), 0);
    EXPECT_EQ(refrain_inline_skip(recogniser), REFRAIN_AUTOTRACE_BAD_ARGUMENT) << "not backing off";
    refrain_inline_statistics statistics;
    EXPECT_EQ(refrain_inline_get_statistics(recogniser, &statistics), REFRAIN_AUTOTRACE_OK);
    EXPECT_EQ(statistics.operations, 100U);
    EXPECT_EQ(statistics.predicted, 89U);
    EXPECT_EQ(statistics.found, 1U);
    EXPECT_EQ(refrain_inline_clear(recogniser), REFRAIN_AUTOTRACE_OK);
    EXPECT_EQ(refrain_inline_end(recogniser), 0U);
    refrain_inline_destroy(recogniser);
}

TEST(CInlineRecogniser, returns_the_unfolded_positions_when_a_folded_loop_ends) {
    refrain_inline_options options;
    refrain_inline_default_options(&options);
    options.context_max = 20;
    refrain_inline_recogniser* recogniser = create(&options);
    refrain_inline_finding found{};
    for (std::uint64_t i = 0; i < 1003; ++i) {
        const std::uint64_t word = i % 10;
        refrain_inline_operation(recogniser, &word, 1, &found);
    }
    EXPECT_EQ(found.loop, 10U);
    EXPECT_EQ(found.position, found.precedent);
    const std::uint64_t end = refrain_inline_end(recogniser);
    EXPECT_LT(end, 60U);
    refrain_inline_turn unfolded{};
    EXPECT_EQ(refrain_inline_interrupt(recogniser, &unfolded), REFRAIN_AUTOTRACE_OK);
    EXPECT_EQ(unfolded.first, end);
    EXPECT_EQ(unfolded.distance, 10U);
    EXPECT_EQ((unfolded.first + unfolded.count) % 10, 3U) << "those of the incomplete iteration";
    refrain_inline_destroy(recogniser);
}

TEST(CInlineRecogniser, backs_off_while_nothing_repeats) {
    refrain_inline_options options;
    refrain_inline_default_options(&options);
    options.capacity_log2 = 8;
    refrain_inline_recogniser* recogniser = create(&options);
    refrain_inline_finding found{};
    std::uint64_t skipped = 0;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        if (refrain_inline_backing_off(recogniser) == 1) {
            ++skipped;
            ASSERT_EQ(refrain_inline_skip(recogniser), REFRAIN_AUTOTRACE_OK);
        } else {
            refrain_inline_operation(recogniser, &i, 1, &found);
        }
    }
    EXPECT_GT(skipped, 8000U);
    refrain_inline_destroy(recogniser);
}

/// words[0] is the kind, words[1] a link. Operations of one kind match partially; equal links make
/// them equal.
struct Linked {
    std::uint64_t words[2];
    bool fails = false;
};

refrain_inline_description description_of(Linked& operation) {
    return {&operation,
            [](void* context, const std::uint64_t* words, std::size_t, std::uint32_t* longest) {
                const auto& own = *static_cast<const Linked*>(context);
                if (own.fails) throw std::runtime_error("an exception of the host");
                if (words[0] != own.words[0]) return 0;
                *longest = words[1] == own.words[1] ? REFRAIN_INLINE_EQUAL : 2;
                return 1;
            },
            [](void* context, std::size_t* count) {
                *count = 2;
                return static_cast<const std::uint64_t*>(static_cast<Linked*>(context)->words);
            }};
}

TEST(CInlineRecogniser, compares_operations_by_likeness_before_asking_for_words) {
    refrain_inline_recogniser* recogniser = create();
    refrain_inline_finding found{};
    for (std::uint64_t i = 0; i < 40; ++i) {
        Linked operation{{i % 10, i == 35 ? 99U : 20U}};
        const auto description = description_of(operation);
        ASSERT_EQ(refrain_inline_look(recogniser, &description, &found), REFRAIN_AUTOTRACE_OK);
        EXPECT_EQ(found.precedent, i < 10 ? REFRAIN_INLINE_NONE : i - 10);
        if (i != 35) continue;
        EXPECT_EQ(found.is_equal, 0);
        EXPECT_EQ(refrain_inline_is_proved(recogniser, 2), 1);
        EXPECT_EQ(refrain_inline_is_proved(recogniser, 3), 0);
    }
    Linked failing{{0, 0}, true};
    const auto description = description_of(failing);
    EXPECT_EQ(refrain_inline_look(recogniser, &description, &found), REFRAIN_AUTOTRACE_HOST_FAILED);
    EXPECT_EQ(refrain_inline_end(recogniser), 40U);
    refrain_inline_destroy(recogniser);
}

TEST(CInlineRecogniser, rejects_invalid_arguments) {
    refrain_inline_recogniser* recogniser = nullptr;
    refrain_inline_options options;
    refrain_inline_default_options(&options);
    options.capacity_log2 = 40;
    char message[64];
    EXPECT_EQ(refrain_inline_create(&options, &recogniser, message, sizeof message),
              REFRAIN_AUTOTRACE_BAD_ARGUMENT);
    EXPECT_EQ(recogniser, nullptr);
    EXPECT_NE(std::string(message).find("'capacity_log2' is 40"), std::string::npos) << message;
    EXPECT_EQ(std::strlen(message), sizeof message - 1) << "truncated to the buffer";
    EXPECT_EQ(refrain_inline_create(nullptr, nullptr, nullptr, 0), REFRAIN_AUTOTRACE_BAD_ARGUMENT);

    refrain_inline_finding found{};
    refrain_inline_turn turn{};
    const refrain_inline_description nothing{};
    const auto bad = REFRAIN_AUTOTRACE_BAD_ARGUMENT;
    EXPECT_EQ(refrain_inline_operation(nullptr, nullptr, 0, &found), bad);
    EXPECT_EQ(refrain_inline_interrupt(nullptr, &turn), bad);
    EXPECT_EQ(refrain_inline_skip(nullptr), bad);
    EXPECT_EQ(refrain_inline_clear(nullptr), bad);
    EXPECT_EQ(refrain_inline_is_proved(nullptr, 0), 0);
    EXPECT_EQ(refrain_inline_backing_off(nullptr), 0);
    EXPECT_EQ(refrain_inline_end(nullptr), 0U);
    EXPECT_EQ(refrain_inline_capacity(nullptr), 0U);
    refrain_inline_destroy(nullptr);

    recogniser = create();
    EXPECT_EQ(refrain_inline_operation(recogniser, nullptr, 0, nullptr), bad);
    EXPECT_EQ(refrain_inline_operation(recogniser, nullptr, 1, &found), bad);
    EXPECT_EQ(refrain_inline_operation(recogniser, nullptr, 0, &found), REFRAIN_AUTOTRACE_OK);
    EXPECT_EQ(refrain_inline_look(recogniser, nullptr, &found), bad);
    EXPECT_EQ(refrain_inline_look(recogniser, &nothing, &found), bad);
    EXPECT_EQ(refrain_inline_interrupt(recogniser, nullptr), bad);
    EXPECT_EQ(refrain_inline_get_statistics(recogniser, nullptr), bad);
    EXPECT_EQ(refrain_inline_end(recogniser), 1U);
    refrain_inline_destroy(recogniser);
}

TEST(CInlineRecogniser, has_the_defaults_of_the_class) {
    refrain_inline_options options;
    refrain_inline_default_options(&options);
    EXPECT_EQ(options.capacity_log2, 16U);
    EXPECT_EQ(options.words_log2, 19U);
    EXPECT_EQ(options.context_max, 1025U);
    EXPECT_EQ(options.token_bits, 32U);
    EXPECT_EQ(options.fold_loops, 1);
    refrain_inline_default_options(nullptr);
}

}  // namespace
