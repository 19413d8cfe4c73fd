// [own task]
#include <algorithm>
#include <cstdio>
#include <refrain/array/operators.hpp>
#include <refrain/array/work.hpp>

using namespace refrain::array;

/// Of the part of x that a tile has: how many elements lie in each eighth of [0, 1).
void count_eighths(const WorkFrame& frame) {
    const WorkView& x = frame.views[0];
    auto* counts = frame.views[1].first<std::int64_t>();
    for (Extent i = 0; i < x.layout.shape[0]; ++i) {
        const double value = x.first<double>()[i * x.layout.strides[0]];
        counts[static_cast<Extent>(value * 8) * frame.views[1].layout.strides[0]] += 1;
    }
}

int main(int argc, char** argv) {
    Machine machine(argc, argv);
    const Array x = machine.arange(Scalar::of(0.0), Scalar::of(0x1p-20), 1 << 20);
    const Array counts = machine.zeros({8}, DType::int64);
    const WorkUse uses[] = {{&x, refrain::Privilege::read}, {&counts, refrain::Privilege::reduce}};
    const Constraint constraints[] = {broadcast(1, 1)};  // every tile may count in every eighth
    Work work;
    work.name = "count_eighths";
    work.function = &count_eighths;
    work.uses = uses;
    work.constraints = constraints;
    machine.issue(work);
    std::printf("%lld of %lld in the last eighth\n",
                static_cast<long long>(machine.item(counts[{7}]).as<std::int64_t>()),
                static_cast<long long>(machine.item(sum(counts)).as<std::int64_t>()));
}
// [/own task]
