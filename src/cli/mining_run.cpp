#include "cli/mining_run.hpp"

#include <algorithm>
#include <cstddef>

namespace refrain::cli {
namespace {

using autotrace::OperationHandle;
using autotrace::TraceId;

/// Handles of operations: their index, and whether they have a token, in the lowest bit.
constexpr OperationHandle handle_of(std::uint64_t index, bool traceable) {
    return 2 * index + (traceable ? 1 : 0);
}

class CountingHost final : public autotrace::TraceHost {
  public:
    void issue(OperationHandle operation) override {
        ++issued_;
        if ((operation & 1) != 0) replayed_.push_back(replaying_);
    }

    void begin_trace(TraceId trace, std::size_t length) override {
        replaying_ = trace <= traces_.size();
        if (!replaying_) {
            traces_.push_back({trace, length, issued_, 0});
        } else {
            ++traces_[trace - 1].replays;
        }
    }

    void end_trace(TraceId /*trace*/) override { replaying_ = false; }

    /// Whether each traceable operation was replayed, in launch order.
    [[nodiscard]] const std::vector<bool>& replayed() const { return replayed_; }
    [[nodiscard]] std::vector<MiningOutcome::Trace>& traces() { return traces_; }

  private:
    std::vector<bool> replayed_;
    std::vector<MiningOutcome::Trace> traces_;  // ids count from 1 in the order of recording
    std::uint64_t issued_ = 0;
    bool replaying_ = false;
};

double share(const std::vector<bool>& replayed, std::size_t begin) {
    if (begin == replayed.size()) return 0;
    const auto from = replayed.begin() + static_cast<std::ptrdiff_t>(begin);
    return static_cast<double>(std::count(from, replayed.end(), true)) /
           static_cast<double>(replayed.size() - begin);
}

std::optional<std::uint64_t> first_steady_window(const std::vector<bool>& replayed) {
    constexpr std::uint64_t window = MiningOutcome::window_operations;
    const double enough = MiningOutcome::steady_share * static_cast<double>(window);
    std::uint64_t count = 0;
    for (std::uint64_t end = 0; end < replayed.size(); ++end) {
        count += replayed[end] ? 1 : 0;
        if (end >= window) count -= replayed[end - window] ? 1 : 0;
        if (end + 1 >= window && static_cast<double>(count) >= enough) return end + 1 - window;
    }
    return std::nullopt;
}

void launch(autotrace::AutoTracer& tracer, const StreamLine& line, std::uint64_t& index) {
    switch (line.kind) {
        case StreamLine::Kind::operation:
            return tracer.operation(line.token, handle_of(index++, true));
        case StreamLine::Kind::untraceable:
            return tracer.untraceable(handle_of(index++, false));
        case StreamLine::Kind::ignorable:
            return tracer.ignorable(handle_of(index++, false));
        case StreamLine::Kind::wait:
            return tracer.flush();
    }
}

}  // namespace

MiningOutcome run_mining(OperationReader& reader, const autotrace::Options& options,
                         const std::function<void(std::uint64_t)>& progress) {
    constexpr std::uint64_t lines_between_reports = std::uint64_t{1} << 20;
    CountingHost host;
    autotrace::AutoTracer tracer(options, host);
    StreamLine line{};
    std::uint64_t index = 0;
    while (reader.next(line)) {
        launch(tracer, line, index);
        if (reader.line_number() % lines_between_reports == 0) progress(reader.line_number());
    }
    tracer.flush();

    MiningOutcome outcome;
    outcome.statistics = tracer.statistics();
    outcome.traces = std::move(host.traces());
    outcome.coverage = share(host.replayed(), 0);
    outcome.coverage_second_half = share(host.replayed(), host.replayed().size() / 2);
    outcome.warm_up = first_steady_window(host.replayed());
    return outcome;
}

}  // namespace refrain::cli
