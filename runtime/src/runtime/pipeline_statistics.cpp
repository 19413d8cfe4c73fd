// How much was served how, and what the tables hold.

#include "runtime/pipeline.hpp"

namespace refrain::runtime {

template <class Add>
void Pipeline::for_each_table(Add&& add) const {
    add("footprints of launches", footprints_.bytes());
    add("edge patterns", patterns_.bytes());
    add("steps of walks", walk_table_.bytes());
    add("grids of cells, and chains in them", walk_.bytes());
    add("plans of launches in lanes", lane_plans_.bytes() + row_.bytes());
    if (const auto* states = analysis_.states()) add("states of regions", states->bytes());
}

std::size_t Pipeline::table_bytes() const {
    std::size_t sum = 0;
    for_each_table([&](const char*, std::size_t bytes) { sum += bytes; });
    return sum;
}

void Pipeline::add_tables(std::vector<page::MemoryHeld::Part>& tables) const {
    const auto add = [&](const char* name, std::size_t bytes) {
        if (bytes != 0) tables.push_back({name, bytes, 0});
    };
    for_each_table(add);
    add("history of accesses", history_.bytes());
    add("pending operations", records_.bytes_held() + edges_.bytes_held());
}

void Pipeline::add_progress_sample() {
    const trace::TraceCounters& counters = tracer_.counters();
    const double seconds = 1e-9 * base::ticks_to_ns(base::ticks() - born_);
    progress_.push_back({(next_issue_ - 1).value(), counters.replayed, seconds});
    if (progress_.size() < progress_samples_max) return;
    for (std::size_t i = 0; 2 * i + 1 < progress_.size(); ++i) progress_[i] = progress_[2 * i + 1];
    progress_.resize(progress_.size() / 2);
    progress_interval_ *= 2;
}

void Pipeline::add_to(Statistics& statistics) const {
    statistics.launches.operations = (next_issue_ - 1).value() - refused_;
    statistics.launches.tasks = tasks_;
    statistics.launches.window_waits = window_waits_;
    statistics.launches.memory_waits = memory_waits_;
    statistics.launches.batches = batch_linker_.opened();
    statistics.launches.batched_tasks = batched_;
    statistics.launches.in_lanes = workers_.lanes().published();
    statistics.launches.in_rows = in_rows_;
    statistics.launches.direct = direct_;
    statistics.analysis = {.hops = walk_.hops(),
                           .divided_regions = walk_.splits(),
                           .footprints = footprints_.size(),
                           .patterns = patterns_.size(),
                           .walk_steps = walk_table_.entries()};
    if (const auto* states = analysis_.states()) {
        const states::RegionStates::Counters& known = states->counters();
        statistics.analysis.states = states->states();
        statistics.analysis.transitions = states->transitions();
        statistics.analysis.known_transitions = known.known;
        statistics.analysis.found_transitions = known.found;
        statistics.analysis.private_transitions = known.privately;
        statistics.analysis.divided_regions = known.divided;
    }
    const trace::TraceCounters& c = tracer_.counters();
    statistics.traces = {.analysed = c.analysed,
                         .recorded = c.recorded,
                         .replayed = c.replayed,
                         .walked_in_replay = c.walked_in_replay,
                         .replays = c.replays,
                         .recordings = c.recordings,
                         .mismatches = c.mismatches,
                         .last_mismatch = c.last_mismatch,
                         .verified = c.verified,
                         .verify_failures = c.verify_failures,
                         .evictions = tracer_.store().evictions(),
                         .traces = tracer_.store().traces(),
                         .variants = tracer_.store().variants(),
                         .bytes = tracer_.store().bytes()};
    for (unsigned worker = 0; worker < workers_.count(); ++worker) {
        const graph::WorkerCounters w = workers_.counters(worker);
        statistics.workers.push_back({.tasks = w.points,
                                      .skipped = w.skipped,
                                      .groups = w.groups,
                                      .steals = w.steals,
                                      .sleeps = w.sleeps,
                                      .background_jobs = w.background_jobs,
                                      .waits = w.waits});
    }
    phases_.add_to(statistics);
    statistics.progress = progress_;
}

}  // namespace refrain::runtime
