#include "values/text.hpp"
#include "workers/run_outcome.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace refrain::script {
namespace {

class WaitingTree {
  public:
    WaitingTree(const std::vector<engine::WaitingTask>& tasks, const engine::Descriptions& data,
                const Sources& sources)
        : tasks_(tasks), sources_(sources), awaited_(tasks.size()) {
        std::ranges::sort(tasks_, {}, &engine::WaitingTask::at);
        std::map<DatumId, std::size_t> waiting;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            waiting[tasks_[i].first_input] = i;
            for (const DatumId each : tasks_[i].would_assign) assigners_.emplace(each, i);
        }
        for (const engine::Description& each : data) {
            data_[each.datum] = &each;
            for (const DatumId input : each.waiters) {
                const auto i = waiting.find(DatumId::of_input(input.owner, input.task(), 0));
                if (i == waiting.end()) continue;  // it was skipped: another input has failed
                waiters_[each.datum].insert(i->second);
                awaited_[i->second].insert(each.datum);
            }
        }
    }

    std::string run() {
        for (const auto& [datum, waiters] : waiters_)
            if (!assigners_.contains(datum)) {
                text_ += named(datum) + " was never assigned; waiting for it:\n";
                waiting_for(datum, 1);
            }
        for (std::size_t i = 0; i < tasks_.size(); ++i)
            if (!shown_.contains(i)) cycle(i);
        return std::move(text_);
    }

  private:
    std::string named(DatumId datum) const {
        const auto found = data_.find(datum);
        if (found == data_.end()) return datum.text();
        const engine::Description& is = *found->second;
        return shown_name(is.name) + " (" + sources_.text(is.at) + ")";
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
            for (const DatumId each : awaited_[i]) text_ += "      waits for " + named(each) + "\n";
            if (path.size() != 1) continue;
            for (const Position at : tasks_[i].by_way)  // what has become one task
                if (at != tasks_[i].at)
                    text_ += "      by way of " + sources_.text(at) + ": " +
                             std::string(trimmed(sources_.line(at))) + "\n";
        }
        for (const std::size_t i : path) waiting_behind(i, 1);
    }
    std::size_t assigner_of_input(std::size_t i) const {
        for (const DatumId datum : awaited_[i])
            if (const auto found = assigners_.find(datum); found != assigners_.end())
                return found->second;
        return i;
    }

    std::vector<engine::WaitingTask> tasks_;
    const Sources& sources_;
    std::map<DatumId, const engine::Description*> data_;
    std::map<DatumId, std::set<std::size_t>> waiters_;
    std::vector<std::set<DatumId>> awaited_;  // by task
    std::map<DatumId, std::size_t> assigners_;
    std::set<std::size_t> shown_;
    std::string text_;
};

}  // namespace

std::string explain_waiting(const std::vector<engine::WaitingTask>& tasks,
                            const engine::Descriptions& data, const Sources& sources) {
    return WaitingTree(tasks, data, sources).run();
}

}  // namespace refrain::script
