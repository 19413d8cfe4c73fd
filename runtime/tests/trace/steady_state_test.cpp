/// Loops in their steady state: a traced loop walks nothing, allocates nothing and grows nothing.

#include "analysis/dependence_walk.hpp"
#include "base/poison.hpp"
#include "trace/tracer.hpp"

#include <deque>
#include <gtest/gtest.h>

#include "allocations/allocations.hpp"

namespace refrain::trace::steady_state_test {
namespace {

constexpr std::uint32_t window = 256;

data::BoxSet interval(std::int64_t begin, std::int64_t end) {
    return data::BoxSet(data::Box{{begin, 0, 0}, {end, 1, 1}});
}

/// Launches traced loops and measures their cost.
class Loop {
  public:
    struct Use {
        RegionHistory* region;
        analysis::FootprintId footprint;
        Privilege privilege;
    };
    struct Cost {
        std::uint64_t hops, walked, mismatches, allocations;
        std::size_t entries_grown, tables_grown, history_grown, store_grown;
    };

    Loop() {
        std::vector<data::BoxSet> own, around, within;
        for (std::int64_t t = 0; t < 4; ++t) {
            own.push_back(interval(10 * t, 10 * t + 10));
            around.push_back(interval(std::max<std::int64_t>(0, 10 * t - 1),
                                      std::min<std::int64_t>(40, 10 * t + 11)));
            within.push_back(interval(10 * t + (t == 0 ? 1 : 0), 10 * t + (t == 3 ? 9 : 10)));
            tile.push_back(footprints_.intern({own.back()}));
        }
        tiles = footprints_.intern(own);
        halos = footprints_.intern(around);
        inner = footprints_.intern(within);
        whole = footprints_.intern({interval(0, 40)});
    }
    RegionHistory& region() {
        RegionHistory& made = regions_.emplace_back();
        made.bounds = data::Box{{0, 0, 0}, {40, 1, 1}};
        renew(made);
        return made;
    }
    void renew(RegionHistory& region) {
        region.last = {};
        region.drop_cells();
        region.bound_by = 0;
        region.serial = ++serials_;
    }
    void begin(TraceId trace) {
        tracer_.begin(trace, operations_ + 1, Tracer::OnMismatch::fall_back);
    }
    void end() { tracer_.end(operations_ + 1); }
    void launch(std::initializer_list<Use> uses) {
        std::size_t count = 0;
        for (const Use& use : uses) {
            shapes_[count] = {use.footprint, use.privilege};
            used_[count++] = use.region;
        }
        ++operations_;
        (void)tracer_.dependences(operations_, {.task = &site_,
                                                .site = &site_,
                                                .point_count = 1,
                                                .shapes = std::span(shapes_).first(count),
                                                .regions = std::span(used_).first(count)});
    }
    /// Runs `round` until eight windows have passed, then measures `rounds` more calls.
    template <class Round>
    Cost measure(std::uint64_t rounds, Round&& round) {
        std::uint64_t i = 0;
        while (operations_.value() < 8 * window) round(i++);
        const auto [hops, walked, mismatches, allocated] = counts();
        const auto [entries, tables, history, store] = sizes();
        for (const auto last = i + rounds; i < last;) round(i++);
        const auto [hops_now, walked_now, mismatches_now, allocated_now] = counts();
        const auto [entries_now, tables_now, history_now, store_now] = sizes();
        return {.hops = hops_now - hops,
                .walked = walked_now - walked,
                .mismatches = mismatches_now - mismatches,
                .allocations = allocated_now - allocated,
                .entries_grown = entries_now - entries,
                .tables_grown = tables_now - tables,
                .history_grown = history_now - history,
                .store_grown = store_now - store};
    }

    std::vector<analysis::FootprintId> tile;
    analysis::FootprintId tiles{}, halos{}, inner{}, whole{};

  private:
    [[nodiscard]] std::array<std::uint64_t, 4> counts() const {
        return {walk_.hops(), tracer_.counters().walked_in_replay, tracer_.counters().mismatches,
                refrain::testing::allocations()};
    }
    [[nodiscard]] std::array<std::size_t, 4> sizes() const {
        return {walks_.entries(), footprints_.bytes() + patterns_.bytes() + walks_.bytes(),
                history_.bytes(), tracer_.store().bytes()};
    }

    analysis::FootprintTable footprints_;
    analysis::PatternTable patterns_;
    analysis::WalkTable walks_{footprints_, patterns_};
    analysis::AccessHistory history_{window};
    analysis::DependenceWalk walk_{history_, walks_, footprints_};
    Tracer tracer_{{.limits = {.bytes_max = 1 << 20, .variants_max = 4, .window = window}},
                   history_,
                   walk_,
                   patterns_,
                   footprints_};
    std::deque<RegionHistory> regions_;
    LaunchSite site_{"task", "loop.cpp", 1};
    std::array<RequirementShape, 4> shapes_;
    std::array<RegionHistory*, 4> used_{};
    OperationNumber operations_ = 0;
    std::uint64_t serials_ = 0;
};

constexpr auto read = Privilege::read;
constexpr auto write = Privilege::write;
constexpr auto update = Privilege::read_write;

void expect_flat(const Loop::Cost& cost) {
    EXPECT_EQ(cost.mismatches, 0U);
    EXPECT_EQ(cost.entries_grown, 0U);
    EXPECT_EQ(cost.tables_grown, 0U);
    EXPECT_EQ(cost.history_grown, 0U);
    EXPECT_EQ(cost.store_grown, 0U);
    EXPECT_EQ(cost.allocations, 0U);
}
void expect_free(const Loop::Cost& cost) {
    EXPECT_EQ(cost.walked, 0U);
    EXPECT_EQ(cost.hops, 0U);
    expect_flat(cost);
}

TEST(SteadyState, a_stencil_over_two_buffers_walks_and_allocates_nothing) {
    Loop loop;
    RegionHistory &a = loop.region(), &b = loop.region();
    expect_free(loop.measure(2000, [&](std::uint64_t) {
        loop.begin(TraceId{1});
        loop.launch({{&b, loop.tiles, write}, {&a, loop.halos, read}});
        loop.launch({{&a, loop.tiles, write}, {&b, loop.halos, read}});
        loop.end();
    }));
}

TEST(SteadyState, swapped_buffers_walk_only_where_they_look_past_the_previous_iteration) {
    Loop loop;
    RegionHistory *a = &loop.region(), *b = &loop.region();
    const auto cost = loop.measure(2000, [&](std::uint64_t) {
        loop.begin(TraceId{1});
        loop.launch({{b, loop.tiles, write}, {a, loop.halos, read}});
        loop.end();
        std::swap(a, b);
    });
    EXPECT_EQ(cost.walked, 2000U)
        << "the write walks past the reader to the write two iterations ago";
    EXPECT_EQ(cost.hops, 4000U);
    expect_flat(cost);
}

TEST(SteadyState, a_loop_with_new_temporaries_walks_and_allocates_nothing) {
    Loop loop;
    RegionHistory &x = loop.region(), &t = loop.region();
    expect_free(loop.measure(2000, [&](std::uint64_t) {
        loop.begin(TraceId{1});
        loop.renew(t);
        loop.launch({{&t, loop.tiles, write}, {&x, loop.halos, read}});
        loop.launch({{&x, loop.tiles, update}, {&t, loop.tiles, read}});
        loop.end();
    }));
}

TEST(SteadyState, a_loop_that_reads_an_old_border_walks_and_allocates_nothing) {
    Loop loop;
    RegionHistory &a = loop.region(), &b = loop.region();
    loop.launch({{&a, loop.whole, write}, {&b, loop.whole, write}});
    expect_free(loop.measure(2000, [&](std::uint64_t) {
        loop.begin(TraceId{1});
        loop.launch({{&b, loop.inner, write}, {&a, loop.halos, read}});
        loop.launch({{&a, loop.inner, write}, {&b, loop.halos, read}});
        loop.end();
    }));
}

TEST(SteadyState, single_tasks_on_tiles_walk_and_allocate_nothing) {
    Loop loop;
    RegionHistory &a = loop.region(), &b = loop.region();
    expect_free(loop.measure(1000, [&](std::uint64_t) {
        loop.begin(TraceId{1});
        for (const auto tile : loop.tile) loop.launch({{&b, tile, write}, {&a, tile, read}});
        for (const auto tile : loop.tile) loop.launch({{&a, tile, write}, {&b, tile, read}});
        loop.end();
    }));
}

TEST(SteadyState, alternating_traces_walk_at_their_boundaries_and_nothing_grows) {
    Loop loop;
    RegionHistory &a = loop.region(), &b = loop.region();
    const auto cost = loop.measure(2000, [&](std::uint64_t i) {
        loop.begin(TraceId{i % 2});
        if (i % 2 == 0) {
            loop.launch({{&b, loop.tiles, write}, {&a, loop.halos, read}});
        } else {
            loop.launch({{&a, loop.tiles, write}, {&b, loop.halos, read}});
            loop.launch({{&a, loop.whole, update}});
        }
        loop.end();
    });
    EXPECT_GT(cost.walked, 0U);
    EXPECT_LE(cost.hops, 2 * cost.walked);
    expect_flat(cost);
}

TEST(SteadyState, a_trace_recorded_on_unused_regions_walks_at_its_boundary_only) {
    Loop loop;
    RegionHistory &a = loop.region(), &b = loop.region();
    const auto cost = loop.measure(2000, [&](std::uint64_t i) {
        loop.begin(TraceId{i % 2});
        for (int turn = 0; turn < 8; ++turn) {
            loop.launch({{&b, loop.tiles, write}, {&a, loop.halos, read}});
            loop.launch({{&a, loop.tiles, write}, {&b, loop.halos, read}});
        }
        loop.end();
    });
    EXPECT_EQ(cost.walked, 3U * 2000U) << "the first use of `a` and the first two of `b`";
    expect_flat(cost);
}

/// Its growth is paid once: the room in which a trace is recorded serves the next one, too.
TEST(SteadyState, a_recording_allocates_what_is_kept_of_it) {
    Loop loop;
    RegionHistory &a = loop.region(), &b = loop.region();
    constexpr std::uint64_t recordings = 1000;
    const auto cost = loop.measure(recordings, [&](std::uint64_t i) {
        loop.begin(TraceId{i});
        for (int turn = 0; turn < 32; ++turn) {
            loop.launch({{&b, loop.tiles, write}, {&a, loop.halos, read}});
            loop.launch({{&a, loop.tiles, write}, {&b, loop.halos, read}});
        }
        loop.end();
    });
    EXPECT_LE(cost.allocations, 10 * recordings)
        << "five arrays, the template, its place in the store, and now and then a larger store";
}

TEST(SteadyState, an_untraced_loop_grows_nothing) {
    Loop loop;
    RegionHistory &a = loop.region(), &b = loop.region();
    expect_flat(loop.measure(2000, [&](std::uint64_t) {
        loop.launch({{&b, loop.inner, write}, {&a, loop.halos, read}});
        loop.launch({{&a, loop.inner, write}, {&b, loop.halos, read}});
    }));
}

}  // namespace
}  // namespace refrain::trace::steady_state_test
