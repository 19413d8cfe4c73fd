#include "regions/region_use.hpp"

#include <gtest/gtest.h>
#include <string>

namespace refrain::regions::region_use_test {
namespace {

/// The admitted privileges: R read, W write, C change (read-write), F fold (reduce).
std::string admitted(const RegionUse& use) {
    std::string text;
    if (use.admits(Privilege::read)) text += 'R';
    if (use.admits(Privilege::write)) text += 'W';
    if (use.admits(Privilege::read_write)) text += 'C';
    if (use.admits(Privilege::reduce)) text += 'F';
    return text;
}

TEST(RegionUse, a_region_that_nothing_has_written_admits_only_write) {
    EXPECT_EQ(admitted(RegionUse()), "W");
}

TEST(RegionUse, a_written_region_admits_everything) {
    RegionUse use;
    use.mark_written();
    EXPECT_EQ(admitted(use), "RWCF");
}

TEST(RegionUse, while_the_host_reads_others_may_read) {
    RegionUse use;
    use.mark_written();
    use.begin_host_access(Privilege::read);
    use.begin_host_access(Privilege::read);
    use.end_host_access(Privilege::read);
    EXPECT_EQ(admitted(use), "R");
    use.end_host_access(Privilege::read);
    EXPECT_EQ(admitted(use), "RWCF");
}

TEST(RegionUse, while_the_host_writes_nobody_else_uses_the_region_and_then_it_is_written) {
    RegionUse use;
    use.begin_host_access(Privilege::write);
    EXPECT_TRUE(use.host_writes());
    EXPECT_EQ(admitted(use), "");
    use.end_host_access(Privilege::write);
    EXPECT_TRUE(use.is_written());
    EXPECT_EQ(admitted(use), "RWCF");
}

}  // namespace
}  // namespace refrain::regions::region_use_test
