#include "refrain/precedent_ring.hpp"

#include "autotrace/streams.hpp"
#include "autotrace/watched_recogniser.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace refrain::autotrace::testing::precedent_ring_test {
namespace {

/// What a host notes of an operation is there for every later one with the same position.
TEST(PrecedentRing, has_what_was_noted_of_the_precedent_in_folded_loops_and_behind_them) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        InlineRecogniser recogniser(tiny);
        PrecedentRing<std::uint64_t> notes(recogniser.capacity());
        leave_loops_at_random(
            seed,
            [&](std::uint64_t word) {
                const auto found = recogniser.operation(Words{word});
                notes.follow(found.unfolded);
                if (found.precedent) {
                    EXPECT_EQ(notes[*found.precedent], word);
                }
                notes[found.position] = word;
            },
            [&] { notes.follow(recogniser.interrupt()); });
        if (HasFailure()) return;
    }
}

TEST(PrecedentRing, refuses_a_capacity_that_no_recogniser_has) {
    EXPECT_THROW(PrecedentRing<int>(0), std::invalid_argument);
    EXPECT_THROW(PrecedentRing<int>(48), std::invalid_argument);
    EXPECT_EQ(PrecedentRing<int>(64).memory_bytes(), 64 * sizeof(int));
}

}  // namespace
}  // namespace refrain::autotrace::testing::precedent_ring_test
