#include "observe/timeline.hpp"

#include "base/clock.hpp"
#include "observe/task_times.hpp"
#include "page/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace refrain::observe {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t letters_per_event = 200;  // about
constexpr std::size_t arrows_max = 8192;

/// The colours of launch sites, in turn: names that chrome://tracing knows. Perfetto gives each name a
/// colour of its own.
constexpr std::array<const char*, 12> colours = {"rail_response",
                                                 "rail_animation",
                                                 "rail_load",
                                                 "cq_build_passed",
                                                 "thread_state_iowait",
                                                 "rail_idle",
                                                 "cq_build_running",
                                                 "thread_state_runnable",
                                                 "yellow",
                                                 "olive",
                                                 "cq_build_attempt_failed",
                                                 "light_memory_dump"};

/// How the tasks of a launch site look: in each launch site's own colour, and with a name that no other
/// site has.
struct SiteLook {
    std::string name;  // in JSON
    std::string where;
    const char* colour = "";
};

/// The looks of the sites of a table.
std::vector<SiteLook> looks_of(const page::SiteTable& sites) {
    std::unordered_map<std::string_view, std::size_t> sites_of_name;
    for (page::SiteId id = 0; id < sites.size(); ++id) ++sites_of_name[sites.site(id).name];
    std::vector<SiteLook> looks;
    for (page::SiteId id = 0; id < sites.size(); ++id) {
        const LaunchSite& site = sites.site(id);
        const std::string place = *site.file == '\0' ? std::string() : site.where();
        std::string name = *site.name == '\0' ? "task" : site.name;
        if (sites_of_name[site.name] > 1) name += " " + place;
        looks.push_back({page::JsonWriter().value(name).take(),
                         page::JsonWriter().value(place).take(), colours[id % colours.size()]});
    }
    return looks;
}

/// What the file says of the operations that are not in it; empty if all are.
std::string text_of(const page::RunData::Sampling& sampling) {
    if (!sampling.leaves_out()) return {};
    const std::string less =
        sampling.period_max == sampling.period
            ? ""
            : ", and of up to " + std::to_string(sampling.period_max) + " where tasks are tiny";
    return "sampled: the first " + std::to_string(sampling.first) + " operations, then " +
           std::to_string(sampling.block) + " of every " + std::to_string(sampling.period) + less;
}

/// What the file says of the arrows that are not in it; empty if all are.
std::string text_of_arrows(std::uint64_t drawn, std::uint64_t all) {
    if (drawn == all) return {};
    return "arrows for " + std::to_string(drawn) + " of " + std::to_string(all) +
           " dependences between the tasks here";
}

/// Appends events as text. A run ends with very many of them, so most of an event is copied from
/// prepared JSON.
class Events {
  public:
    Events(std::uint64_t began, std::size_t count, const std::string& sampling)
        : began_(began), ns_per_tick_(base::ns_per_tick()) {
        text_.reserve(letters_per_event * count);
        text_ += std::string("{").append(timeline_mark).append(R"(,"sampling":)"sv);
        text_ += quoted(sampling.empty() ? "none: every operation is here" : sampling);
        text_ += R"(,"displayTimeUnit":"ns","traceEvents":[)"sv;
    }

    void thread_name(unsigned thread, const std::string& name) {
        begin(R"({"ph":"M","name":"thread_name","pid":1,"tid":)", thread);
        text_.append(R"(,"args":{"name":)"sv).append(quoted(name)).append("}}"sv);
        begin(R"({"ph":"M","name":"thread_sort_index","pid":1,"tid":)", thread);
        text_ += R"(,"args":{"sort_index":)"sv;
        number(thread);
        text_ += "}}"sv;
    }

    void span(unsigned thread, const Span& span) {
        begin_span(thread, span, name_in_json(name_of(span.kind)));
        text_ += R"(,"args":{)"sv;
        if (span.operation != 0) operation_of(span);
        if (*span.name != '\0') {
            if (span.operation != 0) text_ += ',';
            text_.append(R"("task":)"sv).append(name_in_json(span.name));
        }
        text_ += "}}"sv;
    }

    void task(unsigned thread, const Span& span, const SiteLook& look) {
        begin_span(thread, span, look.name);
        text_.append(R"(,"cname":")"sv).append(look.colour).append(R"(","args":{)"sv);
        operation_of(span);
        text_ += R"(,"point":)"sv;
        number(span.point);
        text_.append(R"(,"launched":)"sv).append(look.where).append("}}"sv);
    }

    /// From the end of one task to the beginning of another.
    void arrow(const TaskTimes::Task& from, const TaskTimes::Task& to, bool carries_data) {
        const std::uint64_t begin_ns = ns(from.span->begin);
        const std::uint64_t end_ns = ns(from.span->end);
        ++arrows_;
        end_of_arrow(R"({"ph":"s","pid":1,"tid":)", from.worker,
                     end_ns > begin_ns ? end_ns - 1 : begin_ns, carries_data);
        end_of_arrow(R"({"ph":"f","bp":"e","pid":1,"tid":)", to.worker, ns(to.span->begin),
                     carries_data);
    }
    [[nodiscard]] std::size_t arrows() const { return arrows_; }

    /// A line across all threads.
    void remark(std::uint64_t ticks, const std::string& text) {
        begin(R"({"ph":"i","s":"g","pid":1,"tid":)", 0);
        text_.append(R"(,"name":)"sv).append(quoted(text)).append(R"(,"ts":)"sv);
        microseconds(ns(ticks));
        text_ += R"(,"args":{}})"sv;
    }

    /// `arrows`: what is left out of them; empty if nothing is.
    [[nodiscard]] std::string finish(const std::string& arrows) {
        text_.append(R"(],"arrows":)"sv);
        text_ += quoted(arrows.empty() ? "all: every dependence between the tasks here" : arrows);
        text_ += "}\n";
        return std::move(text_);
    }

  private:
    void begin(std::string_view head, unsigned thread) {
        if (!is_first_) text_ += ',';
        is_first_ = false;
        text_ += head;
        number(thread);
    }
    void begin_span(unsigned thread, const Span& span, const std::string& name) {
        begin(R"({"ph":"X","pid":1,"tid":)", thread);
        text_.append(R"(,"cat":")"sv)
            .append(name_of(span.kind))
            .append(R"(","name":)"sv)
            .append(name);
        const std::uint64_t begin_ns = ns(span.begin);
        text_ += R"(,"ts":)"sv;
        microseconds(begin_ns);
        text_ += R"(,"dur":)"sv;
        microseconds(ns(span.end) - begin_ns);
    }
    void operation_of(const Span& span) {
        text_ += R"("operation":)"sv;
        number(span.operation);
    }
    void end_of_arrow(std::string_view head, unsigned thread, std::uint64_t at_ns,
                      bool carries_data) {
        begin(head, thread);
        text_ += carries_data ? R"(,"cat":"data flow","name":"data flow","id":)"sv
                              : R"(,"cat":"order","name":"order","id":)"sv;
        number(arrows_);
        text_ += R"(,"ts":)"sv;
        microseconds(at_ns);
        text_ += R"(,"args":{}})"sv;
    }
    void number(std::uint64_t value) {
        std::array<char, 20> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
        text_.append(digits.data(), end);
    }
    /// 12345 ns -> 12.345
    void microseconds(std::uint64_t ns) {
        number(ns / 1000);
        const auto rest = static_cast<unsigned>(ns % 1000);
        const std::array<char, 4> digits{'.', static_cast<char>('0' + rest / 100),
                                         static_cast<char>('0' + rest / 10 % 10),
                                         static_cast<char>('0' + rest % 10)};
        text_.append(digits.data(), digits.size());
    }
    /// Time since the run began. The length of a span is the difference of two rounded times, so that
    /// spans that touch also touch in the file.
    [[nodiscard]] std::uint64_t ns(std::uint64_t ticks) const {
        const std::uint64_t since = ticks - std::min(ticks, began_);
        return static_cast<std::uint64_t>(std::llround(static_cast<double>(since) * ns_per_tick_));
    }
    [[nodiscard]] static std::string quoted(std::string_view text) {
        return page::JsonWriter().value(text).take();
    }
    /// Keyed by address: names are few, and each lives as long as the program.
    [[nodiscard]] const std::string& name_in_json(const char* name) {
        const auto [known, is_new] = names_.try_emplace(name);
        if (is_new) known->second = quoted(name);
        return known->second;
    }

    std::uint64_t began_;
    double ns_per_tick_;
    std::string text_;
    bool is_first_ = true;
    std::size_t arrows_ = 0;
    std::unordered_map<const char*, std::string> names_;
};

/// An upper bound of the spans in the file: those that are logged.
std::size_t span_count(const Journal& journal) {
    std::size_t count = journal.launching_spans().spans().size();
    for (const auto& log : journal.task_logs()) count += log->spans.spans().size();
    return count;
}

void add_mining(Events& events, const Journal& journal) {
    std::vector<std::thread::id> threads;
    for (const Journal::Mining& mining : journal.mining()) {
        auto known = std::find(threads.begin(), threads.end(), mining.thread);
        if (known == threads.end()) {
            events.thread_name(mining_threads + static_cast<unsigned>(threads.size()),
                               "mining " + std::to_string(threads.size()));
            known = threads.insert(threads.end(), mining.thread);
        }
        events.span(mining_threads + static_cast<unsigned>(known - threads.begin()), mining.span);
    }
}

/// Returns what is left out; empty if nothing is.
std::string add_arrows(Events& events, const Journal& journal, const TaskTimes& times) {
    std::uint64_t all = 0;
    for (const DependenceLog::Operation& operation : journal.dependences.operations()) {
        if (!times.is_kept(operation.number)) continue;
        all += times.unknown_arrows(operation);
        times.for_each_arrow(operation, [&](const auto& from, const auto& to, bool data) {
            ++all;
            if (events.arrows() < arrows_max) events.arrow(from, to, data);
        });
    }
    return text_of_arrows(events.arrows(), all);
}

}  // namespace

std::string timeline(const Journal& journal, const page::SiteTable& sites) {
    const TaskTimes times(journal);
    const std::string sampling = text_of(times.sampling(times.level()));
    Events events(journal.began(), span_count(journal), sampling);
    events.thread_name(0, "launching thread");
    for (const Span& span : journal.launching_spans().spans())
        if (times.is_kept(span.operation)) events.span(0, span);
    const std::vector<SiteLook> looks = looks_of(sites);
    for (unsigned i = 0; i < journal.task_logs().size(); ++i) {
        if (i != 0) events.thread_name(i, "worker " + std::to_string(i));
        for (const Span& span : journal.task_logs()[i]->spans.spans())
            if (times.is_kept(span.operation)) events.task(i, span, looks[span.site]);
    }
    const std::string arrows = add_arrows(events, journal, times);
    add_mining(events, journal);
    if (!sampling.empty()) events.remark(journal.began(), sampling);
    if (!arrows.empty()) events.remark(journal.began(), arrows);
    return events.finish(arrows);
}

}  // namespace refrain::observe
