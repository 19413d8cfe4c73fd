#include "runtime/fetched_lines.hpp"

#include "regions/owner.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

namespace refrain::runtime::fetched_lines_test {
namespace {

constexpr std::size_t line = base::line_bytes;

/// A region of bytes, at the beginning of a line, and what points use of it.
class Bytes {
  public:
    Bytes(const data::Box& bounds, std::vector<data::BoxSet> subsets,
          Privilege privilege = Privilege::read)
        : footprint(std::move(subsets), 0) {
        storage.open(owner, bounds, 1);
        argument = {.storage = &storage,
                    .footprint = &footprint,
                    .reduction = nullptr,
                    .order = nullptr,
                    .privilege = privilege};
    }
    Bytes(const Bytes&) = delete;
    Bytes(Bytes&&) = delete;
    Bytes& operator=(const Bytes&) = delete;
    Bytes& operator=(Bytes&&) = delete;
    ~Bytes() { storage.reset(); }

    [[nodiscard]] const std::byte* begin() { return static_cast<std::byte*>(storage.ensure()); }

    data::StoragePool pool;
    regions::Owner owner{pool};
    regions::Storage storage;
    analysis::Footprint footprint;
    Argument argument{};
};

/// Bytes `begin` to `end` of a line of memory.
data::BoxSet part(std::int64_t begin, std::int64_t end) {
    return data::BoxSet(data::Box{{begin, 0, 0}, {end, 1, 1}});
}
data::Box all(std::int64_t bytes) {
    return {{0, 0, 0}, {bytes, 1, 1}};
}

using Line = std::pair<std::ptrdiff_t, Privilege>;  // by the offset of its first byte

/// The lines that are asked for.
std::vector<Line> lines_of(Bytes& bytes, std::uint32_t first, std::uint64_t points) {
    std::vector<Line> lines;
    const std::byte* const begin = bytes.begin();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(begin) % line, 0U);
    for_each_fetched_line(std::span(&bytes.argument, 1), first, points,
                          [&](const std::byte* address, Privilege privilege) {
                              const std::ptrdiff_t offset = address - begin;
                              lines.emplace_back(offset - offset % std::ptrdiff_t{line}, privilege);
                          });
    return lines;
}

TEST(FetchedLines, are_those_of_the_points_that_wait) {
    Bytes bytes(all(512), {part(0, 64), part(64, 128), part(128, 192), part(192, 256)},
                Privilege::write);
    EXPECT_EQ(lines_of(bytes, 0, 0b1010),
              (std::vector<Line>{{64, Privilege::write}, {192, Privilege::write}}));
    EXPECT_EQ(lines_of(bytes, 2, 0b11),
              (std::vector<Line>{{128, Privilege::write}, {192, Privilege::write}}));
    EXPECT_TRUE(lines_of(bytes, 0, 0).empty());
}

TEST(FetchedLines, are_all_that_elements_lie_in) {
    Bytes bytes(all(512), {part(60, 68), part(63, 64), part(63, 193)});
    EXPECT_EQ(lines_of(bytes, 0, 0b001),
              (std::vector<Line>{{0, Privilege::read}, {64, Privilege::read}}));
    EXPECT_EQ(lines_of(bytes, 0, 0b010), (std::vector<Line>{{0, Privilege::read}}));
    EXPECT_EQ(lines_of(bytes, 0, 0b100), (std::vector<Line>{{0, Privilege::read},
                                                            {64, Privilege::read},
                                                            {128, Privilege::read},
                                                            {192, Privilege::read}}));
}

TEST(FetchedLines, are_asked_for_once_if_all_points_use_the_same) {
    Bytes bytes(all(128), {part(0, 128), part(0, 128), part(0, 128)});
    EXPECT_EQ(lines_of(bytes, 0, 0b111),
              (std::vector<Line>{{0, Privilege::read}, {64, Privilege::read}}));
}

TEST(FetchedLines, of_a_tile_are_those_of_its_first_row_unless_rows_lie_side_by_side) {
    const data::Box matrix{{0, 0, 0}, {1, 4, 64}};
    const data::BoxSet tile(data::Box{{0, 1, 0}, {1, 3, 32}});
    const data::BoxSet rows(data::Box{{0, 1, 0}, {1, 3, 64}});
    Bytes bytes(matrix, {tile, rows});
    EXPECT_EQ(lines_of(bytes, 0, 0b01), (std::vector<Line>{{64, Privilege::read}}));
    EXPECT_EQ(lines_of(bytes, 0, 0b10),
              (std::vector<Line>{{64, Privilege::read}, {128, Privilege::read}}));
}

TEST(FetchedLines, are_no_more_than_cores_have_on_their_way) {
    const auto many = std::int64_t{line * fetched_lines_max};
    Bytes bytes(all(4 * many), {part(0, many - 64), part(many, 4 * many)});
    const std::vector<Line> lines = lines_of(bytes, 0, 0b11);
    ASSERT_EQ(lines.size(), fetched_lines_max);
    EXPECT_EQ(lines.back().first, many);
}

TEST(FetchedLines, are_none_where_nothing_has_memory_or_is_used) {
    Bytes bytes(all(64), {data::BoxSet(), part(0, 64)});
    std::size_t count = 0;
    const auto use = [&](const std::byte*, Privilege) { ++count; };
    for_each_fetched_line(std::span(&bytes.argument, 1), 0, 0b11, use);
    EXPECT_EQ(count, 0U) << "no memory yet";
    static_cast<void>(bytes.begin());
    for_each_fetched_line(std::span(&bytes.argument, 1), 0, 0b01, use);
    EXPECT_EQ(count, 0U) << "an empty subset";
}

}  // namespace
}  // namespace refrain::runtime::fetched_lines_test
