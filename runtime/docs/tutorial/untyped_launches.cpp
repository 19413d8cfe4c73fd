#include <cstdio>
#include <cstring>
#include <refrain/dynamic.hpp>
#include <refrain/refrain.hpp>
#include <string>

using namespace refrain;

// [task]
/// Adds the closure's number to the elements of the first region argument.
void add_number(const dynamic::TaskFrame& frame) {
    double number = 0;
    std::memcpy(&number, frame.closure, sizeof number);
    const dynamic::TaskArgument& x = frame.arguments[0];
    auto* elements = static_cast<double*>(x.elements);  // of x.bounds, row by row
    for (const dynamic::Box& box : x.subset->boxes())
        for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i) elements[i] += number;
}
// [/task]

int main(int argc, char** argv) {
    Runtime rt(argc, argv);
    // [program]
    const auto x = dynamic::create_region(rt, dynamic::line(8), 1, sizeof(double), 8, "x");
    auto* elements = static_cast<double*>(
        dynamic::wait_for(rt, x, x.bounds(), Privilege::write));  // nothing is pending
    for (int i = 0; i < 8; ++i) elements[i] = i;

    const dynamic::Box boxes[] = {{{0, 0, 0}, {3, 1, 1}}, {{3, 0, 0}, {8, 1, 1}}};
    const auto pieces = dynamic::make_partition(x.bounds(), 1, boxes);
    const dynamic::Requirement requirements[] = {{Privilege::read_write}};
    const dynamic::TaskKind add({.name = "add",
                                 .function = &add_number,
                                 .domain_rank = 1,
                                 .requirements = requirements,
                                 .closure = {.bytes = sizeof(double), .align = alignof(double)}});

    double number = 0.5;
    const dynamic::RegionUse uses[] = {dynamic::use(x, pieces)};
    dynamic::launch(rt, add, add.site(), dynamic::line(2), uses, &number);

    const dynamic::Box one{{5, 0, 0}, {6, 1, 1}};
    dynamic::wait_for(rt, x, one, Privilege::read);  // for the second task only
    std::printf("%g\n", elements[5]);
    // [/program]

    // [site]
    // Of a program in another language: where its instruction 7 is, somebody may want to know.
    static const SiteResolver resolver([](std::uint64_t code, std::uint32_t instruction) {
        return SiteResolver::Place{"program" + std::to_string(code) + ".py", instruction * 2};
    });
    const LaunchSite site(add.name(), resolver, 1, 7);
    dynamic::launch(rt, add, site, dynamic::line(2), uses, &number);
    std::printf("%s\n", site.describe().c_str());
    // [/site]
}
