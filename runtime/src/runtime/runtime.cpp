#include "refrain/runtime.hpp"

#include "graph/workers.hpp"
#include "refrain/error.hpp"
#include "runtime/core.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>

namespace refrain {
namespace {

/// Counters and tables change while tasks run.
void refuse_in_task(const char* question) {
    if (graph::Workers::is_running_points())
        throw UsageError(
            std::string(question) +
            " from inside a task: tasks do not ask the runtime; return a value and ask "
            "from the program");
}

std::unique_ptr<runtime::Core> core_or_exit(const Options& options) {
    try {
        return std::make_unique<runtime::Core>(options);
    } catch (const UsageError& error) {
        std::fprintf(stderr, "refrain: %s\n", error.what());
    } catch (const std::system_error& error) {
        std::fprintf(stderr, "refrain: option workers: %u threads cannot be started: %s\n",
                     options.worker_count(), error.what());
    }
    std::exit(2);
}

}  // namespace

Runtime::Runtime(const Options& options) : core_(std::make_unique<runtime::Core>(options)) {}
Runtime::Runtime(const Options& options, OrExit) : core_(core_or_exit(options)) {}
Runtime::~Runtime() = default;

const Options& Runtime::options() const& noexcept {
    return core_->options();
}
unsigned Runtime::worker_count() const noexcept {
    return core_->worker_count();
}

regions::RegionRoot* Runtime::create_root(const data::Box& bounds, int rank,
                                          std::size_t element_bytes, std::size_t element_align,
                                          std::string_view name) {
    return core_->create_region(bounds, rank, element_bytes, element_align, name);
}

void Runtime::submit(const runtime::LaunchDescription& launch) {
    core_->launch(launch);
}
regions::FutureState* Runtime::new_future(const LaunchSite& site, const data::Box& domain, int rank,
                                          std::size_t value_bytes) {
    return core_->make_future(site, domain, rank, value_bytes);
}
HostMapping Runtime::map(regions::RegionRoot* region, Privilege privilege) {
    return core_->map(region, privilege);
}

void Runtime::fence(LaunchSite site) {
    core_->fence(site);
}
void Runtime::flush() {
    core_->start_launched();
}
void Runtime::wait_all() {
    core_->wait_all();
}
std::vector<FailedTask> Runtime::take_failures() {
    return core_->take_failures();
}
void Runtime::begin_trace(std::uint64_t id) {
    core_->begin_trace(id);
}
void Runtime::end_trace(std::uint64_t id) {
    core_->end_trace(id);
}
void Runtime::begin_interest() {
    core_->begin_interest();
}
void Runtime::end_interest() {
    core_->end_interest();
}
void Runtime::use_from_this_thread() {
    core_->use_from_this_thread();
}
Statistics Runtime::statistics() const {
    refuse_in_task("statistics");
    return core_->statistics();
}
std::vector<LaunchSiteReport> Runtime::why_not_traced() const {
    refuse_in_task("why_not_traced");
    return core_->why_not_traced();
}
std::vector<Dependence> Runtime::dependences() const {
    refuse_in_task("dependences");
    return core_->dependences();
}

}  // namespace refrain
