#include "autotrace/engine.hpp"
#include "refrain/autotrace.hpp"

namespace refrain::autotrace {

AutoTracer::AutoTracer(const Options& options, TraceHost& host, MiningExecutor* executor)
    : engine_(std::make_unique<detail::Engine>(options, host, executor, window_)) {}

AutoTracer::~AutoTracer() {
    if (is_abandoned_) return;
    try {
        interrupt();
    } catch (...) {
        // The host failed; a destructor cannot report it.
    }
}

void AutoTracer::operation(Token token, OperationHandle operation) {
    engine_->operation(token, operation);
}

void AutoTracer::untraceable(OperationHandle operation) {
    engine_->untraceable(operation);
}

void AutoTracer::ignorable(OperationHandle operation) {
    engine_->ignorable(operation);
}

void AutoTracer::flush() {
    engine_->flush();
}

void AutoTracer::interrupt() {
    engine_->interrupt();
}

std::size_t AutoTracer::held() const {
    return engine_->held();
}

const Statistics& AutoTracer::statistics() const {
    return engine_->statistics();
}

Prospect AutoTracer::prospect(const Token& token) const {
    return engine_->prospect(token);
}

}  // namespace refrain::autotrace
