// peer libgomp: package=g++ compiler=g++ header=omp.h flags=-fopenmp
// peer libomp: package=clang,libomp-dev compiler=clang++ header=omp.h flags=-fopenmp

#include <stdexcept>

#include "graphs/system.hpp"

/// OpenMP tasks with depend clauses on the outputs (OpenMP 5.0, section 2.17.11; iterators: 2.1.6):
/// one thread of the team creates the tasks, all run them.
///
/// A runtime may search many pending tasks for each dependence (libgomp of GCC 12 does), so that a
/// task costs more the longer the graph is. Hence two ways: the whole graph at once, and with a
/// taskwait every few steps, so that few tasks are pending. A third way has no tasks: loops that the
/// threads share, with a barrier after each.

namespace graphs {
namespace {

class DependTasks : public System {
  public:
    DependTasks(const TaskGraph& graph, unsigned threads, int steps_between_waits)
        : graph_(graph),
          threads_(static_cast<int>(threads)),
          steps_between_waits_(steps_between_waits),
          rows_(graph.shape().width) {}

    void run(const Work& work) override {
#pragma omp parallel num_threads(threads_)
#pragma omp single
        for (int step = 0; step < graph_.shape().steps; ++step) {
            const Columns active = graph_.columns(step);
            for (int c = active.first; c < active.first + active.count; ++c) create(work, step, c);
            if ((step + 1) % steps_between_waits_ == 0) {
#pragma omp taskwait
            }
        }
    }

  private:
    void create(const Work& work, int step, int column) {
        OutputRows* const rows = &rows_;
        const Work* const of = &work;
        if (!graph_.has_outputs()) {
#pragma omp task firstprivate(rows, of, step, column)
            execute(*of, step, column, *rows);
            return;
        }
        const auto inputs = graph_.inputs(step, column);
        const int count = static_cast<int>(inputs.size());
        const int* const from = inputs.data();
        [[maybe_unused]]                               // g++ 12 ignores its use in the iterator
        Output* const before = rows->at(step + 1, 0);  // the row of step - 1
        Output* const own = rows->at(step, column);
        // clang-format off
#pragma omp task firstprivate(rows, of, step, column) \
    depend(iterator(int i = 0 : count), in : before[from[i] * outputs_per_column]) \
    depend(out : *own)
        // clang-format on
        execute(*of, step, column, *rows);
    }

    const TaskGraph& graph_;
    int threads_;
    int steps_between_waits_;
    OutputRows rows_;
};

/// A loop over the columns of each step, shared among the threads; the next step begins when all have
/// finished. No tasks, and a barrier per step.
class Loops : public System {
  public:
    Loops(const TaskGraph& graph, unsigned threads)
        : graph_(graph), threads_(static_cast<int>(threads)), rows_(graph.shape().width) {}

    void run(const Work& work) override {
#pragma omp parallel num_threads(threads_)
        for (int step = 0; step < graph_.shape().steps; ++step) {
            const Columns active = graph_.columns(step);
            const int end = active.first + active.count;
#pragma omp for schedule(static) nowait
            for (int c = active.first; c < end; ++c) execute(work, step, c, rows_);
            if (graph_.has_outputs()) {
#pragma omp barrier
            }
        }
    }

  private:
    const TaskGraph& graph_;
    int threads_;
    OutputRows rows_;
};

}  // namespace

std::vector<Way> ways() {
    return {{"depend", "depend clauses of each task"},
            {"depend_taskwait", "depend clauses of each task, and a wait every 16 steps"},
            {"for", "which tasks run together, and a barrier after them", true}};
}

std::unique_ptr<System> make_system(const std::string& way, const TaskGraph& graph,
                                    unsigned threads) {
    if (way == "depend") return std::make_unique<DependTasks>(graph, threads, graph.shape().steps);
    if (way == "depend_taskwait") return std::make_unique<DependTasks>(graph, threads, 16);
    if (way == "for") return std::make_unique<Loops>(graph, threads);
    throw std::invalid_argument("OpenMP has the ways depend, depend_taskwait and for, but not '" +
                                way + "'");
}

}  // namespace graphs
