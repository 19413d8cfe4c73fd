#pragma once

#include "page/fragment.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace refrain::page {

/// One trace. The fragment is the first execution that was counted.
struct TraceRecord : Fragment {
    std::uint64_t id = 0;
    bool automatic = false;
    std::uint64_t first_operation = 0;  // number of the operation at which its recording began
    std::uint64_t executions = 0;
    std::uint64_t replayed = 0;    // operations
    std::uint64_t mismatches = 0;  // operations recorded after the trace had been left
};

/// The traces of a run: the operations of each, taken from its first execution, and how often it was
/// executed.
///
/// Bounded: traces beyond `traces_max` share one record, and operations beyond `operations_max` are
/// not listed.
///
/// Threads:  the launching thread only.
class TraceBook {
  public:
    static constexpr std::size_t traces_max = 1024;
    static constexpr std::size_t operations_max = std::size_t{1} << 17;
    static constexpr std::size_t edges_max = std::size_t{1} << 19;

    using Source = WaitsFor;

    void begin(std::uint64_t id, bool automatic, std::uint64_t first_operation);
    void end() { current_ = nullptr; }
    [[nodiscard]] bool is_open() const { return current_ != nullptr; }

    /// The next operation of the open trace. `listed()`, a Listed or its sources, is called only if
    /// the operation is listed.
    template <class Details>
    void operation(const Served& served, SiteId site, Details&& listed) {
        if (served.how == Served::How::replayed) {
            ++current_->replayed;
        } else if (served.reason == NotReplayed::mismatch) {
            ++current_->mismatches;
            return;
        }
        if (current_->executions == 1) append(site, served.points, listed());
    }

    [[nodiscard]] const std::vector<TraceRecord>& traces() const { return traces_; }
    /// All traces without a record of their own.
    [[nodiscard]] const TraceRecord& others() const { return others_; }
    [[nodiscard]] std::uint64_t other_count() const { return other_count_; }

  private:
    void append(SiteId site, std::uint32_t points, Listed listed) {
        if (current_ != &others_) current_->append(site, points, std::move(listed), room_);
    }

    std::vector<TraceRecord> traces_;
    std::unordered_map<std::uint64_t, std::size_t> by_id_;
    TraceRecord others_;
    std::uint64_t other_count_ = 0;
    std::uint64_t newest_other_ = 0;
    TraceRecord* current_ = nullptr;
    FragmentRoom room_{operations_max, edges_max};
};

}  // namespace refrain::page
