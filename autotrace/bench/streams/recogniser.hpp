/// The recognisers to measure. Each receives the operations of a program, issues them to a host in
/// order, and reports which of them repeat.
#pragma once

#include "refrain/autotrace.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "streams/host.hpp"
#include "streams/stream.hpp"

namespace streams {

namespace autotrace = refrain::autotrace;

/// A recogniser in use. Its destructor issues all held operations.
class Tracer {
  public:
    virtual ~Tracer() = default;
    /// Launches the operations and waits of the lines. Handles are line indices, from `first` on. A
    /// call takes many lines, so that the cost of the virtual call is negligible.
    virtual void launch(std::span<const Line> lines, std::size_t first) = 0;
    /// Allocated bytes that do not belong to the recogniser, or that it never touched.
    [[nodiscard]] virtual std::size_t idle_bytes() const { return 0; }
};

/// Options that are the same for all recognisers.
struct Choices {
    std::size_t history_tokens = autotrace::Options{}.history_tokens;
    std::size_t trace_length_max = autotrace::Options{}.trace_length_max;
};

struct Recogniser {
    const char* name;
    const char* what;
    bool names_by_use;  // its host names data by their last use, if the stream has names
    /// `executor` runs mining jobs.
    std::unique_ptr<Tracer> (*make)(const Choices& choices, Host& host,
                                    autotrace::MiningExecutor& executor);
};

/// An AutoTracer with these options.
[[nodiscard]] std::unique_ptr<Tracer> make_auto_tracer(const autotrace::Options& options,
                                                       Host& host,
                                                       autotrace::MiningExecutor* executor);

/// All recognisers.
[[nodiscard]] const std::vector<Recogniser>& recognisers();

}  // namespace streams
