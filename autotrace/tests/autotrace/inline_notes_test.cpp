#include "autotrace/streams.hpp"
#include "autotrace/watched_recogniser.hpp"
#include "refrain/inline_recogniser.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace refrain::autotrace::testing::inline_notes_test {
namespace {

/// What a host notes of each operation, in a ring of `size` elements.
class Notes {
  public:
    explicit Notes(std::size_t size) : ring_(size) {}

    void follow(const InlineRecogniser::Turn& unfolded) { unfolded.repeat_in(ring_); }
    std::uint64_t& at(InlinePosition position) { return ring_[position % ring_.size()]; }

  private:
    std::vector<std::uint64_t> ring_;
};

/// What a host notes of an operation is there for every later one with the same position.
void expect_notes_of_precedents(unsigned seed, std::size_t more_than_capacity) {
    InlineRecogniser recogniser(tiny);
    Notes notes(recogniser.capacity() + more_than_capacity);
    leave_loops_at_random(
        seed,
        [&](std::uint64_t word) {
            const auto found = recogniser.operation(Words{word});
            notes.follow(found.unfolded);
            if (found.precedent) {
                EXPECT_EQ(notes.at(*found.precedent), word);
            }
            notes.at(found.position) = word;
        },
        [&] { notes.follow(recogniser.interrupt()); });
}

TEST(InlineNotes, of_the_precedent_are_there_in_folded_loops_and_behind_them) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        expect_notes_of_precedents(seed, 0);
        if (HasFailure()) return;
    }
}

TEST(InlineNotes, may_be_kept_of_more_operations_than_are_remembered) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
        SCOPED_TRACE(seed);
        expect_notes_of_precedents(seed, 13);
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace refrain::autotrace::testing::inline_notes_test
