#include "stores/solver.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace refrain::array::solver_test {

IndexBox interval(Extent lo, Extent hi) {
    return {{lo}, {hi}};
}

TEST(Solver, cuts_what_nothing_determines_evenly_and_follows_from_there) {
    TilingTable table;
    Problem problem;
    const int y = problem.add("y", {10}, 80, nullptr);
    const int a = problem.add("a", {10}, 80, nullptr);
    const int b = problem.add("b", {10}, 80, nullptr);
    const int whole = problem.add("table", {4}, 32, nullptr);
    const int coarse = problem.add("coarse", {20}, 160, nullptr);
    problem.align(y, b);
    problem.bloat(y, a, {1}, {1});
    problem.scale(y, coarse, {2});
    problem.broadcast(whole, 1);
    const auto solution = problem.solve(table, 2);
    const auto boxes = [&](int argument) {
        return solution[static_cast<std::size_t>(argument)]->boxes;
    };
    EXPECT_EQ(boxes(y), (std::vector{interval(0, 5), interval(5, 10)}));
    EXPECT_EQ(boxes(a), (std::vector{interval(0, 6), interval(4, 10)}));
    EXPECT_EQ(boxes(coarse), (std::vector{interval(0, 10), interval(10, 20)}));
    EXPECT_EQ(solution[static_cast<std::size_t>(y)], solution[static_cast<std::size_t>(b)]);
    EXPECT_TRUE(solution[static_cast<std::size_t>(whole)]->is_whole_along(1));
    EXPECT_EQ(problem.solve(table, 2), solution);  // interned
}

TEST(Solver, puts_what_is_shared_and_not_cut_whole_into_each_tile) {
    TilingTable table;
    Problem problem;
    const int keys = problem.add("keys", {10}, 80, nullptr);
    const int counts = problem.add("counts", {4, 2}, 64, nullptr);
    const int total = problem.add("total", {}, 8, nullptr);
    problem.broadcast(counts, 3);
    problem.share(keys);
    problem.share(counts);
    problem.share(total);
    const std::vector<const Tiling*> solution = problem.solve(table, 2);
    EXPECT_TRUE(solution[static_cast<std::size_t>(keys)]->divides);
    for (const IndexBox& box : solution[static_cast<std::size_t>(counts)]->boxes)
        EXPECT_EQ(box, (IndexBox{{0, 0}, {4, 2}}));
    for (const IndexBox& box : solution[static_cast<std::size_t>(total)]->boxes)
        EXPECT_FALSE(box.is_empty());
}

TEST(Solver, takes_the_largest_factors_and_widths_for_everything) {
    constexpr Extent largest = std::numeric_limits<Extent>::max();
    TilingTable table;
    Problem problem;
    const int a = problem.add("a", {8}, 64, nullptr);
    const int scaled = problem.add("scaled", {20}, 160, nullptr);
    const int wide = problem.add("wide", {6}, 48, nullptr);
    problem.scale(a, scaled, {largest / 2});
    problem.bloat(a, wide, {largest}, {largest});
    const auto solution = problem.solve(table, 2);
    EXPECT_EQ(solution[static_cast<std::size_t>(scaled)]->boxes,
              (std::vector{interval(0, 20), interval(20, 20)}));
    EXPECT_EQ(solution[static_cast<std::size_t>(wide)]->boxes,
              (std::vector{interval(0, 6), interval(0, 6)}));
}

TEST(Solver, anchors_a_class_at_the_key_partition_of_the_most_bytes) {
    TilingTable table;
    const Tiling* uneven = table.intern({10}, {interval(0, 3), interval(3, 10)});
    const Tiling* small = table.intern({10}, {interval(0, 8), interval(8, 10)});
    const Tiling* partial = table.intern({10}, {interval(0, 3), interval(3, 9)});
    Problem problem;
    const int a = problem.add("a", {10}, 40, small);
    const int b = problem.add("b", {10}, 80, uneven);
    const int c = problem.add("c", {10}, 160, partial);
    problem.align(a, b);
    problem.align(b, c);
    EXPECT_EQ(problem.solve(table, 2)[0], uneven);
    EXPECT_FALSE(partial->divides);
}

TEST(Solver, leaves_an_anchor_that_cuts_what_is_broadcast) {
    TilingTable table;
    const Tiling* rows = table.fresh({8, 8}, 0, 2);
    Problem problem;
    const int a = problem.add("a", {8, 8}, 512, rows);
    problem.broadcast(a, 1);
    const Tiling* solution = problem.solve(table, 2)[0];
    EXPECT_NE(solution, rows);
    EXPECT_TRUE(solution->is_whole_along(1));
    EXPECT_EQ(solution->boxes[1], (IndexBox{{0, 4}, {8, 8}}));
}

TEST(Solver, cuts_along_the_dimension_that_an_argument_prefers_if_it_may) {
    for (const std::uint32_t unsplit : {0U, 2U}) {
        TilingTable table;
        Problem problem;
        const int a = problem.add("a", {8, 8}, 512, nullptr);
        const int b = problem.add("b", {8, 8}, 512, nullptr);
        problem.align(a, b);
        problem.prefer(b, 1);
        problem.broadcast(a, unsplit);
        EXPECT_EQ(problem.solve(table, 2)[0]->cut_dimension(), unsplit == 0 ? 1 : 0);
    }
    TilingTable table;
    const Tiling* blocks =
        table.intern({2, 2}, {{{0, 0}, {1, 1}}, {{0, 1}, {1, 2}}, {{1, 0}, {2, 2}}});
    EXPECT_FALSE(blocks->cut_dimension().has_value());
}

std::string error_of(const Problem& problem) {
    TilingTable table;
    try {
        (void)problem.solve(table, 2);
    } catch (const ArrayError& error) {
        return error.what();
    }
    return "nothing";
}

TEST(Solver, names_both_arguments_and_the_line_of_what_cannot_be) {
    {
        Problem problem;
        problem.align(problem.add("x", {3}, 24, nullptr), problem.add("y", {4}, 32, nullptr), 41);
        EXPECT_EQ(error_of(problem),
                  "align('x' of shape (3,), 'y' of shape (4,)) in line 41: aligned arguments have "
                  "equal shapes");
    }
    {
        Problem problem;
        const int x = problem.add("x", {8}, 64, nullptr);
        const int y = problem.add("y", {8}, 64, nullptr);
        problem.bloat(x, y, {1}, {1}, 7);
        problem.bloat(y, x, {1}, {1}, 8);
        EXPECT_EQ(
            error_of(problem),
            "bloat('x' of shape (8,), 'y' of shape (8,)) in line 7: the constraints determine "
            "one another in a cycle");
    }
    {
        Problem problem;
        const int x = problem.add("x", {8}, 64, nullptr);
        const int y = problem.add("y", {8}, 64, nullptr);
        problem.bloat(x, y, {1}, {1}, 7);
        problem.broadcast(y, 1);
        EXPECT_EQ(error_of(problem),
                  "bloat('x' of shape (8,), 'y' of shape (8,)) in line 7: the second would be cut "
                  "along a dimension that is broadcast");
    }
    {
        Problem problem;
        const int x = problem.add("x", {8}, 64, nullptr);
        const int y = problem.add("y", {8}, 64, nullptr);
        problem.bloat(x, y, {1}, {1}, 7);
        problem.bloat(x, y, {2}, {1}, 9);
        EXPECT_EQ(error_of(problem),
                  "bloat('x' of shape (8,), 'y' of shape (8,)) in line 9: another constraint "
                  "determines the second one differently");
    }
}

/// Whether the box holds the index.
bool holds(const IndexBox& box, const Extents& index) {
    for (int d = 0; d < index.size(); ++d) {
        if (index[d] < box.lo[d] || index[d] >= box.hi[d]) return false;
    }
    return true;
}
template <class F>
void for_each_index(const Extents& shape, F&& f) {
    Extents index(shape.size(), 0);
    Extent size = 1;
    for (const Extent extent : shape) size *= extent;
    for (Extent i = 0; i < size; ++i) {
        f(index);
        for (int d = shape.size(); d-- > 0;) {
            if (++index[d] < shape[d]) break;
            index[d] = 0;
        }
    }
}

TEST(Solver, satisfies_random_constraints_element_by_element) {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        std::mt19937_64 random(seed);
        const auto below = [&](std::uint64_t n) { return static_cast<Extent>(random() % n); };
        TilingTable table;
        Problem problem;
        const int rank = 1 + static_cast<int>(below(3));
        const int tiles = 1 + static_cast<int>(below(4));
        Extents shape(rank, 1);
        for (Extent& extent : shape) extent = 1 + below(rank == 3 ? 4 : 6);
        struct Related {
            int from, to;
            char kind;
            Extents low, high;
        };
        std::vector<Extents> shapes;
        std::vector<std::uint32_t> masks;
        std::vector<Related> related;
        const auto add = [&](const Extents& of, const Tiling* key) {
            shapes.push_back(of);
            masks.push_back(0);
            return problem.add("a" + std::to_string(shapes.size()), of, 8 * below(100), key);
        };
        const int first = add(shape, below(2) == 0 ? table.fresh(shape, 0, tiles) : nullptr);
        for (Extent i = below(5); i >= 0; --i) {
            const int from = static_cast<int>(below(shapes.size()));
            const Extents of = shapes[static_cast<std::size_t>(from)];
            Related relation{from, 0, 'a', Extents(rank, 0), Extents(rank, 0)};
            const bool is_small = *std::max_element(of.begin(), of.end()) <= 6;
            switch (below(is_small ? 3 : 1)) {
                case 0:
                    relation.to = add(of, below(3) == 0 ? table.fresh(of, 1, tiles) : nullptr);
                    problem.align(from, relation.to);
                    break;
                case 1: {
                    Extents scaled = of;
                    relation.kind = 's';
                    for (int d = 0; d < rank; ++d) {
                        relation.low[d] = 1 + below(2);
                        scaled[d] = std::max<Extent>(scaled[d] * relation.low[d] - below(2), 1);
                    }
                    relation.to = add(scaled, nullptr);
                    problem.scale(from, relation.to, relation.low);
                    break;
                }
                default:
                    relation.kind = 'b';
                    for (int d = 0; d < rank; ++d) {
                        relation.low[d] = below(3);
                        relation.high[d] = below(3);
                    }
                    relation.to = add(of, nullptr);
                    problem.bloat(from, relation.to, relation.low, relation.high);
            }
            related.push_back(relation);
        }
        if (below(3) == 0) {
            masks[static_cast<std::size_t>(first)] = 1;
            problem.broadcast(first, 1);
        }
        const std::vector<const Tiling*> solution = problem.solve(table, tiles);
        for (std::size_t a = 0; a < solution.size(); ++a) {
            ASSERT_TRUE(solution[a]->shape == shapes[a]) << "seed " << seed;
            ASSERT_TRUE(solution[a]->is_whole_along(masks[a])) << "seed " << seed;
            ASSERT_EQ(solution[a]->boxes.size(), static_cast<std::size_t>(tiles));
        }
        // Each element of the first is in exactly one tile.
        for_each_index(shape, [&](const Extents& index) {
            int found = 0;
            for (const IndexBox& box : solution[static_cast<std::size_t>(first)]->boxes)
                found += holds(box, index) ? 1 : 0;
            ASSERT_EQ(found, 1) << "seed " << seed;
        });
        for (const Related& relation : related) {
            const Tiling& from = *solution[static_cast<std::size_t>(relation.from)];
            const Tiling& to = *solution[static_cast<std::size_t>(relation.to)];
            for (std::size_t colour = 0; colour < from.boxes.size(); ++colour) {
                for_each_index(from.shape, [&](const Extents& index) {
                    if (!holds(from.boxes[colour], index)) return;
                    for_each_index(to.shape, [&](const Extents& target) {
                        bool belongs = true;
                        for (int d = 0; d < rank; ++d) {
                            Extent lo = index[d] - relation.low[d];
                            Extent hi = index[d] + relation.high[d];
                            if (relation.kind == 's') {
                                lo = index[d] * relation.low[d];
                                hi = lo + relation.low[d] - 1;
                            }
                            belongs = belongs && target[d] >= lo && target[d] <= hi;
                        }
                        ASSERT_TRUE(!belongs || holds(to.boxes[colour], target))
                            << "seed " << seed << ", colour " << colour;
                    });
                });
            }
        }
    }
}

TEST(Solver, follows_pointers_to_an_image) {
    TilingTable table;
    Problem problem;
    const int pointers = problem.add("pointers", {4}, 32, nullptr);
    const int target = problem.add("target", {100}, 800, nullptr);
    const std::vector<Extent> values{3, 50, 20, 99};
    problem.image(pointers, target, [&](const Tiling& tiling) {
        std::vector<IndexBox> boxes;
        for (const IndexBox& box : tiling.boxes) {
            IndexBox hull{{100}, {0}};
            for (Extent i = box.lo[0]; i < box.hi[0]; ++i) {
                hull.lo[0] = std::min(hull.lo[0], values[static_cast<std::size_t>(i)]);
                hull.hi[0] = std::max(hull.hi[0], values[static_cast<std::size_t>(i)] + 1);
            }
            boxes.push_back(hull);
        }
        return boxes;
    });
    const auto solution = problem.solve(table, 2);
    EXPECT_EQ(solution[static_cast<std::size_t>(target)]->boxes,
              (std::vector{interval(3, 51), interval(20, 100)}));
}

}  // namespace refrain::array::solver_test
