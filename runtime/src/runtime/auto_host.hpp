#pragma once

#include "graph/workers.hpp"
#include "observe/observer.hpp"
#include "refrain/autotrace.hpp"
#include "refrain/options.hpp"
#include "runtime/pipeline.hpp"

namespace refrain::runtime {

/// Host of the mined recogniser, in front of the pipeline: hashes operations to tokens (token.hpp)
/// and carries out what the tracer decides. It uses the tracer's public interface only, as any
/// other runtime would.
///
/// Threads:  the launching thread only; mining runs on the workers.
class AutoHost final : private autotrace::TraceHost, private autotrace::MiningExecutor {
  public:
    /// `observer` may be null.
    AutoHost(const Options& options, Pipeline& pipeline, const Log& log,
             observe::Observer* observer);

    /// A launched operation. It and earlier ones may be issued now or later.
    void operation(Operation& operation);
    [[nodiscard]] bool holds(graph::OperationNumber number) const {
        return tracer_.holds(number.value());
    }
    void flush() {
        if (tracer_.holds_any()) tracer_.flush();
    }
    /// Flushes and leaves any automatic trace.
    void interrupt() { tracer_.interrupt(); }
    /// Issues nothing any more; then only the destructor is called.
    void abandon() noexcept { tracer_.abandon(); }
    void add_to(Statistics& statistics) const;

  private:
    void issue(autotrace::OperationHandle operation) override;
    void begin_trace(autotrace::TraceId trace, std::size_t length) override;
    void end_trace(autotrace::TraceId trace) override;
    void leave_trace(autotrace::TraceId trace) override;
    void forget_trace(autotrace::TraceId trace) override;
    void submit(Job job) override;
    void run_now(Job job) override;
    void help() override;

    Pipeline& pipeline_;
    const Log& log_;
    observe::Observer* observer_;
    unsigned token_bits_;
    autotrace::TraceId newest_trace_ = autotrace::TraceId::none;
    graph::OperationNumber first_replayed_ = 0;  // 0: none
    autotrace::AutoTracer tracer_;
};

}  // namespace refrain::runtime
