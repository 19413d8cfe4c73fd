/// Analysis cost in hops and bytes, independent of the machine: programs run until they reach a
/// steady state; from then on nothing may grow.

#include "analysis/dependence_walk.hpp"
#include "analysis/source_merge.hpp"

#include <deque>
#include <functional>
#include <gtest/gtest.h>

namespace refrain::analysis::dependence_cost_test {
namespace {

constexpr std::uint32_t window = 8192;

data::BoxSet interval(std::int64_t begin, std::int64_t end) {
    return data::BoxSet(data::Box{{begin, 0, 0}, {end, 1, 1}});
}
data::BoxSet rectangle(std::int64_t row, std::int64_t column, std::int64_t rows,
                       std::int64_t columns) {
    return data::BoxSet(data::Box{{row, column, 0}, {row + rows, column + columns, 1}});
}

/// Launches operations and measures their cost.
class Meter {
  public:
    struct Requirement {
        RegionHistory* region;
        FootprintId footprint;
        Privilege privilege;
        std::uint16_t reduction = 0;
    };
    struct Cost {
        double hops, edges;             // per requirement, per operation
        std::size_t entries_grown;      // of the walk table
        std::size_t table_bytes_grown;  // of all tables
        std::size_t history_bytes_grown;
    };

    RegionHistory& region(const data::Box& bounds) {
        RegionHistory& made = regions_.emplace_back();
        made.serial = ++serials_;
        made.bounds = bounds;
        return made;
    }
    RegionHistory& line(std::int64_t extent) { return region({{0, 0, 0}, {extent, 1, 1}}); }
    void renew(RegionHistory& region) {
        const data::Box bounds = region.bounds;
        region = {};
        region.serial = ++serials_;
        region.bounds = bounds;
    }
    FootprintId touch(std::vector<data::BoxSet> subsets) {
        return footprints_.intern(std::move(subsets));
    }
    void launch(const std::vector<Requirement>& requirements) {
        const auto count = static_cast<std::uint32_t>(requirements.size());
        shapes_.clear();
        used_.clear();
        for (const Requirement& r : requirements) {
            shapes_.emplace_back(r.footprint, r.privilege, r.reduction);
            used_.push_back(r.region);
        }
        (void)history_.append(++operations_, shapes_, used_, footprints_);
        merge_.clear();
        for (std::uint32_t i = 0; i < count; ++i)
            merge_.add(walk_.walk(operations_, i, *requirements[i].region).sources);
        requirements_ += count;
        edges_ += merge_.merged().size();
    }
    /// Runs `round` until three windows have passed, then measures `rounds` more calls.
    Cost measure(std::uint64_t rounds, const std::function<void(std::uint64_t)>& round) {
        std::uint64_t i = 0;
        for (const auto begin = operations_; operations_ < begin + 3 * window;) round(i++);
        const Meter& m = *this;
        const auto hops = m.walk_.hops();
        const auto requirements = requirements_;
        const auto edges = edges_;
        const auto operations = operations_;
        const auto entries = walks_.entries();
        const auto tables = table_bytes();
        const auto history = history_.bytes();
        for (const auto end = i + rounds; i < end;) round(i++);
        return {.hops = static_cast<double>(walk_.hops() - hops) /
                        static_cast<double>(requirements_ - requirements),
                .edges = static_cast<double>(edges_ - edges) /
                         static_cast<double>(operations_ - operations),
                .entries_grown = walks_.entries() - entries,
                .table_bytes_grown = table_bytes() - tables,
                .history_bytes_grown = history_.bytes() - history};
    }
    [[nodiscard]] std::uint64_t splits() const { return walk_.splits(); }
    [[nodiscard]] std::size_t entries() const { return walks_.entries(); }

  private:
    [[nodiscard]] std::size_t table_bytes() const {
        return footprints_.bytes() + patterns_.bytes() + walks_.bytes();
    }
    FootprintTable footprints_;
    PatternTable patterns_;
    WalkTable walks_{footprints_, patterns_};
    AccessHistory history_{window};
    DependenceWalk walk_{history_, walks_, footprints_};
    SourceMerge merge_{patterns_};
    std::deque<RegionHistory> regions_;
    OperationNumber operations_ = 0;
    std::vector<RequirementShape> shapes_;
    std::vector<RegionHistory*> used_;
    std::uint64_t serials_ = 0, requirements_ = 0, edges_ = 0;
};

void expect_flat(const Meter::Cost& cost) {
    EXPECT_EQ(cost.entries_grown, 0U);
    EXPECT_EQ(cost.table_bytes_grown, 0U);
    EXPECT_EQ(cost.history_bytes_grown, 0U);
}

constexpr auto read = Privilege::read;
constexpr auto write = Privilege::write;
constexpr auto update = Privilege::read_write;
constexpr auto reduce = Privilege::reduce;

/// Footprints of a line cut into `tiles` pieces of ten elements.
struct Tiling {
    Tiling(Meter& meter, std::int64_t tiles) {
        for (std::int64_t t = 0; t < tiles; ++t) {
            own.push_back(interval(10 * t, 10 * t + 10));
            halo.push_back(
                interval(std::max<std::int64_t>(0, 10 * t - 1), std::min(10 * tiles, 10 * t + 11)));
            inner.push_back(
                interval(10 * t + (t == 0 ? 1 : 0), 10 * t + (t == tiles - 1 ? 9 : 10)));
            each.push_back(meter.touch({own.back()}));
            each_halo.push_back(meter.touch({halo.back()}));
        }
        tiles_of_all = meter.touch(own);
        halos_of_all = meter.touch(halo);
        inner_of_all = meter.touch(inner);
        whole = meter.touch({interval(0, 10 * tiles)});
    }
    std::vector<data::BoxSet> own, halo, inner;
    std::vector<FootprintId> each, each_halo;
    FootprintId tiles_of_all, halos_of_all, inner_of_all, whole;
};

TEST(DependenceCost, a_stencil_over_two_buffers_takes_at_most_two_hops) {
    Meter meter;
    const Tiling tiling(meter, 4);
    RegionHistory* buffers[] = {&meter.line(40), &meter.line(40)};
    const auto cost = meter.measure(1000, [&](std::uint64_t i) {
        meter.launch({{buffers[i % 2], tiling.tiles_of_all, write},
                      {buffers[(i + 1) % 2], tiling.halos_of_all, read}});
    });
    EXPECT_LE(cost.hops, 2.0);
    EXPECT_LE(cost.edges, 2.0);
    expect_flat(cost);
}

TEST(DependenceCost, a_border_that_is_never_rewritten_lengthens_no_walk) {
    Meter meter;
    const Tiling tiling(meter, 4);
    RegionHistory* buffers[] = {&meter.line(40), &meter.line(40)};
    for (RegionHistory* buffer : buffers) meter.launch({{buffer, tiling.whole, write}});
    const auto cost = meter.measure(1000, [&](std::uint64_t i) {
        meter.launch({{buffers[i % 2], tiling.inner_of_all, write},
                      {buffers[(i + 1) % 2], tiling.halos_of_all, read}});
    });
    EXPECT_LE(cost.hops, 2.0);
    EXPECT_LE(cost.edges, 2.0);
    expect_flat(cost);
}

TEST(DependenceCost, new_temporaries_in_every_iteration_cost_no_extra_hops) {
    Meter meter;
    const Tiling tiling(meter, 4);
    RegionHistory& x = meter.line(40);
    RegionHistory& t = meter.line(40);
    const auto cost = meter.measure(1000, [&](std::uint64_t) {
        meter.renew(t);
        meter.launch({{&t, tiling.tiles_of_all, write}, {&x, tiling.halos_of_all, read}});
        meter.launch({{&x, tiling.tiles_of_all, update}, {&t, tiling.tiles_of_all, read}});
    });
    EXPECT_LE(cost.hops, 2.0);
    expect_flat(cost);
}

TEST(DependenceCost, reductions_with_occasional_reads_take_at_most_two_hops) {
    Meter meter;
    const Tiling tiling(meter, 4);
    RegionHistory& sum = meter.line(40);
    RegionHistory& x = meter.line(40);
    const auto cost = meter.measure(1000, [&](std::uint64_t i) {
        meter.launch({{&sum, tiling.halos_of_all, reduce, 1}, {&x, tiling.tiles_of_all, read}});
        if (i % 10 == 9) meter.launch({{&sum, tiling.whole, update}});
    });
    EXPECT_LE(cost.hops, 2.0);
    expect_flat(cost);
}

TEST(DependenceCost, conjugate_gradients_take_at_most_two_and_a_half_hops) {
    Meter meter;
    const Tiling tiling(meter, 4);
    const auto tiles = tiling.tiles_of_all;
    const FootprintId one = meter.touch(std::vector(4, interval(0, 1)));
    RegionHistory &x = meter.line(40), &r = meter.line(40), &p = meter.line(40),
                  &q = meter.line(40), &dot = meter.line(1);
    const FootprintId scalar = meter.touch({interval(0, 1)});
    const auto cost = meter.measure(300, [&](std::uint64_t) {
        meter.launch({{&q, tiles, write}, {&p, tiling.halos_of_all, read}});
        meter.launch({{&dot, scalar, write}});
        meter.launch({{&dot, one, reduce, 1}, {&p, tiles, read}, {&q, tiles, read}});
        meter.launch({{&x, tiles, update}, {&p, tiles, read}, {&dot, one, read}});
        meter.launch({{&r, tiles, update}, {&q, tiles, read}, {&dot, one, read}});
        meter.launch({{&p, tiles, update}, {&r, tiles, read}});
    });
    EXPECT_LE(cost.hops, 2.5);
    expect_flat(cost);
}

TEST(DependenceCost, thousands_of_single_tasks_on_tiles_take_at_most_two_hops_each) {
    for (const std::int64_t tiles : {64, 1000, 4000}) {
        Meter meter;
        const Tiling tiling(meter, tiles);
        RegionHistory& region = meter.line(10 * tiles);
        const auto cost =
            meter.measure(2 * static_cast<std::uint64_t>(tiles), [&](std::uint64_t i) {
                const auto t = i % static_cast<std::uint64_t>(tiles);
                meter.launch({{&region, tiling.each[t], update}});
            });
        EXPECT_LE(cost.hops, 2.0) << tiles << " tiles";
        EXPECT_LE(cost.edges, 1.0);
        EXPECT_EQ(meter.splits(), 1U);
    }
}

TEST(DependenceCost, single_tasks_that_read_their_neighbours_take_at_most_six_hops_each) {
    for (const std::int64_t tiles : {64, 1000}) {
        Meter meter;
        const Tiling tiling(meter, tiles);
        RegionHistory* buffers[] = {&meter.line(10 * tiles), &meter.line(10 * tiles)};
        const auto count = static_cast<std::uint64_t>(tiles);
        const auto cost = meter.measure(4 * count, [&](std::uint64_t i) {
            RegionHistory* from = buffers[i / count % 2];
            RegionHistory* to = buffers[(i / count + 1) % 2];
            meter.launch(
                {{to, tiling.each[i % count], write}, {from, tiling.each_halo[i % count], read}});
        });
        EXPECT_LE(cost.hops, 6.0) << tiles << " tiles";
        expect_flat(cost);
    }
}

TEST(DependenceCost, single_tasks_on_tiles_of_a_plane_take_at_most_two_hops_each) {
    Meter meter;
    RegionHistory& plane = meter.region({{0, 0, 0}, {320, 320, 1}});
    std::vector<FootprintId> tiles;
    for (std::int64_t row = 0; row < 320; row += 10)
        for (std::int64_t column = 0; column < 320; column += 10)
            tiles.push_back(meter.touch({rectangle(row, column, 10, 10)}));
    const auto cost = meter.measure(4 * tiles.size(), [&](std::uint64_t i) {
        meter.launch({{&plane, tiles[i * 7 % tiles.size()], update}});
    });
    EXPECT_LE(cost.hops, 2.0);
    expect_flat(cost);
}

TEST(DependenceCost, a_tiled_factorisation_of_one_matrix_takes_at_most_two_hops_each) {
    constexpr std::int64_t n = 16;
    Meter meter;
    RegionHistory& matrix = meter.region({{0, 0, 0}, {10 * n, 10 * n, 1}});
    const auto tile = [&](std::int64_t i, std::int64_t j) {
        return meter.touch({rectangle(10 * i, 10 * j, 10, 10)});
    };
    const auto cost = meter.measure(3, [&](std::uint64_t) {
        for (std::int64_t k = 0; k < n; ++k) {
            meter.launch({{&matrix, tile(k, k), update}});
            for (std::int64_t i = k + 1; i < n; ++i)
                meter.launch({{&matrix, tile(k, k), read}, {&matrix, tile(i, k), update}});
            for (std::int64_t i = k + 1; i < n; ++i)
                for (std::int64_t j = k + 1; j <= i; ++j)
                    meter.launch({{&matrix, tile(i, k), read},
                                  {&matrix, tile(j, k), read},
                                  {&matrix, tile(i, j), update}});
        }
    });
    EXPECT_LE(cost.hops, 2.0);
    expect_flat(cost);
}

TEST(DependenceCost, single_tasks_on_tiles_alternating_with_index_launches_take_at_most_two_hops) {
    Meter meter;
    constexpr std::uint64_t tiles = 500;
    const Tiling tiling(meter, tiles);
    RegionHistory& region = meter.line(10 * tiles);
    const auto cost = meter.measure(4 * (tiles + 1), [&](std::uint64_t i) {
        const std::uint64_t at = i % (tiles + 1);
        const FootprintId all = i / (tiles + 1) % 2 == 0 ? tiling.tiles_of_all : tiling.whole;
        meter.launch({{&region, at < tiles ? tiling.each[at] : all, update}});
    });
    EXPECT_LE(cost.hops, 2.0);
    expect_flat(cost);
}

TEST(DependenceCost, a_divided_region_that_is_written_as_a_whole_gets_one_chain_again) {
    for (const std::uint64_t tiles : {16U, 500U}) {
        Meter meter;
        const Tiling tiling(meter, static_cast<std::int64_t>(tiles));
        RegionHistory& region = meter.line(10 * static_cast<std::int64_t>(tiles));
        for (std::uint64_t i = 0; i < 40 * tiles; ++i)
            meter.launch({{&region, tiling.each[i % tiles], update}});
        ASSERT_EQ(meter.splits(), 1U);
        const auto cost = meter.measure(100, [&](std::uint64_t) {
            meter.launch({{&region, tiling.tiles_of_all, update}});
        });
        EXPECT_EQ(region.grid(), nullptr);
        EXPECT_LE(cost.hops, 1.0) << tiles << " tiles";
    }
}

TEST(DependenceCost, index_launches_over_a_whole_region_never_divide_it) {
    Meter meter;
    RegionHistory& region = meter.line(1000);
    std::vector<FootprintId> readers;
    for (std::int64_t shift = 0; shift < 20; ++shift) {
        std::vector<data::BoxSet> subsets;
        for (std::int64_t t = 0; t < 10; ++t)
            subsets.push_back(interval(100 * t + shift, 100 * t + 80 + shift));
        readers.push_back(meter.touch(subsets));
    }
    const FootprintId all = meter.touch({interval(0, 1000)});
    const auto cost = meter.measure(2000, [&](std::uint64_t i) {
        meter.launch(
            {{&region, i % 21 == 20 ? all : readers[i % 21], i % 21 == 20 ? write : read}});
    });
    EXPECT_EQ(meter.splits(), 0U);
    expect_flat(cost);
}

}  // namespace
}  // namespace refrain::analysis::dependence_cost_test
