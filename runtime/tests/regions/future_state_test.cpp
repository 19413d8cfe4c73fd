#include "regions/future_state.hpp"

#include "refrain/future.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <optional>

namespace refrain::regions::future_state_test {
namespace {

/// Everything is there as soon as somebody asks.
class AtOnce final : public FutureResolver {
  public:
    const void* wait_for_value(FutureState& future, std::size_t index) override {
        ++waits_;
        return future.value(index);
    }
    bool is_ready(FutureState& future) override { return future.retired; }
    [[nodiscard]] int waits() const { return waits_; }

  private:
    int waits_ = 0;
};

void set_value(FutureState& future, std::size_t index, int value) {
    std::memcpy(future.value(index), &value, sizeof value);
}
int value_of(FutureState& future, std::size_t index) {
    return *static_cast<const int*>(wait_for_value(future, index));
}

TEST(Futures, values_lie_on_lines_of_their_own_and_the_resolver_waits_for_them) {
    AtOnce resolver;
    FuturePool pool(resolver);
    FutureState* future = pool.make(sizeof(int), 3);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(future->values()) % FutureState::value_align, 0U);
    EXPECT_THROW(static_cast<void>(is_ready(*future)), UsageError) << "not launched";
    future->operation = 1;
    set_value(*future, 2, 42);
    EXPECT_EQ(value_of(*future, 2), 42);
    EXPECT_EQ(resolver.waits(), 1);
    EXPECT_FALSE(is_ready(*future));
    release(future);
}

TEST(Futures, small_blocks_are_reused_and_a_failure_is_let_go) {
    AtOnce resolver;
    FuturePool pool(resolver);
    Failure failure;
    FutureState* first = pool.make(sizeof(int), 1);
    first->failure = &failure;
    failure.references = 1;
    retain(first);
    release(first);
    EXPECT_EQ(failure.references, 1U);
    release(first);
    EXPECT_EQ(failure.references, 0U);
    FutureState* second = pool.make(sizeof(int), 1);
    EXPECT_EQ(second, first);
    EXPECT_EQ(second->failure, nullptr);
    release(second);
}

TEST(Futures, that_outlive_their_pool_keep_value_or_failure) {
    AtOnce resolver;
    std::optional<FuturePool> pool(resolver);
    FutureState* good = pool->make(sizeof(int), 1);
    FutureState* bad = pool->make(sizeof(int), 1);
    FutureState* dropped = pool->make(sizeof(int), 1);
    good->operation = bad->operation = dropped->operation = 1;
    set_value(*good, 0, 7);
    good->retired = true;
    {
        Failure failure;
        failure.message = "broken";
        bad->failure = &failure;
        pool.reset();
    }
    EXPECT_TRUE(is_ready(*good));
    EXPECT_EQ(value_of(*good, 0), 7);
    EXPECT_THROW(static_cast<void>(wait_for_value(*bad, 0)), TaskError);
    EXPECT_THROW(static_cast<void>(wait_for_value(*dropped, 0)), Error);
    release(good);
    release(bad);
    release(dropped);
}

}  // namespace
}  // namespace refrain::regions::future_state_test
