#include "refrain/precedent_ring.hpp"

#include "autotrace/streams.hpp"
#include "autotrace/watched_recogniser.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace refrain::autotrace::testing::precedent_ring_test {
namespace {

TEST(PrecedentRing, has_the_entry_of_the_precedent_inside_and_after_folded_loops) {
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

TEST(PrecedentRing, rejects_a_capacity_that_is_not_a_power_of_two) {
    EXPECT_THROW(PrecedentRing<int>(0), std::invalid_argument);
    EXPECT_THROW(PrecedentRing<int>(48), std::invalid_argument);
    EXPECT_EQ(PrecedentRing<int>(64).memory_bytes(), 64 * sizeof(int));
}

}  // namespace
}  // namespace refrain::autotrace::testing::precedent_ring_test
