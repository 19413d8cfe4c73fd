#pragma once

#include "base/function_ref.hpp"

#include <string>
#include <vector>

namespace refrain::base {

/// A setting of Linux's control groups: its file in version 2; its controller and file in version 1.
struct GroupSetting {
    const char* file;
    const char* controller;
    const char* file_1;
};
inline constexpr GroupSetting group_memory{"memory.max", "memory", "memory.limit_in_bytes"};
inline constexpr GroupSetting group_time{"cpu.max", "cpu", "cpu.cfs_quota_us"};

/// The first word of what a setting's file says in each group that a process is in, directly or within another, the innermost
/// first; no word of a file that cannot be read.
///
///     "0::/user.slice/app"   memory.max in /sys/fs/cgroup/user.slice/app, in /sys/fs/cgroup/user.slice, in /sys/fs/cgroup
///     "5:memory:/job"        memory.limit_in_bytes in /sys/fs/cgroup/memory/job, in /sys/fs/cgroup/memory
///
/// Where a container has its own group as /sys/fs/cgroup, the path leads nowhere, and that group is found last.
///
/// `groups`: the text of /proc/PID/cgroup. `content`: of a file, by its path; empty if it cannot be read.
[[nodiscard]] std::vector<std::string> group_settings(
    const GroupSetting& setting, const std::string& groups,
    FunctionRef<std::string(const std::string& path)> content);
/// Of this process.
[[nodiscard]] std::vector<std::string> group_settings(const GroupSetting& setting);

}  // namespace refrain::base
