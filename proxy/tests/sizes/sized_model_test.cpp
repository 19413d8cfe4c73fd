#include "sizes/sized_model.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"
#include "sizes/sized_text.hpp"

namespace refrain::proxy {
namespace {

/// Each rank sends as many numbers as `count` says around a ring, and as many messages as there are ranks.
template <class Count>
Recording ring_of(std::int64_t size, std::int64_t problem, Count count) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < size; ++me) {
        testing::Rank rank(me, size);
        for (std::int64_t i = 0; i < size; ++i)
            rank.send((me + 1) % size, 1, count(me, size, problem)).receive((me + size - 1) % size);
        rank.barrier();
        ranks.push_back(rank.finish());
    }
    Recording recording = merge(ranks, {});
    recording.slots = {{0, 8 * problem}};
    return recording;
}

template <class Count>
SizedModel model_of(Count count) {
    const Recording runs[] = {ring_of(4, 64, count), ring_of(6, 64, count), ring_of(9, 64, count),
                              ring_of(4, 101, count)};
    return fit_sizes(
        {{&runs[0], 64, "a"}, {&runs[1], 64, "b"}, {&runs[2], 64, "c"}, {&runs[3], 101, "d"}});
}

TEST(SizedModel, a_ring_on_any_number_of_ranks_follows_from_three) {
    const std::string text =
        sized_proxy_text(model_of([](auto me, auto size, auto problem) {
                             return problem / size + (me < problem % size ? 1 : 0);
                         }),
                         "A ring.");
    EXPECT_NE(text.find("for (long i0 = 0; i0 < size[0]; i0++) {"), std::string::npos) << text;
    EXPECT_NE(text.find("MPI_Send(buffer(0), share(problem, size[0], me[0]), MPI_DOUBLE, "
                        "on_ring(0, 1), 1, MPI_COMM_WORLD)"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("on_ring(0, -1)"), std::string::npos) << text;
}

TEST(SizedModel, an_argument_without_a_formula_is_named_with_its_values) {
    try {
        (void)model_of([](auto me, auto size, auto problem) {
            return (me * 7919 + size * 31 + problem) % 101 + 1;
        });
        FAIL() << "a model was found";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("MPI_Send, argument count: "), std::string::npos)
            << error.what();
        EXPECT_NE(std::string(error.what()).find("rank 0 of 4, size 64"), std::string::npos)
            << error.what();
    }
}

TEST(SizedModel, the_first_rank_may_say_something_else) {
    const SizedModel model = model_of([](auto me, auto, auto) { return me == 0 ? 5 : 3; });
    EXPECT_EQ(model.forms.size(), 2U);
}

}  // namespace
}  // namespace refrain::proxy
