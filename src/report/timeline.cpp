#include "report/timeline.hpp"

#include "base/clock.hpp"
#include "report/json.hpp"

#include <algorithm>

namespace refrain::report {
namespace {

constexpr int process = 1;

class Events {
  public:
    Events(std::uint64_t began, JsonWriter& json)
        : began_(began), us_per_tick_(base::ns_per_tick() * 1e-3), json_(json) {}

    void thread_name(unsigned thread, const std::string& name) {
        json_.begin_object();
        common("M", "thread_name", thread);
        json_.key("args").begin_object().key("name").value(name).end_object();
        json_.end_object();
        json_.begin_object();
        common("M", "thread_sort_index", thread);
        json_.key("args").begin_object().key("sort_index").value(thread).end_object();
        json_.end_object();
    }

    void span(unsigned thread, const Span& span) {
        const bool is_task = span.kind == SpanKind::task;
        json_.begin_object();
        common("X", is_task && *span.name != '\0' ? span.name : name_of(span.kind), thread);
        json_.key("cat").value(name_of(span.kind));
        json_.key("ts").value(us(span.begin - std::min(span.begin, began_)));
        json_.key("dur").value(us(span.end - span.begin));
        json_.key("args").begin_object();
        if (span.operation != 0) json_.key("operation").value(span.operation);
        if (is_task)
            json_.key("point").value(span.point);
        else if (*span.name != '\0')
            json_.key("task").value(span.name);
        json_.end_object().end_object();
    }

  private:
    void common(const char* phase, const char* name, unsigned thread) {
        json_.key("ph").value(phase).key("name").value(name);
        json_.key("pid").value(process).key("tid").value(thread);
    }
    [[nodiscard]] double us(std::uint64_t ticks) const {
        return static_cast<double>(ticks) * us_per_tick_;
    }

    std::uint64_t began_;
    double us_per_tick_;
    JsonWriter& json_;
};

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
    JsonWriter json;
    json.begin_object().key("displayTimeUnit").value("ns").key("traceEvents").begin_array();
    Events events(journal.began(), json);
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
    json.end_array().end_object();
    return json.take() + "\n";
}

}  // namespace refrain::report
