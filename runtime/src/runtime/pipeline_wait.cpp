// Waits of the launching thread, which runs tasks meanwhile.

#include "runtime/pipeline.hpp"

#include <utility>

namespace refrain::runtime {

void Pipeline::help_until(base::FunctionRef<bool()> done) {
    end_row();
    if (options_.time_phases) phases_.stop();  // waiting and running tasks is not launching
    tell_wait_begins();
    close_batch();
    // Retiring all the while, so that regions that have died give their memory to those to come.
    workers_.help_until([&] {
        if (lanes_open_)
            while (workers_.help_lanes()) {
            }
        retire_finished();  // no batch is open
        return done();
    });
    runs_at_once_ = false;
    tell_wait_ended();
}

void Pipeline::help_once() {
    bool asked = false;
    help_until([&] { return std::exchange(asked, true); });
}

void Pipeline::wait_for(graph::OperationNumber number) {
    help_until([&] { return is_finished(number); });
    retire();
}

void Pipeline::finish_all() {
    if (!finish_in_row()) help_until([&] { return oldest_ == next_issue_; });
}

void Pipeline::wait_for_all() {
    finish_all();
    failures_.add(run_context_.secondary_failures);
}

bool Pipeline::help_some_time(base::FunctionRef<bool()> done) {
    const std::uint64_t end = after_some_time();
    bool is_done = false;
    help_until([&] {
        is_done = done();
        return is_done || base::ticks() > end;
    });
    return is_done;
}

bool Pipeline::wait_some_time_for(graph::OperationNumber number) {
    return help_some_time([&] { return is_finished(number); });
}

bool Pipeline::wait_some_time_for_all() {
    return finish_in_row() || help_some_time([&] { return oldest_ == next_issue_; });
}

bool Pipeline::wait_some_time_for_room() {
    if (next_issue_ - oldest_ < options_.window) return true;
    retire();
    return next_issue_ - oldest_ < options_.window ||
           help_some_time([&] { return next_issue_ - oldest_ <= options_.window / 2; });
}

}  // namespace refrain::runtime
