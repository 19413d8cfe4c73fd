#pragma once

#include "refrain/inline_recogniser.hpp"
#include "refrain/options.hpp"
#include "runtime/compiled_loop.hpp"
#include "runtime/pipeline.hpp"
#include "trace/description.hpp"

#include <optional>

#include "observe/observer.hpp"

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
    InlineHost(const Options& options, Pipeline& pipeline, const RegionTable& regions,
               observe::Observer* observer);

    /// How many operations are remembered, how many bytes of what was found for them, and so on.
    [[nodiscard]] static trace::Imitator::Options imitation_options(const Options& options);

    /// What was found for the launch that is expected next, if this is it; else null.
    [[nodiscard]] const CheckedLaunch* expected(const LaunchDescription& launch,
                                                std::uint64_t number) const {
        const auto position = recogniser_.expected_in_loop();
        return position ? loop_.find(*position, launch, number) : nullptr;
    }
    /// An operation that was launched: it is issued.
    void operation(Operation& operation);
    /// The same of one whose launch is known: where it was expected, it is compiled.
    void operation(Operation& operation, const LaunchDescription& launch,
                   const CheckedLaunch& checked);
    /// The same of one that was expected.
    void as_expected(Operation& operation) {
        if (is_watched_) [[unlikely]]
            return watch_expected(operation);
        go_round(operation);
    }
    /// Operations follow that are not seen here.
    void interrupt();
    /// What the analysis knows of shapes is learned anew: words mean something else from now on.
    void forget();
    void add_to(Statistics& statistics) const;

  private:
    [[nodiscard]] bool agrees(std::uint32_t operations) override {
        return recogniser_.is_proved(operations);
    }
    [[nodiscard]] bool pass(Operation& operation);
    [[nodiscard]] autotrace::InlineRecogniser::Finding look(Operation& operation);
    void go_round(Operation& operation) {
        const autotrace::InlineRecogniser::Finding found = recogniser_.go_round();
        ++compiled_;
        pipeline_.issue_in_loop(operation, found.position, found.loop, *this);
    }
    [[gnu::noinline]] void watch_expected(Operation& operation);
    [[gnu::noinline]] void tell_observer(Operation& operation);
    [[gnu::noinline]] void tell_passed_over(Operation& operation);
    void issue(std::uint64_t number, const autotrace::InlineRecogniser::Finding& found);
    void repeat(const autotrace::InlineRecogniser::Turn& turn);
    void note_first(std::uint64_t number);

    Pipeline& pipeline_;
    observe::Observer* observer_;
    unsigned token_bits_;
    trace::Describer describer_;
    autotrace::InlineRecogniser recogniser_;
    CompiledLoop loop_;
    std::uint64_t compiled_ = 0;      // operations that were known by their launch
    std::uint64_t passed_ = 0;        // operations that were not looked at
    std::uint64_t first_served_ = 0;  // 0: none
    bool is_watched_ = true;          // somebody listens, or nothing has been served
};

}  // namespace refrain::runtime
