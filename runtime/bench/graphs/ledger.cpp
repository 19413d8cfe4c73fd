#include "graphs/ledger.hpp"

#include <stdexcept>

namespace graphs {
namespace {

std::string to_text(const Output& output) {
    return "(step " + std::to_string(output.step) + ", column " + std::to_string(output.column) +
           ")";
}

}  // namespace

std::uint64_t Ledger::next_serial() {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1) + 1;
}

std::uint64_t Ledger::number_of(int step, int column) noexcept {
    std::uint64_t x = static_cast<std::uint64_t>(step) << 32 | static_cast<std::uint32_t>(column);
    x += 0x9e3779b97f4a7c15U;  // splitmix64
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

Ledger::Page& Ledger::new_page() {
    const std::lock_guard lock(mutex_);
    return *pages_.emplace_back(std::make_unique<Page>());
}

void Ledger::report_wrong_input(int step, int column, const Output& expected, const Output& got) {
    const std::lock_guard lock(mutex_);
    if (first_wrong_.empty())
        first_wrong_ = "the task " + to_text({step, column}) + " expected the output of " +
                       to_text(expected) + ", but got that of " + to_text(got);
}

Ledger::Totals Ledger::take() {
    Totals totals;
    for (const auto& page : pages_) {
        totals.count += page->count.exchange(0);
        totals.sum += page->sum.exchange(0);
    }
    std::string wrong;
    std::swap(wrong, first_wrong_);
    if (!wrong.empty()) throw std::runtime_error(wrong);
    return totals;
}

void Ledger::verify(const TaskGraph& graph) {
    auto [count, sum] = take();
    for (int step = 0; step < graph.shape().steps; ++step) {
        const Columns active = graph.columns(step);
        for (int c = active.first; c < active.first + active.count; ++c) sum -= number_of(step, c);
    }
    const auto expected = static_cast<std::uint64_t>(graph.task_count());
    if (count != expected || sum != 0)
        throw std::runtime_error("a run of " + std::string(name_of(graph.shape().pattern)) +
                                 " has " + std::to_string(expected) + " tasks, but " +
                                 std::to_string(count) + " ran, or some ran more than once");
}

}  // namespace graphs
