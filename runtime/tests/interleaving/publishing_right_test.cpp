#include "graph/publishing_right.hpp"

#include "base/stepped_atomic.hpp"
#include "graph/sleep.hpp"
#include "interleaving/schedules.hpp"

#include <gtest/gtest.h>
#include <utility>

namespace refrain::graph::publishing_right_test {
namespace {

using refrain::testing::Bodies;
using refrain::testing::Report;
using refrain::testing::require;
using refrain::testing::try_schedules;

constexpr auto seq_cst = std::memory_order_seq_cst;
constexpr auto relaxed = std::memory_order_relaxed;

/// A broken right: who borrows does not look whether the launching thread is inside.
class HastyRight {
  public:
    void enter() {}
    void leave() {}
    template <class Publish>
    bool borrow(Publish&& publish) {
        publish();
        return true;
    }
};

/// A broken right: workers may never publish.
class WithheldRight {
  public:
    void enter() {}
    void leave() {}
    template <class Publish>
    bool borrow(Publish&&) {
        return true;
    }
};

/// A launching thread leaves pieces of work unpublished, as Workers does, and never comes back.
/// Workers take pieces, and sleep when they find none. A worker ends after a fixed number of pieces.
template <class Right>
class Absence {
  public:
    Absence(unsigned workers, unsigned pieces_each)
        : workers_(workers), pieces_each_(pieces_each) {}

    Bodies start() {
        sleep_ = std::make_unique<Sleep>();
        right_ = std::make_unique<Right>();
        unpublished_.store(0, relaxed);
        published_.store(0, relaxed);
        publishers_.store(0, relaxed);
        Bodies bodies{[this] { launch(); }};
        for (unsigned i = 0; i < workers_; ++i) bodies.emplace_back([this] { work(); });
        return bodies;
    }
    [[nodiscard]] bool all_done() const {
        return unpublished_.load(relaxed) == 0 && published_.load(relaxed) == 0;
    }

  private:
    void launch() {
        for (unsigned i = 0; i < workers_ * pieces_each_; ++i) {
            right_->enter();
            begin();
            unpublished_.store(unpublished_.load(relaxed) + 1, relaxed);
            if (sleep_->lacks_searchers()) flush();
            end();
            right_->leave();
        }
    }
    void work() {
        bool searches = false;
        for (unsigned done = 0; done < pieces_each_;) {
            if (take()) {
                if (std::exchange(searches, false)) sleep_->end_search();
                ++done;
            } else if (!std::exchange(searches, true)) {
                sleep_->begin_search();
            } else {
                sleep_->sleep_unless([this] {
                    const bool is_empty = right_->borrow([this] {
                        begin();
                        flush();
                        end();
                    });
                    return !is_empty || published_.load(seq_cst) != 0;
                });
            }
        }
    }
    /// With the right only: a step between load and store shows who does not have it.
    void flush() {
        const unsigned pieces = unpublished_.load(relaxed);
        if (pieces == 0) return;
        unpublished_.store(0, relaxed);
        published_.fetch_add(pieces, seq_cst);
        sleep_->wake_for([this] { return published_.load(seq_cst); });
    }
    void begin() {
        require(publishers_.fetch_add(1U, seq_cst) == 0, "one thread has the right to publish");
    }
    void end() { publishers_.fetch_sub(1U, seq_cst); }
    bool take() {
        unsigned pieces = published_.load(seq_cst);
        while (pieces != 0)
            if (published_.compare_exchange_weak(pieces, pieces - 1, seq_cst, seq_cst)) return true;
        return false;
    }

    unsigned workers_, pieces_each_;
    std::unique_ptr<Sleep> sleep_;
    std::unique_ptr<Right> right_;
    base::SteppedAtomic<unsigned> unpublished_{0}, published_{0}, publishers_{0};
};

template <class Right>
Report absence(std::uint64_t schedules, Absence<Right> parties) {
    return try_schedules(
        schedules, [&] { return parties.start(); }, [&] { return parties.all_done(); });
}

TEST(PublishingRightRace, work_of_a_launching_thread_that_is_away_is_done) {
    const Report one = absence(4000, Absence<PublishingRight>(1, 3));
    EXPECT_TRUE(one.passed()) << one;
    const Report two = absence(4000, Absence<PublishingRight>(2, 2));
    EXPECT_TRUE(two.passed()) << two;
    const Report three = absence(2000, Absence<PublishingRight>(3, 2));
    EXPECT_TRUE(three.passed()) << three;
}

TEST(PublishingRightRace, the_schedules_find_a_worker_that_publishes_while_the_other_launches) {
    if (!refrain::testing::scheduled) GTEST_SKIP() << "needs the preset interleaving";
    Absence<HastyRight> parties(1, 2);
    const Report report = interleaving::explore(
        {}, [&] { return parties.start(); }, [&] { return parties.all_done(); });
    EXPECT_NE(report.failure.find("one thread has the right to publish"), std::string::npos)
        << report;
}

TEST(PublishingRightRace, the_schedules_find_work_that_nobody_publishes) {
    if (!refrain::testing::scheduled) GTEST_SKIP() << "needs the preset interleaving";
    Absence<WithheldRight> parties(1, 1);
    const Report report = interleaving::explore(
        {}, [&] { return parties.start(); }, [&] { return parties.all_done(); });
    EXPECT_NE(report.failure.find("a wake-up is missing"), std::string::npos) << report;
}

TEST(PublishingRight, is_not_lent_while_the_launching_thread_is_inside) {
    PublishingRight right;
    int published = 0;
    right.enter();
    EXPECT_FALSE(right.borrow([&] { ++published; }));
    EXPECT_EQ(published, 0);
    right.leave();
    EXPECT_TRUE(right.borrow([&] {
        ++published;
        EXPECT_FALSE(right.borrow([&] { ++published; })) << "another worker";
    }));
    EXPECT_EQ(published, 1);
    right.enter();
    right.leave();
}

}  // namespace
}  // namespace refrain::graph::publishing_right_test
