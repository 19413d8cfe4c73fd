/// Memory lies next to the core that touches it first: nobody may touch a page of a region before the
/// task that uses it.
#include "runtime/harness.hpp"

#include <algorithm>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace refrain::first_touch_test {
namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
constexpr std::int64_t tile_bytes = 8 * mebibyte;  // four huge pages
constexpr std::int64_t tile_count = 2;

/// Pages of a tile that are in memory, but for the first two megabytes: those may be one page with
/// the tile before, or with what the allocator writes.
std::int64_t pages_in_memory(const char* tile) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t begin =
        (reinterpret_cast<std::uintptr_t>(tile) + 2 * mebibyte) / page * page;
    std::vector<unsigned char> pages((tile_bytes - 4 * mebibyte) / page);
    EXPECT_EQ(mincore(reinterpret_cast<void*>(begin), pages.size() * page, pages.data()), 0);
    return std::count_if(pages.begin(), pages.end(), [](unsigned char p) { return (p & 1) != 0; });
}

struct Touched {
    std::int64_t before = -1;  // pages in memory when the task of the tile began
    std::int64_t after = -1;
};

/// Has each tile written by a task of its own, one after the other.
std::vector<Touched> touched_by_tiles(Runtime& runtime, const Region<char, 1>& region) {
    std::vector<Touched> found(tile_count);
    const auto partition = tiles(region.bounds(), tile_count);
    runtime.launch(
        "write", partition.colours(),
        [&found](Point<1> p, View<char, 1> v) {
            const char* const mine = v.data() + p[0] * tile_bytes;
            found[static_cast<std::size_t>(p[0])].before = pages_in_memory(mine);
            v.fill('x');
            found[static_cast<std::size_t>(p[0])].after = pages_in_memory(mine);
        },
        write(region, partition));
    runtime.wait_all();
    return found;
}

TEST(FirstTouch, of_each_tile_is_that_of_its_first_writer) {
    for (const Options& options : {plain(2), automatic(2)}) {
        Runtime runtime(options);
        const auto region = runtime.create_region<char>(extents(tile_count * tile_bytes), "large");
        for (const Touched& tile : touched_by_tiles(runtime, region)) {
            EXPECT_EQ(tile.before, 0);
            EXPECT_GT(tile.after, 0) << "the test sees pages";
        }
    }
}

TEST(FirstTouch, of_elements_that_a_task_does_not_write_does_not_come_with_it) {
    Runtime runtime(plain(2));
    const auto region = runtime.create_region<char>(extents(tile_count * tile_bytes), "large");
    const auto pages = runtime.launch(
        "write one",
        [](View<char, 1> v) {
            v[0] = 1;
            return pages_in_memory(v.data() + tile_bytes);
        },
        write(region));
    EXPECT_EQ(pages.get(), 0);
}

}  // namespace
}  // namespace refrain::first_touch_test
