#pragma once

#include "graph/workers.hpp"
#include "refrain/autotrace.hpp"
#include "refrain/options.hpp"
#include "runtime/pipeline.hpp"

#include "observe/observer.hpp"

namespace refrain::runtime {

/// Automatic tracing in front of the pipeline: hashes operations to tokens, and is the host that
/// the tracer talks to. It uses the tracer through its public interface, as any other runtime
/// would.
///
/// Tokens are the paper's (token.hpp).
///
/// Threads:  the launching thread only; mining runs on the workers.
class AutoHost final : private autotrace::TraceHost, private autotrace::MiningExecutor {
  public:
    /// `observer`: null if nobody listens.
    AutoHost(const Options& options, Pipeline& pipeline, observe::Observer* observer);

    /// An operation that was launched; it, and others before it, may be issued now or later.
    void operation(Operation& operation);
    [[nodiscard]] bool holds(std::uint64_t number) const { return tracer_.holds(number); }
    void flush() {
        if (tracer_.holds_any()) tracer_.flush();
    }
    /// The same, and no automatic trace is under way any more.
    void interrupt() { tracer_.interrupt(); }
    void add_to(Statistics& statistics) const;

  private:
    void issue(autotrace::OperationHandle operation) override { pipeline_.issue(operation); }
    void begin_trace(autotrace::TraceId trace, std::size_t length) override;
    void end_trace(autotrace::TraceId trace) override;
    void leave_trace(autotrace::TraceId trace) override;
    void forget_trace(autotrace::TraceId trace) override;
    void submit(Job job) override;
    void run_now(Job job) override;
    void help() override;

    Pipeline& pipeline_;
    observe::Observer* observer_;
    unsigned token_bits_;
    autotrace::TraceId newest_trace_ = 0;
    autotrace::AutoTracer tracer_;
};

}  // namespace refrain::runtime
