#include "base/memory_limit.hpp"

#include "base/control_groups.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <sys/resource.h>

#include "tries.hpp"

namespace refrain::base {
namespace {

using Words = std::vector<std::string>;
using Files = std::map<std::string, std::string>;

Words settings(const GroupSetting& setting, const std::string& groups, const Files& files) {
    return group_settings(setting, groups, [&](const std::string& path) {
        const auto found = files.find(path);
        return found == files.end() ? std::string() : found->second;
    });
}

TEST(ControlGroups, settings_of_version_2_are_those_of_the_group_and_of_all_around_it) {
    const Files files{{"/sys/fs/cgroup/user.slice/app/memory.max", "max\n"},
                      {"/sys/fs/cgroup/user.slice/memory.max", "4096\n"},
                      {"/sys/fs/cgroup/user.slice/cpu.max", "50000 100000\n"},
                      {"/sys/fs/cgroup/memory.max", "8192"},
                      {"/sys/fs/cgroup/other/memory.max", "1"}};
    EXPECT_EQ(settings(group_memory, "0::/user.slice/app\n", files),
              (Words{"max", "4096", "8192"}));
    EXPECT_EQ(settings(group_time, "0::/user.slice/app\n", files), (Words{"50000"}));
    EXPECT_EQ(settings(group_memory, "0::/\n", files), (Words{"8192"}));
}

TEST(ControlGroups, settings_of_version_1_are_those_of_the_controllers_own_group) {
    const std::string groups =
        "12:cpuset:/\n5:memory:/slurm/job7\n4:cpu,cpuacct:/slurm\n1:name=systemd:/x\n0::/x\n";
    const Files files{{"/sys/fs/cgroup/memory/slurm/job7/memory.limit_in_bytes", "100\n"},
                      {"/sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", "200\n"},
                      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
                      {"/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "1\n"},
                      {"/sys/fs/cgroup/cpu/slurm/cpu.cfs_quota_us", "-1\n"}};
    EXPECT_EQ(settings(group_memory, groups, files), (Words{"100", "200", "9223372036854771712"}));
    EXPECT_EQ(settings(group_time, groups, files), (Words{"-1"}));
}

TEST(ControlGroups, a_container_that_sees_only_its_own_group_finds_it) {
    const std::string groups = "5:memory:/docker/0a1b\n0::/docker/0a1b\n";
    EXPECT_EQ(settings(group_memory, groups, {{"/sys/fs/cgroup/memory.max", "7"}}), (Words{"7"}));
    EXPECT_EQ(
        settings(group_memory, groups, {{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "8"}}),
        (Words{"8"}));
}

TEST(ControlGroups, texts_that_are_none_of_groups_are_passed_over) {
    const Files files{{"/sys/fs/cgroup/memory.max", " \n"}};
    for (const char* text : {"", "\n", "0", "0:", ":", "::", "0::", "0::job/", "0::///", "x\n:::"})
        EXPECT_EQ(settings(group_memory, text, files), Words{}) << text;
}

TEST(MemoryLimit, the_least_number_counts_and_words_do_not) {
    EXPECT_EQ(least_bytes({"max", "4096", "0", "-1", "12x", "", "8192"}, 10000), 4096U);
    EXPECT_EQ(least_bytes({"8192"}, 4096), 4096U);
    EXPECT_EQ(least_bytes({}, memory_unknown), memory_unknown);
}

TEST(MemoryLimit, a_limit_of_the_process_is_its_own_and_not_that_of_all_together) {
    if (is_sanitized) GTEST_SKIP() << "a sanitizer has reserved more memory than there is";
    const std::uint64_t shared = shared_memory_bytes();
    ASSERT_GT(shared, std::uint64_t{1} << 20);
    for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
        rlimit before{};
        ASSERT_EQ(getrlimit(resource, &before), 0);
        // One page less than there is keeps nothing from this test.
        rlimit lower = before;
        lower.rlim_cur = std::min<rlim_t>(before.rlim_cur, process_memory_bytes() - 4096);
        ASSERT_EQ(setrlimit(resource, &lower), 0);
        EXPECT_EQ(process_memory_bytes(), lower.rlim_cur);
        EXPECT_EQ(shared_memory_bytes(), shared);
        ASSERT_EQ(setrlimit(resource, &before), 0);
    }
}

}  // namespace
}  // namespace refrain::base
