#pragma once

#include "analysis/interference.hpp"
#include "base/record_arena.hpp"
#include "runtime/footprint_lookup.hpp"
#include "runtime/launch_memo.hpp"
#include "runtime/operation.hpp"

#include <cstring>

namespace refrain::runtime {

/// Makes an Operation of a launch: checks the launch, finds its footprints, copies what must
/// outlive the call.
///
/// Errors:   UsageError if the launch is invalid; then nothing has changed.
/// Threads:  the launching thread only.
class OperationBuilder {
  public:
    struct Parts {
        analysis::FootprintTable& footprints;
        const regions::RegionTable& regions;
        const regions::FuturePool& futures;
        base::RecordArena& records;
        RunContext& context;
        bool deterministic_reductions;
    };
    explicit OperationBuilder(const Parts& parts);

    [[nodiscard]] Operation& build(const LaunchDescription& launch, graph::OperationNumber number);
    /// The same for a launch that was checked before; `checked` is the result.
    [[nodiscard]] Operation& build(const LaunchDescription& launch, const CheckedLaunch& checked,
                                   graph::OperationNumber number);
    /// The same for a launch in lanes, in a record that its loop keeps (kept_records.hpp). Null if it keeps
    /// none, or the next one is in use. All operations below `oldest` have retired.
    [[nodiscard]] Operation* build_again(const LaunchDescription& launch,
                                         const CheckedLaunch& checked,
                                         graph::OperationNumber number,
                                         graph::OperationNumber oldest);
    /// Makes `record` that of a launch in a row (launch_row.hpp), which CompiledLoop::find_in_row has found; false,
    /// and nothing has changed, if it differs from the launch that used the record before in more than
    /// number and scalars. Errors: what moving the closure throws; then the record is as before, but for
    /// its closure.
    [[nodiscard]] bool repeat(Operation& record, const LaunchDescription& launch,
                              const CheckedLaunch& checked, graph::OperationNumber number) {
        if (!repeats(record, launch, checked)) return false;
        write_closure(launch.kind->closure, record.closure, launch.closure);
        record.number = number;
        record.run = parts_.context.run;  // perhaps its tasks were timed
        return true;
    }
    /// The result for the launch built last by the first overload.
    [[nodiscard]] const CheckedLaunch& checked() const { return *checked_; }
    [[nodiscard]] Operation& build_fence(const LaunchSite& site, graph::OperationNumber number);

    /// Where this launch's cost is measured.
    [[nodiscard]] graph::TaskCost& cost_of(const LaunchDescription& launch,
                                           const CheckedCost& checked);
    [[nodiscard]] FootprintLookup& footprints() { return lookup_; }
    /// Memory of its tables that grow with what the program launches.
    [[nodiscard]] std::size_t table_bytes() const {
        return lookup_.bytes() + interference_.bytes();
    }
    /// The footprint table was cleared.
    void begin_epoch();
    [[nodiscard]] std::uint16_t reduction_number(const data::ReductionFunctions* reduction);

  private:
    [[nodiscard]] Operation& build_in(std::byte* memory, const LaunchDescription& launch,
                                      const CheckedLaunch& checked, graph::OperationNumber number);
    [[nodiscard]] static Operation* make_room_to_keep(const LaunchRecords& records,
                                                      const LaunchDescription& launch,
                                                      const CheckedLaunch& checked,
                                                      graph::OperationNumber oldest);
    static void write_closure(const ClosureKind& kind, void* room, void* closure) {
        if (kind.bytes != 0) move_closure(kind, room, closure);
    }
    void renew(Operation& operation, const LaunchDescription& launch,
               graph::OperationNumber number) const;
    [[nodiscard]] bool repeats(const Operation& known, const LaunchDescription& launch,
                               const CheckedLaunch& checked);
    void check(const LaunchDescription& launch);
    void check_region(const LaunchDescription& launch, std::uint32_t index) const;
    void check_futures(const LaunchDescription& launch) const;
    void check_interference(const LaunchDescription& launch);
    void find_shapes(const LaunchDescription& launch);
    [[nodiscard]] base::Hash128 hash_of(const LaunchDescription& launch) const;
    [[nodiscard]] CheckedCost find_cost(const LaunchDescription& launch, std::uint32_t size_class);
    [[nodiscard]] std::uint32_t size_class_of(std::int64_t points) const;
    void add_arguments(Operation& operation, const LaunchDescription& launch,
                       const CheckedRequirement* checked, std::byte* room);
    void add_reductions(Operation& operation);
    static void add_fold_order(Operation& operation, std::uint32_t index);
    void add_futures(Operation& operation, const LaunchDescription& launch);
    void add_result(Operation& operation, regions::FutureState& result);
    static void add_closure(Operation& operation, const ClosureKind& kind, void* closure,
                            std::byte* room);

    [[nodiscard]] static std::uintptr_t function_called_by(const LaunchDescription& launch) {
        if (!launch.kind->calls_pointer) return 0;
        std::uintptr_t function = 0;
        std::memcpy(&function, launch.closure, sizeof function);
        return function;
    }

    Parts parts_;
    FootprintLookup lookup_;
    analysis::Interference interference_;
    LaunchMemo memo_;
    graph::CostTable costs_;
    std::vector<CheckedRequirement> computed_;  // for the latest launch that the memo did not have
    CheckedLaunch computed_launch_;             // likewise
    const CheckedLaunch* checked_ = &computed_launch_;
    std::vector<const data::ReductionFunctions*> reductions_;
};

inline graph::TaskCost& OperationBuilder::cost_of(const LaunchDescription& launch,
                                                  const CheckedCost& checked) {
    if (checked.line == launch.site.line &&
        (!launch.kind->calls_pointer || checked.function == function_called_by(launch))) [[likely]]
        return *checked.cost;
    return *find_cost(launch, checked.size_class).cost;
}

/// Whether the record's last operation differs from `launch` in number and scalars only. Both agree with the
/// compiled launch, so only what that leaves open is compared; a region keeps its storage. A record is not
/// marked as kept if none has used it yet, or if a callable threw while it was moved there.
inline bool OperationBuilder::repeats(const Operation& known, const LaunchDescription& launch,
                                      const CheckedLaunch& checked) {
    if (!known.is_kept || known.function != launch.kind->function ||
        known.site.name != launch.site.name || known.site.file != launch.site.file ||
        known.site.line != launch.site.line || known.site.resolver != launch.site.resolver ||
        known.cost != &cost_of(launch, checked.cost))
        return false;
    const auto regions = known.regions();
    for (std::uint32_t i = 0; i < known.argument_count; ++i)
        if (regions[i] != launch.requirements[i].region) return false;
    return true;
}

}  // namespace refrain::runtime
