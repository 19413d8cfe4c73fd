#include "merge/attached.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace refrain::proxy::attached_test {
namespace {

/// Rank 0 attaches memory and rank 1 accesses it, all at addresses that begin at `base`.
std::vector<RankRecording> run(std::uint64_t base, const std::vector<Attached>& attached,
                               const std::vector<std::uint64_t>& accessed) {
    testing::Rank owner(0, 2), other(1, 2);
    for (const Attached& each : attached) {
        const auto address = static_cast<std::int64_t>(base + each.address);
        owner.recorder.attach({base + each.address, each.bytes});
        owner.call(Function::Win_attach_,
                   {0, 0, 2, buffer_of_rank(0), address, static_cast<std::int64_t>(each.bytes), 0});
    }
    const std::int64_t slot = other.recorder.slot(0x10, 0, 8);
    for (const std::uint64_t address : accessed)
        other.call(Function::Put_, {slot, 1, testing::double_type, 0, buffer_of_rank(0),
                                    static_cast<std::int64_t>(base + address), 1,
                                    testing::double_type, 0, 1, 2, 0});
    return {owner.finish(), other.finish()};
}

/// Buffers and offsets of the calls of this function.
std::vector<std::pair<std::int64_t, std::int64_t>> places(const RankRecording& rank,
                                                          Function function) {
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    for (const Event& event : rank.events)
        for (const Argument& each : arguments_of(event))
            if (event.function == function && each.parameter != nullptr &&
                (each.parameter->kind == Kind::disp_ || each.parameter->kind == Kind::wbase_))
                found.emplace_back(event.values[each.begin], event.values[each.begin + 1]);
    return found;
}
using Places = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST(Attached, an_address_is_a_slot_of_its_owner_and_a_distance) {
    auto ranks = run(0x7f0000, {{0x400, 64}, {0x100, 32}}, {0x408, 0x11f, 0x120});
    resolve_attached(ranks);
    // Behind slot 0 of the other rank, in the order of attachment.
    EXPECT_EQ(places(ranks[0], Function::Win_attach_), (Places{{1, 0}, {2, 0}}));
    EXPECT_EQ(places(ranks[1], Function::Put_), (Places{{1, 8}, {2, 31}, {buffer_unattached, 0}}));
    EXPECT_EQ(ranks[0].slots.at(1).behind, 64);
    EXPECT_EQ(ranks[0].slots.at(2).behind, 32);
}

TEST(Attached, memory_that_was_attached_again_elsewhere_stays_at_its_distance) {
    auto ranks = run(0x7f0000, {{0x100, 64}, {0x120, 96}, {0x180, 8}}, {0x118, 0x130, 0x184});
    resolve_attached(ranks);
    EXPECT_EQ(places(ranks[0], Function::Win_attach_), (Places{{1, 0}, {1, 0x20}, {2, 0}}));
    EXPECT_EQ(places(ranks[1], Function::Put_), (Places{{1, 0x18}, {1, 0x30}, {2, 4}}));
    EXPECT_EQ(ranks[1].slots.size(), 1u);
    EXPECT_EQ(ranks[0].slots.at(1).behind, 0x80);
    EXPECT_EQ(ranks[0].slots.at(1).shift(), 0);
}

TEST(Attached, addresses_do_not_matter) {
    const std::vector<Attached> attached{{0x100, 64}, {0x200, 64}};
    const Recording a = merge(run(0x550000, attached, {0x100, 0x208, 0x100}), {});
    const Recording b = merge(run(0x7fff0000, attached, {0x100, 0x208, 0x100}), {});
    EXPECT_EQ(write(a), write(b));
}

TEST(Attached, no_address_stays_where_the_owner_left_no_recording) {
    auto ranks = run(0x7f0000, {}, {0x100});
    ranks[1].events.push_back({Function::Win_create_dynamic_, {-1, 0, 1, 2, 0, 0}});
    resolve_attached(ranks);
    EXPECT_EQ(places(ranks[1], Function::Put_), (Places{{buffer_unattached, 0}}));
}

TEST(Attached, what_is_one_call_by_now_is_one_run) {
    // Two addresses of nothing: two events of the rank, one of the merged recording.
    const Recording merged = merge(run(0x7f0000, {{0x100, 8}}, {0x800, 0x900, 0x800}), {});
    const strings::Grammar grammar = merged.grammar_of(1);
    for (const auto& rule : grammar)
        for (std::size_t i = 1; i < rule.size(); ++i) EXPECT_NE(rule[i - 1].symbol, rule[i].symbol);
    EXPECT_EQ(merged.ranks[1].events, 5u);
}

}  // namespace
}  // namespace refrain::proxy::attached_test
