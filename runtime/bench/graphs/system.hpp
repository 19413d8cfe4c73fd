#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graphs/work.hpp"

namespace graphs {

/// A task system that can run one task graph repeatedly.
class System {
  public:
    System() = default;
    virtual ~System() = default;
    System(const System&) = delete;
    System& operator=(const System&) = delete;
    System(System&&) = delete;
    System& operator=(System&&) = delete;

    /// Runs all tasks of the graph according to `work`, and returns when the last one has run. This
    /// call is what is measured.
    virtual void run(const Work& work) = 0;

    /// The share of the operations since the last call that were replayed, for systems that trace.
    [[nodiscard]] virtual std::optional<double> traced_share() { return std::nullopt; }
};

/// A way to use a system.
struct Way {
    std::string name;
    std::string user_writes;  // what the user writes to order the tasks
    /// True if the user states the dependences, false if the user states what each task accesses.
    bool graph_by_hand = false;
};

/// Defined by the file of each system: the ways to use it.
[[nodiscard]] std::vector<Way> ways();
/// Defined by the file of each system: makes a system that runs `graph` on `threads` threads. The
/// graph outlives it.
///
/// Errors: std::invalid_argument if `way` does not exist.
[[nodiscard]] std::unique_ptr<System> make_system(const std::string& way, const TaskGraph& graph,
                                                  unsigned threads);

}  // namespace graphs
