/// What is measured: a recogniser stands between a program and a host, hands operations on in order
/// and says what of them has been there before.
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

/// One recogniser at work. When it is destroyed, it has handed everything on.
class Tracer {
  public:
    virtual ~Tracer() = default;
    /// Launches what the lines say. Handles are indices of lines, from `first` on. Many lines to a
    /// call, so that the call itself does not count.
    virtual void launch(std::span<const Line> lines, std::size_t first) = 0;
    /// Bytes from the allocator that are not the recogniser's, or that it never touched.
    [[nodiscard]] virtual std::size_t idle_bytes() const { return 0; }
};

/// What can be chosen for all recognisers alike.
struct Choices {
    std::size_t history_tokens = autotrace::Options{}.history_tokens;
    std::size_t trace_length_max = autotrace::Options{}.trace_length_max;
};

struct Recogniser {
    const char* name;
    const char* what;
    bool names_by_use;  // its host names data by their last use, if the stream says what names are
    /// `executor` runs what the recogniser does besides, if it does.
    std::unique_ptr<Tracer> (*make)(const Choices& choices, Host& host,
                                    autotrace::MiningExecutor& executor);
};

/// An AutoTracer with these options.
[[nodiscard]] std::unique_ptr<Tracer> make_auto_tracer(const autotrace::Options& options,
                                                       Host& host,
                                                       autotrace::MiningExecutor* executor);

/// All that there are. Another one is one more entry.
[[nodiscard]] const std::vector<Recogniser>& recognisers();

}  // namespace streams
