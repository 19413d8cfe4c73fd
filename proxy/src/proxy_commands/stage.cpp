#include "proxy_commands/stage.hpp"

#include "base/progress_line.hpp"

#include <mutex>
#include <utility>

namespace refrain::proxy {
namespace {

std::mutex stage_mutex;
Stage* newest_stage = nullptr;  // by stage_mutex
bool is_quiet = false;

/// Born with the first stage of the command.
base::ProgressLine& line() {
    static base::ProgressLine the_line({}, [] {
        const std::lock_guard lock(stage_mutex);
        return newest_stage == nullptr ? std::string() : newest_stage->words();
    });
    return the_line;
}

Stage* set_newest(Stage* stage) {
    const std::lock_guard lock(stage_mutex);
    return std::exchange(newest_stage, stage);
}

}  // namespace

Stage::Stage(std::string what, std::uint64_t total)
    : what_(std::move(what)), total_(total), outer_(set_newest(this)) {
    if (!is_quiet) line().start();
}

Stage::~Stage() {
    if (outer_ == nullptr) line().stop();
    set_newest(outer_);
}

std::string Stage::words() const {
    if (total_ == 0) return what_;
    return what_ + ": " + std::to_string(done_.load(std::memory_order_relaxed)) + " of " +
           std::to_string(total_);
}

void Stage::be_quiet() {
    is_quiet = true;
}

}  // namespace refrain::proxy
