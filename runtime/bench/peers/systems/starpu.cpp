// peer starpu: package=libstarpu-dev,pkg-config header=starpu.h pkg-config=starpu-1.4,starpu-1.3

#include <cstdint>
#include <cstdlib>
#include <starpu.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "graphs/system.hpp"

/// StarPU: tasks inserted with the handles of the data that they access, and tasks with declared
/// predecessors ("Insert Task Utility" and "Tasks and Tags Dependencies" in its handbook). It has
/// one worker per requested thread, plus the thread that submits tasks, which sleeps when it waits.

namespace graphs {
namespace {

/// The codelet's argument: which task to run.
struct Argument {
    const Work* work;
    OutputRows* rows;
    int step;
    int column;
};

void require(int error, const char* what) {
    if (error != 0)
        throw std::runtime_error(std::string("StarPU: ") + what + " failed with " +
                                 std::to_string(error));
}

/// Initialises StarPU and shuts it down.
class Session {
  public:
    explicit Session(unsigned threads) {
        setenv("STARPU_SILENT", "1", 0);
        starpu_conf conf;
        require(starpu_conf_init(&conf), "starpu_conf_init");
        conf.ncpus = static_cast<int>(threads);
        conf.ncuda = 0;
        conf.nopencl = 0;
        require(starpu_init(&conf), "starpu_init");
        if (starpu_cpu_worker_get_count() != threads)
            throw std::runtime_error("StarPU has " + std::to_string(starpu_cpu_worker_get_count()) +
                                     " workers instead of " + std::to_string(threads) +
                                     "; it uses at most one per core");
    }
    ~Session() { starpu_shutdown(); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    Session(Session&&) = delete;
    Session& operator=(Session&&) = delete;
};

/// One handle per output; each task states which handles it reads and writes.
class InsertedTasks : public System {
  public:
    InsertedTasks(const TaskGraph& graph, unsigned threads)
        : session_(threads), graph_(graph), rows_(graph.shape().width) {
        starpu_codelet_init(&codelet_);
        codelet_.cpu_funcs[0] = &InsertedTasks::body;
        codelet_.nbuffers = STARPU_VARIABLE_NBUFFERS;
        codelet_.name = "task";
        for (int row = 0; row < 2; ++row)
            for (int c = 0; c < graph.shape().width; ++c) {
                starpu_data_handle_t& handle = handles_.emplace_back();
                starpu_vector_data_register(&handle, STARPU_MAIN_RAM,
                                            reinterpret_cast<std::uintptr_t>(rows_.at(row, c)),
                                            outputs_per_column, sizeof(Output));
            }
    }
    ~InsertedTasks() override {
        for (starpu_data_handle_t handle : handles_) starpu_data_unregister(handle);
    }

    void run(const Work& work) override {
        for (int step = 0; step < graph_.shape().steps; ++step) {
            const Columns active = graph_.columns(step);
            for (int c = active.first; c < active.first + active.count; ++c) insert(work, step, c);
        }
        require(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
    }

  private:
    static void body(void**, void* packed) {
        Argument argument;
        starpu_codelet_unpack_args(packed, &argument);
        execute(*argument.work, argument.step, argument.column, *argument.rows);
    }
    [[nodiscard]] starpu_data_handle_t handle(int step, int column) const {
        return handles_[static_cast<std::size_t>((step & 1) * graph_.shape().width + column)];
    }
    void insert(const Work& work, int step, int column) {
        accesses_.clear();
        if (graph_.has_outputs()) {
            for (const int from : graph_.inputs(step, column))
                accesses_.push_back({handle(step - 1, from), STARPU_R});
            accesses_.push_back({handle(step, column), STARPU_W});
        }
        const Argument argument{&work, &rows_, step, column};
        require(starpu_task_insert(&codelet_, STARPU_VALUE, &argument, sizeof argument,
                                   STARPU_DATA_MODE_ARRAY, accesses_.data(),
                                   static_cast<int>(accesses_.size()), 0),
                "starpu_task_insert");
    }

    Session session_;
    const TaskGraph& graph_;
    OutputRows rows_;
    starpu_codelet codelet_;
    std::vector<starpu_data_handle_t> handles_;
    std::vector<starpu_data_descr> accesses_;
};

/// No handles: the predecessors of each task are declared before it is submitted.
class DeclaredDependences : public System {
  public:
    DeclaredDependences(const TaskGraph& graph, unsigned threads)
        : session_(threads),
          graph_(graph),
          width_(graph.shape().width),
          rows_(width_),
          tasks_(static_cast<std::size_t>(graph.shape().steps * width_)),
          arguments_(tasks_.size()) {
        starpu_codelet_init(&codelet_);
        codelet_.cpu_funcs[0] = &DeclaredDependences::body;
        codelet_.nbuffers = 0;
        codelet_.name = "task";
    }

    void run(const Work& work) override {
        for (int step = 0; step < graph_.shape().steps; ++step) {
            const Columns active = graph_.columns(step);
            for (int c = active.first; c < active.first + active.count; ++c) submit(work, step, c);
        }
        require(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
        for (starpu_task*& task : tasks_) {
            if (task != nullptr) starpu_task_destroy(task);
            task = nullptr;
        }
    }

  private:
    static void body(void**, void* argument) {
        const Argument& a = *static_cast<const Argument*>(argument);
        execute(*a.work, a.step, a.column, *a.rows);
    }
    [[nodiscard]] std::size_t index(int step, int column) const {
        return static_cast<std::size_t>(step * width_ + column);
    }
    void submit(const Work& work, int step, int column) {
        starpu_task* const task = starpu_task_create();
        tasks_[index(step, column)] = task;
        arguments_[index(step, column)] = {&work, &rows_, step, column};
        task->cl = &codelet_;
        task->cl_arg = &arguments_[index(step, column)];
        task->cl_arg_size = sizeof(Argument);
        task->destroy = 0;  // later tasks name it as their predecessor
        before_.clear();
        for (const Predecessor& p : graph_.predecessors(step, column))
            before_.push_back(tasks_[index(step - p.steps_back, p.column)]);
        if (!before_.empty())
            starpu_task_declare_deps_array(task, static_cast<unsigned>(before_.size()),
                                           before_.data());
        require(starpu_task_submit(task), "starpu_task_submit");
    }

    Session session_;
    const TaskGraph& graph_;
    int width_;
    OutputRows rows_;
    starpu_codelet codelet_;
    std::vector<starpu_task*> tasks_;
    std::vector<Argument> arguments_;
    std::vector<starpu_task*> before_;
};

}  // namespace

std::vector<Way> ways() {
    return {{"insert", "data handles, and each task's accesses"},
            {"declare_deps", "each task's predecessors by hand", true}};
}

std::unique_ptr<System> make_system(const std::string& way, const TaskGraph& graph,
                                    unsigned threads) {
    if (way == "insert") return std::make_unique<InsertedTasks>(graph, threads);
    if (way == "declare_deps") return std::make_unique<DeclaredDependences>(graph, threads);
    throw std::invalid_argument("StarPU has the ways insert and declare_deps, but not '" + way +
                                "'");
}

}  // namespace graphs
