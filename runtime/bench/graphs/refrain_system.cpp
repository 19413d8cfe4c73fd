#include <algorithm>
#include <array>
#include <refrain/refrain.hpp>
#include <stdexcept>
#include <string>

#include "graphs/system.hpp"

/// Task graphs in Refrain. Each row of outputs is a region, each column's output a range of its
/// elements; each step is one index launch that states its reads and writes, or one launch per task.

namespace graphs {
namespace {

using namespace refrain;

using Columns1 = Partition<1>;

enum class Mode { untraced, manual, automatic };
enum class Launches { of_steps, of_tasks };

Rect<1> output_of(int column) {
    return {column * outputs_per_column, (column + 1) * outputs_per_column};
}

/// The elements that each column reads in one dependence set, as a partition.
Columns1 inputs_partition(const Shape& shape, const Columns1& columns, int set) {
    constexpr int one = outputs_per_column;
    const int radix = std::min(shape.radix, shape.width);
    switch (shape.pattern) {
        case Pattern::trivial:
        case Pattern::no_comm:
        case Pattern::tree:
            return columns;  // tree: by a projection
        case Pattern::stencil_1d:
            return halo(columns, one);
        case Pattern::stencil_1d_periodic:
            return halo(columns, one, one, Boundary::periodic);
        case Pattern::dom:
            return halo(columns, one, 0);
        case Pattern::nearest:
            return halo(columns, one * (radix / 2), one * ((radix - 1) / 2));
        case Pattern::all_to_all:
            return whole(columns.space(), columns.colours());
        case Pattern::fft:
        case Pattern::spread:
            break;
    }
    std::vector<IndexSpace<1>> subsets_of_columns;
    for (int c = 0; c < shape.width; ++c) {
        IndexSpace<1> subset;
        for (const int from : dependences(shape, set, c))
            subset = subset | IndexSpace<1>(output_of(from));
        subsets_of_columns.push_back(subset);
    }
    return subsets(columns.space(), columns.colours(), subsets_of_columns);
}

/// A task without inputs.
void run_first(Point<1> column, View<Output, 1> output, const Work* work) {
    Output* const own = &output[output.domain().lo];
    execute(
        *work, 0, static_cast<int>(column[0]), [&](int) { return own; }, own);
}

/// A task of a graph without outputs.
void run_alone(Point<1> column, const Work* work, int step) {
    Output none[outputs_per_column];
    execute(
        *work, step, static_cast<int>(column[0]), [&](int) { return none; }, none);
}

void run_next(Point<1> column, View<Output, 1> output, View<const Output, 1> inputs,
              const Work* work, int step) {
    execute(
        *work, step, static_cast<int>(column[0]),
        [&](int from) { return &inputs[output_of(from).lo]; }, &output[output.domain().lo]);
}

class RefrainSystem : public System {
  public:
    RefrainSystem(Mode mode, const TaskGraph& graph, unsigned threads, Launches launches)
        : mode_(mode), launches_(launches), graph_(graph), rt_(options(mode, threads)) {
        for (int set = 0; set < dependence_sets(graph.shape()); ++set)
            inputs_.push_back(inputs_partition(graph.shape(), columns_, set));
        rt_.fill(before_, columns_, Output{});
        rt_.fill(now_, columns_, Output{});
        rt_.wait_all();
        (void)traced_share();
    }

    void run(const Work& work) override {
        if (mode_ == Mode::manual)
            run_traced(work);
        else
            run_steps(work, 0, graph_.shape().steps);
        rt_.wait_all();
    }

    std::optional<double> traced_share() override {
        const Statistics now = rt_.statistics();
        const auto replayed = static_cast<double>(now.traces.replayed - replayed_before_);
        const auto operations = static_cast<double>(now.launches.operations - operations_before_);
        replayed_before_ = now.traces.replayed;
        operations_before_ = now.launches.operations;
        if (mode_ == Mode::untraced || operations == 0) return std::nullopt;
        return replayed / operations;
    }

  private:
    static Options options(Mode mode, unsigned threads) {
        Options options = Options::from_environment();
        options.workers = threads;
        options.tracing.automatic = mode == Mode::automatic;
        return options;
    }

    void run_step(const Work& work, int step) {
        if (launches_ == Launches::of_steps)
            launch_step(work, step);
        else
            launch_tasks(work, step);
        std::swap(before_, now_);
    }

    void launch_tasks(const Work& work, int step) {
        const Columns active = graph_.columns(step);
        const Columns1& inputs =
            inputs_[static_cast<std::size_t>(dependence_set(graph_.shape(), step))];
        const bool is_tree = graph_.shape().pattern == Pattern::tree;
        for (int c = active.first; c < active.first + active.count; ++c) {
            const Point<1> column(c);
            if (!graph_.has_outputs())
                rt_.launch("alone", run_alone, column, &work, step);
            else if (step == 0)
                rt_.launch("first", run_first, column, write(now_, columns_, column), &work);
            else
                rt_.launch("next", run_next, column, write(now_, columns_, column),
                           read(before_, inputs, is_tree ? Point<1>(c / 2) : column), &work, step);
        }
    }

    void launch_step(const Work& work, int step) {
        const Columns active = graph_.columns(step);
        const Rect<1> domain{active.first, active.first + active.count};
        const Columns1& inputs =
            inputs_[static_cast<std::size_t>(dependence_set(graph_.shape(), step))];
        if (!graph_.has_outputs())
            rt_.launch("alone", domain, run_alone, &work, step);
        else if (step == 0)
            rt_.launch("first", domain, run_first, write(now_, columns_), &work);
        else if (graph_.shape().pattern == Pattern::tree)
            rt_.launch("branch", domain, run_next, write(now_, columns_),
                       read(before_, columns_, [](Point<1> c) { return Point<1>(c[0] / 2); }),
                       &work, step);
        else
            rt_.launch("next", domain, run_next, write(now_, columns_), read(before_, inputs),
                       &work, step);
    }

    void run_steps(const Work& work, int begin, int end) {
        for (int step = begin; step < end; ++step) run_step(work, step);
    }

    /// The repeating unit is period() steps: the two rows are swapped every step, and some patterns
    /// alternate between several dependence sets. The rest of the loop is a fragment of its own.
    void run_traced(const Work& work) {
        const int unit = std::max(1, 100 / graph_.period()) * graph_.period();
        int step = graph_.first_steady_step();
        run_steps(work, 0, step);
        for (; step + unit <= graph_.last_steady_step(); step += unit) {
            rt_.begin_trace(1);
            run_steps(work, step, step + unit);
            rt_.end_trace(1);
        }
        if (step < graph_.last_steady_step()) {
            rt_.begin_trace(2);
            run_steps(work, step, graph_.last_steady_step());
            rt_.end_trace(2);
        }
        run_steps(work, graph_.last_steady_step(), graph_.shape().steps);
    }

    Mode mode_;
    Launches launches_;
    const TaskGraph& graph_;
    Runtime rt_;
    Rect<1> bounds_ = extents(graph_.shape().width * outputs_per_column);
    Region<Output, 1> before_ = rt_.create_region<Output>(bounds_, "row 0");
    Region<Output, 1> now_ = rt_.create_region<Output>(bounds_, "row 1");
    Columns1 columns_ = tiles(bounds_, graph_.shape().width);
    std::vector<Columns1> inputs_;
    std::uint64_t replayed_before_ = 0;
    std::uint64_t operations_before_ = 0;
};

}  // namespace

namespace {

struct RefrainWay {
    const char* name;
    Mode mode;
    Launches launches;
    const char* user_writes;
};
constexpr std::array refrain_ways{
    RefrainWay{"untraced", Mode::untraced, Launches::of_steps, "regions and privileges"},
    RefrainWay{"manual", Mode::manual, Launches::of_steps,
               "regions and privileges; begin and end of each trace"},
    RefrainWay{"automatic", Mode::automatic, Launches::of_steps, "regions and privileges"},
    RefrainWay{"untraced_single", Mode::untraced, Launches::of_tasks,
               "regions and privileges of each task"},
    RefrainWay{"automatic_single", Mode::automatic, Launches::of_tasks,
               "regions and privileges of each task"}};

}  // namespace

std::vector<Way> ways() {
    std::vector<Way> all;
    for (const RefrainWay& way : refrain_ways) all.push_back({way.name, way.user_writes});
    return all;
}

std::unique_ptr<System> make_system(const std::string& way, const TaskGraph& graph,
                                    unsigned threads) {
    std::string known;
    for (const RefrainWay& each : refrain_ways) {
        if (way == each.name)
            return std::make_unique<RefrainSystem>(each.mode, graph, threads, each.launches);
        known += (known.empty() ? "" : ", ") + std::string(each.name);
    }
    throw std::invalid_argument("Refrain has no way '" + way + "'; there are: " + known);
}

}  // namespace graphs
