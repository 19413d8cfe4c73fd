#include "base/asymmetric_fence.hpp"
#include "refrain/detail/sanitizers.hpp"
#include "runtime/harness.hpp"

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "allocations/allocations.hpp"

/// Operator new fails on the launching thread, at every third of its calls (two workers: every 23rd).
namespace refrain::out_of_memory_test {
namespace {

struct Mode {
    const char* name;
    Serving serving;
    Analysis analysis = Analysis::automatic;
    bool manual = false;
    Batching batching = Batching::tiny;
};

constexpr Mode modes[] = {
    {.name = "states", .serving = Serving::untraced, .analysis = Analysis::states},
    {.name = "walks", .serving = Serving::untraced, .analysis = Analysis::walk},
    {.name = "batches",
     .serving = Serving::untraced,
     .analysis = Analysis::walk,
     .batching = Batching::all},
    {.name = "manual_traces", .serving = Serving::untraced, .manual = true},
    {.name = "looking_back", .serving = Serving::looking_back},
    {.name = "mining", .serving = Serving::mining},
};

Options options_of(const Mode& mode, unsigned workers) {
    Options options = options_for(mode.serving, workers);
    options.analysis = mode.analysis;
    options.batching = mode.batching;
    options.window = 8;
    options.tracing.min_length = 4;
    options.deterministic_reductions = true;
    return options;
}

/// Launches of all kinds in a loop, each statement on its own, so that one can be made again.
class Program {
  public:
    Program(Runtime& runtime, bool is_traced) : runtime_(runtime), is_traced_(is_traced) {
        runtime_.fill(a_, 1);
        runtime_.fill(b_, 2);
        runtime_.fill(sum_, 0);
    }

    static constexpr int steps = 60;
    /// Step 0 to steps - 1. Throws what the runtime throws; then the step may be made again.
    void step(int number) {
        constexpr int turn = 10;
        switch (number % turn) {
            case 0:
                if (is_traced_) runtime_.begin_trace(1);
                break;
            case 1:
                sweep(a_, b_);
                break;
            case 2:
                sweep(b_, a_);
                break;
            case 3:
                runtime_.launch(
                    "sum", tiles_.colours(),
                    [](View<const std::int64_t, 1> in, ReduceView<Sum, std::int64_t, 1> out) {
                        for (const Point<1>& p : in.domain()) out.reduce(0, in[p]);
                    },
                    read(a_, tiles_), reduce<Sum>(sum_));
                break;
            case 4:
                runtime_.launch(
                    "scale",
                    [token = token_](View<std::int64_t, 1> out) {
                        for (const Point<1>& p : out.domain()) out[p] %= 1009;
                    },
                    read_write(a_, tiles_, Point<1>(0)));
                break;
            case 5:
                future_ = runtime_.launch(
                    "first", [](View<const std::int64_t, 1> in) { return in[Point<1>(0)]; },
                    read(sum_));
                break;
            case 6:
                runtime_.launch(
                    "use",
                    [](View<std::int64_t, 1> out, std::int64_t value) {
                        out[out.domain().lo] += value % 7;
                    },
                    read_write(b_, tiles_, Point<1>(1)), *future_);
                break;
            case 7:
                if (is_traced_) runtime_.end_trace(1);
                break;
            case 8:
                if (number / turn == 2) runtime_.fence();
                if (number / turn == 4) other_ = runtime_.create_region<std::int64_t>(extents(3));
                break;
            default:
                if (number / turn == 3) static_cast<void>(runtime_.read(b_).elements()[0]);
                break;
        }
    }
    [[nodiscard]] std::vector<std::int64_t> result() {
        std::vector<std::int64_t> all = values_of(runtime_, a_);
        const auto of_b = values_of(runtime_, b_);
        all.insert(all.end(), of_b.begin(), of_b.end());
        all.push_back(future_->get());
        return all;
    }
    /// Shared with the tasks that are still to be destroyed.
    [[nodiscard]] const std::shared_ptr<int>& token() const { return token_; }
    [[nodiscard]] const std::optional<Future<std::int64_t>>& future() const { return future_; }
    [[nodiscard]] const Region<std::int64_t, 1>& region() const { return a_; }

  private:
    void sweep(const Region<std::int64_t, 1>& from, const Region<std::int64_t, 1>& to) {
        runtime_.launch(
            "sweep", tiles_.colours(),
            [token = token_](View<const std::int64_t, 1> in, View<std::int64_t, 1> out) {
                for (const Point<1>& p : out.domain())
                    out[p] = (in[p] + (in.contains(p - 1) ? in[p - 1] : *token)) % 100'003;
            },
            read(from, halos_), write(to, tiles_));
    }

    Runtime& runtime_;
    bool is_traced_;
    std::shared_ptr<int> token_ = std::make_shared<int>(3);
    Partition<1> tiles_ = tiles(extents(40), 20);
    Partition<1> halos_ = halo(tiles_, 1);
    Region<std::int64_t, 1> a_ = runtime_.create_region<std::int64_t>(extents(40), "a");
    Region<std::int64_t, 1> b_ = runtime_.create_region<std::int64_t>(extents(40), "b");
    Region<std::int64_t, 1> sum_ = runtime_.create_region<std::int64_t>(extents(1), "sum");
    Region<std::int64_t, 1> other_;
    std::optional<Future<std::int64_t>> future_;
};

/// Each call names the one in which memory ran out.
void expect_ended(Runtime& runtime, const Program& program, const std::string& where) {
    const auto expect_refusal = [&](const char* call, auto&& make) {
        try {
            make();
            ADD_FAILURE() << call << " went on";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(where), std::string::npos) << error.what();
            EXPECT_EQ(std::string(error.what()).find(call), 0U) << error.what();
        }
    };
    expect_refusal("launch", [&] { runtime.launch("late", [] {}); });
    expect_refusal("access from the host",
                   [&] { static_cast<void>(runtime.read(program.region())); });
    expect_refusal("create_region",
                   [&] { static_cast<void>(runtime.create_region<int>(extents(1))); });
    expect_refusal("fence", [&] { runtime.fence(); });
    expect_refusal("flush", [&] { runtime.flush(); });
    expect_refusal("begin_trace", [&] { runtime.begin_trace(9); });
    expect_refusal("use_from_this_thread", [&] { runtime.use_from_this_thread(); });
    if (program.future())
        expect_refusal("Future::get", [&] { static_cast<void>(program.future()->get()); });
    EXPECT_GT(runtime.statistics().launches.operations, 0U);
}

struct Outcome {
    bool has_failed = false;  // operator new has
    bool has_ended = false;   // the runtime, then
};

/// Operator new fails at call `n`; a step that fails without ending the runtime is made again.
Outcome run_with_failure(const Mode& mode, unsigned workers, std::uint64_t n,
                         const std::vector<std::int64_t>& expected) {
    Outcome outcome;
    std::optional<Future<std::int64_t>> future;
    std::weak_ptr<int> token;
    {
        Runtime runtime(options_of(mode, workers));
        Program program(runtime, mode.manual);
        token = program.token();
        int step = 0;
        {
            testing::FailingAllocation failing(n);
            try {
                for (; step < Program::steps; ++step) program.step(step);
            } catch (const std::bad_alloc&) {
                outcome.has_failed = true;
            }
            outcome.has_failed = outcome.has_failed || failing.has_failed();
        }
        try {
            for (; step < Program::steps; ++step) program.step(step);
            EXPECT_EQ(program.result(), expected) << mode.name << ", allocation " << n;
        } catch (const Error& error) {
            outcome.has_ended = true;
            EXPECT_NE(std::string(error.what()).find("memory ran out in"), std::string::npos)
                << error.what();
            const std::string text = error.what();
            const auto begin = text.find("memory ran out in");
            expect_ended(runtime, program, text.substr(begin, text.find(',', begin) - begin));
        }
        future = program.future();
    }
    EXPECT_TRUE(token.expired()) << mode.name << ", allocation " << n
                                 << ": a callable was not destroyed";
    if (future && outcome.has_ended) {  // it outlives the runtime
        try {
            static_cast<void>(future->get());
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("out of memory"), std::string::npos);
        }
    }
    return outcome;
}

class OutOfMemory : public ::testing::TestWithParam<Mode> {};

TEST_P(OutOfMemory, in_a_call_ends_the_runtime_or_leaves_it_as_it_was) {
#if defined(REFRAIN_THREAD_SANITIZER)
    GTEST_SKIP() << "no allocation can be made to fail under the thread sanitizer";
#endif
    const Mode& mode = GetParam();
    std::vector<std::int64_t> expected;
    {
        Runtime runtime(options_of(mode, 1));
        Program program(runtime, mode.manual);
        for (int step = 0; step < Program::steps; ++step) program.step(step);
        expected = program.result();
    }
    for (const unsigned workers : {1U, 2U}) {
        // Twice first: names and buffers of the process are kept.
        for (int warm = 0; warm < 2; ++warm)
            static_cast<void>(run_with_failure(mode, workers, 10'000'000, expected));
        const std::int64_t before = testing::allocated_bytes();
        int ended = 0;
        std::uint64_t n = 1;
        for (const std::uint64_t stride = workers == 1 ? 3 : 23;; n += stride) {
            const Outcome outcome = run_with_failure(mode, workers, n, expected);
            if (outcome.has_ended) ++ended;
            if (!outcome.has_failed || HasFailure()) break;
        }
        EXPECT_GT(ended, 10);
        EXPECT_LE(testing::allocated_bytes() - before, 0) << mode.name << ": something leaks";
    }
}

TEST_P(OutOfMemory, that_lasts_lets_the_runtime_be_destroyed) {
#if defined(REFRAIN_THREAD_SANITIZER)
    GTEST_SKIP() << "no allocation can be made to fail under the thread sanitizer";
#endif
    const Mode& mode = GetParam();
    for (std::uint64_t n = 1;; n += 29) {
        bool has_failed = false;
        std::weak_ptr<int> token;
        {
            std::optional<Runtime> runtime(options_of(mode, 1));
            std::optional<Program> program(std::in_place, *runtime, mode.manual);
            token = program->token();
            const testing::FailingAllocation failing(n, testing::FailingAllocation::Until::end);
            try {
                for (int step = 0; step < Program::steps; ++step) program->step(step);
            } catch (const std::bad_alloc&) {
                has_failed = true;
            }
            program.reset();
            runtime.reset();
        }
        EXPECT_TRUE(token.expired()) << mode.name << ", from allocation " << n;
        if (!has_failed || HasFailure()) break;
    }
}

INSTANTIATE_TEST_SUITE_P(, OutOfMemory, ::testing::ValuesIn(modes),
                         [](const auto& mode) { return std::string(mode.param.name); });

/// A loop in lanes and rows, with a region that dies in it, a host access and a fence.
void run_in_rows(Runtime& runtime) {
    constexpr std::int64_t count = 8;
    const Partition<1> own = tiles(extents(count), count);
    auto now = runtime.create_region<std::int64_t>(extents(count), "now");
    auto next = runtime.create_region<std::int64_t>(extents(count), "next");
    runtime.fill(now, 0);
    runtime.fill(next, 0);
    std::int64_t turns = 0;
    const auto turn = [&] {
        const auto add = [](Point<1> tile, View<const std::int64_t, 1> from,
                            View<std::int64_t, 1> to) { to[tile] = from[tile] + 1; };
        runtime.launch("add", own.colours(), add, read(now, own), write(next, own));
        std::swap(now, next);
        ++turns;
    };
    for (int round = 0; round < 3; ++round) {
        std::optional<Region<std::int64_t, 1>> other =
            runtime.create_region<std::int64_t>(extents(count), "other");
        runtime.fill(*other, 1);
        for (int i = 0; i < 400; ++i) turn();
        other.reset();
        for (int i = 0; i < 100 + round; ++i) turn();
        EXPECT_EQ(runtime.read(now)[count - 1], turns);
        for (int i = 0; i < 300; ++i) turn();
        runtime.fence();
    }
}

TEST(OutOfMemoryInLanes, in_lanes_and_rows_ends_the_runtime_and_loses_nothing) {
#if defined(REFRAIN_THREAD_SANITIZER)
    GTEST_SKIP() << "no allocation can be made to fail under the thread sanitizer";
#endif
    if (!base::has_asymmetric_fence()) GTEST_SKIP() << "lanes need membarrier(2)";
    using testing::FailingAllocation;
    std::uint64_t in_rows = 0;  // of the latest program that came to its end
    const auto run = [&](std::uint64_t n, FailingAllocation::Until until) {
        Options options = automatic(2);
        options.lanes = LaneUse::all;
        options.window = 128;
        std::optional<Runtime> runtime(options);
        const FailingAllocation failing(n, until);
        try {
            run_in_rows(*runtime);
            in_rows = runtime->statistics().launches.in_rows;
        } catch (const std::bad_alloc&) {  // as it should be
        }
        runtime.reset();
        return failing.has_failed();
    };
    for (const auto until : {FailingAllocation::Until::next, FailingAllocation::Until::end}) {
        // Several first: names and buffers of the process are kept.
        for (int warm = 0; warm < 2; ++warm)
            ASSERT_TRUE(comes_true([&] { return !run(10'000'000, until) && in_rows != 0; }));
        const std::int64_t before = testing::allocated_bytes();
        std::uint64_t n = 1;
        while (run(n, until) && !HasFailure()) n += 3;
        EXPECT_GT(n, 60U);
        EXPECT_LE(testing::allocated_bytes() - before, 0) << "something leaks";
    }
}

/// Its text needs no memory.
struct Broken : std::exception {
    [[nodiscard]] const char* what() const noexcept override { return "broken"; }
};

/// A loop of direct launches, of which one fails at the points in the mask; operator new fails `n` calls
/// after the last of them has thrown. Returns whether it has.
bool run_with_failing_points(unsigned mask, std::uint64_t n) {
    std::optional<testing::FailingAllocation> failing;
    std::optional<FutureMap<int, 1>> kept;
    Options options = automatic(1);
    options.lanes = LaneUse::all;
    options.window = 64;
    Runtime runtime(options);
    const auto x = runtime.create_region<int>(extents(8), "x");
    const Partition<1> each = tiles(x.bounds(), 8);
    runtime.fill(x, 0);
    const auto step = [&](unsigned fails) {
        return runtime.launch(
            "step", each.colours(),
            [&failing, fails, n](Point<1> point, View<int, 1> v) {
                const unsigned left = fails >> static_cast<unsigned>(point[0]);
                if ((left & 1U) == 0) return ++v[point];
                if (left == 1) failing.emplace(n);
                throw Broken();
            },
            read_write(x, each));
    };
    for (int i = 0; i < 200; ++i) static_cast<void>(step(0));
    runtime.wait_all();
    static_cast<void>(step(0));
    const std::uint64_t before = runtime.statistics().launches.direct;
    bool has_ended = false;
    try {
        kept = step(mask);
    } catch (const std::bad_alloc&) {
        has_ended = true;
    }
    const bool has_failed = failing->has_failed();
    failing.reset();
    EXPECT_EQ(runtime.statistics().launches.direct, before + 1);
    EXPECT_TRUE(has_failed ||
                !has_ended);  // the message of a failure, or its record, can do without
    if (!has_ended) {
        EXPECT_THROW((void)runtime.read(x), TaskError);
    }
    return has_failed;
}

TEST(OutOfMemoryInDirectLaunch, whose_points_fail_loses_nothing) {
#if defined(REFRAIN_THREAD_SANITIZER)
    GTEST_SKIP() << "no allocation can be made to fail under the thread sanitizer";
#endif
    for (const unsigned mask : {1U, 0b101U, 0xffU}) {
        for (int warm = 0; warm < 2; ++warm) ASSERT_FALSE(run_with_failing_points(mask, 10'000));
        const std::int64_t before = testing::allocated_bytes();
        std::uint64_t n = 2;  // the first is the failure's own, made where no exception may pass
        while (run_with_failing_points(mask, n) && !HasFailure()) ++n;
        EXPECT_GT(n, 5U);
        EXPECT_LE(testing::allocated_bytes() - before, 0) << "something leaks, points " << mask;
    }
}

}  // namespace
}  // namespace refrain::out_of_memory_test
