#pragma once

#include "events/metrics.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace refrain::proxy {

/// Hardware counters by PAPI's library, which is loaded when it is asked for: nothing is linked with it. They count in the
/// thread that made this, by PAPI's presets (PAPI_TOT_INS, ...), as many at once as the processor has registers for.
///
/// Who may call what: the thread that made it.
class Papi {
  public:
    /// Begins to count, unless there is a problem.
    Papi();
    Papi(const Papi&) = delete;
    Papi& operator=(const Papi&) = delete;
    Papi(Papi&&) = delete;
    Papi& operator=(Papi&&) = delete;
    ~Papi();

    /// Whether this process has loaded the library already: then its counters are the program's.
    [[nodiscard]] static bool is_in_use();

    /// Why it counts nothing, in PAPI's own words, and what to do; empty if it counts.
    [[nodiscard]] const std::string& problem() const { return problem_; }
    /// What it does not count here: these stay 0.
    [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }
    /// Since it was made.
    void read(Counts& counts);

  private:
    void begin();
    [[nodiscard]] bool add(Metric metric, const char* preset);
    [[nodiscard]] std::string words_for(int error) const;

    void* library_ = nullptr;
    int events_ = -1;  // PAPI_NULL
    std::size_t metrics_[metric_count] = {};
    std::size_t added_ = 0;
    bool counts_ = false;
    int (*read_)(int, long long*) = nullptr;
    std::string problem_, refused_;
    std::vector<std::string> missing_;
};

}  // namespace refrain::proxy
