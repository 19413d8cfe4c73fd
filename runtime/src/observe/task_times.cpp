#include "observe/task_times.hpp"

#include "observe/critical_path.hpp"

#include <algorithm>
#include <utility>

namespace refrain::observe {

TaskTimes::TaskTimes(const Journal& journal) : journal_(journal) {
    level_ = std::max(journal.launching_spans().level(), journal.dependences.level());
    for (const auto& log : journal.task_logs()) level_ = std::max(level_, log->spans.level());
    for (const Operation& operation : journal.dependences.operations())
        if (is_kept(operation.number)) operations_.push_back(&operation);
    index_tasks();
}

void TaskTimes::index_tasks() {
    for (std::uint32_t worker = 0; worker < journal_.task_logs().size(); ++worker)
        for (const Span& span : journal_.task_logs()[worker]->spans.spans())
            if (is_kept(span.operation)) tasks_[span.operation].push_back({worker, &span});
    for (auto& [operation, tasks] : tasks_)
        std::sort(tasks.begin(), tasks.end(),
                  [](const Task& a, const Task& b) { return a.span->point < b.span->point; });
}

const std::vector<TaskTimes::Task>* TaskTimes::tasks_of(std::uint64_t operation) const {
    const auto known = tasks_.find(operation);
    return known == tasks_.end() ? nullptr : &known->second;
}

const TaskTimes::Task* TaskTimes::find(std::uint64_t operation, std::uint32_t point) const {
    const std::vector<Task>* tasks = tasks_of(operation);
    if (tasks == nullptr) return nullptr;
    const auto at = std::lower_bound(
        tasks->begin(), tasks->end(), point,
        [](const Task& task, std::uint32_t wanted) { return task.span->point < wanted; });
    return at == tasks->end() || at->span->point != point ? nullptr : &*at;
}

std::vector<TaskTimes::Block> TaskTimes::blocks(std::size_t operations_max) const {
    std::vector<Block> all;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
        const bool follows = i != 0 && operations_[i]->number == operations_[i - 1]->number + 1 &&
                             i - all.back().begin < operations_max;
        if (!follows) all.push_back({i, i});
        all.back().end = i + 1;
    }
    return all;
}

std::uint64_t TaskTimes::unknown_arrows(const DependenceLog::Operation& operation) const {
    if (tasks_of(operation.number) == nullptr) return 0;  // a fence
    std::uint64_t count = 0;
    for (const DependenceLog::Edge& edge : operation.edges)
        if (edge.left_out != 0 && tasks_of(edge.source) != nullptr) count += edge.left_out;
    return count;
}

page::RunData::Sampling TaskTimes::sampling(unsigned level) const {
    if (journal_.timed() >= journal_.told() && level < 2) return {.timed = journal_.timed()};
    const unsigned gaps = std::max(1U, level);  // where some were not timed
    return {.first = Sampling::first_operations(gaps),
            .block = Sampling::block_operations,
            .period = Sampling::period_operations(gaps),
            .period_max = Sampling::period_operations(std::max(gaps, journal_.rate().level_max())),
            .timed = journal_.timed()};
}

void TaskTimes::add_to(page::RunData& run, const page::SiteTable& sites,
                       double seconds_per_tick) const {
    run.sampling = sampling();
    add_site_times(run, sites, seconds_per_tick);
    add_critical_path(run);
    add_stretches(run, seconds_per_tick);
}

/// A site's time is the mean of its timed tasks, times its tasks.
void TaskTimes::add_site_times(page::RunData& run, const page::SiteTable& sites,
                               double seconds_per_tick) const {
    struct Sum {
        double tasks = 0;
        double ticks = 0;
    };
    run.site_times.resize(sites.size());
    std::vector<Sum> sums(sites.size());
    for (const auto& log : journal_.task_logs()) {
        const std::vector<SiteClock::Entry>& entries = log->sites.entries();
        for (page::SiteId id = 0; id < entries.size(); ++id) {
            sums[id].tasks += entries[id].tasks;
            sums[id].ticks += entries[id].ticks;
            page::SiteTime& time = run.site_times[id];
            time.timed += entries[id].timed;
            time.longest_seconds = std::max(
                time.longest_seconds, seconds_per_tick * static_cast<double>(entries[id].longest));
        }
    }
    for (page::SiteId id = 0; id < sums.size(); ++id) {
        if (sums[id].tasks == 0) continue;
        page::SiteTime& time = run.site_times[id];
        time.mean_seconds = seconds_per_tick * sums[id].ticks / sums[id].tasks;
        time.seconds = time.mean_seconds * static_cast<double>(sites.tasks(id));
    }
}

void TaskTimes::add_critical_path(page::RunData& run) const {
    std::vector<double> on_path(run.site_times.size(), 0);
    double whole = 0;
    std::vector<TimedOperation> timed;
    for (const Block& block : blocks(operations_.size())) {
        timed.assign(block.end - block.begin, {});
        const std::uint64_t first = operations_[block.begin]->number;
        for (std::size_t i = block.begin; i < block.end; ++i) {
            const Operation& operation = *operations_[i];
            TimedOperation& at = timed[i - block.begin];
            at.is_fence = operation.is_fence;
            for (const DependenceLog::Edge& edge : operation.edges)
                if (edge.source >= first)
                    at.sources.push_back(static_cast<std::uint32_t>(edge.source - first));
            const std::vector<Task>* tasks = tasks_of(operation.number);
            if (tasks == nullptr) continue;
            at.site = tasks->front().span->site;
            for (const Task& task : *tasks)
                at.ticks =
                    std::max(at.ticks, static_cast<double>(task.span->end - task.span->begin));
        }
        for (const std::uint32_t place : critical_path(timed)) {
            const double ticks =
                timed[place].ticks *
                journal_.rate().weight(first + place - journal_.first(), std::max(1U, level_));
            if (ticks == 0) continue;  // a fence
            on_path[timed[place].site] += ticks;
            whole += ticks;
        }
    }
    if (whole == 0) return;
    for (std::size_t id = 0; id < on_path.size(); ++id)
        run.site_times[id].path_share = on_path[id] / whole;
}

/// The first block, the last one, and some in between.
void TaskTimes::add_stretches(page::RunData& run, double seconds_per_tick) const {
    const std::vector<Block> all = blocks(stretch_operations_max);
    const std::size_t count = std::min(all.size(), stretches_max);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = count == 1 ? 0 : i * (all.size() - 1) / (count - 1);
        page::Stretch shown = stretch(all[at], seconds_per_tick);
        if (!shown.tasks.empty()) run.stretches.push_back(std::move(shown));
    }
}

page::Stretch TaskTimes::stretch(const Block& block, double seconds_per_tick) const {
    page::Stretch shown;
    std::unordered_map<const Span*, std::uint32_t> places;
    const auto seconds = [&](std::uint64_t ticks) {
        return seconds_per_tick * static_cast<double>(ticks - std::min(ticks, journal_.began()));
    };
    for (std::size_t i = block.begin; i < block.end; ++i) {
        const std::vector<Task>* tasks = tasks_of(operations_[i]->number);
        if (tasks == nullptr) continue;
        if (!shown.tasks.empty() && shown.tasks.size() + tasks->size() > stretch_tasks_max) break;
        if (shown.tasks.empty()) shown.first_operation = operations_[i]->number;
        shown.last_operation = operations_[i]->number;
        for (const Task& task : *tasks) {
            if (shown.tasks.size() == stretch_tasks_max) {  // one launch of very many
                ++shown.tasks_left_out;
                continue;
            }
            places.emplace(task.span, static_cast<std::uint32_t>(shown.tasks.size()));
            shown.tasks.push_back({.worker = task.worker,
                                   .begin = seconds(task.span->begin),
                                   .end = seconds(task.span->end),
                                   .site = task.span->site,
                                   .operation = task.span->operation,
                                   .point = task.span->point});
        }
        for_each_arrow(*operations_[i], [&](const Task& from, const Task& to, bool carries_data) {
            const auto source = places.find(from.span);
            const auto target = places.find(to.span);
            if (source == places.end() || target == places.end()) return;
            if (shown.arrows.size() == stretch_arrows_max)
                ++shown.arrows_left_out;
            else
                shown.arrows.push_back({source->second, target->second, carries_data});
        });
        for (const DependenceLog::Edge& edge : operations_[i]->edges)
            if (edge.source >= shown.first_operation && tasks_of(edge.source) != nullptr)
                shown.arrows_left_out += edge.left_out;
    }
    return shown;
}

}  // namespace refrain::observe
