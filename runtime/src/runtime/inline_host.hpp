#pragma once

#include "refrain/inline_recogniser.hpp"
#include "refrain/options.hpp"
#include "runtime/compiled_loop.hpp"
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
/// In a folded loop a launch is first compared with the one expected (compiled_loop.hpp).
///
/// Threads:  the launching thread only.
class InlineHost final : private trace::Context {
  public:
    /// `observer`: null if nobody listens.
    InlineHost(const Options& options, Pipeline& pipeline, const regions::RegionTable& regions,
               Observer* observer);

    /// How many operations are remembered, how many bytes of what was found for them, and so on.
    [[nodiscard]] static trace::Imitator::Options imitation_options(const Options& options);

    /// What was found for the launch that is expected next, if this is it; else null.
    [[nodiscard]] const CheckedLaunch* expected(const LaunchDescription& launch,
                                                std::uint64_t number) const {
        const auto position = recogniser_.expected_in_loop();
        return position ? loop_.find(*position, launch, number) : nullptr;
    }
    /// An operation that was launched: it is issued.
    void operation(const Operation& operation);
    /// The same of one whose launch is known: where it was expected, it is compiled.
    void operation(const Operation& operation, const LaunchDescription& launch,
                   const CheckedLaunch& checked);
    /// The same of one that was expected.
    void as_expected(Operation& operation) {
        const autotrace::InlineRecogniser::Finding found = recogniser_.go_round();
        ++compiled_;
        const std::uint64_t number = operation.number;  // it may be gone when it was issued
        pipeline_.issue_in_loop(operation, found.position, found.loop, *this);
        if (watches_) [[unlikely]]
            watch(number, found.precedent);
    }
    /// Operations follow that are not seen here.
    void interrupt();
    /// An operation of an earlier run (trace/rehearsal.hpp), before the first one of this run.
    void rehearse(std::uint64_t number, const trace::OperationSignature& operation);
    /// Behind those: what follows is this run.
    void begin_run();
    /// What the analysis knows of shapes is learned anew: words mean something else from now on.
    void forget();
    void add_to(Statistics& statistics) const;

    [[nodiscard]] const autotrace::InlineRecogniser& recogniser() const { return recogniser_; }

  private:
    [[nodiscard]] bool agrees(std::uint32_t operations) override {
        return recogniser_.is_proved(operations);
    }
    [[nodiscard]] bool pass(const Operation& operation);
    [[nodiscard]] autotrace::InlineRecogniser::Finding look(const Operation& operation);
    void issue(std::uint64_t number, const autotrace::InlineRecogniser::Finding& found);
    void repeat(const autotrace::InlineRecogniser::Turn& turn);
    void watch(std::uint64_t number, std::optional<std::uint64_t> precedent);
    [[nodiscard]] autotrace::InlineRecogniser::Statistics totals() const;

    Pipeline& pipeline_;
    Observer* observer_;
    trace::Describer describer_;
    autotrace::InlineRecogniser recogniser_;
    CompiledLoop loop_;
    std::uint64_t compiled_ = 0;                      // operations that were known by their launch
    std::uint64_t passed_ = 0;                        // operations that were not looked at
    std::uint64_t first_served_ = 0;                  // 0: none
    std::uint64_t rehearsed_ = 0;                     // operations of earlier runs
    std::uint64_t run_begins_ = 0;                    // at this position; 0: nothing before it
    std::uint64_t served_from_earlier_ = 0;           // operations, by those before it
    bool watches_ = true;                             // counts what is served
    autotrace::InlineRecogniser::Statistics before_;  // the run
};

}  // namespace refrain::runtime
