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

/// A kind whose tasks wait at the gate whose address is the closure, and then set their elements to 7.
TaskKind gated(int rank = 0) {
    return TaskKind({.name = "gated",
                     .function =
                         [](const TaskFrame& frame) {
                             Gate* gate = nullptr;
                             std::memcpy(&gate, frame.closure, sizeof gate);
                             gate->pass();
                             for_each(frame.arguments[0], [](std::int64_t, double& x) { x = 7; });
                         },
                     .domain_rank = rank,
                     .requirements = writes,
                     .closure = {.bytes = sizeof(Gate*), .align = alignof(Gate*)}});
}

TEST(Dynamic, a_wait_for_a_part_leaves_other_tasks_pending) {
    for (const Serving serving : {Serving::untraced, Serving::looking_back, Serving::mining}) {
        Runtime rt(options_for(serving, 3));
        const AnyRegion x = make(rt, 10);
        const std::array boxes{piece(0, 5), piece(5, 10)};
        const AnyPartition halves = dynamic::make_partition(line(10), 1, boxes);
        set_all(rt, x, 0);
        Gate gate;
        Gate* at = &gate;
        const std::array second{use(x, halves, 1)};
        const TaskKind waits = gated();
        dynamic::launch(rt, waits, waits.site(), single_task, second, &at);
        rt.flush();
        gate.await(1);  // a worker has it, so the launching thread does not
        const std::array first{use(x, halves, 0)};
        const TaskKind scale({.name = "scale", .function = &twice, .requirements = changes});
        dynamic::launch(rt, scale, scale.site(), single_task, first);
        EXPECT_EQ(read_one(rt, x, 3), 6);
        EXPECT_FALSE(dynamic::is_ready(rt, x, piece(7, 8), Privilege::read));
        EXPECT_TRUE(dynamic::is_ready(rt, x, piece(0, 5), Privilege::read_write));
        EXPECT_FALSE(gate.is_open());
        gate.open();
        EXPECT_EQ(read_one(rt, x, 7), 7);
        EXPECT_TRUE(dynamic::is_ready(rt, x, line(10), Privilege::write));
    }
}

TEST(Dynamic, a_wait_for_a_part_looks_at_the_points_of_a_launch) {
    Runtime rt(plain(3));
    const AnyRegion x = make(rt, 4);
    struct Gates {
        Gate first, second;
    } gates;
    const std::array boxes{piece(0, 2), piece(2, 4)};
    const AnyPartition halves = dynamic::make_partition(line(4), 1, boxes);
    const TaskKind waits({.name = "waits",
                          .function =
                              [](const TaskFrame& frame) {
                                  Gates* of = nullptr;
                                  std::memcpy(&of, frame.closure, sizeof of);
                                  (frame.point[0] == 0 ? of->first : of->second).pass();
                                  for_each(frame.arguments[0],
                                           [](std::int64_t i, double& e) { e = double(i); });
                              },
                          .domain_rank = 1,
                          .requirements = writes,
                          .closure = {.bytes = sizeof(Gates*), .align = alignof(Gates*)}});
    const std::array uses{use(x, halves)};
    Gates* at = &gates;
    gates.first.open();
    dynamic::launch(rt, waits, waits.site(), line(2), uses, &at);
    rt.flush();
    gates.second.await(1);  // a worker has it, so the launching thread does not
    EXPECT_EQ(read_one(rt, x, 1), 1);
    EXPECT_FALSE(dynamic::is_ready(rt, x, piece(3, 4), Privilege::read));
    gates.second.open();
    EXPECT_EQ(read_one(rt, x, 3), 3);
}

TEST(Dynamic, what_the_program_writes_between_launches_is_seen) {
    for (const Serving serving : {Serving::untraced, Serving::looking_back, Serving::mining}) {
        Runtime rt(options_for(serving));
        const AnyRegion x = make(rt, 4);
        const TaskKind scale({.name = "scale", .function = &twice, .requirements = changes});
        const std::array uses{use(x)};
        for (int i = 0; i < 20; ++i) {
            auto* elements =
                static_cast<double*>(dynamic::wait_for(rt, x, line(4), Privilege::write));
            for (int k = 0; k < 4; ++k) elements[k] = i + k;
            dynamic::launch(rt, scale, scale.site(), single_task, uses);
            EXPECT_EQ(read_one(rt, x, 2), 2 * (i + 2));
        }
    }
}

TEST(Dynamic, failures_show_in_waits_for_the_elements_that_they_spoil) {
    Runtime rt(plain());
    const AnyRegion x = make(rt, 4);
    set_all(rt, x, 1);
    const std::array boxes{piece(0, 2), piece(2, 4)};
    const AnyPartition halves = dynamic::make_partition(line(4), 1, boxes);
    const TaskKind fails({.name = "fails",
                          .function = [](const TaskFrame&) { throw std::runtime_error("no"); },
                          .requirements = changes});
    const std::array uses{use(x, halves, 1)};
    dynamic::launch(rt, fails, fails.site(), single_task, uses);
    EXPECT_EQ(read_one(rt, x, 1), 2);
    EXPECT_THROW(read_one(rt, x, 2), TaskError);
    EXPECT_NE(dynamic::wait_for(rt, x, piece(2, 4), Privilege::write), nullptr);
    EXPECT_NO_THROW(read_one(rt, x, 2));
    EXPECT_EQ(rt.take_failures().size(), 1U);
}

TEST(Dynamic, waits_can_be_given_up_and_taken_up_again) {
    Runtime rt(plain());
    const AnyRegion x = make(rt, 4);
    Gate gate;
    Gate* at = &gate;
    const TaskKind waits = gated();
    const std::array uses{use(x)};
    dynamic::launch(rt, waits, waits.site(), single_task, uses, &at);
    rt.flush();
    gate.await(1);  // a worker has it, so the launching thread does not
    int asked = 0;
    const GiveUp give_up{[](void* count) { return ++*static_cast<int*>(count) == 2; }, &asked};
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THROW(dynamic::wait_for(rt, x, line(4), Privilege::read, give_up), WaitGivenUp);
    EXPECT_EQ(asked, 2);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(90));
    asked = 0;
    EXPECT_THROW(dynamic::wait_all(rt, give_up), WaitGivenUp);
    EXPECT_FALSE(gate.is_open());
    gate.open();
    EXPECT_EQ(read_one(rt, x, 0), 7);
}

TEST(Dynamic, adopted_memory_is_given_back_once_after_its_tasks) {
    std::vector<double> memory{1, 2, 3, 4};
    int given_back = 0;
    Gate gate;
    Gate* at = &gate;
    {
        Runtime rt(plain());
        AnyRegion x = dynamic::adopt_memory(
            rt, line(4), 1, sizeof(double), alignof(double), memory.data(), [&] { ++given_back; },
            "outside");
        EXPECT_EQ(read_one(rt, x, 2), 3);
        EXPECT_EQ(dynamic::wait_for(rt, x, line(4), Privilege::read), memory.data());
        const TaskKind waits = gated();
        const std::array uses{use(x)};
        dynamic::launch(rt, waits, waits.site(), single_task, uses, &at);
        x.reset();
        EXPECT_EQ(given_back, 0);
        gate.open();
        rt.wait_all();
        rt.flush();
        EXPECT_EQ(given_back, 1);
        EXPECT_EQ(memory[3], 7);
        // The memory may be adopted again, and the end of the runtime gives it back.
        x = dynamic::adopt_memory(rt, line(4), 1, sizeof(double), alignof(double), memory.data(),
                                  [&] { ++given_back; });
    }
    EXPECT_EQ(given_back, 2);
}

TEST(Dynamic, memory_that_belongs_to_a_region_is_not_adopted_again) {
    Runtime rt(plain());
    std::vector<double> memory(8);
    const auto adopt = [&](double* first, std::int64_t count) {
        return dynamic::adopt_memory(rt, line(count), 1, 8, 8, first, nullptr, "x");
    };
    AnyRegion x = adopt(memory.data() + 2, 4);
    EXPECT_NE(error_text([&] { adopt(memory.data(), 3); }).find("belongs to region0 'x' already"),
              std::string::npos);
    EXPECT_THROW(adopt(memory.data() + 5, 1), UsageError);
    EXPECT_NO_THROW(adopt(memory.data() + 6, 2));
    EXPECT_NO_THROW(adopt(memory.data(), 2));
    x.reset();
    EXPECT_NO_THROW(x = adopt(memory.data(), 8));
}

TEST(Dynamic, a_new_kind_in_the_place_of_an_old_one_is_not_taken_for_it) {
    for (const Serving serving : {Serving::untraced, Serving::looking_back, Serving::mining}) {
        Runtime rt(options_for(serving));
        const AnyRegion x = make(rt, 2);
        set_all(rt, x, 1);
        const std::array uses{use(x)};
        double expected = 1;
        std::uint64_t last = 0;
        for (int i = 0; i < 60; ++i) {
            // The same address, more often than not, with another privilege and closure.
            if (i % 3 == 2) {
                const TaskKind kind = set_kind();
                EXPECT_GT(kind.number(), std::exchange(last, kind.number()));
                double value = i;
                dynamic::launch(rt, kind, LaunchSite("same"), single_task, uses, &value);
                expected = i;
            } else {
                const TaskKind kind({.name = "set", .function = &twice, .requirements = changes});
                EXPECT_GT(kind.number(), std::exchange(last, kind.number()));
                dynamic::launch(rt, kind, LaunchSite("same"), single_task, uses);
                expected *= 2;
            }
        }
        EXPECT_EQ(read_one(rt, x, 0), expected);
    }
}

TEST(Dynamic, a_launch_site_is_resolved_when_somebody_asks) {
    static int asked = 0;
    const SiteResolver resolver([](std::uint64_t word, std::uint32_t detail) {
        ++asked;
        return SiteResolver::Place{"program" + std::to_string(word) + ".py", detail + 1};
    });
    Runtime rt(plain());
    const AnyRegion x = make(rt, 4);
    const TaskKind fails({.name = "fails",
                          .function = [](const TaskFrame&) { throw std::runtime_error("no"); },
                          .requirements = changes});
    const std::array uses{use(x)};
    dynamic::launch(rt, fails, LaunchSite(fails.name(), resolver, 3, 40), single_task, uses);
    rt.flush();
    EXPECT_EQ(asked, 0);
    const std::string text = error_text<TaskError>([&] { rt.wait_all(); });
    EXPECT_NE(text.find("program3.py:41"), std::string::npos) << text;
    EXPECT_GT(asked, 0);
}

TEST(Dynamic, launches_with_many_arguments_are_remembered) {
    Options options = automatic();
    options.window = 16;
    Runtime rt(options);
    const AnyRegion x = make(rt, 64);
    const AnyRegion y = make(rt, 64);
    std::vector<Box> boxes;
    for (int i = 0; i < 64; ++i) boxes.push_back(piece(i, i + 1));
    const AnyPartition elements = dynamic::make_partition(line(64), 1, boxes);
    std::vector<Requirement> requirements(63, Requirement{Privilege::read});
    requirements.push_back({Privilege::write});
    const TaskKind sum({.name = "sum",
                        .function =
                            [](const TaskFrame& frame) {
                                double total_of = 0;
                                for (int i = 0; i < 63; ++i)
                                    total_of += element(frame.arguments[i], i);
                                element(frame.arguments[63], 63) = total_of;
                            },
                        .requirements = requirements});
    set_all(rt, x, 0);
    set_all(rt, y, 1);
    for (int i = 0; i < 100; ++i) {
        for (const AnyRegion* region : {&x, &y}) {
            std::vector<RegionUse> uses;
            for (int k = 0; k < 64; ++k) uses.push_back(use(*region, elements, k));
            dynamic::launch(rt, sum, sum.site(), single_task, uses);
        }
    }
    EXPECT_EQ(read_one(rt, x, 63), 62 * 63 / 2);
    EXPECT_EQ(read_one(rt, y, 63), 62 * 63 / 2 + 63);
    EXPECT_GT(rt.statistics().autotrace.compiled, 100U);
}

/// Between two launches of one kind on the same parts, the only difference is which share a region.
TEST(Dynamic, launches_that_share_regions_otherwise_are_checked_again) {
    for (const Serving serving : {Serving::untraced, Serving::looking_back, Serving::mining}) {
        Runtime rt(options_for(serving));
        const AnyRegion x = make(rt, 8, "x");
        const AnyRegion y = make(rt, 8, "y");
        const std::array low{piece(0, 4), piece(4, 8)};
        const std::array shifted{piece(2, 6), piece(6, 8)};
        const AnyPartition at = dynamic::make_partition(line(8), 1, low);
        const AnyPartition next = dynamic::make_partition(line(8), 1, shifted);
        constexpr std::array<Requirement, 2> copies{{{Privilege::read}, {Privilege::write}}};
        const TaskKind copy({.name = "copy",
                             .function = [](const TaskFrame&) {},
                             .domain_rank = 1,
                             .requirements = copies});
        for (int i = 0; i < 30; ++i) {
            const std::array two{use(x, next), use(y, at)};
            EXPECT_NO_THROW(dynamic::launch(rt, copy, copy.site(), line(2), two));
            if (i % 10 != 9) continue;
            const std::array one{use(x, next), use(x, at)};
            EXPECT_THROW(dynamic::launch(rt, copy, copy.site(), line(2), one), UsageError);
        }
    }
}

TEST(Dynamic, refuses_what_types_would_have_refused) {
    Runtime rt(plain());
    const AnyRegion x = make(rt, 4);
    const TaskKind kind = set_kind();
    double value = 1;
    const auto launch = [&](std::span<const RegionUse> uses, const Box& domain = single_task,
                            void* closure = nullptr, const TaskKind* other = nullptr) {
        return error_text([&] {
            dynamic::launch(rt, other != nullptr ? *other : kind, LaunchSite("bad"), domain, uses,
                            closure);
        });
    };
    const auto expect = [](const std::string& text, const char* part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    const std::array one{use(x)};
    const std::array two{use(x), use(x)};
    const std::array none{use(AnyRegion())};
    expect(launch(two, single_task, &value), "use 1 regions, not 2");
    expect(launch(one), "have a closure of 8 bytes");
    expect(launch(one, line(2), &value), "are single tasks");
    expect(launch(none, single_task, &value), "the Region handle is empty");
    const TaskKind empty;
    expect(launch(one, single_task, &value, &empty), "the kind is empty");
    const std::array integers{
        Requirement{Privilege::reduce, &data::reduction_functions<Sum, std::int32_t>()}};
    const TaskKind sums({.name = "sums", .function = &twice, .requirements = integers});
    expect(launch(one, single_task, nullptr, &sums), "folds elements of 4");
    const auto make_kind = [&](dynamic::TaskDescription description) {
        return error_text([&] { TaskKind(std::move(description)); });
    };
    expect(make_kind({.name = "k"}), "TaskKind 'k': there is no function");
    expect(make_kind({.name = "k", .function = &twice, .domain_rank = 4}), "has rank 4");
    expect(make_kind({.name = "k", .function = &twice, .result_bytes = 65}), "larger than 64");
    constexpr std::array<Requirement, 1> no_operator{{{Privilege::reduce}}};
    expect(make_kind({.name = "k", .function = &twice, .requirements = no_operator}),
           "reduces without an operator");
    expect(
        error_text([&] { static_cast<void>(dynamic::create_region(rt, line(4), 4, 8, 8, "r")); }),
        "rank is 4");
    expect(
        error_text([&] { static_cast<void>(dynamic::create_region(rt, line(4), 1, 0, 8, "r")); }),
        "no bytes");
    expect(
        error_text([&] { static_cast<void>(dynamic::create_region(rt, line(4), 1, 8, 3, "r")); }),
        "power of two");
    const Box flat{.lo = {0, 0, 0}, .hi = {4, 2, 1}};
    expect(error_text([&] { static_cast<void>(dynamic::create_region(rt, flat, 1, 8, 8, "r")); }),
           "must be [0,1)");
    const std::array beyond{piece(2, 9)};
    expect(error_text([&] { static_cast<void>(dynamic::make_partition(line(4), 1, beyond)); }),
           "beyond the space");
    expect(error_text([&] { dynamic::wait_for(rt, x, line(5), Privilege::read); }),
           "reaches beyond the bounds");
    expect(error_text([&] { dynamic::wait_for(rt, x, line(4), Privilege::reduce); }),
           "ask for read-write");
}

}  // namespace
}  // namespace refrain::dynamic_test
