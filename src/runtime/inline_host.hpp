#pragma once

#include "refrain/inline_recogniser.hpp"
#include "refrain/options.hpp"
#include "runtime/observer.hpp"
#include "runtime/pipeline.hpp"
#include "trace/description.hpp"

#include <optional>

namespace refrain::runtime {

/// Automatic tracing without traces: each operation is looked at when it is launched, and issued at
/// once, served from an earlier one if that stands in the same context.
///
///     Operation --words--> InlineRecogniser --precedent--> Pipeline::issue
///
/// Threads:  the launching thread only.
class InlineHost final : private trace::Context {
  public:
    /// `observer`: null if nobody listens.
    InlineHost(const Options& options, Pipeline& pipeline, Observer* observer);

    /// How many operations are remembered, how many bytes of what was found for them, and so on.
    [[nodiscard]] static trace::Imitator::Options imitation_options(const Options& options);

    /// An operation that was launched: it is issued.
    void operation(const Operation& operation);
    /// Operations follow that are not seen here.
    void interrupt();
    /// What the analysis knows of shapes is learned anew: words mean something else from now on.
    void forget() { recogniser_.clear(); }
    void add_to(Statistics& statistics) const;

  private:
    [[nodiscard]] bool agrees(std::uint32_t operations) override {
        return recogniser_.is_proved(operations);
    }
    void repeat(const autotrace::InlineRecogniser::Turn& turn);
    void note_first(std::uint64_t number);

    Pipeline& pipeline_;
    Observer* observer_;
    trace::Describer describer_;
    autotrace::InlineRecogniser recogniser_;
    std::uint64_t passed_ = 0;        // operations that were not looked at
    std::uint64_t first_served_ = 0;  // 0: none
};

}  // namespace refrain::runtime
