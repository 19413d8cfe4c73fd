#pragma once

#include "report/site_table.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace refrain::report {

/// What is known of one trace.
struct TraceRecord {
    struct Operation {
        SiteId site = 0;
        std::uint32_t points = 0;
        bool looks_beyond = false;  // it waits for something before the trace
    };
    /// Between two of its operations; at most one.
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        bool carries_data = false;
    };
    std::uint64_t id = 0;
    bool automatic = false;
    std::uint64_t first_operation = 0;  // number at which it was first recorded
    std::uint64_t length = 0;           // operations of its first execution
    std::uint64_t executions = 0;
    std::uint64_t replayed = 0;         // operations
    std::uint64_t mismatches = 0;       // operations recorded after it had been left
    std::vector<Operation> operations;  // of the first execution; empty beyond the budget
    std::vector<Edge> edges;
};

/// The traces of a run: what each consists of, from its first execution, and how often it was
/// executed. Bounded: traces beyond `traces_max` are counted together, and operations beyond
/// `operations_max` are not listed.
///
/// Threads:  the launching thread only.
class TraceBook {
  public:
    static constexpr std::size_t traces_max = 1024;
    static constexpr std::size_t operations_max = std::size_t{1} << 17;
    static constexpr std::size_t edges_max = std::size_t{1} << 19;

    /// What an operation waits for, by how many operations ago that was launched.
    struct Source {
        std::uint64_t distance = 0;
        bool carries_data = false;
    };

    void begin(std::uint64_t id, bool automatic, std::uint64_t first_operation);
    void end() { current_ = nullptr; }
    [[nodiscard]] bool is_open() const { return current_ != nullptr; }

    /// An operation of the trace that is open. `sources()` is called if they are wanted.
    template <class Sources>
    void operation(const Served& served, SiteId site, Sources&& sources) {
        if (served.how == Served::How::replayed) {
            ++current_->replayed;
        } else if (served.reason == NotReplayed::mismatch) {
            ++current_->mismatches;
        } else if (current_->executions == 1) {
            append(site, served.points, sources());
        }
    }

    [[nodiscard]] const std::vector<TraceRecord>& traces() const { return traces_; }
    /// Traces that have no record of their own, together.
    [[nodiscard]] const TraceRecord& others() const { return others_; }
    [[nodiscard]] std::uint64_t other_count() const { return other_count_; }

  private:
    void append(SiteId site, std::uint32_t points, std::span<const Source> sources);

    void add_edge(const TraceRecord::Edge& edge);

    std::vector<TraceRecord> traces_;
    std::unordered_map<std::uint64_t, std::size_t> by_id_;
    TraceRecord others_;
    std::uint64_t other_count_ = 0;
    std::uint64_t newest_other_ = 0;
    TraceRecord* current_ = nullptr;
    std::size_t operations_ = 0;
    std::size_t edges_ = 0;
};

}  // namespace refrain::report
