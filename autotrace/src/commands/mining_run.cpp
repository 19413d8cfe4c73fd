#include "commands/mining_run.hpp"

#include "commands/replayed_share.hpp"

#include <cstddef>

namespace refrain::commands {
namespace {

using autotrace::OperationHandle;
using autotrace::TraceId;

/// Handles of operations: their index, with the lowest bit set if they are traceable.
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
        replaying_ = number_of(trace) <= traces_.size();
        if (!replaying_) {
            traces_.push_back({trace, length, issued_, 0});
        } else {
            ++traces_[number_of(trace) - 1].replays;
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
    outcome.coverage = replayed_share(host.replayed(), 0);
    outcome.coverage_second_half = replayed_share(host.replayed(), host.replayed().size() / 2);
    outcome.coverage_last_quarter =
        replayed_share(host.replayed(), host.replayed().size() - host.replayed().size() / 4);
    outcome.warm_up = first_steady_window(host.replayed());
    return outcome;
}

}  // namespace refrain::commands
