#include "leaves/leaf_host.hpp"

#include <cstdio>

namespace refrain::script {

LeafHost::LeafHost(RunOptions options, RunControl& control, ResourceGate::Amount capacity)
    : gate(capacity), options_(std::move(options)), control_(control), listener_(control, [this] {
          if (control_.killed()) processes.kill_all();
          const std::lock_guard lock(sleep_mutex_);
          woken_.notify_all();
      }) {}

void LeafHost::count_held_up(std::chrono::steady_clock::time_point since) {
    held_up_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}
bool LeafHost::sleep(double seconds) {
    const auto began = std::chrono::steady_clock::now();
    std::unique_lock lock(sleep_mutex_);
    const bool stopped = woken_.wait_for(lock, std::chrono::duration<double>(seconds),
                                         [&] { return control_.stopped(); });
    count_held_up(began);
    return !stopped;
}

void LeafHost::warn(const std::string& text) {
    std::fputs(("WARN " + text + "\n").c_str(), stderr);
}

void LeafHost::note_assume_locked(const std::string& text) {
    messages_ += "WARN " + text + "\n";
}

Memo* LeafHost::cache() {
    const std::lock_guard lock(folders_mutex_);
    if (cache_ != nullptr || cache_failed_ || options_.cache_folder.empty()) return cache_.get();
    try {
        cache_ = std::make_unique<Memo>(options_.cache_folder, Memo::Keep::all);
    } catch (const ScriptError& error) {
        cache_failed_ = true;
        note_assume_locked(std::string("nothing is cached: ") + error.what());
    }
    return cache_.get();
}

void LeafHost::open_run_folder_assume_locked() {
    if (record_ != nullptr || folders_failed_ || options_.runs_folder.empty()) return;
    try {
        const std::string folder =
            run_folder.empty() ? new_run_folder(options_.runs_folder) : run_folder;
        record_ = std::make_unique<RunFolder>(folder, begins_run ? &run : nullptr);
        run_memo_ = std::make_unique<Memo>(folder, Memo::Keep::temporaries);
        const std::uint64_t cut = record_->cut_bytes() + run_memo_->cut_bytes();
        if (cut != 0)
            note_assume_locked("the last record of '" + folder +
                               "' was torn: " + std::to_string(cut) + " bytes were cut");
    } catch (const ScriptError& error) {
        folders_failed_ = true;
        record_.reset();
        note_assume_locked(std::string("the run is not recorded: ") + error.what());
    }
}

Memo* LeafHost::run_memo() {
    const std::lock_guard lock(folders_mutex_);
    open_run_folder_assume_locked();
    return run_memo_.get();
}

RunFolder* LeafHost::record() {
    const std::lock_guard lock(folders_mutex_);
    open_run_folder_assume_locked();
    return record_.get();
}

std::string LeafHost::record_path() {
    const std::lock_guard lock(folders_mutex_);
    return record_ == nullptr ? "" : record_->path();
}

void LeafHost::end_record(const RunEnd& end) {
    const std::lock_guard lock(folders_mutex_);
    if (record_ == nullptr || !begins_run) return;
    try {
        record_->add(end);
    } catch (const ScriptError& error) {
        note_assume_locked(error.what());
    }
    if (end.status == 0) run_memo_->drop_files();
}

std::string LeafHost::folder_messages() {
    const std::lock_guard lock(folders_mutex_);
    std::string text;
    for (const auto& each : checkpoints)
        if (!each->warning().empty())
            text += "WARN a checkpoint is not written: " + each->warning() + "\n";
    for (const auto* memo : {&cache_, &run_memo_})
        if (*memo != nullptr && !(*memo)->warning().empty())
            text += "WARN results are not kept: " + (*memo)->warning() + "\n";
    if (cache_ != nullptr && cache_->cut_bytes() != 0)
        text += "WARN the last record of '" + options_.cache_folder +
                "' was torn: " + std::to_string(cache_->cut_bytes()) + " bytes were cut\n";
    return text + messages_;
}

}  // namespace refrain::script
