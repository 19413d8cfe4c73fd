#include "fuzz/damaged_log.hpp"

#include "observe/programs.hpp"

namespace refrain::damaged_log_test {
namespace {

/// A log with all kinds of lines.
std::string small_log() {
    return "# 0x1b 'f' (m.c:4)\n0x1b\n7\n0x1b\n!\n?\n.\n# 0x7 'it's (a:1)' (b:2)\n7\n";
}

TEST(DamagedLog, is_refused_with_its_place_or_shown_as_it_is) {
    std::uint64_t tried = 0;
    damaged_log::for_each_damage(small_log(), {'\n'}, [&](const std::string& damaged) {
        ++tried;
        const std::string fault = damaged_log::fault_of(damaged);
        ASSERT_EQ(fault, "") << damaged;
    });
    EXPECT_EQ(tried, 3 * small_log().size());
}

/// The fuzzer's own reading tells right pages from wrong ones.
TEST(DamagedLog, that_a_reader_misreads_is_found) {
    const damaged_log::Contents contents = damaged_log::contents_of(small_log());
    EXPECT_EQ(contents.traceable, 4U);
    EXPECT_EQ(contents.others, 2U);
    EXPECT_EQ(contents.bad_line, 0U);
    EXPECT_EQ(damaged_log::contents_of("1\n#\n0x\n").bad_line, 3U);
    page::RunData run;
    EXPECT_NE(damaged_log::fault_of_page(run, contents), "");
    EXPECT_EQ(damaged_log::fault_of_reading("x", {}, [](std::istream&) { return ""; }), "");
    EXPECT_NE(damaged_log::fault_of_reading("x", {.bad_line = 1}, [](std::istream&) { return ""; }),
              "");
    EXPECT_NE(
        damaged_log::fault_of_reading("x", {.bad_line = 1},
                                      [](std::istream&) -> std::string { throw std::bad_alloc(); }),
        "");
}

}  // namespace
}  // namespace refrain::damaged_log_test
