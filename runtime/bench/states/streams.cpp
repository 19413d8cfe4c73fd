#include "states/streams.hpp"

#include <algorithm>
#include <functional>
#include <random>

namespace states_bench {
namespace {

using refrain::Privilege;
using refrain::analysis::FootprintId;
using refrain::data::Box;
using refrain::data::BoxSet;
using Random = std::mt19937_64;

constexpr auto read = Privilege::read;
constexpr auto write = Privilege::write;
constexpr auto update = Privilege::read_write;

BoxSet interval(std::int64_t begin, std::int64_t end) {
    return BoxSet(Box{{begin, 0, 0}, {end, 1, 1}});
}
BoxSet square(std::int64_t row, std::int64_t column) {
    return BoxSet(Box{{row, column, 0}, {row + 1, column + 1, 1}});
}
Box line(std::int64_t extent) {
    return {{0, 0, 0}, {extent, 1, 1}};
}

class Maker {
  public:
    Maker(FootprintTable& footprints, std::size_t launches)
        : footprints_(footprints), launches_(launches) {}

    std::vector<Stream> make() {
        stencil();
        single_stencil(4);
        single_stencil(64);
        jacobi();
        cholesky(8);
        cholesky(16);
        random_tiles(1024);
        random_loops();
        for (const int count : {2, 4, 8, 20}) random_footprints(count);
        random_blocks(4);
        random_blocks(24);
        always_new();
        sliding_window();
        return std::move(streams_);
    }

  private:
    FootprintId touch(std::vector<BoxSet> subsets) {
        return footprints_.intern(std::move(subsets));
    }
    std::vector<BoxSet> tiles(std::int64_t count, std::int64_t halo = 0) {
        std::vector<BoxSet> all;
        for (std::int64_t i = 0; i < count; ++i)
            all.push_back(interval(std::max<std::int64_t>(0, 16 * i - halo),
                                   std::min(16 * count, 16 * i + 16 + halo)));
        return all;
    }
    /// Adds the launches that `turn` makes, again and again.
    void add(std::string name, std::vector<Box> regions,
             const std::function<void(std::vector<Launch>&, std::size_t)>& turn) {
        Stream stream{std::move(name), std::move(regions), {}};
        for (std::size_t i = 0; stream.launches.size() < launches_; ++i) turn(stream.launches, i);
        streams_.push_back(std::move(stream));
    }

    void stencil() {
        const FootprintId own = touch(tiles(4)), halos = touch(tiles(4, 1));
        add("stencil, index launches", {line(64), line(64)}, [=](auto& to, std::size_t i) {
            to.push_back({{{i % 2, {halos, read}}, {1 - i % 2, {own, write}}}});
        });
    }
    void single_stencil(std::int64_t width) {
        std::vector<FootprintId> own, halos;
        for (const BoxSet& tile : tiles(width)) own.push_back(touch({tile}));
        for (const BoxSet& tile : tiles(width, 1)) halos.push_back(touch({tile}));
        add("stencil, " + std::to_string(width) + " single tasks a turn",
            {line(16 * width), line(16 * width)}, [=](auto& to, std::size_t i) {
                for (std::size_t tile = 0; tile < own.size(); ++tile)
                    to.push_back({{{i % 2, {halos[tile], read}}, {1 - i % 2, {own[tile], write}}}});
            });
    }
    void jacobi() {
        const FootprintId own = touch(tiles(4)), halos = touch(tiles(4, 1));
        add("Jacobi, fresh temporaries", {line(64), line(64), line(64)},
            [=](auto& to, std::size_t i) {
                const std::size_t x = i % 2, next = 1 - x;
                to.push_back({{{x, {halos, read}}, {2, {own, write}}}, {2}});
                to.push_back({{{2, {own, read}}, {next, {own, write}}}, {next}});
            });
    }
    void cholesky(std::int64_t n) {
        const auto tile = [this](std::int64_t i, std::int64_t j) { return touch({square(i, j)}); };
        add("Cholesky " + std::to_string(n) + "x" + std::to_string(n), {Box{{0, 0, 0}, {n, n, 1}}},
            [=](auto& to, std::size_t) {
                for (std::int64_t k = 0; k < n; ++k) {
                    to.push_back({{{0, {tile(k, k), update}}}});
                    for (std::int64_t i = k + 1; i < n; ++i)
                        to.push_back({{{0, {tile(k, k), read}}, {0, {tile(i, k), update}}}});
                    for (std::int64_t i = k + 1; i < n; ++i)
                        for (std::int64_t j = k + 1; j <= i; ++j) {
                            Launch launch{{{0, {tile(i, k), read}}, {0, {tile(i, j), update}}}};
                            if (i != j) launch.requirements.push_back({0, {tile(j, k), read}});
                            to.push_back(std::move(launch));
                        }
                }
            });
    }
    void random_tiles(std::int64_t count) {
        std::vector<FootprintId> own;
        for (const BoxSet& tile : tiles(count)) own.push_back(touch({tile}));
        add(std::to_string(count) + " tiles at random", {line(16 * count)},
            [=, this](auto& to, std::size_t) {
                to.push_back({{{0, {own[random_() % own.size()], update}}}});
            });
    }
    void random_loops() {
        const FootprintId own = touch(tiles(4)), halos = touch(tiles(4, 1));
        add("periods 7 and 11, at random", std::vector<Box>(18, line(64)),
            [=, this](auto& to, std::size_t) {
                const bool seven = random_() % 2 == 0;
                const std::size_t period = seven ? 7 : 11, first = seven ? 0 : 7;
                for (std::size_t i = 0; i < period; ++i)
                    to.push_back(
                        {{{first + i, {halos, read}},
                          {first + (i + 1) % period, {own, i % 3 == 0 ? update : write}}}});
            });
    }
    void random_footprints(int count) {
        std::vector<RequirementShape> shapes;
        for (int i = 0; i < count; ++i) {
            std::vector<BoxSet> subsets;
            for (int point = 0; point < 4; ++point) subsets.push_back(some_interval(64));
            shapes.emplace_back(touch(std::move(subsets)), i % 2 == 0 ? read : update);
        }
        add("random, " + std::to_string(count) + " footprints", {line(64)},
            [=, this](auto& to, std::size_t) {
                to.push_back({{{0, shapes[random_() % shapes.size()]}}});
            });
    }
    /// A loop of three launches per block; whose turn it is, is random.
    void random_blocks(std::int64_t count) {
        std::vector<std::vector<RequirementShape>> loops;
        for (std::int64_t block = 0; block < count; ++block) {
            const std::int64_t at = 16 * block;
            const FootprintId left = touch({interval(at, at + 8)});
            const FootprintId all = touch({interval(at, at + 16)});
            loops.push_back({{all, write}, {left, read}, {left, update}});
        }
        std::vector<std::size_t> next(loops.size());
        add(std::to_string(count) + " blocks, a loop each, at random", {line(16 * count)},
            [=, this](auto& to, std::size_t) mutable {
                const std::size_t block = random_() % loops.size();
                to.push_back({{{0, loops[block][next[block]++ % 3]}}});
            });
    }
    void always_new() {
        add("always new footprints", {line(1 << 16), line(1 << 16)},
            [=, this](auto& to, std::size_t i) {
                std::vector<BoxSet> subsets;
                for (int point = 0; point < 4; ++point) subsets.push_back(some_interval(1 << 16));
                const FootprintId any = touch(std::move(subsets));
                to.push_back({{{i % 2, {any, read}}, {1 - i % 2, {any, update}}}});
            });
    }
    void sliding_window() {
        add("sliding window", {line(1 << 20)}, [=, this](auto& to, std::size_t i) {
            const auto at = static_cast<std::int64_t>(i % ((1 << 16) - 4)) * 16;
            to.push_back({{{0, {touch({interval(at, at + 32)}), read}},
                           {0, {touch({interval(at + 32, at + 48)}), update}}}});
        });
    }
    BoxSet some_interval(std::int64_t extent) {
        const auto a = static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(extent));
        const auto b = static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(extent));
        return interval(std::min(a, b), std::max(a, b) + 1);
    }

    FootprintTable& footprints_;
    std::size_t launches_;
    Random random_{7};
    std::vector<Stream> streams_;
};

}  // namespace

std::vector<Stream> all_streams(FootprintTable& footprints, std::size_t launches) {
    return Maker(footprints, launches).make();
}

}  // namespace states_bench
