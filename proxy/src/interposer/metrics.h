/// Where counts come from: a source says what this thread has done so far. Included by process.h only.
#pragma once

#include "recorder/papi.hpp"
#include "recorder/recorder.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#if __has_include(<valgrind/valgrind.h>)
#include "interposer/counts_requests.h"
#endif
#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace refrain::proxy {

class MetricSource {
  public:
    virtual ~MetricSource() = default;
    [[nodiscard]] virtual Source source() const = 0;
    /// Counts of this thread since some time in the past.
    virtual void read(Counts& counts) = 0;
    /// This thread is in MPI, or in the program again: the models do not follow what it does in MPI.
    virtual void rest_models(bool) {}
    /// Whether any thread may ask for its own, at the cost of a few instructions.
    [[nodiscard]] virtual bool counts_each_thread() const { return false; }
};

#if defined(REFRAIN_READ_COUNTS)
/// The Valgrind tool that this program runs under.
class ValgrindSource final : public MetricSource {
  public:
    [[nodiscard]] static bool answers() {
        Counts counts{};
        return REFRAIN_READ_COUNTS(counts.data()) == 1;
    }
    [[nodiscard]] Source source() const override { return Source::counts; }
    void read(Counts& counts) override { (void)REFRAIN_READ_COUNTS(counts.data()); }
    void rest_models(bool rest) override { REFRAIN_REST_MODELS(rest); }
    [[nodiscard]] bool counts_each_thread() const override { return true; }
};
#endif

#if defined(__linux__)
/// Hardware counters of the kernel, in one group, of the thread that called MPI_Init. What a processor does not
/// count stays 0.
class PerfSource final : public MetricSource {
  public:
    PerfSource() {
        constexpr std::uint64_t l1_read_miss = PERF_COUNT_HW_CACHE_L1D |
                                               PERF_COUNT_HW_CACHE_OP_READ << 8 |
                                               PERF_COUNT_HW_CACHE_RESULT_MISS << 16;
        constexpr std::uint64_t tlb_read_miss = PERF_COUNT_HW_CACHE_DTLB |
                                                PERF_COUNT_HW_CACHE_OP_READ << 8 |
                                                PERF_COUNT_HW_CACHE_RESULT_MISS << 16;
        open(Metric::instructions, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
        open(Metric::branches, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
        open(Metric::mispredicted, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES);
        open(Metric::l1_misses, PERF_TYPE_HW_CACHE, l1_read_miss);
        open(Metric::tlb_misses, PERF_TYPE_HW_CACHE, tlb_read_miss);
    }
    PerfSource(const PerfSource&) = delete;
    PerfSource& operator=(const PerfSource&) = delete;
    ~PerfSource() override {
        for (std::size_t i = 0; i < opened_; ++i) close(files_[i]);
    }
    /// Why it counts nothing; empty if it counts.
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] Source source() const override { return Source::perf; }
    void read(Counts& counts) override {
        std::uint64_t values[1 + metric_count] = {};
        if (::read(files_[0], values, sizeof values) <= 0) return;
        for (std::size_t i = 0; i < opened_; ++i) counts[metrics_[i]] = values[1 + i];
    }

  private:
    void open(Metric metric, std::uint32_t type, std::uint64_t config) {
        perf_event_attr wanted{};
        wanted.size = sizeof wanted;
        wanted.type = type;
        wanted.config = config;
        wanted.read_format = PERF_FORMAT_GROUP;
        wanted.exclude_kernel = 1;
        wanted.exclude_hv = 1;
        const int leader = opened_ == 0 ? -1 : files_[0];
        const auto file =
            static_cast<int>(syscall(SYS_perf_event_open, &wanted, 0, -1, leader, 0UL));
        if (file < 0 && opened_ == 0 && problem_.empty())
            problem_ =
                std::string("the kernel counts no instructions here: ") + std::strerror(errno);
        if (file < 0 || !problem_.empty()) return;
        files_[opened_] = file;
        metrics_[opened_++] = static_cast<std::size_t>(metric);
    }

    int files_[metric_count] = {};
    std::size_t metrics_[metric_count] = {};
    std::size_t opened_ = 0;
    std::string problem_;
};
#endif

/// PAPI, in the thread that called MPI_Init.
class PapiSource final : public MetricSource {
  public:
    [[nodiscard]] const std::string& problem() const { return papi_.problem(); }
    [[nodiscard]] Source source() const override { return Source::papi; }
    void read(Counts& counts) override {
        counts = {};
        if (std::this_thread::get_id() == owner_) papi_.read(counts);
    }

  private:
    Papi papi_;
    std::thread::id owner_ = std::this_thread::get_id();
};

/// The source of this name; null for "time". `problem`: why there is none.
inline std::unique_ptr<MetricSource> make_source(const std::string& name, std::string& problem) {
#if defined(REFRAIN_READ_COUNTS)
    if (name == "counts") {
        if (ValgrindSource::answers()) return std::make_unique<ValgrindSource>();
        problem = "the program does not run under the counts tool";
        return nullptr;
    }
#endif
#if defined(__linux__)
    if (name == "perf") {
        auto source = std::make_unique<PerfSource>();
        if (source->problem().empty()) return source;
        problem = source->problem();
        return nullptr;
    }
#endif
    if (name == "papi") {
        if (Papi::is_in_use()) {
            problem = "the program counts by PAPI itself, and has its counters";
            return nullptr;
        }
        auto source = std::make_unique<PapiSource>();
        if (source->problem().empty()) return source;
        problem = source->problem();
        return nullptr;
    }
    if (!name.empty() && name != "time") problem = "there is no source '" + name + "'";
    return nullptr;
}

}  // namespace refrain::proxy
