#include "property/check.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>

#include "property/generator.hpp"
#include "property/isolated.hpp"
#include "property/shared_partitions.hpp"
#include "property/shrink.hpp"
#include "property/task_order.hpp"

namespace refrain::property {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds program_time_max{30};  // of a program that is tried alone
constexpr std::chrono::minutes batch_patience{5};     // with each program of a batch
constexpr std::uint64_t batch = 64;                   // programs per process

/// The progress of a child process, in shared memory: readable even if the child dies.
struct Progress {
    std::atomic<std::uint64_t> seed;
    std::atomic<std::uint64_t> operations;
    std::atomic<std::uint64_t> replayed;
    std::atomic<std::uint64_t> in_lanes;
    std::atomic<std::uint64_t> in_rows;
    std::atomic<std::uint64_t> direct;
};

class SharedProgress {
  public:
    SharedProgress()
        : memory_(mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        if (memory_ == MAP_FAILED) throw std::runtime_error("mmap of shared memory failed");
        ::new (memory_) Progress{};
    }
    SharedProgress(const SharedProgress&) = delete;
    SharedProgress& operator=(const SharedProgress&) = delete;
    SharedProgress(SharedProgress&&) = delete;
    SharedProgress& operator=(SharedProgress&&) = delete;
    ~SharedProgress() { munmap(memory_, sizeof(Progress)); }
    Progress* operator->() const { return static_cast<Progress*>(memory_); }

  private:
    void* memory_;
};

std::string check_seeds(const Mode& mode, std::uint64_t first, std::uint64_t last,
                        Clock::time_point deadline, const SharedProgress& progress) {
    for (std::uint64_t seed = first; seed < last; ++seed) {
        progress->seed = seed;
        Statistics statistics;
        const std::string found = check(generate(seed, limits_for(mode)), mode, &statistics);
        if (!found.empty()) return found;
        const TraceStatistics& traced = statistics.traces;
        progress->operations += traced.analysed + traced.recorded + traced.replayed;
        progress->replayed += traced.replayed;
        progress->in_lanes += statistics.launches.in_lanes;
        progress->in_rows += statistics.launches.in_rows;
        progress->direct += statistics.launches.direct;
        if (Clock::now() > deadline) break;
    }
    progress->seed += 1;
    return "";
}

std::string command(std::uint64_t seed, const Mode& mode) {
    return "tools/fuzz --mode " + std::string(mode.name) + " --seed " + std::to_string(seed) +
           " --count 1";
}

}  // namespace

std::string check(const Program& program, const Mode& mode, Statistics* statistics) {
    const std::vector<Seen> expected = run_oracle(program);
    Execution run, other;
    if (mode.two_at_once) {
        SharedPartitions shared;
        std::thread beside([&] { other = execute(program, mode, &shared); });
        run = execute(program, mode, &shared);
        beside.join();
    } else {
        run = execute(program, mode);
    }
    if (statistics != nullptr) *statistics = run.statistics;
    if (mode.kind == Kind::starved) return difference_when_starved(program, expected, run);
    std::string found = difference(program, expected, run);
    if (found.empty() && mode.two_at_once) found = difference(program, expected, other);
    if (mode.watched || mode.reported)
        for (const std::string& file : files_of_watched_runs()) std::remove(file.c_str());
    if (!found.empty() || !mode.graph) return found;
    return order_difference(program, run);
}

std::optional<Failing> find_failure(const Mode& mode, Campaign& campaign) {
    const bool timed = campaign.seconds > 0;
    const auto deadline =
        timed ? Clock::now() +
                    std::chrono::microseconds(static_cast<std::int64_t>(campaign.seconds * 1e6))
              : Clock::time_point::max();
    const SharedProgress progress;
    std::uint64_t seed = campaign.first_seed;
    const std::uint64_t end = campaign.first_seed + campaign.count;
    while (seed < end && Clock::now() < deadline) {
        const std::uint64_t last = std::min(end, seed + batch);
        const std::string found =
            run_isolated([&] { return check_seeds(mode, seed, last, deadline, progress); },
                         batch_patience, [&] { return progress->seed.load(); });
        campaign.checked += progress->seed - seed;
        seed = progress->seed;
        if (!found.empty()) return Failing{seed, found};
    }
    campaign.operations += progress->operations;
    campaign.replayed += progress->replayed;
    campaign.in_lanes += progress->in_lanes;
    campaign.in_rows += progress->in_rows;
    campaign.direct += progress->direct;
    return std::nullopt;
}

std::string explain(const Failing& failing, const Mode& mode) {
    const auto fails = [&](const Program& program) {
        // A failure may depend on timing: try several times.
        for (int attempt = 0; attempt < 8; ++attempt) {
            const std::string found =
                run_isolated([&] { return check(program, mode); }, program_time_max);
            if (!found.empty()) return found;
        }
        return std::string();
    };
    const Program whole = generate(failing.seed, limits_for(mode));
    std::string difference = failing.difference;
    const Program small = shrink(whole, [&](const Program& candidate) {
        const std::string found = fails(candidate);
        if (!found.empty()) difference = found;
        return !found.empty();
    });
    return "mode " + std::string(mode.name) + ", seed " + std::to_string(failing.seed) + ": " +
           failing.difference + "\nshrunk to " + std::to_string(small.statements.size()) + " of " +
           std::to_string(whole.statements.size()) + " statements:\n" + print(small) + difference +
           "\nrun it again: " + command(failing.seed, mode) + "\n";
}

}  // namespace refrain::property
