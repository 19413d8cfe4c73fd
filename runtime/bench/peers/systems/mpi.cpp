// peer openmpi: package=libopenmpi-dev,openmpi-bin compiler=mpicxx.openmpi header=mpi.h flags=-DOMPI_SKIP_MPICXX

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mpi.h>
#include <optional>
#include <set>
#include <stdexcept>
#include <unistd.h>

#include "graphs/kernel.hpp"
#include "graphs/system.hpp"

/// A program written by hand for MPI: one process per thread asked for, each with a block of columns.
/// A process posts its receives, runs the columns that need no other process's outputs, waits, runs
/// the others and sends. Two ways: a message per output and reader, as Task Bench's own programs for
/// MPI send, and one message per pair of processes and step.
///
/// The first call of make_system starts the program again under mpirun. There rank 0 measures, and
/// tells the others what to run.

namespace graphs {
namespace {

/// Outputs of the step before that one process gets from another.
struct Transfer {
    int rank;
    std::vector<int> columns;
    std::vector<Output> buffer = {};  // of one message for all; empty: a message each
};

/// What one process does in a step. The sends come before it: outputs of the step before.
struct Plan {
    std::vector<int> before_receives;  // columns
    std::vector<int> after_receives;
    std::vector<Transfer> sends, receives;
};

/// The part of a graph that belongs to this process.
class Part {
  public:
    Part(const TaskGraph& graph, bool packed) : graph_(graph), rows_(graph.shape().width) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
        for (int step = 0; step < graph.shape().steps; ++step) {
            const auto row = static_cast<std::size_t>(graph.table_row(step));
            if (row >= plans_.size()) plans_.resize(row + 1);
            if (!plans_[row]) plans_[row] = plan(step, packed);
        }
    }

    void run(const Work& work) {
        for (int step = 0; step < graph_.shape().steps; ++step) {
            Plan& plan = plan_of(step);
            for (Transfer& from : plan.receives) receive(from, step);
            for (const int c : plan.before_receives) execute(work, step, c, rows_);
            wait();
            for (const Transfer& from : plan.receives) unpack(from, step);
            for (const int c : plan.after_receives) execute(work, step, c, rows_);
            if (step + 1 < graph_.shape().steps)
                for (Transfer& to : plan_of(step + 1).sends) send(to, step);
        }
        wait();
    }

  private:
    [[nodiscard]] Plan& plan_of(int step) {
        return *plans_[static_cast<std::size_t>(graph_.table_row(step))];
    }
    [[nodiscard]] int owner(int column) const {
        return ((column + 1) * ranks_ - 1) / graph_.shape().width;
    }

    [[nodiscard]] Plan plan(int step, bool packed) const {
        Plan plan;
        std::map<int, std::set<int>> sends, receives;
        const Columns active = graph_.columns(step);
        for (int c = active.first; c < active.first + active.count; ++c) {
            bool is_remote = false;
            for (const int input : graph_.inputs(step, c)) {
                if (owner(input) == owner(c)) continue;
                is_remote = true;
                if (owner(c) == rank_) receives[owner(input)].insert(input);
                if (owner(input) == rank_) sends[owner(c)].insert(input);
            }
            if (owner(c) == rank_)
                (is_remote ? plan.after_receives : plan.before_receives).push_back(c);
        }
        plan.sends = transfers(sends, packed);
        plan.receives = transfers(receives, packed);
        return plan;
    }
    [[nodiscard]] static std::vector<Transfer> transfers(
        const std::map<int, std::set<int>>& columns_of, bool packed) {
        std::vector<Transfer> all;
        for (const auto& [rank, columns] : columns_of) {
            all.push_back({rank, {columns.begin(), columns.end()}});
            if (packed) all.back().buffer.resize(columns.size() * outputs_per_column);
        }
        return all;
    }

    void receive(Transfer& from, int step) {
        if (!from.buffer.empty())
            MPI_Irecv(from.buffer.data(), bytes_of(from), MPI_BYTE, from.rank, 0, MPI_COMM_WORLD,
                      next());
        else
            for (const int c : from.columns)
                MPI_Irecv(rows_.at(step - 1, c), output_bytes, MPI_BYTE, from.rank, c,
                          MPI_COMM_WORLD, next());
    }
    void unpack(const Transfer& from, int step) {
        const Output* next = from.buffer.data();
        if (from.buffer.empty()) return;
        for (const int c : from.columns) {
            std::copy_n(next, outputs_per_column, rows_.at(step - 1, c));
            next += outputs_per_column;
        }
    }
    void send(Transfer& to, int step) {
        Output* next_output = to.buffer.data();
        for (const int c : to.columns) {
            if (to.buffer.empty()) {
                MPI_Isend(rows_.at(step, c), output_bytes, MPI_BYTE, to.rank, c, MPI_COMM_WORLD,
                          next());
                continue;
            }
            std::copy_n(rows_.at(step, c), outputs_per_column, next_output);
            next_output += outputs_per_column;
        }
        if (!to.buffer.empty())
            MPI_Isend(to.buffer.data(), bytes_of(to), MPI_BYTE, to.rank, 0, MPI_COMM_WORLD, next());
    }
    /// Waits for the receives of this step and the sends before it, whose outputs it overwrites next.
    void wait() {
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
        requests_.clear();
    }
    [[nodiscard]] MPI_Request* next() { return &requests_.emplace_back(); }
    static constexpr int output_bytes = outputs_per_column * sizeof(Output);
    [[nodiscard]] static int bytes_of(const Transfer& transfer) {
        return static_cast<int>(transfer.buffer.size() * sizeof(Output));
    }

    const TaskGraph& graph_;
    OutputRows rows_;
    int rank_ = 0;
    int ranks_ = 1;
    std::vector<std::optional<Plan>> plans_;  // by table row
    std::vector<MPI_Request> requests_;
};

/// What rank 0 tells the others to run.
struct Command {
    bool end = false;
    bool packed = false;
    bool is_checked = false;
    Shape shape = {};
    std::int64_t iterations = 0;
};

void broadcast(Command& command) {
    MPI_Bcast(&command, sizeof command, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/// The run of all ranks is over; rank 0 gets what the others' ledgers say.
Ledger::Totals gather(Ledger::Totals totals) {
    Ledger::Totals all;
    MPI_Reduce(&totals, &all, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    static_assert(sizeof totals == 2 * sizeof(std::uint64_t));
    return all;
}

class Ranks : public System {
  public:
    Ranks(const TaskGraph& graph, bool packed)
        : part_(graph, packed), packed_(packed), shape_(graph.shape()) {}

    void run(const Work& work) override {
        Command command{.packed = packed_,
                        .is_checked = work.ledger != nullptr,
                        .shape = shape_,
                        .iterations = work.iterations};
        broadcast(command);
        part_.run(work);
        const Ledger::Totals others = gather({});
        if (work.ledger != nullptr) work.ledger->add(others);
    }

  private:
    Part part_;
    bool packed_;
    Shape shape_;
};

/// The loop of ranks other than 0.
void serve() {
    Command last;
    std::unique_ptr<TaskGraph> graph;
    std::unique_ptr<Part> part;
    Ledger ledger;
    while (true) {
        Command command;
        broadcast(command);
        if (command.end) return;
        if (part == nullptr || command.shape != last.shape || command.packed != last.packed) {
            part.reset();
            graph = std::make_unique<TaskGraph>(command.shape);
            part = std::make_unique<Part>(*graph, command.packed);
        }
        last = command;
        part->run({graph.get(), command.iterations, command.is_checked ? &ledger : nullptr});
        (void)gather(ledger.take());
    }
}

constexpr const char* started_by = "REFRAIN_PEER_RANKS";

/// Becomes `mpirun -n threads` of this program with the same arguments, and the peak rate if there is none:
/// mpirun binds each process to a core, and all threads of one process reach the rate of that core only.
void restart(unsigned threads) {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> words = {"mpirun.openmpi", "-n", std::to_string(threads)};
    bool has_peak = false;
    for (std::string word; std::getline(file, word, '\0');) {
        has_peak = has_peak || word.starts_with("--peak-flops");
        words.push_back(word);
    }
    if (!has_peak) words.push_back("--peak-flops=" + std::to_string(peak_flops(threads)));
    setenv(started_by, words[2].c_str(), 1);
    for (const char* allowed : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                                "OMPI_MCA_rmaps_base_oversubscribe"})
        setenv(allowed, "1", 1);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    throw std::runtime_error("cannot start mpirun.openmpi (" + std::string(std::strerror(errno)) +
                             "); it is in the package openmpi-bin");
}

/// On rank 0: the other ranks wait for commands until the program exits. Others do not return.
void start(unsigned threads) {
    int is_running = 0;
    MPI_Initialized(&is_running);
    if (is_running != 0) return;
    if (std::getenv(started_by) == nullptr) restart(threads);
    MPI_Init(nullptr, nullptr);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != static_cast<int>(threads))
        throw std::runtime_error("mpirun.openmpi -n " + std::to_string(threads) + " started " +
                                 std::to_string(ranks) + " connected processes");
    if (rank == 0) {
        std::atexit([] {
            Command last{.end = true};
            broadcast(last);
            MPI_Finalize();
        });
        return;
    }
    try {
        serve();
        MPI_Finalize();
        std::_Exit(0);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

}  // namespace

std::vector<Way> ways() {
    return {{"per_output", "which process sends which output to which, a message each", true},
            {"packed", "the same, packed into one message per pair of processes", true}};
}

std::unique_ptr<System> make_system(const std::string& way, const TaskGraph& graph,
                                    unsigned threads) {
    if (way != "per_output" && way != "packed")
        throw std::invalid_argument("MPI has the ways per_output and packed, but not '" + way +
                                    "'");
    start(threads);
    return std::make_unique<Ranks>(graph, way == "packed");
}

}  // namespace graphs
