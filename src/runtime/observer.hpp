#pragma once

#include "refrain/options.hpp"
#include "report/stream_log.hpp"
#include "runtime/operation.hpp"

#include <memory>
#include <optional>

namespace refrain::runtime {

/// Listens to the stages on behalf of report/, if an option asks for that. The stages hold a
/// pointer, null otherwise: then an operation costs them a compare each.
///
/// Threads:  the launching thread only.
class Observer {
  public:
    /// Null if no option asks for one.
    /// Errors: UsageError if a file cannot be written.
    [[nodiscard]] static std::unique_ptr<Observer> make(const Options& options);

    /// An operation that automatic tracing sees, or would if it were on.
    void launched(const Operation& operation, const base::Hash128& token) {
        if (stream_) stream_->operation(token, operation.site);
    }
    /// One in a trace of the program's own.
    void launched_in_manual_trace() {
        if (stream_) stream_->manually_traced();
    }
    /// The program waits: what is held back is handed on.
    void waits() {
        if (stream_) stream_->wait();
    }

  private:
    explicit Observer(const Options& options);

    std::optional<report::StreamLog> stream_;
};

}  // namespace refrain::runtime
