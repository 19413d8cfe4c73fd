#include "memo/run_folder.hpp"

#include "memo/packed_value.hpp"
#include "values/format.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <unistd.h>

namespace refrain::script {
namespace {

namespace fs = std::filesystem;

void take(RunHistory& history, RunFolder::Entry entry) {
    if (std::holds_alternative<RunRecord>(entry)) history.end.reset();
    if (auto* run = std::get_if<RunRecord>(&entry)) history.runs.push_back(std::move(*run));
    if (auto* task = std::get_if<TaskRecord>(&entry)) history.tasks.push_back(std::move(*task));
    if (auto* end = std::get_if<RunEnd>(&entry)) history.end = std::move(*end);
}

}  // namespace

RunFolder::RunFolder(std::string folder, const RunRecord* run) : folder_(std::move(folder)) {
    make_folder(folder_);
    log_ = std::make_unique<RecordLog>(folder_ + "/tasks.log", RecordLog::OnRecord{});
    if (run != nullptr) add(*run);
}

void RunFolder::add(const Entry& entry) {
    log_->append(packed(entry));
}

std::string RunFolder::error_path(const std::string& function) {
    const std::lock_guard lock(mutex_);
    std::error_code ignored;
    fs::create_directories(folder_ + "/failed", ignored);
    const auto plain = [](int letter) { return std::isalnum(letter) != 0 ? letter : '_'; };
    const std::string name = with_each(function, plain);
    std::string path;
    do path = folder_ + "/failed/" + std::to_string(++failures_) + "-" + name + ".stderr";
    while (fs::exists(path));
    return path;
}

std::string new_run_folder(const std::string& runs) {
    const std::string name = runs + "/" +
                             local_time(std::time(nullptr), "%Y%m%d-%H%M%S").value_or("run") + "-" +
                             std::to_string(getpid());
    std::string free = name;
    for (int i = 2; fs::exists(free); ++i) free = name + "-" + std::to_string(i);
    return free;
}

std::vector<std::string> run_folders(const std::string& runs) {
    std::vector<std::pair<fs::file_time_type, std::string>> found;
    std::error_code error;
    for (const auto& each : fs::directory_iterator(runs, error))
        if (const auto written = fs::last_write_time(each.path() / "tasks.log", error); !error)
            found.emplace_back(written, each.path().string());
    std::ranges::sort(found);
    std::vector<std::string> names;
    for (auto& [written, name] : found) names.push_back(std::move(name));
    return names;
}

std::optional<std::string> latest_run(const std::string& runs, const std::string& script) {
    std::vector<std::string> found = run_folders(runs);
    for (auto each = found.rbegin(); each != found.rend(); ++each) {
        const RunHistory history = read_run(*each);
        if (!history.runs.empty() && history.runs.back().script == script) return *each;
    }
    return std::nullopt;
}

RunHistory read_run(const std::string& folder) {
    RunHistory history;
    history.torn_bytes =
        read_records(folder + "/tasks.log", [&](std::string_view payload, std::uint64_t) {
            take(history, unpacked<RunFolder::Entry>(payload));
        });
    return history;
}

}  // namespace refrain::script
