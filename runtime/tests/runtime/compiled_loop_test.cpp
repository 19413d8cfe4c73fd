/// Loops whose launches are recognised before an operation is built: every difference is detected,
/// and invalid launches are refused as usual.
#include "runtime/harness.hpp"

#include <array>
#include <functional>

namespace refrain::compiled_loop_test {
namespace {

using Numbers = Region<int, 1>;

/// A loop over two arrays; every operation is also computed sequentially.
class Loop {
  public:
    static constexpr int pieces = 4;
    static constexpr int length = 16;

    explicit Loop(Batching batching = Batching::all, unsigned workers = 2)
        : runtime_(options(batching, workers)) {
        for (Numbers& region : arrays_) {
            region = runtime_.create_region<int>(extents(length), "array");
            runtime_.fill(region, 1);
        }
    }
    static Options options(Batching batching, unsigned workers) {
        Options options = automatic(workers);
        options.window = 16;
        options.checks.verify = 1;
        options.batching = batching;
        return options;
    }
    ~Loop() {
        runtime_.wait_all();
        for (std::size_t i = 0; i < arrays_.size(); ++i)
            EXPECT_EQ(values_of(runtime_, arrays_[i]), expected_[i]) << "array " << i;
        EXPECT_EQ(runtime_.statistics().traces.verify_failures, 0U);
    }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    Loop(Loop&&) = delete;
    Loop& operator=(Loop&&) = delete;

    /// to[piece] = 3 to[piece] + from[piece] + the scalar.
    void mix(std::size_t from, std::size_t to, int piece, int scalar = 0) {
        mix_with(from, to, by_, piece, scalar);
    }
    void mix_with(std::size_t from, std::size_t to, const Partition<1>& by, int piece,
                  int scalar = 0) {
        runtime_.launch(
            "mix",
            [](View<const int, 1> f, View<int, 1> t, int s) {
                for (const Point<1>& p : t.domain()) t[p] = (3 * t[p] + f[p] + s) % 10007;
            },
            read(arrays_[from], by, Point<1>(piece)), read_write(arrays_[to], by, Point<1>(piece)),
            scalar);
        const Rect<1> rows = by[Point<1>(piece)].bounds();
        for (std::int64_t i = rows.lo[0]; i < rows.hi[0]; ++i) {
            int& t = expected_[to][static_cast<std::size_t>(i)];
            t = (3 * t + expected_[from][static_cast<std::size_t>(i)] + scalar) % 10007;
        }
    }
    void turn() {
        for (int piece = 0; piece < pieces; ++piece) mix(0, 1, piece, turns_++);
        for (int piece = 0; piece < pieces; ++piece) mix(1, 2, piece);
    }
    void turns(int count) {
        for (int i = 0; i < count; ++i) turn();
    }
    /// Runs the loop until it is folded and compiled.
    void settle() { turns(20); }

    /// The number of operations launched by `body` that were compiled.
    std::uint64_t compiled(const std::function<void()>& body) {
        const std::uint64_t before = compiled();
        body();
        return compiled() - before;
    }
    [[nodiscard]] std::uint64_t compiled() const {
        return runtime_.statistics().autotrace.compiled;
    }

    [[nodiscard]] Runtime& runtime() { return runtime_; }
    [[nodiscard]] const Numbers& array(std::size_t i) const { return arrays_[i]; }
    [[nodiscard]] std::vector<int>& expected(std::size_t i) { return expected_[i]; }
    [[nodiscard]] const Partition<1>& by() const { return by_; }

  private:
    Runtime runtime_;
    std::array<Numbers, 3> arrays_;
    std::array<std::vector<int>, 3> expected_{
        std::vector<int>(length, 1), std::vector<int>(length, 1), std::vector<int>(length, 1)};
    Partition<1> by_ = tiles(extents(length), pieces);
    int turns_ = 0;
};

class CompiledLoops : public ::testing::TestWithParam<Batching> {};
INSTANTIATE_TEST_SUITE_P(, CompiledLoops, ::testing::Values(Batching::all, Batching::none),
                         [](const auto& test) {
                             return test.param == Batching::all ? "batched" : "alone";
                         });

TEST_P(CompiledLoops, recognise_every_launch_after_enough_iterations) {
    Loop loop(GetParam());
    loop.settle();
    EXPECT_EQ(loop.compiled([&] { loop.turns(50); }), 50U * 2 * Loop::pieces);
    const Statistics s = loop.runtime().statistics();
    EXPECT_GT(s.autotrace.compiled_bytes, 0U);
    EXPECT_LT(s.autotrace.compiled_bytes, 4096U);
    EXPECT_NE(s.to_string().find("% in compiled loops"), std::string::npos);
}

TEST_P(CompiledLoops, detect_every_launch_that_differs) {
    const Partition<1> other = tiles(extents(Loop::length), 2);
    const std::vector<std::function<void(Loop&)>> odd = {
        [](Loop& l) { l.mix(0, 1, 1); },                    // another colour
        [](Loop& l) { l.mix(2, 1, 0); },                    // another region, used longer ago
        [](Loop& l) { l.mix(1, 0, 0); },                    // the same regions, swapped
        [&](Loop& l) { l.mix_with(0, 1, other, 0); },       // another partition
        [](Loop& l) { l.runtime().launch("new", [] {}); },  // another kind
        [](Loop& l) { l.runtime().wait_all(); }};           // none at all
    for (std::size_t place = 0; place < 2 * Loop::pieces; place += 3)
        for (std::size_t kind = 0; kind < odd.size(); ++kind) {
            SCOPED_TRACE(::testing::Message() << "kind " << kind << " at " << place);
            Loop loop(GetParam());
            loop.settle();
            for (int piece = 0; piece < Loop::pieces; ++piece) {
                if (static_cast<std::size_t>(piece) == place) odd[kind](loop);
                loop.mix(0, 1, piece);
            }
            for (int piece = 0; piece < Loop::pieces; ++piece) {
                if (static_cast<std::size_t>(piece + Loop::pieces) == place) odd[kind](loop);
                loop.mix(1, 2, piece);
            }
            loop.settle();
            EXPECT_GT(loop.compiled([&] { loop.turns(3); }), 0U);
        }
}

TEST_P(CompiledLoops, detect_that_one_region_is_used_twice) {
    // First neither region has an earlier use within a window; then they are the same region.
    Loop loop(GetParam());
    Runtime& runtime = loop.runtime();
    const auto meet = [&](const Numbers& a, const Numbers& b) {
        runtime.launch(
            "meet",
            [](View<int, 1> x, View<int, 1> y) {
                for (const Point<1>& p : x.domain()) x[p] = 1;
                for (const Point<1>& p : y.domain()) y[p] = 2;
            },
            write(a), write(b));
    };
    const auto fresh = [&] { return runtime.create_region<int>(extents(4), "fresh"); };
    for (int i = 0; i < 200; ++i) meet(fresh(), fresh());
    EXPECT_EQ(loop.compiled([&] { meet(fresh(), fresh()); }), 1U);
    const Numbers both = fresh();
    EXPECT_EQ(loop.compiled([&] { meet(both, both); }), 0U);
    EXPECT_EQ(values_of(runtime, both), (std::vector<int>(4, 2)));
}

TEST_P(CompiledLoops, include_launches_that_use_a_region_twice) {
    Loop loop(GetParam());
    const auto by = tiles(extents(Loop::length), 2);
    const auto exchange = [&] {
        loop.runtime().launch(
            "sum",
            [](View<const int, 1> a, View<int, 1> b) {
                for (const Point<1>& p : b.domain()) b[p] = (b[p] + a[p - 8]) % 1009;
            },
            read(loop.array(0), by, Point<1>(0)), read_write(loop.array(0), by, Point<1>(1)));
        std::vector<int>& e = loop.expected(0);
        for (std::size_t i = 8; i < 16; ++i) e[i] = (e[i] + e[i - 8]) % 1009;
    };
    for (int i = 0; i < 60; ++i) {
        exchange();
        loop.mix(0, 1, 0);
    }
    EXPECT_EQ(loop.compiled([&] {
        for (int i = 0; i < 10; ++i) {
            exchange();
            loop.mix(0, 1, 0);
        }
    }),
              20U);
}

TEST_P(CompiledLoops, refuse_invalid_launches_and_continue) {
    Loop loop(GetParam());
    loop.settle();
    Runtime& runtime = loop.runtime();
    Runtime other(plain(1));
    const auto launch = [&](const Numbers& from, const Numbers& to) {
        runtime.launch(
            "mix", [](View<const int, 1>, View<int, 1>, int) {}, read(from, loop.by(), Point<1>(0)),
            read_write(to, loop.by(), Point<1>(0)), 0);
    };
    const auto turn = [&](const std::function<void()>& wrong) {
        loop.mix(0, 1, 0);
        EXPECT_THROW(wrong(), UsageError);
        for (int piece = 1; piece < Loop::pieces; ++piece) loop.mix(0, 1, piece);
        for (int piece = 0; piece < Loop::pieces; ++piece) loop.mix(1, 2, piece);
    };
    const auto foreign = other.create_region<int>(extents(Loop::length), "foreign");
    const auto without_values = runtime.create_region<int>(extents(Loop::length), "empty");
    const auto small = runtime.create_region<int>(extents(2), "small");
    const std::uint64_t compiled = loop.compiled([&] {
        turn([&] { launch(Numbers(), loop.array(1)); });
        turn([&] { launch(foreign, loop.array(1)); });
        turn([&] { launch(without_values, loop.array(1)); });
        turn([&] { launch(loop.array(0), small); });
        turn([&] { loop.mix_with(0, 1, loop.by(), 99); });
    });
    EXPECT_EQ(compiled, 5U * 2 * Loop::pieces) << "refused launches do not count";
}

TEST_P(CompiledLoops, refuse_regions_with_a_host_view) {
    Loop loop(GetParam());
    loop.settle();
    for (int i = 0; i < 3; ++i) {
        const auto view = loop.runtime().read(loop.array(1));
        EXPECT_THROW(loop.mix(0, 1, 0), UsageError);  // would change it
    }
    {
        const auto view = loop.runtime().read(loop.array(0));
        loop.turn();  // only reads it
    }
    {
        auto view = loop.runtime().write(loop.array(0));
        EXPECT_THROW(loop.mix(0, 1, 0), UsageError);
        for (int i = 0; i < Loop::length; ++i) view[Point<1>(i)] = i;
    }
    for (int i = 0; i < Loop::length; ++i) loop.expected(0)[static_cast<std::size_t>(i)] = i;
    loop.settle();
}

/// Throws when it is moved, on request.
struct Fragile {
    bool* breaks;
    explicit Fragile(bool& flag) : breaks(&flag) {}
    Fragile(const Fragile&) = default;
    Fragile(Fragile&& other) : breaks(other.breaks) {
        if (*breaks) throw std::runtime_error("broken");
    }
    void operator()(View<int, 1> v) const {
        for (const Point<1>& p : v.domain()) ++v[p];
    }
};

TEST_P(CompiledLoops, continue_after_a_callable_threw_while_being_moved) {
    Loop loop(GetParam());
    bool breaks = false;
    const auto counts = loop.runtime().create_region<int>(extents(3), "counts");
    loop.runtime().fill(counts, 0);
    const auto launch = [&] {
        const Fragile fragile(breaks);
        loop.runtime().launch("fragile", fragile, read_write(counts));
    };
    for (int i = 0; i < 100; ++i) launch();
    breaks = true;
    EXPECT_THROW(launch(), std::runtime_error);
    breaks = false;
    EXPECT_EQ(loop.compiled([&] { launch(); }), 1U);
    EXPECT_EQ(values_of(loop.runtime(), counts), (std::vector<int>(3, 101)));
}

TEST_P(CompiledLoops, pass_return_values_and_arguments_of_tasks) {
    Loop loop(GetParam());
    std::vector<Future<int>> sums;
    const auto turn = [&] {
        Future<int> sum = loop.runtime().launch(
            "sum",
            [](View<const int, 1> v) {
                int total = 0;
                for (const Point<1>& p : v.domain()) total += v[p];
                return total;
            },
            read(loop.array(0), loop.by(), Point<1>(1)));
        loop.runtime().launch(
            "add",
            [](View<int, 1> v, int sum_of_it) {
                for (const Point<1>& p : v.domain()) v[p] = (v[p] + sum_of_it) % 1009;
            },
            read_write(loop.array(0), loop.by(), Point<1>(1)), sum);
        sums.push_back(sum);
        std::vector<int>& e = loop.expected(0);
        const int total = e[4] + e[5] + e[6] + e[7];
        for (std::size_t i = 4; i < 8; ++i) e[i] = (e[i] + total) % 1009;
    };
    for (int i = 0; i < 40; ++i) turn();
    EXPECT_EQ(loop.compiled([&] { turn(), turn(); }), 4U);
    EXPECT_EQ(sums.front().get(), 4);
    EXPECT_EQ(sums.size(), 42U);
}

TEST(CompiledLoop, a_failure_reaches_dependent_tasks_and_the_next_iteration_is_intact) {
    Loop loop;
    Runtime& runtime = loop.runtime();
    const auto values = runtime.create_region<int>(extents(4), "values");
    const auto sums = runtime.create_region<int>(extents(1), "sums");
    const auto turn = [&](bool fails) {
        runtime.launch(
            "produce",
            [](View<int, 1> v, bool it_fails) {
                if (it_fails) throw std::runtime_error("no values");
                for (const Point<1>& p : v.domain()) v[p] = 5;
            },
            write(values), fails);
        runtime.launch(
            "consume",
            [](View<const int, 1> v, View<int, 1> s) { s[Point<1>(0)] = v[Point<1>(3)]; },
            read(values), write(sums));
    };
    for (int i = 0; i < 60; ++i) turn(false);
    EXPECT_EQ(loop.compiled([&] { turn(true); }), 2U);
    EXPECT_THROW(runtime.wait_all(), TaskError);
    EXPECT_EQ(loop.compiled([&] { turn(false); }), 2U);
    EXPECT_EQ(values_of(runtime, sums), std::vector<int>{5});
}

TEST(CompiledLoop, index_launches_are_compared_by_their_domain_too) {
    Loop loop;
    const auto increment = [&](const Rect<1>& domain) {
        loop.runtime().launch(
            "increment", domain,
            [](View<int, 1> v) {
                for (const Point<1>& p : v.domain()) ++v[p];
            },
            read_write(loop.array(2), loop.by()));
        const auto width = static_cast<std::size_t>(Loop::length / Loop::pieces);
        for (std::int64_t i = domain.lo[0]; i < domain.hi[0]; ++i)
            for (std::size_t j = 0; j < width; ++j)
                ++loop.expected(2)[static_cast<std::size_t>(i) * width + j];
    };
    for (int i = 0; i < 50; ++i) increment(loop.by().colours());
    EXPECT_EQ(loop.compiled([&] { increment(loop.by().colours()); }), 1U);
    EXPECT_EQ(loop.compiled([&] { increment(Rect<1>{1, 3}); }), 0U);
    for (int i = 0; i < 50; ++i) increment(loop.by().colours());
}

TEST(CompiledLoop, new_partitions_are_compared_by_content) {
    Loop loop;
    const auto turn = [&](int pieces) {
        for (int piece = 0; piece < pieces; ++piece)
            loop.mix_with(0, 1, tiles(extents(Loop::length), pieces), piece);
    };
    for (int i = 0; i < 50; ++i) turn(4);
    EXPECT_EQ(loop.compiled([&] { turn(4); }), 4U);
    EXPECT_EQ(loop.compiled([&] { turn(2); }), 0U);
    for (int i = 0; i < 50; ++i) turn(4);
}

TEST(CompiledLoop, new_partitions_of_very_many_boxes_are_not_compiled) {
    Options options = automatic(2);
    options.window = 16;
    Runtime runtime(options);
    constexpr int length = 2000;
    const auto numbers = runtime.create_region<int>(extents(length), "numbers");
    runtime.fill(numbers, 0);
    for (int i = 0; i < 60; ++i)
        runtime.launch(
            "count", [](View<int, 1> v) { ++v[v.domain().lo]; },
            read_write(numbers, tiles(numbers.bounds(), length), Point<1>(7)));
    EXPECT_EQ(values_of(runtime, numbers)[7], 60);
    EXPECT_EQ(runtime.statistics().autotrace.compiled, 0U);
    EXPECT_GT(runtime.statistics().traces.replayed, 50U);
}

TEST(CompiledLoop, its_memory_is_bounded) {
    Options options = automatic(1);
    options.window = 16;
    Runtime runtime(options);
    const auto elements = runtime.create_region<int>(extents(256), "elements");
    runtime.fill(elements, 0);
    std::vector<Partition<1>> partitions;  // 11,350 pieces, of which none equals another's launch
    for (int pieces = 64; pieces < 164; ++pieces)
        partitions.push_back(tiles(elements.bounds(), pieces));
    for (int turn = 0; turn < 6; ++turn)
        for (int pieces = 64; pieces < 164; ++pieces)
            for (int piece = 0; piece < pieces; ++piece)
                runtime.launch(
                    "count", [](View<int, 1> v) { ++v[v.domain().lo]; },
                    read_write(elements, partitions[static_cast<std::size_t>(pieces - 64)],
                               Point<1>(piece)));
    runtime.wait_all();
    const Statistics s = runtime.statistics();
    EXPECT_GT(s.autotrace.compiled, 0U);
    EXPECT_LE(s.autotrace.compiled_bytes, std::size_t{1} << 20);
    EXPECT_GT(s.autotrace.compiled_bytes, std::size_t{1} << 19) << "the budget was not reached";
}

/// Without sharing, the budget would end in the middle of the loop.
TEST(CompiledLoop, launches_that_repeat_within_a_loop_share_memory) {
    Options options = automatic(1);
    options.window = 1024;
    Runtime runtime(options);
    constexpr int pieces = 16;
    const auto numbers = runtime.create_region<int>(extents(pieces), "numbers");
    runtime.fill(numbers, 0);
    const Partition<1> by = tiles(numbers.bounds(), pieces);
    constexpr int turns = 12;
    constexpr int steps = 500;  // 8,000 launches, and one that ends the inner loop
    std::uint64_t compiled = 0;
    for (int turn = 0; turn < turns; ++turn) {
        compiled = runtime.statistics().autotrace.compiled;
        for (int step = 0; step < steps; ++step)
            for (int piece = 0; piece < pieces; ++piece)
                runtime.launch(
                    "add", [](View<int, 1> v, int more) { v[v.domain().lo] += more; },
                    read_write(numbers, by, Point<1>(piece)), step % 3);
        runtime.launch(
            "end", [](View<const int, 1>) {}, read(numbers));
    }
    runtime.wait_all();
    const Statistics s = runtime.statistics();
    EXPECT_EQ(s.autotrace.compiled - compiled, pieces * steps + 1U) << "in the last turn";
    EXPECT_LE(s.autotrace.compiled_bytes, std::size_t{1} << 17);
    int each = 0;
    for (int step = 0; step < steps; ++step) each += step % 3;
    EXPECT_EQ(values_of(runtime, numbers), std::vector<int>(pieces, turns * each));
}

TEST(CompiledLoop, successive_loops_are_each_compiled) {
    Loop loop;
    for (int round = 0; round < 2; ++round) {
        EXPECT_GT(loop.compiled([&] { loop.settle(); }), 0U) << "round " << round;
        EXPECT_GT(loop.compiled([&] {
            for (int i = 0; i < 60; ++i) loop.mix(2, 0, i % 3);
        }),
                  0U)
            << "round " << round;
    }
}

}  // namespace
}  // namespace refrain::compiled_loop_test
