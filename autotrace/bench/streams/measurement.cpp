#include "streams/measurement.hpp"

#include <ctime>
#include <deque>
#include <memory>
#include <span>

#include "streams/live_bytes.hpp"
#include "streams/quality.hpp"
#include "streams/witness.hpp"

namespace streams {
namespace {

/// CPU time of this thread, so that other load on the machine does not count.
double cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// Runs jobs only when the tracer needs their results, and measures their time.
class LateExecutor final : public autotrace::MiningExecutor {
  public:
    void submit(Job job) override { jobs_.push_back(job); }
    void help() override {
        const Job job = jobs_.front();
        jobs_.pop_front();
        const double begin = cpu_ns();
        job.run(job.context);
        ns_ += cpu_ns() - begin;
    }
    [[nodiscard]] double ns() const { return ns_; }

  private:
    std::deque<Job> jobs_;
    double ns_ = 0;
};

class SilentHost final : public Host {
  public:
    void issue(autotrace::OperationHandle) override {}
    void begin_trace(autotrace::TraceId, std::size_t) override {}
    void end_trace(autotrace::TraceId) override {}
    void repeats(autotrace::OperationHandle, std::uint32_t) override {}
};

void measure_quality(const Recogniser& recogniser, const Choices& choices,
                     const std::vector<Line>& lines, Outcome& outcome) {
    Witness witness(lines);
    LateExecutor executor;
    {
        const std::unique_ptr<Tracer> tracer = recogniser.make(choices, witness, executor);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            witness.launching(i);
            tracer->launch(std::span(lines).subspan(i, 1), i);
        }
    }
    witness.expect_end();
    const std::vector<bool>& replayed = witness.replayed();
    outcome.operations = operations_of(lines);
    outcome.first_replay = first_of(replayed);
    outcome.steady_from = steady_from(replayed);
    outcome.coverage = share_from(replayed, 0);
    outcome.coverage_last_quarter = share_from(replayed, replayed.size() - replayed.size() / 4);
    outcome.held_mean = witness.held_mean();
    outcome.held_max = witness.held_max();
    outcome.traces = witness.traces();
    outcome.replays = witness.replays();
    outcome.repeats = witness.repeats();
}

void measure_cost(const Recogniser& recogniser, const Choices& choices,
                  const std::vector<Line>& lines, Outcome& outcome) {
    SilentHost host;
    LateExecutor executor;
    const std::size_t bytes_before = live_bytes();
    forget_peak();
    std::unique_ptr<Tracer> tracer = recogniser.make(choices, host, executor);
    const double begin = cpu_ns();
    tracer->launch(lines, 0);
    const double all = cpu_ns() - begin;
    const double mining = executor.ns();
    const std::size_t idle_bytes = tracer->idle_bytes();
    tracer.reset();
    outcome.memory_bytes = peak_bytes() - bytes_before - idle_bytes;
    const auto operations = static_cast<double>(outcome.operations);
    outcome.launch_ns.push_back((all - mining) / operations);
    outcome.background_ns.push_back(mining / operations);
}

}  // namespace

std::vector<double> Outcome::all_ns() const {
    std::vector<double> all(launch_ns);
    for (std::size_t round = 0; round < all.size(); ++round) all[round] += background_ns[round];
    return all;
}

Outcome measure(const Recogniser& recogniser, const Choices& choices, const Stream& stream,
                int rounds) {
    Outcome outcome;
    const bool by_use = recogniser.names_by_use && stream.has_names;
    const std::vector<Line> lines = by_use ? named_by_use(stream.lines) : stream.lines;
    measure_quality(recogniser, choices, lines, outcome);
    for (int round = 0; round < rounds; ++round) measure_cost(recogniser, choices, lines, outcome);
    return outcome;
}

}  // namespace streams
