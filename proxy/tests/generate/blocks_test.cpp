#include "generate/blocks.hpp"

#include "generate/generate.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace refrain::proxy::blocks_test {
namespace {

/// Blocks of a kind, all in one event.
std::string text_of_all(BlockKind kind) {
    BlockEvent event;
    for (std::size_t i = 0; i < all_blocks(kind).size(); ++i) event.rates.emplace_back(i, 1.5);
    return blocks_text(kind, std::vector{event});
}

std::set<std::string> bodies(BlockKind kind) {
    std::set<std::string> all;
    for (const Block& block : all_blocks(kind)) all.insert(block.kind);
    return all;
}

TEST(Blocks, are_found_by_name_among_those_of_their_kind_only) {
    for (const BlockKind kind : {BlockKind::assembly, BlockKind::portable})
        for (std::size_t i = 0; i < all_blocks(kind).size(); ++i)
            EXPECT_EQ(block_named(kind, all_blocks(kind)[i].name), i) << all_blocks(kind)[i].name;
    EXPECT_TRUE(block_named(BlockKind::assembly, "vector_8"));
    EXPECT_FALSE(block_named(BlockKind::portable, "vector_8"));
    EXPECT_FALSE(block_named(BlockKind::portable, "chain_9"));
}

TEST(Blocks, that_are_portable_do_what_those_of_assembly_do_but_for_three) {
    std::set<std::string> expected = bodies(BlockKind::assembly);
    EXPECT_EQ(expected.erase("vector") + expected.erase("fill") + expected.erase("spill"), 3u)
        << "vectors, instructions that repeat themselves, writes that miss";
    EXPECT_EQ(bodies(BlockKind::portable), expected);
}

TEST(Blocks, that_are_portable_have_no_assembly) {
    EXPECT_NE(text_of_all(BlockKind::assembly).find("asm"), std::string::npos);
    const std::string text = text_of_all(BlockKind::portable);
    for (const char* word : {"asm", "__x86_64__", "#error"})
        EXPECT_EQ(text.find(word), std::string::npos) << word;
}

/// Cold ones are mispredicted, in each turn of a loop until a predictor that looks at the latest branches knows these.
TEST(Blocks, of_assembly_have_no_branch_that_is_not_counted_for) {
    const std::string text = text_of_all(BlockKind::assembly);
    const std::size_t begin = text.find("static void chain_8("), end = text.find("\n}", begin);
    ASSERT_NE(begin, std::string::npos) << text;
    const std::string chain = text.substr(begin, end - begin);
    EXPECT_EQ(chain.find("jnz"), std::string::npos) << chain;
    EXPECT_NE(chain.find("cmovz"), std::string::npos) << chain;
    EXPECT_EQ(text.find("if (due > 0)"), std::string::npos)
        << "blocks do nothing when asked for none";
}

TEST(Blocks, that_miss_come_so_small_that_they_miss_once) {
    for (const BlockKind kind : {BlockKind::assembly, BlockKind::portable})
        for (const char* name : {"line_1", "page_1", "ring_1"}) {
            const auto block = block_named(kind, name);
            ASSERT_TRUE(block) << name;
            EXPECT_EQ(all_blocks(kind)[*block].copies, 1);
        }
}

/// The first turns of a loop teach a predictor its end, and cost more than those that were measured.
TEST(Blocks, whose_loops_end_by_a_branch_are_foreseen_before_mpi_begins) {
    const BlockEvent event{{{*block_named(BlockKind::assembly, "turn_8"), 1.0}}, "loops"};
    const std::string text = blocks_text(BlockKind::assembly, std::vector{event});
    EXPECT_NE(text.find("    turn_8(32);\n}"), std::string::npos) << text;
    EXPECT_EQ(text.find("fill_8(32)"), std::string::npos) << "none that nobody uses";
}

/// Finding a function at its first call is part of what blocks do already.
TEST(Blocks, are_in_programs_that_are_linked_before_mpi_begins) {
    EXPECT_NE(makefile_text(text_of_all(BlockKind::assembly)).find("LDFLAGS ?= -Wl,-z,now\n"),
              std::string::npos);
    EXPECT_EQ(makefile_text("").find("LDFLAGS"), std::string::npos);
}

TEST(Blocks, that_run_seldom_wait_in_the_event) {
    const BlockEvent seldom{{{0, 2.5}}, "58 instructions", 16}, each_time{{{0, 2.5}}, "more"};
    const std::string text = blocks_text(BlockKind::assembly, std::vector{seldom, each_time});
    EXPECT_NE(text.find("static long waits = 8;"), std::string::npos) << text;
    EXPECT_NE(text.find("    waits = 16;"), std::string::npos) << text;
    EXPECT_EQ(text.find("waits", text.find("static void event_1")), std::string::npos) << text;
}

/// A rate that 64 bits do not hold in 2 to the -32 was none: a computation of hours, as hardware counts it.
TEST(Blocks, are_repeated_more_than_four_billion_times_in_a_run) {
    const BlockEvent event{{{0, 6e9 + 0.75}, {1, 1e15}, {2, 0.25}, {3, 3 - 1e-12}}, "hours"};
    const std::string text = blocks_text(BlockKind::assembly, std::vector{event});
    for (const char* share : {"{6000000000, 3221225472, 0}", "{1000000000000000, 0, 0}",
                              "{0, 1073741824, 0}", "{3, 0, 0}"})
        EXPECT_NE(text.find(share), std::string::npos) << share << text;
}

TEST(Blocks, that_are_portable_are_compiled_by_flags_that_the_user_cannot_forget) {
    const std::string portable = makefile_text(text_of_all(BlockKind::portable));
    EXPECT_NE(portable.find("$(CFLAGS) $(BLOCK_FLAGS)"), std::string::npos) << portable;
    EXPECT_NE(portable.find("\nBLOCK_FLAGS = -O2\n"), std::string::npos) << portable;
    const std::string assembly = makefile_text(text_of_all(BlockKind::assembly));
    EXPECT_EQ(assembly.find("BLOCK_FLAGS"), std::string::npos) << assembly;
}

}  // namespace
}  // namespace refrain::proxy::blocks_test
