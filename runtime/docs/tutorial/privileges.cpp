#include <cstdio>
#include <refrain/refrain.hpp>

using namespace refrain;

namespace {

// [tasks]
void add(View<double, 1> sum, View<const double, 1> a, View<const double, 1> b) {
    for (Point<1> p : sum.domain()) sum[p] = a[p] + b[p];
}

void print_dependences(const Runtime& rt) {
    for (const Dependence& d : rt.dependences())
        std::printf("operation %d waits for operation %d%s\n", static_cast<int>(d.target_operation),
                    static_cast<int>(d.source_operation),
                    d.carries_data ? ", whose values it reads" : "");
}
// [/tasks]

}  // namespace

int main(int argc, char** argv) {
    Options options = Options::from_arguments_or_exit(argc, argv);
    options.observe.record_graph = true;
    Runtime rt(options);
    // [launches]
    auto a = rt.create_region<double>(extents(10), "a");
    auto b = rt.create_region<double>(extents(10), "b");
    auto c = rt.create_region<double>(extents(10), "c");
    auto d = rt.create_region<double>(extents(10), "d");
    rt.fill(a, 1.0);                                    // operation 1
    rt.fill(b, 2.0);                                    // operation 2
    rt.launch("add", add, write(c), read(a), read(b));  // operation 3
    rt.launch("add", add, write(d), read(a), read(a));  // operation 4
    rt.fill(a, 5.0);                                    // operation 5
    print_dependences(rt);
    // [/launches]
    std::printf("c[0] = %g, d[0] = %g, a[0] = %g\n", rt.read(c)[0], rt.read(d)[0], rt.read(a)[0]);
}
