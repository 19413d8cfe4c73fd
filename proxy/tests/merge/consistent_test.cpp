#include "merge/consistent.hpp"

#include "merge/recording.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>

#include "sample_runs.hpp"
#include "tries.hpp"

namespace refrain::proxy::consistent_test {
namespace {

using Values = std::vector<std::int64_t>;

/// A run whose calls are executed in the order in which they are added: each knows the calls that must precede it.
class WrittenRun {
  public:
    explicit WrittenRun(std::int64_t size) : size_(size) {
        for (std::int64_t me = 0; me < size; ++me) {
            ranks_.emplace_back(me, size);
            needs_.emplace_back(1);
        }
    }
    using Place = std::pair<std::size_t, std::uint64_t>;  // rank, call

    Place call(std::int64_t me, Function function, Values values, std::vector<Place> needs = {}) {
        const auto rank = static_cast<std::size_t>(me);
        ranks_[rank].call(function, std::move(values));
        needs_[rank].push_back(std::move(needs));
        return {rank, needs_[rank].size() - 1};
    }
    Place send(std::int64_t from, std::int64_t to, std::int64_t tag) {
        return call(from, Function::Send_, {0, 1, 16, to, tag, 0, from, size_, 0});
    }
    Place receive(std::int64_t to, std::int64_t from, std::int64_t tag, bool any, Place sent) {
        return call(to, Function::Recv_,
                    {0, 1, 16, any ? std::int64_t{rank_any} : from, any ? tag_any : tag, 0, to,
                     size_, from, tag, 8, 0, 0},
                    {sent});
    }
    /// All of `members` make the call, whose values follow from the rank among them.
    template <class ValuesOf>
    void together(const std::vector<std::int64_t>& members, Function function, ValuesOf values) {
        std::vector<Place> all;
        for (const std::int64_t member : members)
            all.emplace_back(static_cast<std::size_t>(member),
                             needs_[static_cast<std::size_t>(member)].size());
        for (std::size_t i = 0; i < members.size(); ++i)
            call(members[i], function, values(static_cast<std::int64_t>(i)), all);
    }
    /// All ranks send to the next one at once, and get from the one before.
    void rotate() {
        std::vector<std::uint64_t> calls;
        for (const auto& mine : needs_) calls.push_back(mine.size());
        for (std::int64_t me = 0; me < size_; ++me) {
            const std::int64_t next = (me + 1) % size_, before = (me + size_ - 1) % size_;
            const auto rank = static_cast<std::size_t>(before);
            call(me, Function::Sendrecv_,
                 {0, 1, 16, next, 5, 1, 1, 16, before, 5, 0, me, size_, before, 5, 8, 0, 0},
                 {{rank, calls[rank]}});
        }
    }

    /// What is left of each rank when it is cut off somewhere.
    [[nodiscard]] std::vector<RankRecording> cut(const std::vector<std::uint64_t>& lengths) {
        std::vector<RankRecording> all;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            RankRecording whole = ranks_[rank].finish();
            all.push_back(first_calls(whole, lengths[rank]));
            all.back().ending = Ending::unfinished;
        }
        return all;
    }
    [[nodiscard]] std::uint64_t length(std::size_t rank) const { return needs_[rank].size(); }

    /// By definition: cut each rank before a call that needs one which is cut off, until there is none.
    [[nodiscard]] std::vector<std::uint64_t> expected(std::vector<std::uint64_t> lengths) const {
        for (bool again = true; again;) {
            again = false;
            for (std::size_t rank = 0; rank < lengths.size(); ++rank)
                for (std::uint64_t i = 0; i < lengths[rank]; ++i)
                    for (const auto& [other, at] : needs_[rank][i])
                        if (i < lengths[rank] && at >= lengths[other])
                            lengths[rank] = i, again = true;
        }
        return lengths;
    }

  private:
    std::int64_t size_;
    std::vector<testing::Rank> ranks_;
    std::vector<std::vector<std::vector<Place>>> needs_;
};

/// A receive that was begun, until it is waited for.
struct Pending {
    std::int64_t to = 0;
    WrittenRun::Place sent;
};

WrittenRun random_run(std::mt19937_64& random, std::int64_t size) {
    WrittenRun run(size);
    const auto draw = [&](std::int64_t bound) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
    };
    std::vector<std::int64_t> everybody, even;
    for (std::int64_t me = 0; me < size; ++me) {
        everybody.push_back(me);
        if (me % 2 == 0) even.push_back(me);
    }
    const auto even_size = static_cast<std::int64_t>(even.size());
    run.together(everybody, Function::Comm_split_, [&](std::int64_t me) -> Values {
        const bool is_even = me % 2 == 0;
        return {0,
                me,
                size,
                is_even ? 0 : -32766,
                0,
                is_even ? 2 : -1,
                is_even ? me / 2 : rank_none,
                is_even ? even_size : 0,
                0};
    });
    std::vector<Pending> pending(static_cast<std::size_t>(size));
    std::vector<bool> waits(static_cast<std::size_t>(size), false);
    for (int step = 0; step < 60; ++step) {
        const std::int64_t what = draw(7);
        const std::int64_t a = draw(size);
        const std::int64_t b = draw(size);
        const auto to = static_cast<std::size_t>(b);
        const bool any = draw(2) == 0;
        const std::int64_t tag = 1 + draw(2);
        if (what == 0)
            run.together(everybody, Function::Barrier_, [&](std::int64_t me) -> Values {
                return {0, me, size, 0};
            });
        if (what == 1)
            run.together(even, Function::Barrier_, [&](std::int64_t me) -> Values {
                return {2, me, even_size, 0};
            });
        if (what == 2) run.rotate();
        if (what == 3 && !waits[to]) {
            run.call(b, Function::Irecv_, {2, 1, 16, a, 50, 0, b, size, 0, rank_none, 0, 0});
            pending[to] = {b, run.send(a, b, 50)};
            waits[to] = true;
        }
        if (what == 4 && waits[to]) {
            run.call(b, Function::Wait_, {0, 8, 0, 0}, {pending[to].sent});
            waits[to] = false;
        }
        if (what >= 5) {
            const WrittenRun::Place sent = run.send(a, b, tag);
            run.receive(b, a, tag, any, sent);
        }
    }
    return run;
}

TEST(FirstCalls, are_the_first_calls_and_the_work_between_them) {
    for (std::uint64_t seed = 1; seed <= tries(8); ++seed) {
        std::mt19937_64 random(seed);
        testing::Rank rank(0, 4);
        for (int i = 0; i < 60; ++i) {
            const auto times = random() % 4;
            const auto to = static_cast<std::int64_t>(random() % 2);
            for (std::uint64_t k = 0; k < times; ++k) rank.send(to), rank.barrier();
            if (times == 0) rank.receive(2);
        }
        const RankRecording whole = rank.finish();
        const std::vector<Event> all = testing::expanded(whole);
        for (std::size_t length = 0; length <= all.size(); length += 1 + length / 7) {
            const RankRecording part = first_calls(whole, length);
            const std::vector<Event> calls = testing::expanded(part);
            ASSERT_EQ(calls, std::vector<Event>(all.begin(),
                                                all.begin() + static_cast<std::ptrdiff_t>(length)))
                << "seed " << seed;
            std::uint64_t worked = 0, timed = 0;
            double seconds = 0;
            for (const Work& work : part.work) worked += work.count, seconds += work.seconds;
            for (const CallTime& time : part.times) timed += time.count;
            EXPECT_EQ(worked, length) << "seed " << seed;
            EXPECT_EQ(timed, length) << "seed " << seed;
            EXPECT_NEAR(seconds, 1e-6 * static_cast<double>(length), 1e-9);
            EXPECT_EQ(testing::expanded(read_rank(write(part), "part")), calls);
        }
    }
}

TEST(ConsistentPart, is_the_longest_one_whose_calls_need_no_other) {
    for (std::uint64_t seed = 1; seed <= tries(80); ++seed) {
        std::mt19937_64 random(seed);
        const auto size = 2 + static_cast<std::int64_t>(random() % 4);
        WrittenRun run = random_run(random, size);
        std::vector<std::uint64_t> lengths;
        for (std::size_t rank = 0; rank < static_cast<std::size_t>(size); ++rank) {
            const std::uint64_t all = run.length(rank);
            const std::uint64_t lost = random() % 3 == 0 ? 0 : random() % (all / 2);
            lengths.push_back(all - lost);
        }
        const ConsistentPart part = consistent_part(run.cut(lengths));
        EXPECT_EQ(part.events, run.expected(lengths)) << "seed " << seed;
        EXPECT_FALSE(part.not_followed);
    }
}

TEST(ConsistentPart, a_rank_without_a_recording_ends_what_the_others_do_with_it) {
    std::vector<RankRecording> ranks = testing::ring(3, 5);
    ranks[1] = RankRecording{};
    ranks[1].rank = 1;
    ranks[1].size = 3;
    ranks[1].grammar.resize(1);
    const std::vector<std::string> words = cut_to_consistent_part(ranks);
    ASSERT_EQ(words.size(), 4u);
    EXPECT_EQ(words[2], "rank 1: nothing is left of its recording");
    // Rank 2 sends once and waits for rank 1; rank 0 gets that, and its own second message.
    EXPECT_EQ(testing::expanded(ranks[2]).size(), 2u);
    EXPECT_EQ(testing::expanded(ranks[0]).size(), 4u);
    EXPECT_EQ(merge(ranks, {}).ranks[0].events, 4u);
}

TEST(ConsistentPart, a_complete_run_stays_as_it_is) {
    std::vector<RankRecording> ranks = testing::ring(3, 5);
    const std::string before = write(ranks[1]);
    EXPECT_TRUE(cut_to_consistent_part(ranks).empty());
    EXPECT_EQ(write(ranks[1]), before);
    EXPECT_EQ(consistent_part(ranks).events, (std::vector<std::uint64_t>(3, 12)));
}

TEST(ConsistentPart, a_fence_is_a_call_of_all_ranks_of_its_window) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 2; ++me) {
        testing::Rank rank(me, 2);
        rank.call(Function::Win_create_, {0, 8, 8, -1, 0, me, 2, 0, 0});
        for (int i = 0; i < 5; ++i) rank.call(Function::Win_fence_, {0, 0, me, 2, 0});
        ranks.push_back(rank.finish());
    }
    ranks[1] = first_calls(ranks[1], 5);
    EXPECT_EQ(consistent_part(ranks).events, (std::vector<std::uint64_t>{5, 5}));
}

TEST(ConsistentPart, a_collective_call_on_a_file_is_one_of_all_ranks_that_opened_it) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 3; ++me) {
        testing::Rank rank(me, 3);
        const std::int64_t colour = me == 0 ? 0 : 1, size = me == 0 ? 1 : 2, part = me == 2 ? 1 : 0;
        rank.split(colour, 2, part, size);
        const auto name = rank.recorder.text("data");
        rank.call(Function::File_open_, {2, part, size, name, 9, -1, 0, 0, 0});
        for (int i = 0; i < 5; ++i) rank.call(Function::File_write_all_, {0, 0, 1, 16, 8, 0});
        // What only one rank says to the file does not matter to the others.
        if (me == 1) rank.call(Function::File_set_errhandler_, {0, errors_return, 0});
        rank.call(Function::File_close_, {0, 0});
        ranks.push_back(rank.finish());
    }
    EXPECT_EQ(consistent_part(ranks).events, (std::vector<std::uint64_t>{10, 11, 10}));
    ranks[2] = first_calls(ranks[2], 5);
    EXPECT_EQ(consistent_part(ranks).events, (std::vector<std::uint64_t>{9, 5, 5}));
}

TEST(ConsistentPart, a_cut_that_goes_around_many_ranks_is_found_at_once) {
    constexpr std::int64_t size = 3000;
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < size; ++me) {
        testing::Rank rank(me, size);
        for (int i = 0; i < 3; ++i) {
            const std::int64_t next = (me + 1) % size, before = (me + size - 1) % size;
            rank.call(Function::Sendrecv_,
                      {0, 1, 16, next, 5, 1, 1, 16, before, 5, 0, me, size, before, 5, 8, 0, 0});
        }
        ranks.push_back(rank.finish());
    }
    ranks[0] = first_calls(ranks[0], 3);
    EXPECT_EQ(consistent_part(ranks).events, std::vector<std::uint64_t>(size, 3));
}

TEST(ConsistentPart, what_was_chosen_of_a_run_has_gaps_where_a_message_crosses_its_edge) {
    const auto run = [](int sends, int receives) {
        testing::Rank a(0, 2), b(1, 2);
        for (int i = 0; i < sends; ++i) a.send(1);
        for (int i = 0; i < receives; ++i) b.receive(0);
        return gaps_of({a.finish(), b.finish()});
    };
    EXPECT_TRUE(run(3, 3).empty());
    ASSERT_EQ(run(2, 3).size(), 1u);
    EXPECT_NE(run(2, 3)[0].find("call 4 of rank 1 waits"), std::string::npos) << run(2, 3)[0];
    ASSERT_EQ(run(3, 2).size(), 1u);
    EXPECT_NE(run(3, 2)[0].find("1 of the messages with tag 1"), std::string::npos) << run(3, 2)[0];
}

TEST(ConsistentPart, a_cancelled_receive_takes_no_message) {
    testing::Rank sender(0, 2), receiver(1, 2);
    const Values posted{0, 1, 16, 0, 1, 0, 1, 2, 0, rank_none, 0, 0};
    for (int i = 0; i < 3; ++i) {
        receiver.call(Function::Irecv_, posted).call(Function::Cancel_, {0, 0});
        receiver.call(Function::Wait_, {0, 0, 1, 0});
        sender.send(1);
        receiver.receive(0);
    }
    std::vector<RankRecording> ranks{sender.finish(), receiver.finish()};
    EXPECT_EQ(consistent_part(ranks).events, (std::vector<std::uint64_t>{5, 14}));
}

TEST(ConsistentPart, a_cancelled_receive_does_not_stand_for_a_message_of_an_earlier_one) {
    // Two receives are posted, the second is cancelled: the first waits for a message that nobody sent.
    testing::Rank sender(0, 2), receiver(1, 2);
    for (std::int64_t request : {0, 1})
        receiver.call(Function::Irecv_, {0, 1, 16, 0, 1, 0, 1, 2, request, rank_none, 0, 0});
    receiver.call(Function::Cancel_, {1, 0}).call(Function::Wait_, {1, 0, 1, 0});
    receiver.call(Function::Wait_, {0, 80, 0, 0});
    const std::vector<RankRecording> ranks{sender.finish(), receiver.finish()};
    EXPECT_EQ(consistent_part(ranks).events[1], 5u);
    const std::vector<std::string> gaps = gaps_of(ranks);
    ASSERT_EQ(gaps.size(), 1u);
    EXPECT_NE(gaps[0].find("call 6 of rank 1 waits"), std::string::npos) << gaps[0];
}

TEST(ConsistentPart, a_receive_that_was_cancelled_too_late_took_its_message) {
    testing::Rank sender(0, 2), receiver(1, 2);
    receiver.call(Function::Irecv_, {0, 1, 16, 0, 1, 0, 1, 2, 0, rank_none, 0, 0});
    receiver.call(Function::Cancel_, {0, 0}).call(Function::Wait_, {0, 80, 0, 0});
    receiver.receive(0);
    sender.send(1);
    const std::vector<RankRecording> ranks{sender.finish(), receiver.finish()};
    EXPECT_EQ(consistent_part(ranks).events, (std::vector<std::uint64_t>{2, 4}));
}

TEST(ConsistentPart, a_part_whose_messages_cannot_be_followed_is_not_called_whole) {
    // Ranks 0 and 1 of three make a communicator alone: who is in it is not told.
    const auto run = [](bool made) {
        std::vector<RankRecording> ranks;
        for (std::int64_t me = 0; me < 3; ++me) {
            testing::Rank rank(me, 3);
            if (made && me < 2)
                rank.call(Function::Comm_create_group_, {0, me, 3, 0, 7, 2, me, 2, 0})
                    .call(Function::Barrier_, {2, me, 2, 0});
            ranks.push_back(rank.finish());
        }
        return gaps_of(ranks);
    };
    EXPECT_TRUE(run(false).empty());
    ASSERT_EQ(run(true).size(), 1u);
    EXPECT_NE(run(true)[0].find("cannot be followed"), std::string::npos) << run(true)[0];
}

}  // namespace
}  // namespace refrain::proxy::consistent_test
