/// Prints the sizes of the records that docs/architecture.md lists. Includes internal headers,
/// which programs do not.

#include "analysis/access_history.hpp"
#include "graph/batch.hpp"
#include "runtime/compiled_loop.hpp"
#include "runtime/operation.hpp"
#include "trace/operation_memo.hpp"
#include "trace/trace_template.hpp"

#include <cstdio>

using namespace refrain;

int main() {
    const auto line = [](const char* what, std::size_t bytes) {
        std::printf("%-58s %4zu bytes\n", what, bytes);
    };
    std::printf("until the operation retires\n");
    line("  Operation, with its Node", sizeof(runtime::Operation));
    line("  Bundle, per eight points", sizeof(graph::Bundle));
    line("  Batch, with its Bundle, per up to eight single tasks", sizeof(graph::Batch));
    line("  per region argument", runtime::Operation::bytes_per_argument);
    line("  Edge, per bundle of a source that is not done", sizeof(graph::Edge));
    std::printf("until the operation is no longer remembered\n");
    line("  Access, per region argument", sizeof(analysis::Access));
    line("  Source, per operation that it waits for", sizeof(analysis::Source));
    std::printf("in a memo\n");
    line("  per operation", sizeof(trace::OperationMemo));
    line("  per region argument", sizeof(trace::OperationMemo::Requirement));
    line("  Source, per argument and again per operation", sizeof(analysis::Source));
    std::printf("in a compiled loop\n");
    line("  per launch", runtime::CompiledLoop::bytes_per_launch);
    line("  per region argument", runtime::CompiledLoop::bytes_per_requirement);
    std::printf("in a template\n");
    line("  per operation", sizeof(trace::TraceTemplate::Operation));
    line("  per region argument", sizeof(trace::TraceTemplate::Requirement));
    line("  Source, per operation that it waits for inside the trace", sizeof(analysis::Source));
}
