#include "workers/waiting_text.hpp"

#include "values/text.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace refrain::script {
namespace {

class WaitingTree {
  public:
    WaitingTree(const std::vector<engine::WaitingTask>& tasks, const engine::Descriptions& data,
                const Sources& sources)
        : tasks_(tasks), sources_(sources) {
        for (const engine::Description& each : data) data_[each.datum] = &each;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            for (const DatumId each : tasks[i].data) waiters_[each].insert(i);
            for (const DatumId each : tasks[i].would_assign) assigned_by_waiting_.insert(each);
        }
    }

    std::string run() {
        for (const auto& [datum, waiters] : waiters_)
            if (!assigned_by_waiting_.contains(datum)) root(datum);
        for (std::size_t i = 0; i < tasks_.size(); ++i)
            if (!shown_.contains(i)) cycle(i);
        return std::move(text_);
    }

  private:
    std::string named(DatumId datum) const {
        const auto found = data_.find(datum);
        if (found == data_.end()) return datum.text();
        const engine::Description& is = *found->second;
        return (is_temporary(is.name) ? "an intermediate value" : "'" + is.name + "'") + " (" +
               sources_.text(is.at) + ")";
    }
    void root(DatumId datum) {
        text_ += named(datum) + " was never assigned; waiting for it:\n";
        waiting_for(datum, 1);
    }
    void waiting_for(DatumId datum, std::size_t depth) {
        for (const std::size_t i : waiters_[datum]) {
            if (!shown_.insert(i).second) continue;
            line(i, depth);
            waiting_behind(i, depth);
        }
    }
    void waiting_behind(std::size_t i, std::size_t depth) {
        const auto is_shown = [this](std::size_t waiter) { return shown_.contains(waiter); };
        for (const DatumId next : tasks_[i].would_assign) {
            const auto found = waiters_.find(next);
            if (found == waiters_.end() || std::ranges::all_of(found->second, is_shown)) continue;
            text_ += std::string(2 * depth + 2, ' ') + named(next) +
                     ", which that would assign; waiting for it:\n";
            waiting_for(next, depth + 2);
        }
    }
    void line(std::size_t i, std::size_t depth) {
        text_ += std::string(2 * depth, ' ') + sources_.text(tasks_[i].at) + ": " + tasks_[i].name +
                 "\n";
    }
    /// Follows what is waited for until it comes back; what led there waits for the cycle, and is no part of it.
    void cycle(std::size_t begin) {
        std::vector<std::size_t> path;
        for (std::size_t at = begin; std::ranges::find(path, at) == path.end();
             at = assigner_of_input(path.back()))
            path.push_back(at);
        path.erase(path.begin(), std::ranges::find(path, assigner_of_input(path.back())));
        text_ += "these wait for one another, in a cycle:\n";
        for (const std::size_t i : path) {
            shown_.insert(i);
            line(i, 1);
            for (const DatumId each : tasks_[i].data)
                text_ += "      waits for " + named(each) + "\n";
            if (path.size() != 1) continue;
            for (const Position at : tasks_[i].by_way)  // what has become one task
                if (at != tasks_[i].at)
                    text_ += "      by way of " + sources_.text(at) + ": " +
                             std::string(trimmed(sources_.line(at))) + "\n";
        }
        for (const std::size_t i : path) waiting_behind(i, 1);
    }
    std::size_t assigner_of_input(std::size_t i) const {
        for (const DatumId datum : tasks_[i].data)
            for (std::size_t j = 0; j < tasks_.size(); ++j)
                if (std::ranges::find(tasks_[j].would_assign, datum) !=
                    tasks_[j].would_assign.end())
                    return j;
        return i;
    }

    const std::vector<engine::WaitingTask>& tasks_;
    const Sources& sources_;
    std::map<DatumId, const engine::Description*> data_;
    std::map<DatumId, std::set<std::size_t>> waiters_;
    std::set<DatumId> assigned_by_waiting_;
    std::set<std::size_t> shown_;
    std::string text_;
};

}  // namespace

std::string explain_waiting(const std::vector<engine::WaitingTask>& tasks,
                            const engine::Descriptions& data, const Sources& sources) {
    std::vector<engine::WaitingTask> ordered = tasks;
    std::ranges::sort(ordered, [](const engine::WaitingTask& a, const engine::WaitingTask& b) {
        return a.at < b.at;
    });
    return WaitingTree(ordered, data, sources).run();
}

}  // namespace refrain::script
