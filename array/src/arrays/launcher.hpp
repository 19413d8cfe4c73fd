/// The default sink: launches each operation as one task, or as an index launch over tiles.
///
/// How an operation is launched, its plan, is a function of its signature, its views, which of them
/// share a store, and the Machine; plans are remembered.
///
///     u[1:-1] = 0.5 * v        1000 x 1000, two tiles
///     axis 0: [0,499) [499,998); u through rows [1,500) [500,999), v through [1,500) [500,999)
///
/// - Tiles are cut along one axis of the domain: that of the output's largest stride among those that
///   are long enough, never one that is reduced.
/// - The views of one store become one requirement: per tile the hull of their footprints.
/// - An inexact or masked write is a read-write.
/// - If tiles would write what another one uses, the operation is one task.
///
/// Threads: the launching thread; tasks read plans.
#pragma once

#include "refrain/array/array.hpp"
#include "refrain/dynamic.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "stores/record.hpp"
#include "stores/value_events.hpp"

namespace refrain::array {

/// How one operation is launched.
struct Plan {
    struct PlannedUse {
        Layout layout;
        DType dtype = DType::float64;
        int requirement = -1;  // -1: a value
        friend bool operator==(const PlannedUse&, const PlannedUse&) = default;
    };
    struct Requirement {
        int use = 0;  // whose store it is
        Privilege privilege = Privilege::read;
        dynamic::AnyPartition partition;
    };

    Signature what;
    std::vector<PlannedUse> uses;
    std::vector<Requirement> requirements;
    std::vector<std::uintptr_t> key;
    int axis = -1;
    int tiles = 1;
    Extent extent = 0;  // of the axis
    dynamic::TaskKind kind;

    [[nodiscard]] Extent first_of_tile(Extent tile) const noexcept {
        return extent / tiles * tile + std::min<Extent>(tile, extent % tiles);
    }
};

class Launcher final : public Sink {
  public:
    Launcher(Runtime& runtime, StoreTable& stores, ViewTable& views, ValueEvents& events,
             const Tuning& tuning);

    void operation(const Record& record) override;
    void released(const Store&) override {}

    /// Whether plans and views are too many; then the program waits for all tasks and forgets them.
    [[nodiscard]] bool is_full() const noexcept;
    /// No task may be pending.
    void forget() noexcept;

    void set_site_resolver(std::optional<SiteResolver> resolver) noexcept { resolver_ = resolver; }

    [[nodiscard]] std::size_t plan_count() const noexcept { return plans_.size(); }

  private:
    struct Closure {
        const Plan* plan;
        ValueEvents* events;
        Site site;
        std::uint64_t order;
        ValuePolicy policy;
        bool fails;
        alignas(16) Values values;
    };
    static void run(const runtime::TaskFrame& frame);

    [[nodiscard]] const Plan& plan_of(const Record& record);
    void make_plan(Plan& plan, const Record& record);
    [[nodiscard]] bool cut(Plan& plan, const Record& record, int axis, int tiles);
    [[nodiscard]] const dynamic::TaskKind& kind_of(const Plan& plan);

    Runtime& runtime_;
    StoreTable& stores_;
    ViewTable& views_;
    ValueEvents& events_;
    Tuning tuning_;
    std::optional<SiteResolver> resolver_;
    std::unordered_multimap<std::uint64_t, std::unique_ptr<Plan>> plans_;
    std::map<std::vector<int>, dynamic::TaskKind> kinds_;
    std::vector<std::uintptr_t> key_;  // of the operation at hand
};

}  // namespace refrain::array
