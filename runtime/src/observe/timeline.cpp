#include "observe/timeline.hpp"

#include "base/clock.hpp"
#include "page/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace refrain::observe {
namespace {

constexpr std::size_t letters_per_event = 160;  // about

/// Appends events as text. A run ends with very many of them, so most of an event is copied from
/// prepared JSON.
class Events {
  public:
    Events(std::uint64_t began, std::size_t count)
        : began_(began), ns_per_tick_(base::ns_per_tick()) {
        text_.reserve(letters_per_event * count);
        text_ += std::string("{")
                     .append(timeline_mark)
                     .append(R"(,"displayTimeUnit":"ns","traceEvents":[)");
    }

    void thread_name(unsigned thread, const std::string& name) {
        begin(R"({"ph":"M","name":"thread_name","pid":1,"tid":)", thread);
        text_.append(R"(,"args":{"name":)").append(quoted(name)).append("}}");
        begin(R"({"ph":"M","name":"thread_sort_index","pid":1,"tid":)", thread);
        text_ += R"(,"args":{"sort_index":)";
        number(thread);
        text_ += "}}";
    }

    void span(unsigned thread, const Span& span) {
        const bool is_task = span.kind == SpanKind::task;
        const bool has_name = *span.name != '\0';
        begin(R"({"ph":"X","pid":1,"tid":)", thread);
        text_.append(R"(,"cat":")").append(name_of(span.kind)).append(R"(","name":)");
        text_ += name_in_json(is_task && has_name ? span.name : name_of(span.kind));
        const std::uint64_t begin_ns = ns(span.begin);
        text_ += R"(,"ts":)";
        microseconds(begin_ns);
        text_ += R"(,"dur":)";
        microseconds(ns(span.end) - begin_ns);
        text_ += R"(,"args":{)";
        arguments(span, is_task, has_name);
        text_ += "}}";
    }

    [[nodiscard]] std::string finish() {
        text_ += "]}\n";
        return std::move(text_);
    }

  private:
    void begin(std::string_view head, unsigned thread) {
        text_ += is_first_ ? "" : ",";
        is_first_ = false;
        text_ += head;
        number(thread);
    }
    void arguments(const Span& span, bool is_task, bool has_name) {
        if (span.operation != 0) {
            text_ += R"("operation":)";
            number(span.operation);
            if (is_task || has_name) text_ += ',';
        }
        if (is_task) {
            text_ += R"("point":)";
            number(span.point);
        } else if (has_name) {
            text_.append(R"("task":)").append(name_in_json(span.name));
        }
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

}  // namespace

std::string timeline(const Journal& journal) {
    unsigned level = journal.launching_spans().level();
    for (const auto& log : journal.task_logs()) level = std::max(level, log->spans.level());
    Events events(journal.began(), span_count(journal));
    const auto add = [&](unsigned thread, const SpanLog& log) {
        for (const Span& span : log.spans())
            if (Sampling::is_kept(span.operation, level)) events.span(thread, span);
    };
    events.thread_name(0, "launching thread");
    add(0, journal.launching_spans());
    for (unsigned i = 0; i < journal.task_logs().size(); ++i) {
        if (i != 0) events.thread_name(i, "worker " + std::to_string(i));
        add(i, journal.task_logs()[i]->spans);
    }
    add_mining(events, journal);
    return events.finish();
}

}  // namespace refrain::observe
