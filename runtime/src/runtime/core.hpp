#pragma once

#include "base/memory_limit.hpp"
#include "data/storage_pool.hpp"
#include "observe/observer.hpp"
#include "observe/progress_line.hpp"
#include "refrain/give_up.hpp"
#include "refrain/host_view.hpp"
#include "refrain/options.hpp"
#include "refrain/statistics.hpp"
#include "regions/future_state.hpp"
#include "regions/region_table.hpp"
#include "runtime/alone_switch.hpp"
#include "runtime/auto_host.hpp"
#include "runtime/fork_guard.hpp"
#include "runtime/host_access.hpp"
#include "runtime/inline_host.hpp"
#include "runtime/operation_builder.hpp"
#include "runtime/pipeline.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "machine/worker_binding.hpp"

namespace refrain::runtime {

/// The runtime behind the typed interface: wires the stages, and holds what the host side asks for.
///
///     launch --Operation--> AutoHost --number, when it may go--> Pipeline
///                (or, with a manual trace or without automatic tracing, at once)
///
/// Threads:  one launching thread; checked.
/// Forks:    a fork() by the launching thread, outside of tasks, waits for all tasks first, and parent
///           and child each have workers of their own afterwards. In the child of any other fork the
///           runtime must not be used.
class Core final : private regions::FutureResolver,
                   private observe::MemoryMeter,
                   private ForkGuard {
  public:
    explicit Core(const Options& options);
    ~Core();
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;
    Core(Core&&) = delete;
    Core& operator=(Core&&) = delete;

    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] unsigned worker_count() const { return worker_count_; }

    [[nodiscard]] regions::RegionRoot* create_region(const data::Box& bounds, int rank,
                                                     std::size_t element_bytes,
                                                     std::size_t element_align,
                                                     std::string_view name);
    /// The results of a launch. `rank` of the launch domain: 0 for a single task.
    [[nodiscard]] regions::FutureState* make_future(const LaunchSite& site, const data::Box& domain,
                                                    int rank, std::size_t value_bytes);
    /// The same in memory of unspecified content, and in memory from outside.
    [[nodiscard]] regions::RegionRoot* create_unspecified(const data::Box& bounds, int rank,
                                                          std::size_t element_bytes,
                                                          std::size_t element_align,
                                                          std::string_view name);
    [[nodiscard]] regions::RegionRoot* adopt_memory(const data::Box& bounds, int rank,
                                                    std::size_t element_bytes,
                                                    std::size_t element_align, void* memory,
                                                    std::function<void()> done,
                                                    std::string_view name);
    void launch(const LaunchDescription& launch);
    void fence(const LaunchSite& site);
    [[nodiscard]] HostMapping map(regions::RegionRoot* root, Privilege privilege);
    /// Waits for a part; returns the region's elements. No host access begins.
    [[nodiscard]] void* wait_for_part(regions::RegionRoot* root, const data::Box& part,
                                      Privilege privilege, const GiveUp& give_up);
    [[nodiscard]] bool is_part_ready(regions::RegionRoot* root, const data::Box& part,
                                     Privilege privilege);
    [[nodiscard]] const void* wait_for_future(regions::FutureState& future, std::size_t index,
                                              const GiveUp& give_up);
    void wait_for_room(const GiveUp& give_up);
    void wait_all() { wait_all({}); }
    void wait_all(const GiveUp& give_up);
    [[nodiscard]] std::vector<FailedTask> take_failures();
    void start_launched();
    void begin_trace(std::uint64_t id);
    void end_trace(std::uint64_t id);
    void begin_interest();
    void end_interest();
    void use_from_this_thread();

    [[nodiscard]] Statistics statistics() const;
    [[nodiscard]] std::vector<LaunchSiteReport> why_not_traced() const;
    [[nodiscard]] std::vector<Dependence> dependences() const { return pipeline_.dependences(); }

  private:
    [[nodiscard]] const void* wait_for_value(regions::FutureState& future,
                                             std::size_t index) override;
    [[nodiscard]] bool is_ready(regions::FutureState& future) override;
    [[nodiscard]] observe::MemoryMeter::Bytes bytes_in_use() const override;
    [[nodiscard]] page::MemoryHeld held() const override;
    [[nodiscard]] bool prepare_for_fork() noexcept override;
    void forked(bool is_child) noexcept override;
    void bind_workers() noexcept;
    void check_thread(const char* what) const {
        if (graph::Workers::is_running_points() || std::this_thread::get_id() != launching_thread_)
            [[unlikely]]
            refuse_thread(what);
    }
    [[noreturn]] void refuse_thread(const char* what) const;
    /// Waits for all tasks and writes reports: the normal part of the destructor.
    void finish();
    /// Memory ran out in the middle of a call: from now on each call throws an error that names it.
    void end_at(const char* call) noexcept;
    void end_at(const LaunchSite& site) noexcept;
    /// Returns what `body()` returns; if memory runs out in it, the runtime ends at that call.
    template <class Where, class Body>
    decltype(auto) guarded(const Where& where, Body&& body);
    [[noreturn]] void refuse_ended(const char* call) const;
    void retire_dead();
    [[gnu::noinline]] void launch_observed(const LaunchDescription& launch);
    [[gnu::noinline]] void launch_told(const LaunchDescription& launch);
    // `is_told`: the observer is told of the launch, not only counts it (observe/quiet_loop.hpp). Decided once per launch.
    template <bool is_told>
    [[gnu::always_inline]] void launch_checked(const LaunchDescription& launch);
    template <bool is_told>
    [[gnu::always_inline]] void launch_in_stream(const LaunchDescription& launch);
    template <bool is_told>
    [[nodiscard, gnu::always_inline]] bool launch_expected(const LaunchDescription& launch);
    template <bool is_told>
    [[nodiscard, gnu::noinline]] bool launch_outside_of_row(const LaunchDescription& launch);
    template <bool is_told>
    [[nodiscard]] bool launch_in_row(const LaunchDescription& launch);
    template <bool is_told>
    [[nodiscard]] bool launch_directly_in_row(const LaunchDescription& launch);
    template <bool is_told>
    [[nodiscard]] bool launch_directly(const LaunchDescription& launch,
                                       const CheckedLaunch& expected);
    [[gnu::noinline]] void retire_failed(DirectLaunch& direct);
    [[nodiscard]] Operation& build_expected(const LaunchDescription& launch,
                                            const CheckedLaunch& expected);
    void hand_on(Operation& operation);
    void tell_observer(Operation& operation);
    /// The program waits for everything, or for one operation.
    void flush();
    /// The same, and no automatic trace is under way any more.
    void interrupt();
    void start_issued();
    void flush_if_held(graph::OperationNumber number);
    [[nodiscard]] std::size_t table_bytes() const;
    void check_tables();
    void reset_tables();
    void analyse_by_walks();
    void forget_tables();
    void check_new_region(const data::Box& bounds, int rank, std::size_t element_bytes,
                          std::size_t element_align, std::string_view name) const;
    void check_part(const regions::RegionRoot* root, const data::Box& part,
                    Privilege privilege) const;
    [[nodiscard]] HostAccess::PartState state_of(const regions::RegionRoot& root,
                                                 const data::Box& part, Privilege privilege);
    void check_host_access(const regions::RegionRoot* root, Privilege privilege) const;
    void forget_history(regions::RegionRoot& root);
    [[nodiscard]] void* elements_for_host(regions::RegionRoot& root);
    void report_unseen_failures() noexcept;
    void report_unchecked_reads() const;

    Options options_;
    unsigned worker_count_;
    std::size_t memory_bytes_ = base::process_memory_bytes();
    std::thread::id launching_thread_;             // that of no thread once the runtime has ended
    std::unique_ptr<observe::Observer> observer_;  // null if nobody listens
    std::unique_ptr<observe::ProgressLine> progress_line_;  // null if nobody asks for one
    Log log_;
    data::StoragePool pool_;
    base::RecordArena records_{base::RecordArena::sharing_among(options_.workers)};
    machine::WorkerBinding binding_;
    analysis::FootprintTable footprints_;
    RunContext run_context_;
    regions::FailureLog failures_;
    graph::OperationNumber next_operation_ = 1;
    std::uint64_t table_resets_ = 0;
    graph::OperationNumber reset_before_ =
        1;  // the first operation after the last reset of the tables
    regions::RegionTable regions_;
    Pipeline pipeline_;
    HostAccess host_access_{pipeline_};
    regions::FuturePool futures_;  // gone before the failures, which futures that live on copy
    OperationBuilder builder_;
    std::optional<AutoHost> auto_;      // automatic tracing is on, and mines,
    std::optional<InlineHost> inline_;  // or looks at each operation when it is launched
    AloneSwitch alone_switch_{pipeline_, options_.window};
    std::optional<std::uint64_t> manual_trace_;
    bool is_of_interest_ = false;         // what is launched now: the program has said so
    bool is_child_ = false;               // of the process that made it
    const char* ended_in_ = nullptr;      // the call in which memory ran out, or null
    std::optional<LaunchSite> ended_at_;  // of that call, if it was a launch
    std::uint64_t futures_made_ = 0;
    std::uint64_t host_accesses_ = 0;
};

template <class Where, class Body>
[[gnu::always_inline]] inline decltype(auto) Core::guarded(const Where& where, Body&& body) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        end_at(where);
        throw;
    }
}

}  // namespace refrain::runtime
