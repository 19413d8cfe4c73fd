#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graphs/work.hpp"

namespace graphs {

/// A task system, ready to run one task graph again and again.
class System {
  public:
    System() = default;
    virtual ~System() = default;
    System(const System&) = delete;
    System& operator=(const System&) = delete;
    System(System&&) = delete;
    System& operator=(System&&) = delete;

    /// Runs all tasks of the graph, each as `work` says, and returns when the last one has run. What
    /// this takes is what is measured.
    virtual void run(const Work& work) = 0;

    /// The share of the operations since the last call that was replayed from a trace, of systems
    /// that trace.
    [[nodiscard]] virtual std::optional<double> traced_share() { return std::nullopt; }
};

/// A way of using a system.
struct Way {
    std::string name;
    std::string user_writes;  // to say what depends on what
    /// Whether the user finds out what depends on what, instead of saying what each task accesses.
    bool graph_by_hand = false;
};

/// What a system's one file defines.
[[nodiscard]] std::vector<Way> ways();
/// A system that runs `graph` on as many threads as `threads` says. The graph outlives it.
/// Errors: std::invalid_argument if there is no such way.
[[nodiscard]] std::unique_ptr<System> make_system(const std::string& way, const TaskGraph& graph,
                                                  unsigned threads);

}  // namespace graphs
