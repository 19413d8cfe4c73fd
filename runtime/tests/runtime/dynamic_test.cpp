#include "refrain/dynamic.hpp"

#include "runtime/harness.hpp"

#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

namespace refrain::dynamic_test {
namespace {

using dynamic::AnyFuture;
using dynamic::AnyPartition;
using dynamic::AnyRegion;
using dynamic::Box;
using dynamic::line;
using dynamic::RegionUse;
using dynamic::Requirement;
using dynamic::single_task;
using dynamic::TaskArgument;
using dynamic::TaskFrame;
using dynamic::TaskKind;
using dynamic::use;

constexpr Box piece(std::int64_t low, std::int64_t high) {
    return {.lo = {low, 0, 0}, .hi = {high, 1, 1}};
}

AnyRegion make(Runtime& rt, std::int64_t count, std::string_view name = "x") {
    return dynamic::create_region(rt, line(count), 1, sizeof(double), alignof(double), name);
}

double& element(const TaskArgument& argument, std::int64_t index) {
    return static_cast<double*>(argument.elements)[index - argument.bounds->lo[0]];
}

template <class Visit>
void for_each(const TaskArgument& argument, Visit&& visit) {
    for (const Box& box : argument.subset->boxes())
        for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i) visit(i, element(argument, i));
}

/// argument 0 = the closure's number plus the index.
void set(const TaskFrame& frame) {
    double value = 0;
    std::memcpy(&value, frame.closure, sizeof value);
    for_each(frame.arguments[0], [&](std::int64_t i, double& x) { x = value + double(i); });
}

/// argument 2 = argument 0 + argument 1, where these are shifted to the same length.
void add(const TaskFrame& frame) {
    const std::int64_t a = frame.arguments[0].subset->bounds().lo[0];
    const std::int64_t b = frame.arguments[1].subset->bounds().lo[0];
    const std::int64_t to = frame.arguments[2].subset->bounds().lo[0];
    for_each(frame.arguments[2], [&](std::int64_t i, double& x) {
        x = element(frame.arguments[0], a + i - to) + element(frame.arguments[1], b + i - to);
    });
}

void twice(const TaskFrame& frame) {
    for_each(frame.arguments[0], [](std::int64_t, double& x) { x *= 2; });
}

void total(const TaskFrame& frame) {
    double sum = 0;
    for_each(frame.arguments[0], [&](std::int64_t, const double& x) { sum += x; });
    std::memcpy(frame.result, &sum, sizeof sum);
}

constexpr std::array<Requirement, 1> writes{{{Privilege::write}}};
constexpr std::array<Requirement, 1> changes{{{Privilege::read_write}}};
constexpr std::array<Requirement, 1> reads{{{Privilege::read}}};
constexpr std::array<Requirement, 3> two_to_one{
    {{Privilege::read}, {Privilege::read}, {Privilege::write}}};

TaskKind set_kind(int rank = 0) {
    return TaskKind({.name = "set",
                     .function = &set,
                     .domain_rank = rank,
                     .requirements = writes,
                     .closure = {.bytes = sizeof(double), .align = alignof(double)}});
}

void set_all(Runtime& rt, const AnyRegion& region, double value) {
    const std::array uses{use(region)};
    const TaskKind kind = set_kind();
    dynamic::launch(rt, kind, kind.site(), single_task, uses, &value);
}

double read_one(Runtime& rt, const AnyRegion& region, std::int64_t index) {
    const auto* elements = static_cast<const double*>(
        dynamic::wait_for(rt, region, piece(index, index + 1), Privilege::read));
    return elements[index - region.bounds().lo[0]];
}

TEST(Dynamic, launches_run_in_each_mode) {
    for (const Serving serving : {Serving::untraced, Serving::looking_back, Serving::mining})
        for (const unsigned workers : {1U, 3U}) {
            Runtime rt(options_for(serving, workers));
            const AnyRegion x = make(rt, 10);
            const std::array boxes{piece(0, 4), piece(4, 10)};
            const AnyPartition halves = dynamic::make_partition(line(10), 1, boxes);
            const TaskKind scale(
                {.name = "scale", .function = &twice, .domain_rank = 1, .requirements = changes});
            set_all(rt, x, 1);
            const std::array uses{use(x, halves)};
            for (int i = 0; i < 40; ++i) {
                dynamic::launch(rt, scale, scale.site(), line(2), uses);
                if (i % 10 == 9) set_all(rt, x, 1);
            }
            dynamic::launch(rt, scale, scale.site(), line(1), uses);  // the first half only
            EXPECT_EQ(read_one(rt, x, 3), 2 * (1 + 3));
            EXPECT_EQ(read_one(rt, x, 9), 1 + 9);
        }
}

TEST(Dynamic, launches_use_one_region_several_times) {
    for (const Serving serving : {Serving::untraced, Serving::looking_back, Serving::mining}) {
        Runtime rt(options_for(serving));
        const AnyRegion x = make(rt, 10);
        const std::array boxes{piece(0, 4), piece(2, 6), piece(6, 10)};
        const AnyPartition views = dynamic::make_partition(line(10), 1, boxes);
        const TaskKind sum({.name = "sum", .function = &add, .requirements = two_to_one});
        set_all(rt, x, 0);
        const std::array uses{use(x, views, 0), use(x, views, 1), use(x, views, 2)};
        for (int i = 0; i < 30; ++i) dynamic::launch(rt, sum, sum.site(), single_task, uses);
        EXPECT_EQ(read_one(rt, x, 6), 0 + 2);
        EXPECT_EQ(read_one(rt, x, 9), 3 + 5);
    }
}

TEST(Dynamic, regions_may_be_read_before_they_are_written) {
    Options options = plain();
    options.checks.strict_reads = true;
    Runtime rt(options);
    const AnyRegion x = make(rt, 4);
    const TaskKind scale({.name = "scale", .function = &twice, .requirements = changes});
    const std::array uses{use(x)};
    EXPECT_NO_THROW(dynamic::launch(rt, scale, scale.site(), single_task, uses));
    EXPECT_NE(dynamic::wait_for(rt, x, line(4), Privilege::read), nullptr);
}

TEST(Dynamic, futures_go_from_task_to_task) {
    Runtime rt(plain());
    const AnyRegion x = make(rt, 4);
    set_all(rt, x, 1);
    const TaskKind sum({.name = "total",
                        .function = &total,
                        .requirements = reads,
                        .result_bytes = sizeof(double)});
    const std::array uses{use(x)};
    const AnyFuture result = dynamic::launch_for_result(rt, sum, sum.site(), single_task, uses);
    const TaskKind negate({.name = "negate",
                           .function =
                               [](const TaskFrame& frame) {
                                   double value = 0;
                                   std::memcpy(&value, frame.futures[0], sizeof value);
                                   value = -value;
                                   std::memcpy(frame.result, &value, sizeof value);
                               },
                           .futures = 1,
                           .result_bytes = sizeof(double)});
    const std::array futures{result};
    const AnyFuture negative =
        dynamic::launch_for_result(rt, negate, negate.site(), single_task, {}, nullptr, futures);
    double value = 0;
    std::memcpy(&value, dynamic::wait_for(rt, negative), sizeof value);
    EXPECT_EQ(value, -(1 + 2 + 3 + 4));
    EXPECT_TRUE(negative.ready());
}

TEST(Dynamic, kinds_may_end_while_their_launches_are_pending) {
    Runtime rt(plain());
    const AnyRegion x = make(rt, 4);
    Gate gate;
    Gate* at = &gate;
    {
        const TaskKind waits({.name = "waits",
                              .function =
                                  [](const TaskFrame& frame) {
                                      Gate* gate_of = nullptr;
                                      std::memcpy(&gate_of, frame.closure, sizeof gate_of);
                                      gate_of->pass();
                                      element(frame.arguments[0], 0) = 7;
                                  },
                              .requirements = writes,
                              .closure = {.bytes = sizeof(Gate*), .align = alignof(Gate*)}});
        const std::array uses{use(x)};
        dynamic::launch(rt, waits, waits.site(), single_task, uses, &at);
    }
    gate.open();
    EXPECT_EQ(read_one(rt, x, 0), 7);
}

}  // namespace
}  // namespace refrain::dynamic_test
