// What a run can say of itself.

#include "runtime/core.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace refrain::runtime {

observe::MemoryMeter::Bytes Core::bytes_in_use() const {
    return {pool_.bytes_in_use(), table_bytes()};
}

page::MemoryHeld Core::held() const {
    page::MemoryHeld held;
    pipeline_.add_tables(held.tables);
    if (builder_.table_bytes() != 0)
        held.tables.push_back({"footprints of arguments", builder_.table_bytes(), 0});
    std::unordered_map<std::string_view, std::size_t> places;  // by name, which regions keep
    regions_.for_each_live([&](const regions::RegionRoot& region) {
        const auto [place, is_new] =
            places.try_emplace(region.given_name.view(), held.regions.size());
        if (is_new) held.regions.push_back({std::string(region.given_name.view()), 0, 0});
        page::MemoryHeld::Part& part = held.regions[place->second];
        if (region.storage->elements() != nullptr) part.bytes += region.storage->bytes();
        ++part.count;
    });
    return held;
}

std::vector<LaunchSiteReport> Core::why_not_traced() const {
    if (observer_ == nullptr) observe::Observer::refuse_to_explain();
    return observer_->why_not_traced();
}

Statistics Core::statistics() const {
    Statistics statistics;
    pipeline_.add_to(statistics);
    if (auto_) auto_->add_to(statistics);
    if (inline_) inline_->add_to(statistics);
    statistics.binding = binding_.description();
    for (unsigned worker = 0; worker < worker_count_; ++worker) {
        const machine::Core* const core = binding_.core_of(worker);
        if (core == nullptr) continue;
        statistics.workers[worker].processor = static_cast<int>(core->processors.front());
        statistics.workers[worker].memory_node = static_cast<int>(core->memory_node);
    }
    statistics.analysis.bytes = table_bytes();
    statistics.analysis.table_resets = table_resets_;
    statistics.launches.regions = regions_.created();
    statistics.launches.futures = futures_made_;
    statistics.launches.failed = failures_.thrown();
    statistics.launches.host_accesses = host_accesses_;
    statistics.storage = {.bytes_in_use = pool_.bytes_in_use(),
                          .bytes_peak = pool_.bytes_peak(),
                          .bytes_held = pool_.bytes_held()};
    return statistics;
}

}  // namespace refrain::runtime
