#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::page {

/// The totals of a run up to one operation.
struct RunSample {
    std::uint64_t operations = 0;
    std::uint64_t replayed = 0;
    std::uint64_t recorded = 0;
    std::uint64_t ticks = 0;
    std::uint64_t storage_bytes = 0;  // regions
    std::uint64_t tracing_bytes = 0;  // templates, candidates, history of tokens
    std::uint64_t analysis_bytes = 0;
    std::uint64_t resident_bytes = 0;  // the whole process, as the system counts it
};

/// Samples of a run, evenly spaced over its operations. When there are `samples_max`, every second
/// one is dropped and the interval doubles.
///
/// Threads:  the launching thread only.
class RunCurve {
  public:
    static constexpr std::size_t samples_max = 2048;

    RunCurve() { samples_.reserve(samples_max); }
    [[nodiscard]] bool is_due(std::uint64_t operations) const { return operations >= next_; }
    /// The number of operations after which the next sample is due.
    [[nodiscard]] std::uint64_t next() const { return next_; }
    void add(const RunSample& sample) {
        samples_.push_back(sample);
        if (samples_.size() == samples_max) {
            for (std::size_t i = 0; 2 * i + 1 < samples_max; ++i) samples_[i] = samples_[2 * i + 1];
            samples_.resize(samples_max / 2);
            interval_ *= 2;
        }
        next_ = sample.operations + interval_;
    }
    /// Adds the last sample, which need not be due.
    void end(const RunSample& sample) {
        if (!samples_.empty() && samples_.back().operations == sample.operations)
            samples_.pop_back();
        samples_.push_back(sample);
    }
    [[nodiscard]] const std::vector<RunSample>& samples() const { return samples_; }

  private:
    std::vector<RunSample> samples_;
    std::uint64_t interval_ = 16;
    std::uint64_t next_ = 0;
};

}  // namespace refrain::page
