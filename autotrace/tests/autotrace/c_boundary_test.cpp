#include "autotrace/c_boundary.hpp"

#include "base/fields.hpp"
#include "refrain/autotrace.h"
#include "refrain/autotrace.hpp"
#include "refrain/inline_recogniser.h"
#include "refrain/inline_recogniser.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace refrain::autotrace::c_boundary_test {
namespace {

// The C structs have as many fields as those of the classes that their comments refer to.

using base::field_count;
static_assert(field_count<refrain_autotrace_options>() == field_count<Options>());
static_assert(field_count<refrain_autotrace_statistics>() == field_count<Statistics>());
static_assert(field_count<refrain_inline_options>() == field_count<InlineRecogniser::Options>());
static_assert(field_count<refrain_inline_turn>() == field_count<InlineRecogniser::Turn>());
static_assert(field_count<refrain_inline_finding>() == field_count<InlineRecogniser::Finding>());
static_assert(field_count<refrain_inline_statistics>() ==
              field_count<InlineRecogniser::Statistics>());
static_assert(field_count<refrain_autotrace_host>() == 1 + 5, "the functions of TraceHost");

constexpr auto ok = REFRAIN_AUTOTRACE_OK;
constexpr auto bad = REFRAIN_AUTOTRACE_BAD_ARGUMENT;

/// What hosts throw.
struct Foreign {};
const std::vector<std::function<void()>> exceptions = {
    [] { throw std::runtime_error("a host's exception"); }, [] { throw 7; }, [] { throw "text"; },
    [] { throw Foreign{}; }, [] { throw std::invalid_argument("argument"); }};

/// A host whose functions throw now and then.
struct Host {
    std::vector<std::uint64_t> issued;
    std::uint64_t calls = 0;
    std::uint64_t thrown = 0;
    std::uint64_t throw_every = 0;  // 0: never
    std::uint64_t begun = 0;
    std::uint64_t over = 0;  // ended or left
    std::uint64_t left = 0;
    std::uint64_t forgotten = 0;

    void called() {
        if (throw_every == 0 || ++calls % throw_every != 0) return;
        exceptions[thrown++ % exceptions.size()]();
    }
    static Host& of(void* context) { return *static_cast<Host*>(context); }
    [[nodiscard]] refrain_autotrace_host functions() {
        return {
            .context = this,
            .issue =
                [](void* context, std::uint64_t operation) {
                    of(context).issued.push_back(operation);
                    of(context).called();
                },
            .begin_trace = [](void* context, std::uint64_t, std::size_t) { ++of(context).begun; },
            .end_trace =
                [](void* context, std::uint64_t) {
                    ++of(context).over;
                    of(context).called();
                },
            .forget_trace =
                [](void* context, std::uint64_t) {
                    ++of(context).forgotten;
                    of(context).called();
                },
            .leave_trace =
                [](void* context, std::uint64_t) {
                    ++of(context).over;
                    ++of(context).left;
                    of(context).called();
                }};
    }
};

refrain_autotracer* tracer_of(Host& host, const refrain_autotrace_options* options = nullptr,
                              const refrain_autotrace_executor* executor = nullptr) {
    const refrain_autotrace_host functions = host.functions();
    refrain_autotracer* tracer = nullptr;
    char message[256] = "";
    EXPECT_EQ(
        refrain_autotrace_create(options, &functions, executor, &tracer, message, sizeof message),
        ok)
        << message;
    return tracer;
}

refrain_autotrace_options defaults() {
    refrain_autotrace_options options;
    refrain_autotrace_default_options(&options);
    return options;
}

void expect_all_in_order(const Host& host, std::uint64_t operations) {
    ASSERT_EQ(host.issued.size(), operations);
    for (std::uint64_t i = 0; i < operations; ++i) ASSERT_EQ(host.issued[i], i);
}

TEST(CBoundary, exceptions_of_any_type_become_a_status_and_lose_no_operation) {
    for (const bool at_once : {false, true}) {
        Host host;
        refrain_autotrace_options options = defaults();
        options.candidate_bytes_max = std::size_t{64} << 10;  // so that traces are forgotten
        options.hand_on_at_once = at_once ? 1 : 0;
        refrain_autotracer* tracer = tracer_of(host, &options);
        std::uint64_t failed = 0;
        std::uint64_t operation = 0;
        for (std::uint64_t phase = 0; phase < 20; ++phase) {
            host.throw_every = phase % 3 == 2 ? 37 : 0;
            for (std::uint64_t i = 0; i < 4000; ++i) {
                const auto status =
                    i % 1999 == 1998
                        ? refrain_autotrace_untraceable(tracer, operation++)
                        : refrain_autotrace_operation(tracer, {phase, i % 200}, operation++);
                ASSERT_TRUE(status == ok || status == REFRAIN_AUTOTRACE_HOST_FAILED) << status;
                if (status != ok) ++failed;
            }
        }
        EXPECT_GT(failed, 100U);
        EXPECT_LE(failed, host.thrown);
        EXPECT_GT(host.forgotten, 5U);
        EXPECT_EQ(host.left > 0, at_once);
        host.throw_every = 3;
        refrain_autotrace_destroy(tracer);
        expect_all_in_order(host, operation);
        EXPECT_EQ(host.begun, host.over);
    }
}

TEST(CBoundary, no_memory_in_a_host_is_told_as_such) {
    const refrain_autotrace_host functions = {
        .context = nullptr,
        .issue = [](void*, std::uint64_t) { throw std::bad_alloc(); },
        .begin_trace = [](void*, std::uint64_t, std::size_t) {},
        .end_trace = [](void*, std::uint64_t) {},
        .forget_trace = nullptr,
        .leave_trace = nullptr};
    refrain_autotracer* tracer = nullptr;
    ASSERT_EQ(refrain_autotrace_create(nullptr, &functions, nullptr, &tracer, nullptr, 0), ok);
    EXPECT_EQ(refrain_autotrace_operation(tracer, {1, 1}, 0), REFRAIN_AUTOTRACE_NO_MEMORY);
    refrain_autotrace_destroy(tracer);
}

TEST(CBoundary, an_executor_that_throws_costs_no_job) {
    Host host;
    struct Jobs {
        std::uint64_t submitted = 0;
        std::vector<std::pair<void (*)(void*), void*>> waiting;
    } jobs;
    const refrain_autotrace_executor executor = {
        .context = &jobs,
        .submit =
            [](void* context, void (*run)(void*), void* job) {
                auto& all = *static_cast<Jobs*>(context);
                if (++all.submitted % 2 == 0) throw Foreign{};
                all.waiting.emplace_back(run, job);
            },
        .help =
            [](void* context) {
                auto& all = *static_cast<Jobs*>(context);
                for (const auto& [run, job] : all.waiting) run(job);
                all.waiting.clear();
                throw 7;
            }};
    refrain_autotracer* tracer = tracer_of(host, nullptr, &executor);
    std::uint64_t failed = 0;
    for (std::uint64_t i = 0; i < 9000; ++i) {
        const auto status = refrain_autotrace_operation(tracer, {0, i % 10}, i);
        if (status == REFRAIN_AUTOTRACE_HOST_FAILED) ++failed;
    }
    EXPECT_GT(failed, 0U);
    refrain_autotrace_statistics statistics;
    EXPECT_EQ(refrain_autotrace_get_statistics(tracer, &statistics), ok);
    EXPECT_GT(statistics.replayed, 1000U) << "jobs were mined";
    EXPECT_GT(statistics.results_taken, 0U);
    refrain_autotrace_destroy(tracer);
    expect_all_in_order(host, 9000);
}

TEST(CBoundary, a_host_that_hands_on_at_once_is_told_where_it_leaves_a_trace) {
    Host host;
    refrain_autotrace_options options = defaults();
    options.hand_on_at_once = 1;
    refrain_autotracer* tracer = tracer_of(host, &options);
    for (std::uint64_t i = 0; i < 9000; ++i) {
        const std::uint64_t low = i % 997 == 996 ? 10'000 + i : i % 100;
        ASSERT_EQ(refrain_autotrace_operation(tracer, {0, low}, i), ok);
    }
    EXPECT_EQ(refrain_autotrace_interrupt(tracer), ok);
    EXPECT_EQ(host.begun, host.over);
    refrain_autotrace_statistics statistics;
    EXPECT_EQ(refrain_autotrace_get_statistics(tracer, &statistics), ok);
    EXPECT_EQ(statistics.traces_left, host.left);
    EXPECT_GT(host.left, 0U);
    refrain_autotrace_destroy(tracer);

    refrain_autotrace_host without = host.functions();
    without.leave_trace = nullptr;
    char message[256] = "";
    EXPECT_EQ(
        refrain_autotrace_create(&options, &without, nullptr, &tracer, message, sizeof message),
        bad);
    EXPECT_EQ(tracer, nullptr);
    EXPECT_EQ(std::string(message).find("argument 'host' lacks leave_trace"), 0U) << message;
}

TEST(CBoundary, creating_reports_every_kind_of_exception) {
    const auto create = [](const std::function<void()>& throws) {
        char message[64] = "";
        const auto status =
            detail::guarded_create("no memory at all", message, sizeof message, throws);
        return std::pair(status, std::string(message));
    };
    using Result = std::pair<refrain_autotrace_status, std::string>;
    EXPECT_EQ(create([] {}), Result(ok, ""));
    EXPECT_EQ(create([] { throw std::bad_alloc(); }),
              Result(REFRAIN_AUTOTRACE_NO_MEMORY, "no memory at all"));
    EXPECT_EQ(create([] { throw std::invalid_argument("option"); }), Result(bad, "option"));
    EXPECT_EQ(create([] { throw std::runtime_error("other"); }),
              Result(REFRAIN_AUTOTRACE_FAILED, "other"));
    EXPECT_EQ(create([] { throw 7; }),
              Result(REFRAIN_AUTOTRACE_FAILED, "an exception that is no std::exception"));
}

/// Each pointer of each function in turn.
TEST(CBoundary, every_function_survives_each_null_argument) {
    Host host;
    const refrain_autotrace_host functions = host.functions();
    refrain_autotracer* tracer = nullptr;
    EXPECT_EQ(refrain_autotrace_create(nullptr, nullptr, nullptr, &tracer, nullptr, 100), bad);
    EXPECT_EQ(refrain_autotrace_create(nullptr, &functions, nullptr, nullptr, nullptr, 0), bad);
    for (int missing = 0; missing < 3; ++missing) {
        refrain_autotrace_host partial = functions;
        if (missing == 0) partial.issue = nullptr;
        if (missing == 1) partial.begin_trace = nullptr;
        if (missing == 2) partial.end_trace = nullptr;
        EXPECT_EQ(refrain_autotrace_create(nullptr, &partial, nullptr, &tracer, nullptr, 0), bad);
    }
    for (const bool has_submit : {false, true}) {
        refrain_autotrace_executor partial{};
        if (has_submit) partial.submit = [](void*, void (*)(void*), void*) {};
        if (!has_submit) partial.help = [](void*) {};
        EXPECT_EQ(refrain_autotrace_create(nullptr, &functions, &partial, &tracer, nullptr, 0),
                  bad);
    }
    refrain_autotrace_default_options(nullptr);
    EXPECT_EQ(refrain_autotrace_operation(nullptr, {0, 0}, 0), bad);
    EXPECT_EQ(refrain_autotrace_untraceable(nullptr, 0), bad);
    EXPECT_EQ(refrain_autotrace_ignorable(nullptr, 0), bad);
    EXPECT_EQ(refrain_autotrace_flush(nullptr), bad);
    EXPECT_EQ(refrain_autotrace_interrupt(nullptr), bad);
    EXPECT_EQ(refrain_autotrace_holds(nullptr, 0), 0);
    EXPECT_EQ(refrain_autotrace_held(nullptr), 0U);
    refrain_autotrace_statistics statistics;
    EXPECT_EQ(refrain_autotrace_get_statistics(nullptr, &statistics), bad);
    refrain_autotrace_destroy(nullptr);
    tracer = tracer_of(host);
    EXPECT_EQ(refrain_autotrace_get_statistics(tracer, nullptr), bad);
    EXPECT_EQ(refrain_autotrace_operation(tracer, {0, 0}, 0), ok);
    refrain_autotrace_destroy(tracer);
}

refrain_inline_recogniser* recogniser() {
    refrain_inline_recogniser* made = nullptr;
    EXPECT_EQ(refrain_inline_create(nullptr, &made, nullptr, 0), ok);
    return made;
}

TEST(CBoundary, words_that_are_null_are_a_bad_argument_and_the_operation_does_not_count) {
    refrain_inline_recogniser* const inline_recogniser = recogniser();
    refrain_inline_finding found{};
    refrain_inline_description description{
        nullptr, [](void*, const std::uint64_t*, std::size_t, std::uint32_t*) { return 0; },
        [](void*, std::size_t* count) -> const std::uint64_t* {
            *count = 3;
            return nullptr;
        }};
    EXPECT_EQ(refrain_inline_look(inline_recogniser, &description, &found), bad);
    EXPECT_EQ(refrain_inline_end(inline_recogniser), 0U);
    description.words = [](void*, std::size_t*) -> const std::uint64_t* { return nullptr; };
    EXPECT_EQ(refrain_inline_look(inline_recogniser, &description, &found), ok) << "no words";
    EXPECT_EQ(refrain_inline_end(inline_recogniser), 1U);
    EXPECT_EQ(refrain_inline_is_proved(inline_recogniser, UINT32_MAX), 0);
    refrain_inline_destroy(inline_recogniser);
}

TEST(CBoundary, exceptions_of_a_description_become_a_status) {
    for (const auto& exception : exceptions) {
        for (const bool in_words : {false, true}) {
            refrain_inline_recogniser* const inline_recogniser = recogniser();
            refrain_inline_finding found{};
            struct Context {
                const std::function<void()>& exception;
                bool in_words;
                std::uint64_t word = 7;
            } context{exception, in_words};
            const refrain_inline_description description{
                &context,
                [](void* c, const std::uint64_t*, std::size_t, std::uint32_t*) {
                    const auto& of = *static_cast<Context*>(c);
                    if (!of.in_words) of.exception();
                    return 0;
                },
                [](void* c, std::size_t* count) -> const std::uint64_t* {
                    auto& of = *static_cast<Context*>(c);
                    if (of.in_words) of.exception();
                    *count = 1;
                    return &of.word;
                }};
            const std::uint64_t word = 7;
            for (int i = 0; i < 3; ++i)  // so that the next one is compared
                EXPECT_EQ(refrain_inline_operation(inline_recogniser, &word, 1, &found), ok);
            EXPECT_EQ(refrain_inline_look(inline_recogniser, &description, &found),
                      REFRAIN_AUTOTRACE_HOST_FAILED);
            EXPECT_EQ(refrain_inline_end(inline_recogniser), 3U);
            EXPECT_EQ(refrain_inline_operation(inline_recogniser, &word, 1, &found), ok);
            EXPECT_EQ(found.precedent, 2U);
            refrain_inline_destroy(inline_recogniser);
        }
    }
}

TEST(CBoundary, every_function_of_a_recogniser_survives_each_null_argument) {
    refrain_inline_recogniser* made = nullptr;
    EXPECT_EQ(refrain_inline_create(nullptr, nullptr, nullptr, 0), bad);
    EXPECT_EQ(refrain_inline_create(nullptr, &made, nullptr, 100), ok);
    refrain_inline_default_options(nullptr);
    refrain_inline_finding found{};
    refrain_inline_turn turn{};
    refrain_inline_statistics statistics{};
    const std::uint64_t word = 1;
    const refrain_inline_description whole{
        nullptr, [](void*, const std::uint64_t*, std::size_t, std::uint32_t*) { return 0; },
        [](void*, std::size_t*) -> const std::uint64_t* { return nullptr; }};
    EXPECT_EQ(refrain_inline_operation(nullptr, &word, 1, &found), bad);
    EXPECT_EQ(refrain_inline_operation(made, nullptr, 1, &found), bad);
    EXPECT_EQ(refrain_inline_operation(made, &word, 1, nullptr), bad);
    EXPECT_EQ(refrain_inline_look(nullptr, &whole, &found), bad);
    EXPECT_EQ(refrain_inline_look(made, nullptr, &found), bad);
    EXPECT_EQ(refrain_inline_look(made, &whole, nullptr), bad);
    refrain_inline_description partial = whole;
    partial.likeness = nullptr;
    EXPECT_EQ(refrain_inline_look(made, &partial, &found), bad);
    partial = whole;
    partial.words = nullptr;
    EXPECT_EQ(refrain_inline_look(made, &partial, &found), bad);
    EXPECT_EQ(refrain_inline_interrupt(nullptr, &turn), bad);
    EXPECT_EQ(refrain_inline_interrupt(made, nullptr), bad);
    EXPECT_EQ(refrain_inline_skip(nullptr), bad);
    EXPECT_EQ(refrain_inline_clear(nullptr), bad);
    EXPECT_EQ(refrain_inline_get_statistics(nullptr, &statistics), bad);
    EXPECT_EQ(refrain_inline_get_statistics(made, nullptr), bad);
    EXPECT_EQ(refrain_inline_is_proved(nullptr, 1), 0);
    EXPECT_EQ(refrain_inline_backing_off(nullptr), 0);
    EXPECT_EQ(refrain_inline_end(nullptr), 0U);
    EXPECT_EQ(refrain_inline_capacity(nullptr), 0U);
    EXPECT_EQ(refrain_inline_end(made), 0U) << "nothing counted";
    refrain_inline_destroy(made);
    refrain_inline_destroy(nullptr);
}

}  // namespace
}  // namespace refrain::autotrace::c_boundary_test
