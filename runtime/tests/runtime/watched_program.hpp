/// Programs that also compute every operation sequentially, and analyse every replayed operation
/// again. A scenario defines the program and how much of it must be replayed.
#pragma once

#include "runtime/harness.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <utility>

namespace refrain {

/// The conditions of a scenario.
struct Conditions {
    const char* name;
    unsigned workers = 2;
    std::uint64_t window = 1024;
    unsigned token_bits = 128;

    [[nodiscard]] Options options() const {
        Options options = automatic(workers);
        options.window = window;
        options.checks.token_bits = token_bits;
        options.checks.verify = 1;
        return options;
    }
    friend void PrintTo(const Conditions& conditions, std::ostream* out) {
        *out << conditions.name;
    }
};

inline constexpr Conditions all_conditions[] = {{.name = "two_workers"},
                                                {.name = "one_worker", .workers = 1},
                                                {.name = "a_small_window", .window = 32},
                                                {.name = "hashes_of_4_bits", .token_bits = 4}};

/// Values depend on the order of all operations on an element, and wrap around.
using Value = std::uint64_t;

/// A region and the expected values of its elements.
class Array {
  public:
    static constexpr std::int64_t length = 24;

    Array(Runtime& runtime, std::int64_t elements)
        : region_(runtime.create_region<Value>(extents(elements), "array")),
          expected_(std::make_shared<std::vector<Value>>(static_cast<std::size_t>(elements))) {}

    [[nodiscard]] const Region<Value, 1>& region() const { return region_; }
    [[nodiscard]] std::vector<Value>& expected() const { return *expected_; }

  private:
    Region<Value, 1> region_;
    std::shared_ptr<std::vector<Value>> expected_;
};

class WatchedProgram {
  public:
    explicit WatchedProgram(const Options& options) : runtime_(options) {}
    explicit WatchedProgram(const Conditions& conditions) : WatchedProgram(conditions.options()) {}
    ~WatchedProgram() { expect_nothing_wrong(); }
    WatchedProgram(const WatchedProgram&) = delete;
    WatchedProgram& operator=(const WatchedProgram&) = delete;
    WatchedProgram(WatchedProgram&&) = delete;
    WatchedProgram& operator=(WatchedProgram&&) = delete;

    [[nodiscard]] Runtime& runtime() { return runtime_; }

    /// A new one without values.
    [[nodiscard]] Array array(std::int64_t elements = Array::length) {
        return {runtime_, elements};
    }
    /// New ones with values.
    [[nodiscard]] std::vector<Array> arrays(std::size_t count) {
        std::vector<Array> made;
        for (std::size_t i = 0; i < count; ++i) fill(made.emplace_back(array()), i);
        return made;
    }
    void fill(const Array& to, Value value) {
        runtime_.fill(to.region(), value);
        std::fill(to.expected().begin(), to.expected().end(), value);
    }
    /// to = from + 1 in `pieces` points; what `to` was before does not matter.
    void copy(const Array& from, const Array& to, std::int64_t pieces = 4) {
        const auto& by = pieces_of(to, pieces);
        runtime_.launch(
            "copy", by.colours(),
            [](View<const Value, 1> f, View<Value, 1> t) {
                for (const Point<1>& p : t.domain()) t[p] = f[p] + 1;
            },
            read(from.region(), by), write(to.region(), by));
        for (std::size_t i = 0; i < to.expected().size(); ++i)
            to.expected()[i] = from.expected()[i] + 1;
    }
    /// to = 3 to + from + by.
    void mix(const Array& from, const Array& to, std::int64_t pieces = 4, Value scalar = 1) {
        const auto& by = pieces_of(to, pieces);
        runtime_.launch(
            "mix", by.colours(),
            [](View<const Value, 1> f, View<Value, 1> t, Value s) {
                for (const Point<1>& p : t.domain()) t[p] = 3 * t[p] + f[p] + s;
            },
            read(from.region(), by), read_write(to.region(), by), scalar);
        for (std::size_t i = 0; i < to.expected().size(); ++i)
            to.expected()[i] = 3 * to.expected()[i] + from.expected()[i] + scalar;
    }
    /// to = the sum of three neighbours in from.
    void stencil(const Array& from, const Array& to) {
        const auto& by = pieces_of(to, 4);
        runtime_.launch(
            "stencil", by.colours(),
            [](View<const Value, 1> f, View<Value, 1> t) {
                for (const Point<1>& p : t.domain())
                    t[p] = f[std::max<std::int64_t>(p[0] - 1, 0)] + f[p] +
                           f[std::min(p[0] + 1, Array::length - 1)];
            },
            read(from.region(), halo(by, 1)), write(to.region(), by));
        const std::vector<Value> old = from.expected();
        for (std::size_t i = 0; i < old.size(); ++i)
            to.expected()[i] =
                old[i == 0 ? 0 : i - 1] + old[i] + old[std::min(i + 1, old.size() - 1)];
    }
    /// Updates piece `own`: 5 times its value, plus the first element of another piece.
    void update_tile(const Array& array, std::int64_t pieces, std::int64_t own,
                     std::int64_t other) {
        const auto& by = pieces_of(array, pieces);
        const auto width = static_cast<std::size_t>(array.region().bounds().volume() / pieces);
        std::vector<Value>& e = array.expected();
        const std::size_t begin = static_cast<std::size_t>(own) * width;
        const Value added = own == other ? 1 : e[static_cast<std::size_t>(other) * width];
        for (std::size_t i = begin; i < begin + width; ++i) e[i] = 5 * e[i] + added;
        if (own == other) {
            runtime_.launch(
                "update alone",
                [](View<Value, 1> v) {
                    for (const Point<1>& p : v.domain()) v[p] = 5 * v[p] + 1;
                },
                read_write(array.region(), by, Point<1>(own)));
            return;
        }
        runtime_.launch(
            "update",
            [](View<const Value, 1> from, View<Value, 1> v) {
                for (const Point<1>& p : v.domain()) v[p] = 5 * v[p] + from[from.domain().lo];
            },
            read(array.region(), by, Point<1>(other)),
            read_write(array.region(), by, Point<1>(own)));
    }
    /// Every point contributes to all elements.
    template <class Op>
    void fold(const Array& into, Value value, std::int64_t points = 3) {
        runtime_.launch(
            "fold", extents(points),
            [](Point<1> p, ReduceView<Op, Value, 1> v, Value from) {
                for (const Point<1>& at : v.domain()) v.reduce(at, from + static_cast<Value>(p[0]));
            },
            reduce<Op>(into.region()), value);
        for (std::int64_t p = 0; p < points; ++p)
            for (Value& e : into.expected()) Op::fold(e, value + static_cast<Value>(p));
    }
    /// The sum of the elements, later.
    Future<Value> sum(const Array& from) {
        return runtime_.launch(
            "sum",
            [](View<const Value, 1> v) {
                Value sum = 0;
                for (const Point<1>& p : v.domain()) sum += v[p];
                return sum;
            },
            read(from.region()));
    }
    [[nodiscard]] static Value expected_sum(const Array& from) {
        return std::accumulate(from.expected().begin(), from.expected().end(), Value{0});
    }
    /// to += the value of a future.
    void add(const Future<Value>& value, Value expected, const Array& to) {
        runtime_.launch(
            "add",
            [](View<Value, 1> v, Value s) {
                for (const Point<1>& p : v.domain()) v[p] += s;
            },
            read_write(to.region()), value);
        for (Value& e : to.expected()) e += expected;
    }
    /// Launches one of many different operations on some arrays.
    void step(std::size_t which, const std::vector<Array>& arrays) {
        const std::size_t to = which % arrays.size();
        const std::size_t away = 1 + which / arrays.size() % (arrays.size() - 1);
        const auto pieces =
            static_cast<std::int64_t>(1 + which / arrays.size() / (arrays.size() - 1) % 8);
        mix(arrays[(to + away) % arrays.size()], arrays[to], pieces);
    }

    void expect_values(const Array& array) {
        EXPECT_EQ(values_of(runtime_, array.region()), array.expected());
    }
    void expect_values(const std::vector<Array>& arrays) {
        for (const Array& array : arrays) expect_values(array);
    }

    /// Runs the rounds of a loop. Returns the replayed share of the operations in the last quarter
    /// of the rounds.
    template <class Body>
    double repeat(int rounds, const Body& body) {
        Statistics before;
        for (int i = 0; i < rounds; ++i) {
            if (i == rounds - rounds / 4) before = runtime_.statistics();
            body(i);
        }
        const Statistics after = runtime_.statistics();
        return static_cast<double>(after.traces.replayed - before.traces.replayed) /
               static_cast<double>(after.launches.operations - before.launches.operations);
    }
    [[nodiscard]] std::uint64_t replayed() const { return runtime_.statistics().traces.replayed; }
    [[nodiscard]] std::uint64_t launched() const {
        return runtime_.statistics().launches.operations;
    }

    /// Checks that every replayed operation was verified, nothing is held back, and memos stay
    /// within their budget.
    void expect_nothing_wrong() const {
        const Statistics s = runtime_.statistics();
        EXPECT_EQ(s.traces.verify_failures, 0U);
        EXPECT_EQ(s.traces.verified, s.traces.replayed);
        EXPECT_EQ(s.traces.analysed + s.traces.recorded + s.traces.replayed, s.launches.operations);
        EXPECT_EQ(s.autotrace.held_back_mean, 0);
        EXPECT_LE(s.autotrace.memo_bytes, runtime_.options().limits.trace_bytes);
    }

  private:
    /// Returns the same partition each time, as programs keep theirs.
    const Partition<1>& pieces_of(const Array& array, std::int64_t pieces) {
        const Rect<1> bounds = array.region().bounds();
        return pieces_.try_emplace({bounds.volume(), pieces}, tiles(bounds, pieces)).first->second;
    }

    Runtime runtime_;
    std::map<std::pair<std::int64_t, std::int64_t>, Partition<1>> pieces_;
};

/// A scenario runs under all conditions. Where hashes collide, only its results are checked.
class InlineScenario : public ::testing::TestWithParam<Conditions> {
  protected:
    static void expect_share(double share, double least) {
        if (GetParam().token_bits < 32) return;
        EXPECT_GE(share, least);
    }
};

inline const auto conditions_name = [](const ::testing::TestParamInfo<Conditions>& info) {
    return std::string(info.param.name);
};

}  // namespace refrain
