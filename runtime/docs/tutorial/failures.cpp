#include <cstdio>
#include <refrain/refrain.hpp>
#include <stdexcept>

using namespace refrain;

namespace {

void increment(View<int, 1> v) {
    for (Point<1> p : v.domain()) ++v[p];
}

void show_sum(Runtime& rt, const Region<int, 1>& region) {
    int sum = 0;
    for (int value : rt.read(region).elements()) sum += value;
    std::printf("sum %d\n", sum);
}

}  // namespace

int main(int argc, char** argv) {
    Runtime rt(argc, argv);
    // [throws]
    auto x = rt.create_region<int>(extents(8), "x");
    auto y = rt.create_region<int>(extents(8), "y");
    auto pieces = tiles(x.bounds(), 4);
    rt.fill(x, 0);
    rt.fill(y, 0);
    rt.launch(
        "fragile", pieces.colours(),
        [](Point<1> colour, View<int, 1> v) {
            if (colour == Point<1>(2)) throw std::runtime_error("no luck with tile 2");
            for (Point<1> p : v.domain()) v[p] = 1;
        },
        write(x, pieces));
    rt.launch("increment", pieces.colours(), increment, read_write(x, pieces));
    rt.launch("increment", pieces.colours(), increment, read_write(y, pieces));
    try {
        rt.wait_all();
    } catch (const TaskError& error) {
        std::printf("%s\n", error.what());
    }
    // [/throws]

    // [goes on]
    show_sum(rt, y);
    try {
        show_sum(rt, x);
    } catch (const TaskError& error) {
        std::printf("x: %s\n", error.original_message().c_str());
    }
    rt.fill(x, pieces, 5);
    show_sum(rt, x);
    // [/goes on]

    // [all failures]
    for (const FailedTask& failed : rt.take_failures())
        std::printf("point %u: %s\n", failed.point, failed.error.what());
    // [/all failures]

    // [mistake]
    auto halos = halo(pieces, 1);
    try {
        rt.launch("increment", pieces.colours(), increment, read_write(x, halos));
    } catch (const UsageError& error) {
        std::printf("%s\n", error.what());
    }
    // [/mistake]
}
