#include "base/control_groups.hpp"

#include "base/text.hpp"

#include <string_view>
#include <utility>

namespace refrain::base {
namespace {

using Content = FunctionRef<std::string(const std::string& path)>;

void add_settings(std::vector<std::string>& found, const std::string& folder, std::string group,
                  const char* file, Content content) {
    while (true) {
        while (group.ends_with('/')) group.pop_back();
        const auto words = parts_of(content(folder + group + "/" + file), " \n");
        if (!words.empty()) found.push_back(words[0]);
        if (group.empty()) return;
        const std::size_t parent = group.rfind('/');
        group.resize(parent == std::string::npos ? 0 : parent);
    }
}

}  // namespace

std::vector<std::string> group_settings(const GroupSetting& setting, const std::string& groups,
                                        Content content) {
    std::string group, group_1;  // of version 2, and of the controller of version 1
    for (const std::string& line : parts_of(groups, "\n")) {  // "5:cpu,cpuacct:/job" or "0::/job"
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        if (second == first + 1) group = line.substr(second + 1);
        for (const std::string& each : parts_of(line.substr(first + 1, second - first - 1), ","))
            if (each == setting.controller) group_1 = line.substr(second + 1);
    }
    const std::string folder = "/sys/fs/cgroup";
    std::vector<std::string> found;
    add_settings(found, folder, std::move(group), setting.file, content);
    add_settings(found, folder + "/" + setting.controller, std::move(group_1), setting.file_1,
                 content);
    return found;
}

std::vector<std::string> group_settings(const GroupSetting& setting) {
    const auto content = [](const std::string& path) { return content_of(path).value_or(""); };
    return group_settings(setting, content("/proc/self/cgroup"), content);
}

}  // namespace refrain::base
