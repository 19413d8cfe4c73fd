#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "graphs/outputs.hpp"
#include "graphs/task_graph.hpp"

namespace graphs {

/// Checks a run: each task got the right inputs and ran exactly once.
///
///   ran, report_wrong_input   any thread; ran() writes only to a page of the calling thread
///   take, verify              one thread, after all tasks have run
///
/// Each thread keeps a count of its tasks and a sum of numbers hashed from their steps and columns.
/// The totals over all threads equal those of the graph only if each task ran exactly once (except
/// with probability 2^-64).
class Ledger {
  public:
    void ran(int step, int column) noexcept {
        Page& page = my_page();
        add(page.count, 1);
        add(page.sum, number_of(step, column));
    }

    /// A task got another output than `expected`. Keeps the first such finding.
    void report_wrong_input(int step, int column, const Output& expected, const Output& got);

    /// What the tasks of a run add up to.
    struct Totals {
        std::uint64_t count = 0;
        std::uint64_t sum = 0;
    };
    /// The totals since the last call or verification.
    ///
    /// Errors: std::runtime_error if a task got a wrong input.
    [[nodiscard]] Totals take();
    /// Adds what another process has taken from its ledger.
    void add(const Totals& totals) noexcept {
        Page& page = my_page();
        add(page.count, totals.count);
        add(page.sum, totals.sum);
    }

    /// Compares with one run of the graph, and resets the ledger.
    void verify(const TaskGraph& graph);

  private:
    struct alignas(64) Page {
        std::atomic<std::uint64_t> count{0};  // written by one thread; read after a run
        std::atomic<std::uint64_t> sum{0};
    };
    /// The owner is the only one that writes.
    static void add(std::atomic<std::uint64_t>& to, std::uint64_t value) noexcept {
        to.store(to.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
    }
    [[nodiscard]] static std::uint64_t number_of(int step, int column) noexcept;
    [[nodiscard]] Page& my_page() noexcept {
        thread_local Page* page = nullptr;
        thread_local std::uint64_t of = 0;
        if (of != serial_) {
            page = &new_page();
            of = serial_;
        }
        return *page;
    }
    [[nodiscard]] Page& new_page();

    const std::uint64_t serial_ = next_serial();  // unique over the process's lifetime
    [[nodiscard]] static std::uint64_t next_serial();
    std::mutex mutex_;
    std::vector<std::unique_ptr<Page>> pages_;
    std::string first_wrong_;
};

}  // namespace graphs
