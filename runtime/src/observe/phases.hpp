#pragma once

#include "base/clock.hpp"
#include "refrain/statistics.hpp"
#include "trace/tracer.hpp"

#include <cstdint>

namespace refrain::observe {

/// Divides the launching thread's time between operations that are analysed, recorded and replayed:
/// α, α_m and α_r of the paper. Reads the clock only when the phase changes.
///
/// Source:   Yadav et al., ASPLOS 2025, Section 2.
class Phases {
  public:
    using Phase = trace::Tracer::Served;

    void operation(Phase phase, std::uint32_t tasks) {
        if (phase != phase_ || since_ == 0) [[unlikely]]
            change(phase);
        totals_[static_cast<std::size_t>(phase)].tasks += tasks;
    }
    void stop() {
        if (since_ != 0) change(phase_);
        since_ = 0;
    }
    void add_to(Statistics& statistics) const {
        statistics.analysing = read(Phase::analysed);
        statistics.recording = read(Phase::recorded);
        statistics.replaying = read(Phase::replayed);
    }

  private:
    struct Total {
        std::uint64_t tasks = 0;
        std::uint64_t ticks = 0;
    };
    void change(Phase phase) {
        const std::uint64_t now = base::ticks();
        if (since_ != 0) totals_[static_cast<std::size_t>(phase_)].ticks += now - since_;
        since_ = now;
        phase_ = phase;
    }
    [[nodiscard]] PhaseStatistics read(Phase phase) const {
        const Total& total = totals_[static_cast<std::size_t>(phase)];
        return {total.tasks, static_cast<double>(total.ticks) * base::ns_per_tick() * 1e-9};
    }

    Phase phase_ = Phase::analysed;
    std::uint64_t since_ = 0;
    Total totals_[3];
};

}  // namespace refrain::observe
