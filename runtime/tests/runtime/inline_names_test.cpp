/// Regions that are created, destroyed, swapped and aliased: names do not matter, uses do.
#include "runtime/watched_program.hpp"

#include <deque>

namespace refrain::inline_names_test {
namespace {

class InlineNames : public InlineScenario {};
INSTANTIATE_TEST_SUITE_P(, InlineNames, ::testing::ValuesIn(all_conditions), conditions_name);

TEST_P(InlineNames, storage_of_a_region_deleted_in_the_loop_may_be_reused_for_another_shape) {
    WatchedProgram program(GetParam());
    const auto kept = program.arrays(2);
    const double share = program.repeat(100, [&](int) {
        {
            const auto first = program.array();
            program.copy(kept[0], first);
            program.mix(first, kept[1]);
        }
        const auto second =
            program.array(2 * Array::length);  // of the bytes of the first, and more
        program.fill(second, 7);
        program.update_tile(second, 4, 1, 2);
        auto sum = program.sum(second);
        program.add(sum, WatchedProgram::expected_sum(second), kept[0]);
    });
    expect_share(share, 1);
    program.expect_values(kept);
}

TEST_P(InlineNames, temporaries_may_be_new_in_each_iteration) {
    WatchedProgram program(GetParam());
    std::vector<Array> all;
    program.fill(all.emplace_back(program.array()), 1);
    const double share = program.repeat(200, [&](int) {
        const auto temporary = program.array();
        program.copy(all.back(), temporary);
        const auto next = program.array();
        program.stencil(temporary, next);
        program.mix(temporary, next);
        all.push_back(next);  // nothing is recycled
    });
    expect_share(share, 0.999);
    program.expect_values(all);
}

TEST_P(InlineNames, ids_may_be_recycled_with_period_7) {
    WatchedProgram program(GetParam());
    std::deque<Array> alive;
    program.fill(alive.emplace_back(program.array()), 1);
    const double share = program.repeat(200, [&](int) {
        const auto next = program.array();
        program.copy(alive.back(), next);
        program.mix(alive.back(), next, 2);
        alive.push_back(next);
        if (alive.size() > 7) alive.pop_front();
    });
    expect_share(share, 0.999);
    for (const Array& array : alive) program.expect_values(array);
}

TEST_P(InlineNames, two_buffers_may_swap_and_three_rotate) {
    for (const std::size_t count : {2, 3}) {
        WatchedProgram program(GetParam());
        auto arrays = program.arrays(count);
        const double share = program.repeat(100, [&](int) {
            program.stencil(arrays[0], arrays[1]);
            program.mix(arrays[count - 1], arrays[0]);
            std::rotate(arrays.begin(), arrays.begin() + 1, arrays.end());
        });
        expect_share(share, 1);
        program.expect_values(arrays);
    }
}

/// All programs create new partitions with each launch; this one creates different ones later.
TEST_P(InlineNames, a_partition_created_in_the_loop_is_compared_by_content) {
    WatchedProgram program(GetParam());
    const auto arrays = program.arrays(2);
    const auto iteration = [&](std::int64_t pieces) {
        program.mix(arrays[0], arrays[1], pieces);
        program.stencil(arrays[1], arrays[0]);
        program.mix(arrays[1], arrays[0], 2 * pieces);
    };
    expect_share(program.repeat(60, [&](int) { iteration(3); }), 1);
    const std::uint64_t before = program.replayed();
    iteration(5);
    EXPECT_LE(program.replayed(), before + 1) << "only the stencil may be replayed";
    expect_share(program.repeat(60, [&](int) { iteration(5); }), 1);
    program.expect_values(arrays);
}

/// Two buffers that become the same region at some point, and the reverse.
TEST_P(InlineNames, two_names_may_begin_or_cease_to_alias) {
    for (const bool alias_first : {false, true}) {
        SCOPED_TRACE(alias_first);
        WatchedProgram program(GetParam());
        const auto arrays = program.arrays(3);
        const auto iteration = [&](bool alias) {
            program.mix(arrays[2], arrays[0]);
            program.mix(arrays[2], alias ? arrays[0] : arrays[1]);
            program.mix(alias ? arrays[0] : arrays[1], arrays[2]);
        };
        expect_share(program.repeat(40, [&](int) { iteration(alias_first); }), 1);
        expect_share(program.repeat(40, [&](int) { iteration(!alias_first); }), 1);
        std::mt19937_64 random(8);
        for (int i = 0; i < 200; ++i) iteration(random() % 2 == 0);
        program.expect_values(arrays);
    }
}

/// At random, arrays are overwritten or deleted.
TEST_P(InlineNames, discards_and_deletions_may_happen_anywhere) {
    WatchedProgram program(GetParam());
    auto arrays = program.arrays(4);
    std::mt19937_64 random(9);
    const double share = program.repeat(600, [&](int) {
        for (std::size_t op = 0; op < 8; ++op) {
            program.step(op, arrays);
            if (random() % 40 == 0) program.fill(arrays[random() % 4], random());
            if (random() % 40 != 0) continue;
            Array& victim = arrays[random() % 4];
            victim = program.array();
            program.fill(victim, random());
        }
    });
    expect_share(share, 0.8);
    program.expect_values(arrays);
}

}  // namespace
}  // namespace refrain::inline_names_test
