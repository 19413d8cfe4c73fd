#pragma once

#include "observe/journal.hpp"
#include "page/run_data.hpp"
#include "page/site_table.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace refrain::observe {

/// What the timed tasks of a run tell when it is over: the time at each launch site, the critical path,
/// and parts of the timeline.
class TaskTimes {
  public:
    static constexpr std::size_t stretches_max = 8;
    static constexpr std::size_t stretch_operations_max = 64;
    static constexpr std::size_t stretch_tasks_max = 600;
    static constexpr std::size_t stretch_arrows_max = 3000;

    explicit TaskTimes(const Journal& journal);

    void add_to(page::RunData& run, const page::SiteTable& sites, double seconds_per_tick) const;

    /// A task that was timed.
    struct Task {
        std::uint32_t worker = 0;
        const Span* span = nullptr;
    };
    /// Calls f(source, target, carries_data) for the tasks of each dependence of an operation that is
    /// known point by point.
    template <class F>
    void for_each_arrow(const DependenceLog::Operation& operation, F&& f) const {
        for (const DependenceLog::Edge& edge : operation.edges)
            for (const DependenceLog::Pair& pair : edge.pairs) {
                const Task* from = find(edge.source, pair.source);
                const Task* to = find(operation.number, pair.target);
                if (from != nullptr && to != nullptr) f(*from, *to, edge.carries_data);
            }
    }
    /// How many dependences of an operation's tasks are not known point by point.
    [[nodiscard]] std::uint64_t unknown_arrows(const DependenceLog::Operation& operation) const;
    /// Which operations were timed; at `level`, which of them are left.
    [[nodiscard]] page::RunData::Sampling sampling(unsigned level = 1) const;
    /// What all logs have kept.
    [[nodiscard]] unsigned level() const { return level_; }
    [[nodiscard]] bool is_kept(std::uint64_t operation) const {
        return Sampling::is_kept(operation - journal_.first(), level_);
    }

  private:
    using Operation = DependenceLog::Operation;
    /// Operations whose numbers follow one another: [begin, end) of the log's.
    struct Block {
        std::size_t begin, end;
    };
    void index_tasks();
    [[nodiscard]] const std::vector<Task>* tasks_of(std::uint64_t operation) const;
    [[nodiscard]] const Task* find(std::uint64_t operation, std::uint32_t point) const;
    [[nodiscard]] std::vector<Block> blocks(std::size_t operations_max) const;
    void add_site_times(page::RunData& run, const page::SiteTable& sites,
                        double seconds_per_tick) const;
    void add_critical_path(page::RunData& run) const;
    void add_stretches(page::RunData& run, double seconds_per_tick) const;
    [[nodiscard]] page::Stretch stretch(const Block& block, double seconds_per_tick) const;

    const Journal& journal_;
    unsigned level_ = 0;
    std::vector<const Operation*> operations_;                    // kept, by ascending number
    std::unordered_map<std::uint64_t, std::vector<Task>> tasks_;  // by operation, ascending points
};

}  // namespace refrain::observe
