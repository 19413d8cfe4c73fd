/// Sets of many intervals on a line, which are kept as bitmaps, beside lists of booleans.

#include "refrain/detail/box_set.hpp"
#include "refrain/error.hpp"
#include "refrain/partition.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <thread>

namespace refrain::data::bit_set_test {
namespace {

/// The elements of [from, from + is_in.size()) for which is_in holds.
struct Line {
    std::int64_t from = 0;
    std::vector<bool> is_in;

    [[nodiscard]] bool has(std::int64_t x) const {
        return x >= from && x < end() && is_in[static_cast<std::size_t>(x - from)];
    }
    [[nodiscard]] std::int64_t end() const {
        return from + static_cast<std::int64_t>(is_in.size());
    }
    [[nodiscard]] BoxSet set() const {
        std::vector<Box> boxes;
        for (std::int64_t x = from; x < end(); ++x)
            if (has(x)) boxes.push_back({{x, 0, 0}, {x + 1, 1, 1}});
        return BoxSet::of_boxes(boxes);
    }
};

/// The elements for which f(a, b) holds.
template <class F>
BoxSet combined(const Line& a, const Line& b, const F& f) {
    Line line{std::min(a.from, b.from), {}};
    for (std::int64_t x = line.from; x < std::max(a.end(), b.end()); ++x)
        line.is_in.push_back(f(a.has(x), b.has(x)));
    return line.set();
}

/// About `share` of `extent` elements, in pieces or one by one; sometimes all or none.
Line random_line(std::mt19937_64& random) {
    const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
    Line line{below(3000) - 1500, {}};
    const std::size_t extent = 1 + random() % 3000;
    const std::uint64_t share = random() % 5;
    const std::uint64_t piece = 1 + random() % 3 * (random() % 40);
    while (line.is_in.size() < extent)
        line.is_in.insert(line.is_in.end(), piece, random() % 4 < share);
    return line;
}

TEST(SetOfBits, combines_with_every_other_like_lists_of_booleans) {
    int of_bits = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Line a = random_line(random), b = random_line(random);
        const BoxSet x = a.set(), y = b.set();
        of_bits += x.bits() != nullptr;
        ASSERT_EQ(x.unite(y), combined(a, b, [](bool p, bool q) { return p || q; }));
        ASSERT_EQ(x.intersect(y), combined(a, b, [](bool p, bool q) { return p && q; }));
        ASSERT_EQ(x.subtract(y), combined(a, b, [](bool p, bool q) { return p && !q; }));
        ASSERT_EQ(x.overlaps(y), !x.intersect(y).empty());
        ASSERT_EQ(x.contains(y), y.subtract(x).empty());
        ASSERT_TRUE(x.contains(x.intersect(y)) && x.unite(y).contains(x));
        const BoxSet both[] = {x, y};
        ASSERT_EQ(BoxSet::unite_all(both), x.unite(y));
        ASSERT_EQ(x.volume(), std::count(a.is_in.begin(), a.is_in.end(), true));
    }
    EXPECT_GT(of_bits, 12);  // or nothing was tested
}

TEST(SetOfBits, has_one_form_however_it_is_made) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Line line = random_line(random);
        const BoxSet set = line.set();
        BitLine bits(line.from - 200, line.end() + 100);  // with words to spare
        for (std::int64_t x = line.from; x < line.end(); ++x)
            if (line.has(x)) bits.insert(x);
        const BoxSet again = BoxSet::of_bits(bits);
        ASSERT_EQ(again, set);
        ASSERT_EQ(again.hash(), set.hash());
        ASSERT_EQ(again.bits() == nullptr, set.bits() == nullptr);
        ASSERT_EQ(again.bounds(), set.bounds());
        std::vector<Box> boxes;
        set.for_each_box([&](const Box& box) { boxes.push_back(box); });
        ASSERT_TRUE(std::equal(boxes.begin(), boxes.end(), set.boxes().begin(), set.boxes().end()));
        ASSERT_EQ(BoxSet::of_boxes(boxes), set);
        for (std::int64_t x = line.from - 2; x < line.end() + 2; ++x)
            ASSERT_EQ(set.contains({x, 0, 0}), line.has(x)) << x;
    }
}

/// Every third of `count` elements from `first` on.
BoxSet comb(std::int64_t first, std::int64_t count) {
    BitLine bits(first, first + 3 * count);
    for (std::int64_t i = 0; i < count; ++i) bits.insert(first + 3 * i);
    return BoxSet::of_bits(std::move(bits));
}

TEST(SetOfBits, combines_with_sets_far_away_and_of_more_dimensions) {
    const BoxSet near = comb(0, 1000);
    ASSERT_NE(near.bits(), nullptr);
    const std::int64_t far_away = std::int64_t{1} << 60;
    const BoxSet far = comb(-far_away, 1000);
    const BoxSet both = near.unite(far);
    EXPECT_EQ(both.volume(), 2000);
    EXPECT_EQ(both.subtract(far), near);
    EXPECT_EQ(both.intersect(near), near);
    EXPECT_FALSE(near.overlaps(far));
    const BoxSet plane(Box{{0, 0, 0}, {3, 4, 1}});  // the elements 0 of the comb, and others
    EXPECT_EQ(near.unite(plane).volume(), 1000 + 11);
    EXPECT_EQ(near.intersect(plane).volume(), 1);
    EXPECT_EQ(plane.subtract(near).volume(), 11);
    EXPECT_TRUE(near.overlaps(plane));
    const BoxSet shifted(Box{{0, 1, 0}, {9, 2, 1}});
    EXPECT_FALSE(near.overlaps(shifted));
}

TEST(SetOfBits, takes_a_bit_per_element_and_boxes_only_once_asked_for) {
    const BoxSet set = comb(0, 1 << 20);
    EXPECT_LT(set.shared_bytes(), std::size_t{3} << 17 | 4096U);  // 3 * 2^20 bits
    const BoxSet copy = set;
    std::thread other([&] { EXPECT_EQ(copy.boxes().size(), std::size_t{1} << 20); });
    EXPECT_EQ(set.boxes().size(), std::size_t{1} << 20);
    other.join();
    EXPECT_EQ(set.boxes().data(), copy.boxes().data());
}

TEST(LargeImage, is_what_its_pointers_point_to_in_64_and_32_bits) {
    std::mt19937_64 random(7);
    const std::int64_t count = 400'000;
    for (const std::int64_t extent : {std::int64_t{1} << 18, std::int64_t{1} << 30}) {
        std::vector<std::int64_t> values;
        for (std::int64_t i = 0; i < count; ++i)
            values.push_back(
                static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(extent)));
        const std::vector<std::int32_t> short_values(values.begin(), values.end());
        const auto source = tiles(extents(count), 3);
        const auto to = image(extents(extent), source, std::span<const std::int64_t>(values));
        EXPECT_EQ(to, image(extents(extent), source, std::span<const std::int32_t>(short_values)));
        EXPECT_FALSE(to.is_disjoint());
        for (std::int64_t c = 0; c < 3; ++c) {
            const Rect<1> own = source[Point<1>(c)].bounds();
            std::vector<Coordinates> points;
            for (std::int64_t e = own.lo[0]; e < own.hi[0]; ++e)
                points.push_back({values[static_cast<std::size_t>(e)], 0, 0});
            EXPECT_EQ(to[Point<1>(c)].set(), BoxSet::of_points(points)) << c;
        }
    }
}

TEST(LargeImage, refuses_the_first_wrong_pointer_whoever_finds_it) {
    std::vector<std::int32_t> values(400'000, 1);
    values[390'000] = 9;
    values[250'001] = -3;
    values[250'000] = 8;
    const auto source = tiles(extents(400'000), 8);
    const auto make = [&](Negative negative) {
        return image(extents(8), source, std::span<const std::int32_t>(values), negative);
    };
    const auto text_of = [&](Negative negative) -> std::string {
        try {
            static_cast<void>(make(negative));
        } catch (const UsageError& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_NE(text_of(Negative::is_error).find("element 250000 is 8"), std::string::npos)
        << text_of(Negative::is_error);
    values[250'000] = 1;
    EXPECT_NE(text_of(Negative::is_error).find("element 250001 is -3"), std::string::npos);
    values[390'000] = 1;
    EXPECT_EQ(make(Negative::points_nowhere)[Point<1>(5)].volume(), 1);
}

}  // namespace
}  // namespace refrain::data::bit_set_test
