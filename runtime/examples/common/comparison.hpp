/// Runs one program in several modes in one process and collects the measurements.
///
///     auto solve = [&](refrain::Runtime& runtime, example::Mode mode) {
///         ...                                        // regions, initial values
///         example::Stopwatch watch(runtime);
///         for (int step = 0; step < steps; ++step) ...
///         return watch.stop(steps);                  // waits
///     };
///     example::Comparison comparison = example::compare("jacobi", "n = 128", config, solve);
///
/// Each run has its own runtime. Modes take turns, and the order is reversed from round to round,
/// so a machine that slows down affects all modes alike; the median counts. One extra run per mode
/// measures the launching thread's time per task in each phase, because the timers cost time too.
#pragma once

#include "refrain/runtime.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/common_config.hpp"
#include "common/mode.hpp"
#include "common/traced_share.hpp"

namespace example {

/// Thrown by a program whose result is wrong.
class WrongResult : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What a program returns for one run.
struct Run {
    double seconds = 0;
    std::int64_t iterations = 0;
};

/// Measures the time of a program's loop, without setup and checks.
class Stopwatch {
  public:
    explicit Stopwatch(refrain::Runtime& runtime) : runtime_(runtime) {
        runtime_.wait_all();
        begin_ = Clock::now();
    }
    [[nodiscard]] Run stop(std::int64_t iterations) {
        runtime_.wait_all();
        return {std::chrono::duration<double>(Clock::now() - begin_).count(), iterations};
    }

  private:
    using Clock = std::chrono::steady_clock;
    refrain::Runtime& runtime_;
    Clock::time_point begin_;
};

struct Measurement {
    Mode mode = Mode::untraced;
    std::vector<double> seconds;            // of each repetition, in ascending order
    std::vector<double> whole_seconds;      // including construction and destruction of the runtime
    std::vector<double> whole_cpu_seconds;  // the same, of all threads together
    std::vector<double> late_seconds;       // per operation in the second half of each run
    std::int64_t iterations = 0;
    refrain::Statistics statistics;  // of the run with timers
};

struct Comparison {
    std::string program;
    std::string problem;  // its size, in words
    unsigned workers = 0;
    bool checked = false;
    std::vector<Measurement> measurements;

    [[nodiscard]] const Measurement* find(Mode mode) const {
        for (const Measurement& m : measurements)
            if (m.mode == mode) return &m;
        return nullptr;
    }
};

[[nodiscard]] inline double median(const std::vector<double>& ascending) {
    const std::size_t half = ascending.size() / 2;
    return ascending.size() % 2 == 1 ? ascending[half]
                                     : (ascending[half - 1] + ascending[half]) / 2;
}

namespace detail {

/// One line of progress per round, on standard error.
inline void begin_round(int round, int rounds) {
    std::fprintf(stderr, "  round %d of %d:", round, rounds);
}
inline void show_run(Mode mode, const Run& run) {
    std::fprintf(stderr, "  %s %.3f s", to_string(mode), run.seconds);
}

template <class Program>
void measure_run(const CommonConfig& config, const Program& program, Measurement& m) {
    refrain::Runtime runtime(options_for(m.mode, config.runtime));
    const Run run = program(runtime, m.mode);
    show_run(m.mode, run);
    m.seconds.push_back(run.seconds);
    if (const auto late = seconds_per_late_operation(runtime.statistics().progress))
        m.late_seconds.push_back(*late);
}

template <class Program>
void measure_round(bool reversed, const CommonConfig& config, const Program& program,
                   std::vector<Measurement>& measurements) {
    for (std::size_t i = 0; i < measurements.size(); ++i) {
        Measurement& m = measurements[reversed ? measurements.size() - 1 - i : i];
        const auto begin = std::chrono::steady_clock::now();
        const std::clock_t cpu_begin = std::clock();
        measure_run(config, program, m);
        const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
        m.whole_seconds.push_back(whole.count());
        m.whole_cpu_seconds.push_back(static_cast<double>(std::clock() - cpu_begin) /
                                      CLOCKS_PER_SEC);
    }
}

template <class Program>
void measure_phases(const CommonConfig& config, const Program& program, Measurement& m) {
    refrain::Options options = options_for(m.mode, config.runtime);
    options.observe.time_phases = true;
    refrain::Runtime runtime(options);
    const Run run = program(runtime, m.mode);
    show_run(m.mode, run);
    m.iterations = run.iterations;
    m.statistics = runtime.statistics();
}

}  // namespace detail

/// `program(runtime, mode)` returns a Run; it throws WrongResult if a result is wrong.
template <class Program>
[[nodiscard]] Comparison compare(std::string name, std::string problem, const CommonConfig& config,
                                 const Program& program) {
    Comparison comparison{
        std::move(name), std::move(problem), config.runtime.worker_count(), config.check, {}};
    for (const Mode mode : config.modes)
        comparison.measurements.push_back({mode, {}, {}, {}, {}, 0, {}});
    for (int round = 0; round < config.repetitions; ++round) {
        detail::begin_round(round + 1, config.repetitions + 1);
        detail::measure_round(round % 2 == 1, config, program, comparison.measurements);
        std::fputc('\n', stderr);
    }
    detail::begin_round(config.repetitions + 1, config.repetitions + 1);
    for (Measurement& m : comparison.measurements) {
        detail::measure_phases(config, program, m);
        std::sort(m.seconds.begin(), m.seconds.end());
        std::sort(m.late_seconds.begin(), m.late_seconds.end());
    }
    std::fputs("  (with timers)\n", stderr);
    return comparison;
}

}  // namespace example
