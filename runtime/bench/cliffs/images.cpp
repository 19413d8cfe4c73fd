/// Pieces of a large array of pointers and the elements that they point to: the partition, and the
/// first launch that reads through it.

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <malloc.h>
#include <refrain/refrain.hpp>
#include <string>
#include <vector>

#include "cliffs/rows.hpp"
#include "common/stopwatch.hpp"

namespace cliffs {
namespace {

using namespace refrain;

enum class Measure { image_ms, launch_ms, peak_mib };

/// A status of this process, in MiB.
double status_mib(const std::string& key) {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
        if (word == key) {
            double kib = 0;
            status >> kib;
            return kib / 1024;
        }
    return 0;
}

double gather(std::int64_t pointers, Measure what) {
    Options options;
    options.workers = 2;
    Runtime runtime(options);
    std::vector<std::int64_t> values(static_cast<std::size_t>(pointers));
    std::uint64_t state = 1;
    for (std::int64_t& value : values) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        value = static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(pointers));
    }
    const auto space = extents(pointers);
    const auto from = runtime.create_region<char>(space, "from");
    const auto to = runtime.create_region<char>(space, "to");
    runtime.fill(from, 0);
    runtime.fill(to, 0);
    runtime.wait_all();
    const auto own = tiles(space, 8);
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak begins here
    const double before = status_mib("VmRSS:");
    const bench::Stopwatch watch;
    const auto needed = image(space, own, values);
    const double image_ms = 1e3 * watch.wall_seconds();
    for (int i = 0; i < 3; ++i) {
        runtime.launch(
            "write", own.colours(), [](View<char, 1>) {}, write(from, own));
        runtime.launch(
            "gather", own.colours(), [](View<char, 1>, View<const char, 1>) {}, write(to, own),
            read(from, needed));
    }
    runtime.wait_all();
    if (what == Measure::image_ms) return image_ms;
    if (what == Measure::peak_mib) return status_mib("VmHWM:") - before;
    return 1e3 * watch.wall_seconds() - image_ms;
}

}  // namespace

void add_images(std::vector<Row>& rows, bool quick) {
    const std::int64_t pointers = quick ? 1000 : 10'000'000;
    const std::string name = "images/pointers_" + std::to_string(pointers);
    rows.push_back({name + "/image", "ms", 0, [=] { return gather(pointers, Measure::image_ms); }});
    rows.push_back(
        {name + "/launch", "ms", 0, [=] { return gather(pointers, Measure::launch_ms); }});
    rows.push_back(
        {name + "/peak", "MiB", 200, [=] { return gather(pointers, Measure::peak_mib); }});
}

}  // namespace cliffs
