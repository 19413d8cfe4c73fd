#include "trace/trace_template.hpp"

#include "trace/replay.hpp"

#include <gtest/gtest.h>

namespace refrain::trace::trace_template_test {
namespace {

using analysis::FootprintId;
using analysis::PatternId;

/// Three operations over two slots: the second waits for the first, the third for both.
TraceTemplate example() {
    static const int names[3] = {};
    TraceTemplate made;
    const auto add = [&](int task, std::vector<std::uint32_t> slots, std::vector<Source> sources) {
        TraceTemplate::Operation operation;
        operation.task = &names[task];
        operation.point_count = 4;
        operation.first_requirement = static_cast<std::uint32_t>(made.requirements.size());
        operation.requirement_count = static_cast<std::uint32_t>(slots.size());
        operation.first_edge = static_cast<std::uint32_t>(made.edges.size());
        operation.edge_count = static_cast<std::uint32_t>(sources.size());
        made.edges.insert(made.edges.end(), sources.begin(), sources.end());
        for (const std::uint32_t slot : slots) {
            TraceTemplate::Requirement requirement;
            requirement.shape = {FootprintId{1 + slot}, Privilege::read_write};
            requirement.slot = slot;
            requirement.first_source = static_cast<std::uint32_t>(made.sources.size());
            requirement.source_count = slot == 0 ? static_cast<std::uint32_t>(sources.size()) : 0;
            if (slot == 0) made.sources.insert(made.sources.end(), sources.begin(), sources.end());
            made.requirements.push_back(requirement);
            if (slot == made.slot_was_fresh.size()) made.slot_was_fresh.push_back(slot == 1);
        }
        made.operations.push_back(operation);
    };
    add(0, {0}, {});
    add(1, {0}, {{1, PatternId{1}, true}});
    add(2, {1, 0}, {{1, PatternId{1}, true}, {2, PatternId{2}, false}});
    return made;
}

TEST(TraceTemplate, truncation_keeps_the_first_operations_and_their_parts) {
    const TraceTemplate whole = example();
    for (std::size_t length = 0; length <= 3; ++length) {
        TraceTemplate shorter = whole;
        shorter.truncate(length);
        EXPECT_EQ(shorter.length(), length);
        EXPECT_EQ(TraceTemplate::common_prefix(shorter, whole), length);
        EXPECT_EQ(shorter.slot_was_fresh.size(), length == 0 ? 0U : length < 3 ? 1U : 2U);
        std::size_t edges = 0;
        std::size_t sources = 0;
        for (const auto& operation : shorter.operations) {
            edges += shorter.edges_of(operation).size();
            for (const auto& requirement : shorter.requirements_of(operation))
                sources += shorter.sources_of(requirement).size();
        }
        EXPECT_EQ(shorter.edges.size(), edges);
        EXPECT_EQ(shorter.sources.size(), sources);
    }
}

TEST(TraceTemplate, a_common_prefix_ends_at_the_first_difference_of_any_kind) {
    const TraceTemplate whole = example();
    EXPECT_EQ(TraceTemplate::common_prefix(whole, whole), 3U);
    TraceTemplate other = whole;
    other.operations[1].task = whole.operations[0].task;
    EXPECT_EQ(TraceTemplate::common_prefix(whole, other), 1U);
    other = whole;
    other.operations[2].point_count = 5;
    EXPECT_EQ(TraceTemplate::common_prefix(whole, other), 2U);
    other = whole;
    other.requirements[3].slot = 1;
    EXPECT_EQ(TraceTemplate::common_prefix(whole, other), 2U);
    other = whole;
    other.requirements[0].shape.privilege = Privilege::read;
    EXPECT_EQ(TraceTemplate::common_prefix(whole, other), 0U);
}

TEST(TraceTemplate, bytes_count_everything_it_holds) {
    const TraceTemplate whole = example();
    EXPECT_GE(whole.bytes(), sizeof(whole) + 3 * sizeof(TraceTemplate::Operation) +
                                 4 * sizeof(TraceTemplate::Requirement) + 6 * sizeof(Source));
}

static_assert(!std::is_constructible_v<ComparedOperation, const TraceTemplate::Operation&>,
              "only a comparison makes an operation that can be replayed");

}  // namespace
}  // namespace refrain::trace::trace_template_test
