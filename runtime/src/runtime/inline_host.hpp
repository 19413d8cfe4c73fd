#pragma once

#include "observe/observer.hpp"
#include "refrain/inline_recogniser.hpp"
#include "refrain/options.hpp"
#include "runtime/compiled_loop.hpp"
#include "runtime/pipeline.hpp"
#include "trace/description.hpp"
#include "trace/dormancy.hpp"

#include <optional>

namespace refrain::runtime {

/// Automatic tracing without traces: the recogniser looks at each operation when it is launched.
/// The operation is issued at once, and served from an earlier one in the same context if there is
/// one.
///
///     Operation --words--> InlineRecogniser --precedent--> Pipeline::issue
///
/// In a folded loop a launch is first compared with the one expected (compiled_loop.hpp).
///
/// Where nothing repeats, the recogniser is left alone (dormancy.hpp), and the pipeline finds
/// dependences by states instead of walks; unless somebody wants to know how each operation was
/// served, or asked for walks.
///
/// Threads:  the launching thread only.
class InlineHost final : private trace::Context {
  public:
    /// `observer` may be null.
    InlineHost(const Options& options, Pipeline& pipeline, const regions::RegionTable& regions,
               observe::Observer* observer);

    /// The tracer's options that match the recogniser's.
    [[nodiscard]] static trace::Imitator::Options imitation_options(const Options& options);

    /// The check result of the next expected launch, if `launch` agrees with it; else null.
    [[nodiscard]] const CheckedLaunch* expected(const LaunchDescription& launch,
                                                graph::OperationNumber number) const {
        const auto position = recogniser_.expected_in_loop();
        return position ? loop_.find(trace::Position::at(*position), launch, number) : nullptr;
    }
    /// The same in a row (launch_row.hpp); regions are not compared.
    [[nodiscard]] const CheckedLaunch* expected_in_row(const LaunchDescription& launch) const {
        return loop_.find_in_row(trace::Position::at(*recogniser_.expected_in_loop()), launch);
    }
    /// Issues the next launch of a row, which was found to be the expected one.
    void issue_in_row() {
        recogniser_.advance_in_loop();
        ++compiled_;
        pipeline_.issue_in_row();
    }
    /// What serves the next expected launch, if it need not be an operation; null: it must be issued.
    [[nodiscard]] const trace::OperationMemo* memo_of_expected() const {
        if (!may_be_direct_) return nullptr;
        return pipeline_.tracer().memo_in_loop(
            trace::Position::at(*recogniser_.expected_in_loop()));
    }
    /// That launch is served. Returns where.
    Pipeline::PlaceInLoop advance() {
        ++compiled_;
        const autotrace::InlineRecogniser::Finding found = recogniser_.advance_in_loop();
        return {trace::Position::at(found.position), found.loop};
    }
    /// How many launches were the expected ones of a loop.
    [[nodiscard]] std::uint64_t expected_launches() const { return compiled_; }
    /// That of the loop which goes on; 0: none does.
    [[nodiscard]] std::uint64_t loop_length() const { return recogniser_.loop_length(); }
    /// Looks at a launched operation and issues it.
    void operation(Operation& operation);
    /// The same; compiles the launch if it is in a folded loop.
    void operation(Operation& operation, const LaunchDescription& launch,
                   const CheckedLaunch& checked);
    /// The same for an operation whose launch expected() found, and which may use a record of its loop. `is_told`:
    /// the observer is told of it.
    template <bool is_told>
    void issue_expected(Operation& operation, LaunchRecords* records) {
        const graph::OperationNumber number = operation.number;  // issuing may retire the operation
        if constexpr (is_told) tell_observer(operation);
        issue_in_loop(operation, records);
        if (first_served_ == 0) [[unlikely]]
            note_first(number);
    }
    /// The next operations do not come through here.
    void interrupt();
    /// From the next operation on there are walks.
    void wake();
    /// The tables of the analysis were cleared: words have other meanings from now on.
    void forget();
    void add_to(Statistics& statistics) const;

  private:
    [[nodiscard]] bool agrees(std::uint32_t operations) override {
        return recogniser_.is_proved(operations);
    }
    [[nodiscard]] bool pass(Operation& operation);
    [[nodiscard]] bool sleeps_through(Operation& operation);
    [[gnu::noinline]] void consider_dormancy(graph::OperationNumber number);
    [[nodiscard]] std::uint64_t fingerprint_of(const Operation& operation) const;
    void pass_by(Operation& operation);
    [[nodiscard]] autotrace::InlineRecogniser::Finding look(Operation& operation);
    void issue_in_loop(Operation& operation, LaunchRecords* records) {
        pipeline_.issue_in_loop(operation, records, advance(), *this);
    }
    [[gnu::noinline]] void tell_observer(Operation& operation);
    [[gnu::noinline]] void tell_skipped(Operation& operation);
    void issue(graph::OperationNumber number, const autotrace::InlineRecogniser::Finding& found);
    void repeat(const autotrace::InlineRecogniser::Turn& turn);
    void note_first(graph::OperationNumber number);

    Pipeline& pipeline_;
    observe::Observer* observer_;
    unsigned token_bits_;
    trace::Describer describer_;
    autotrace::InlineRecogniser recogniser_;
    CompiledLoop loop_;
    bool may_be_dormant_;
    std::uint32_t window_;
    trace::Dormancy dormancy_;
    std::uint64_t compiled_ = 0;               // operations that were known by their launch
    std::uint64_t passed_ = 0;                 // operations that were not looked at
    graph::OperationNumber first_served_ = 0;  // 0: none
    bool may_be_direct_ = false;               // something has, and nobody asks for each operation
};

}  // namespace refrain::runtime
