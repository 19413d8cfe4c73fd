#include "options/option_table.hpp"

#include "base/edit_distance.hpp"
#include "options/option_value.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace refrain::options {
namespace {

constexpr std::uint64_t million = std::uint64_t{1} << 20;
constexpr std::uint64_t bytes_max = std::uint64_t{1} << 50;

/// The field that a chain of pointers to members leads to.
template <class Object, class Member, class... More>
constexpr auto& follow(Object& object, Member member, More... more) {
    if constexpr (sizeof...(more) == 0)
        return object.*member;
    else
        return follow(object.*member, more...);
}

/// at<&Options::tracing, &TracingOptions::history> is options.tracing.history.
template <auto... Members>
constexpr auto at = [] {
    using Value = std::remove_reference_t<decltype(follow(std::declval<Options&>(), Members...))>;
    return OptionField<Value>{
        [](Options& options) -> Value& { return follow(options, Members...); },
        [](const Options& options) -> const Value& { return follow(options, Members...); }};
}();

constexpr std::array table{
    OptionRow{"workers", at<&Options::workers>, 0, 1024, Unit::none,
              "threads that run tasks, the launching one included; 0: one per core"},
    OptionRow{"bind", at<&Options::bind>, 0, 0, Unit::none,
              "keep each worker on a core; auto: where the process owns the machine"},
    OptionRow{"window", at<&Options::window>, 2, million, Unit::none,
              "operations the program may run ahead; rounded up to a power of two"},
    OptionRow{"batching", at<&Options::batching>, 0, 0, Unit::none,
              "single tasks handed to the workers up to eight at a time; all is for tests"},
    OptionRow{"lanes", at<&Options::lanes>, 0, 0, Unit::none,
              "points of short launches in loops keep their worker; all, turns are for tests"},
    OptionRow{"analysis", at<&Options::analysis>, 0, 0, Unit::none,
              "how dependences are found; auto: by states where nothing is traced, else by walks"},
    OptionRow{"auto-trace", at<&Options::tracing, &TracingOptions::automatic>, 0, 1, Unit::none,
              "find repeated fragments of the program and trace them"},
    OptionRow{"recogniser", at<&Options::tracing, &TracingOptions::recogniser>, 0, 0, Unit::none,
              "how they are found"},
    OptionRow{"trace-min-length", at<&Options::tracing, &TracingOptions::min_length>, 1, million,
              Unit::none, "operations of the shortest repetition worth remembering"},
    OptionRow{"trace-max-length", at<&Options::tracing, &TracingOptions::max_length>, 1, million,
              Unit::none, "operations of the longest trace; longer fragments are cut"},
    OptionRow{"trace-patience", at<&Options::tracing, &TracingOptions::patience>, 1, million,
              Unit::none,
              "operations without repeats before looking for them becomes less thorough"},
    OptionRow{"hold-back",
              at<&Options::tracing, &TracingOptions::mining, &MiningOptions::hold_back>, 0, 1,
              Unit::none,
              "hold operations back until a whole trace has been launched, as the paper does"},
    OptionRow{"history", at<&Options::tracing, &TracingOptions::history>, 2, 16 * million,
              Unit::none,
              "operations of the past that fragments are looked for in; auto: 65536, mined 8192"},
    OptionRow{"multi-scale-factor",
              at<&Options::tracing, &TracingOptions::mining, &MiningOptions::multi_scale_factor>, 1,
              64 * million, Unit::none, "tokens between two looks at the history"},
    OptionRow{"synchronous-mining",
              at<&Options::tracing, &TracingOptions::mining, &MiningOptions::synchronous>, 0, 1,
              Unit::none, "mine on the launching thread, so that a run can be repeated exactly"},
    OptionRow{"mining-delay", at<&Options::tracing, &TracingOptions::mining, &MiningOptions::delay>,
              0, 64 * million, Unit::none,
              "operations after which mined fragments are taken in; auto: the slice's length"},
    OptionRow{"candidate-bytes", at<&Options::limits, &LimitOptions::candidate_bytes>, 1024,
              bytes_max, Unit::bytes, "memory for fragments found but not yet traced"},
    OptionRow{"trace-bytes", at<&Options::limits, &LimitOptions::trace_bytes>, 1024, bytes_max,
              Unit::bytes,
              "memory for what operations wait for, and again for traces; the oldest go first"},
    OptionRow{"trace-variants", at<&Options::limits, &LimitOptions::trace_variants>, 1, 1024,
              Unit::none, "ways of going on kept per trace; the least recently used go first"},
    OptionRow{"analysis-bytes", at<&Options::limits, &LimitOptions::analysis_bytes>, 1024,
              bytes_max, Unit::bytes,
              "memory for what the analysis learns; beyond it everything is learned anew"},
    OptionRow{"strict-traces", at<&Options::checks, &CheckOptions::strict_traces>, 0, 1, Unit::none,
              "make it an error to leave a trace in the middle"},
    OptionRow{"strict-reads", at<&Options::checks, &CheckOptions::strict_reads>, 0, 1, Unit::none,
              "in checked builds, make it an error to read an element that nothing has written"},
    OptionRow{"verify", at<&Options::checks, &CheckOptions::verify>, 0, std::uint64_t{1} << 40,
              Unit::none, "analyse one in so many replayed operations and compare; 0: none"},
    OptionRow{"token-bits", at<&Options::checks, &CheckOptions::token_bits>, 1, 128, Unit::none,
              "bits of a token that are used; fewer provoke collisions, for tests"},
    OptionRow{"deterministic-reductions", at<&Options::deterministic_reductions>, 0, 1, Unit::none,
              "fold reductions in the order of their points"},
    OptionRow{"memory-limit", at<&Options::limits, &LimitOptions::region_bytes>, 0, bytes_max,
              Unit::bytes, "bytes of storage for regions; 0: what the machine gives"},
    OptionRow{"record-graph", at<&Options::observe, &ObserveOptions::record_graph>, 0, 1,
              Unit::none, "keep the dependences found, to be asked for as a graph"},
    OptionRow{"log", at<&Options::observe, &ObserveOptions::log>, 0, 0, Unit::none,
              "what is said on standard error"},
    OptionRow{"time-phases", at<&Options::observe, &ObserveOptions::time_phases>, 0, 1, Unit::none,
              "measure the launching thread's time while analysing, recording, replaying"},
    OptionRow{"report-statistics", at<&Options::observe, &ObserveOptions::report_statistics>, 0, 1,
              Unit::none, "print the counters of every stage at the end"},
    OptionRow{"progress", at<&Options::observe, &ObserveOptions::progress>, 0, 1, Unit::none,
              "on a terminal, say in a line how far a long run has come"},
    OptionRow{"explain", at<&Options::observe, &ObserveOptions::explain>, 0, 1, Unit::none,
              "count per launch site what was replayed and why not: why_not_traced()"},
    OptionRow{"log-stream", at<&Options::observe, &ObserveOptions::log_stream>, 0, 0, Unit::none,
              "write the operations down for refrain mine and refrain report"},
    OptionRow{"report", at<&Options::observe, &ObserveOptions::report>, 0, 0, Unit::none,
              "write a page (HTML) that shows what happened"},
    OptionRow{"timeline", at<&Options::observe, &ObserveOptions::timeline>, 0, 0, Unit::none,
              "write what ran when (JSON, for Perfetto and chrome://tracing)"},
    OptionRow{"force", at<&Options::observe, &ObserveOptions::force>, 0, 1, Unit::none,
              "let these files replace ones that no run has written"},
};

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

}  // namespace

std::span<const OptionRow> option_table() {
    return table;
}

const OptionRow* find_option(std::string_view name) {
    const auto* row = std::find_if(table.begin(), table.end(), [&](const OptionRow& candidate) {
        return candidate.name == name;
    });
    return row == table.end() ? nullptr : row;
}

std::string_view nearest_option(std::string_view name) {
    return std::min_element(table.begin(), table.end(),
                            [&](const OptionRow& a, const OptionRow& b) {
                                return base::edit_distance(name, a.name) <
                                       base::edit_distance(name, b.name);
                            })
        ->name;
}

std::string environment_name(const OptionRow& row) {
    std::string name = "REFRAIN_";
    for (const char letter : row.name) {
        const bool lower = letter >= 'a' && letter <= 'z';
        name.push_back(letter == '-' ? '_'
                       : lower       ? static_cast<char>(letter - 'a' + 'A')
                                     : letter);
    }
    return name;
}

const OptionRow* find_variable(std::string_view variable) {
    const auto* row = std::find_if(table.begin(), table.end(), [&](const OptionRow& candidate) {
        return environment_name(candidate) == variable;
    });
    return row == table.end() ? nullptr : row;
}

std::string nearest_variable(std::string_view variable) {
    const auto distance = [&](const OptionRow& row) {
        return base::edit_distance(variable, environment_name(row));
    };
    return environment_name(*std::min_element(
        table.begin(), table.end(),
        [&](const OptionRow& a, const OptionRow& b) { return distance(a) < distance(b); }));
}

std::string help_text() {
    std::string text =
        "Options of the Refrain runtime, as --refrain:NAME=VALUE or REFRAIN_NAME=VALUE in the\n"
        "environment, dashes as underscores there; arguments win.\n\n";
    const Options defaults;
    for (const OptionRow& row : table) {
        text += "  " + padded(std::string(row.name), 26) + std::string(row.help) + '\n';
        text += "  " + std::string(26, ' ') + allowed_values(row) + "; default " +
                print_value(defaults, row) + '\n';
    }
    return text + "\n  " + padded("help", 26) + "print this table\n";
}

}  // namespace refrain::options
