#include "property/compare.hpp"

#include <algorithm>
#include <map>

#include "property/random_task.hpp"

namespace refrain::property {
namespace {

std::string list(const std::vector<std::uint64_t>& values) {
    std::string text;
    for (const std::uint64_t value : values)
        text += (text.empty() ? "" : " ") + std::to_string(static_cast<std::int64_t>(value));
    return "[" + text + "]";
}

std::string at(std::size_t index, const std::string& what) {
    return "statement " + std::to_string(index) + ": " + what;
}

class Comparison {
  public:
    Comparison(const Program& program, const std::vector<Seen>& expected, const Execution& run)
        : program_(program), expected_(expected), run_(run) {}

    std::string first_difference(bool is_starved) {
        if (!run_.problem.empty()) return run_.problem;
        for (std::size_t i = 0; i < program_.statements.size(); ++i) {
            const std::string found = is_starved ? starved_statement(i) : statement(i);
            if (!found.empty()) return at(i, found);
        }
        return counters();
    }

  private:
    std::string statement(std::size_t i);
    std::string launch(std::size_t i);
    std::string starved_statement(std::size_t i) const;
    std::string wait(const Observed& observed);
    [[nodiscard]] std::string error(const Seen& expected, const Observed& observed) const;
    [[nodiscard]] std::string counters() const;
    [[nodiscard]] std::string counts_of_sites() const;
    void note_error(const Seen& expected, const Observed& observed) {
        if (observed.error) perhaps_reported_ |= expected.causes;
    }

    const Program& program_;
    const std::vector<Seen>& expected_;
    const Execution& run_;
    std::map<Causes, std::string> sites_;  // by the bit of a launch that throws
    Causes thrown_ = 0;                    // since the last wait_all
    Causes perhaps_reported_ = 0;          // of these, possibly reported by an error since
};

std::string Comparison::statement(std::size_t i) {
    const Statement& statement = program_.statements[i];
    const Observed& observed = run_.observed[i];
    const Seen& expected = expected_[i];
    if (statement.refused)
        return observed.refusal ? "" : "is invalid, but did not throw UsageError";
    if (observed.refusal) return "is legal, but threw UsageError: " + *observed.refusal;
    if (std::holds_alternative<WaitAll>(statement.what)) return wait(observed);
    if (std::holds_alternative<Launch>(statement.what)) return launch(i);
    if (std::holds_alternative<Fill>(statement.what))
        return observed.error ? "threw " + observed.error->message : "";
    const std::string wrong = error(expected, observed);
    if (!wrong.empty()) return wrong;
    note_error(expected, observed);
    if (!expected.values.empty() && expected.values != observed.values)
        return "the values are " + list(observed.values) + " instead of " + list(expected.values);
    return "";
}

std::string Comparison::starved_statement(std::size_t i) const {
    const Observed& observed = run_.observed[i];
    if (observed.refusal) return "threw UsageError: " + *observed.refusal;
    for (std::size_t point = 0; point < observed.runs.size(); ++point)
        if (observed.runs[point] > 1)
            return "the task of point " + std::to_string(point) + " ran twice or more";
    if (observed.error)
        return observed.error->is_of_memory ? "" : "threw " + observed.error->message;
    if (!observed.values.empty() && observed.values != expected_[i].values)
        return "the values are " + list(observed.values) + " instead of " +
               list(expected_[i].values);
    return "";
}

std::string Comparison::launch(std::size_t i) {
    const Seen& expected = expected_[i];
    const Observed& observed = run_.observed[i];
    const Launch& launch = std::get<Launch>(program_.statements[i].what);
    if (observed.error) return "a launch threw " + observed.error->message;
    for (std::size_t point = 0; point < expected.ran.size(); ++point) {
        const int wanted = expected.ran[point] ? 1 : 0;
        if (observed.runs[point] != wanted)
            return "the task of point " + std::to_string(point) + " ran " +
                   std::to_string(observed.runs[point]) + " times instead of " +
                   std::to_string(wanted);
    }
    if (expected.thrown != 0) {
        sites_[expected.thrown] +=
            std::string(program_file) + ":" + std::to_string(launch.site) + " ";
        if (expected.ran[static_cast<std::size_t>(launch.throws_at)]) thrown_ |= expected.thrown;
    }
    return "";
}

/// wait_all() must throw if some failure was not reported before.
std::string Comparison::wait(const Observed& observed) {
    const Causes unreported = thrown_ & ~perhaps_reported_;
    const bool nothing = thrown_ == 0;
    thrown_ = perhaps_reported_ = 0;
    if (observed.error && nothing) return "wait_all threw, but no task had failed";
    if (!observed.error && unreported != 0) return "wait_all did not report a failure";
    return "";
}

std::string Comparison::error(const Seen& expected, const Observed& observed) const {
    if (expected.causes == 0)
        return observed.error ? "threw '" + observed.error->message +
                                    "', but no task that it depends on failed"
                              : "";
    if (!observed.error) return "a task that it depends on failed, but it did not throw TaskError";
    for (const auto& [cause, sites] : sites_)
        if ((cause & expected.causes) != 0 &&
            sites.find(observed.error->site + " ") != std::string::npos)
            return "";
    return "the TaskError names " + observed.error->site + ", which is not the cause";
}

std::string Comparison::counters() const {
    const TraceStatistics& traces = run_.statistics.traces;
    if (traces.verify_failures != 0)
        return std::to_string(traces.verify_failures) +
               " replayed operations differ from their analysis";
    const std::uint64_t issued = run_.statistics.launches.operations;
    if (traces.analysed + traces.recorded + traces.replayed != issued)
        return std::to_string(issued) + " operations were issued, but " +
               std::to_string(traces.analysed) + " analysed, " + std::to_string(traces.recorded) +
               " recorded and " + std::to_string(traces.replayed) + " replayed";
    return run_.sites.empty() ? "" : counts_of_sites();
}

/// Each launch counts for one site, whichever way it took.
std::string Comparison::counts_of_sites() const {
    std::uint64_t operations = 0;
    std::uint64_t tasks = 0;
    std::uint64_t replayed = 0;
    for (const LaunchSiteReport& site : run_.sites) {
        operations += site.operations;
        tasks += site.tasks;
        replayed += site.replayed;
    }
    const Statistics& all = run_.statistics;
    if (operations == all.launches.operations && tasks == all.launches.tasks &&
        replayed == all.traces.replayed)
        return "";
    return "launch sites count " + std::to_string(operations) + " operations, " +
           std::to_string(tasks) + " tasks and " + std::to_string(replayed) + " replayed, not " +
           std::to_string(all.launches.operations) + ", " + std::to_string(all.launches.tasks) +
           " and " + std::to_string(all.traces.replayed);
}

}  // namespace

std::string difference(const Program& program, const std::vector<Seen>& expected,
                       const Execution& run) {
    return Comparison(program, expected, run).first_difference(false);
}

std::string difference_when_starved(const Program& program, const std::vector<Seen>& expected,
                                    const Execution& run) {
    return Comparison(program, expected, run).first_difference(true);
}

}  // namespace refrain::property
