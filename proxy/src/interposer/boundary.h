/// What a source counts outside of wrappers.
#pragma once

#include "interposer/process.h"

#include <span>

namespace refrain::proxy {

/// Learns what the source counts between two wrappers that follow each other at once.
void measure_boundary();

/// From the first to the last instruction of a wrapper: what a source counts outside is the program's.
class Boundary {
  public:
    Boundary() {
        if (process->source != nullptr) stop();
    }
    Boundary(const Boundary&) = delete;
    Boundary& operator=(const Boundary&) = delete;
    ~Boundary() {
        if (process->source != nullptr) resume();
    }
    /// Since the call before, without what a boundary itself counts; null if nothing is counted.
    [[nodiscard]] const Counts* counts() const {
        return process->source == nullptr ? nullptr : &counts_;
    }
    /// What threads of teams did of that, and others than this one beside it; empty if that is not counted.
    [[nodiscard]] std::span<const Counts> team_counts() const { return team_counts_; }

  private:
    void stop();
    void stop_team();
    void resume();

    Counts counts_;  // set if there is a source
    std::span<const Counts> team_counts_;
    bool working_ = false;  // the call is made within a region
};

}  // namespace refrain::proxy
