/// The default sink: launches each operation as one task, or as an index launch over tiles.
///
/// How an operation is launched, its plan, is a function of its signature, its views, which of them
/// share a store, their key partitions, and the Machine; plans are remembered as long as they are in use.
///
///     u[1:-1] = 0.5 * v        1000 x 1000, two tiles
///     axis 0: [0,499) [499,998); u through rows [1,500) [500,999), v through [1,500) [500,999)
///
/// - An operation is a problem of the solver, as a work with constraints is (stores/solver.hpp): its views are
///   aligned, axes that are reduced are broadcast, and the output of a reduction is its input, scaled.
/// - What is written whole remembers how it was cut: its key partition. Operations and works on it are cut so,
///   too, if they may be.
/// - Else tiles are cut along one axis of the domain: that of the output's largest stride among those that
///   are long enough.
/// - The views of one store become one requirement: per tile the hull of their footprints.
/// - An inexact or masked write is a read-write.
/// - If tiles would write what another one uses, the operation is one task.
///
/// Threads: the launching thread; tasks read plans.
#pragma once

#include "refrain/array/array.hpp"
#include "refrain/dynamic.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "stores/record.hpp"
#include "stores/solver.hpp"
#include "stores/value_events.hpp"

namespace refrain::array {

/// How one operation is launched.
struct Plan {
    struct PlannedUse {
        Layout layout;
        DType dtype = DType::float64;
        int requirement = -1;                  // -1: a value
        std::shared_ptr<const Tiling> tiling;  // of the view, if there are several tiles
    };
    struct Requirement {
        int use = 0;  // whose store it is
        Privilege privilege = Privilege::read;
        dynamic::AnyPartition partition;
    };

    /// What the plan is a function of, as words.
    struct Key {
        std::array<std::uint64_t, 2 + 2 * uses_max> words{};  // the first `size` count
        std::size_t size = 0;
        std::uint64_t hash = 1;

        void add(std::uint64_t word) noexcept {
            words[size++] = word;
            hash = mixed(hash, word);
        }
        friend bool operator==(const Key& a, const Key& b) noexcept {
            return a.hash == b.hash && a.size == b.size &&
                   std::equal(a.words.begin(), a.words.begin() + a.size, b.words.begin());
        }
    };

    Signature what;
    std::vector<PlannedUse> uses;
    std::vector<Requirement> requirements;
    Key key;
    int axis = -1;  // the only one of the domain that is cut
    int tiles = 1;
    dynamic::TaskKind kind;

    /// How the output is cut, if all of its store is written.
    std::shared_ptr<const Tiling> output;

    /// Of a reduction the input's, else the output's: the number of its use.
    [[nodiscard]] std::size_t domain() const noexcept {
        return what.action == Action::reduce || what.action == Action::accumulate ||
                       what.action == Action::argmin || what.action == Action::argmax
                   ? 1
                   : 0;
    }
};

[[nodiscard]] inline data::Box box_of(const RegionBox& box) {
    return {.lo = box.lo, .hi = box.hi};
}
/// How all of its store was written, if the view is all of it; else null.
[[nodiscard]] inline const Tiling* written_tiling(const Store& store, const Layout& view) {
    return store.key != nullptr && view == Layout::row_major(store.form->shape) ? store.key.get()
                                                                                : nullptr;
}
/// The partition of a store's region into these boxes, one per tile; none if each is the whole region.
[[nodiscard]] dynamic::AnyPartition partition_into(const std::vector<data::Box>& boxes,
                                                   const StoreForm& form);

class Launcher final : public Sink {
  public:
    Launcher(Runtime& runtime, StoreTable& stores, ViewTable& views, TilingTable& tilings,
             ValueEvents& events, const Tuning& tuning);

    void operation(const Record& record) override;
    void released(const Store&) override {}

    /// Whether the tables of plans and views are full: the program then waits for all tasks and calls
    /// age().
    [[nodiscard]] bool is_full() const noexcept {
        return young_.size() >= tuning_.plans_max || views_.young() >= 4 * tuning_.plans_max;
    }
    /// Forgets plans and views that nothing has used since the last call. No task may be pending.
    void age() noexcept;

    /// Into how many tiles an operation is cut that touches this number of bytes.
    [[nodiscard]] int tiles_for(std::int64_t bytes) const noexcept {
        const std::int64_t worth = bytes / std::max<std::int64_t>(tuning_.tile_bytes, 1);
        return static_cast<int>(std::clamp<std::int64_t>(worth, 1, tuning_.tiles));
    }

    /// Asked while a launch waits for room.
    void set_give_up(dynamic::GiveUp give_up) noexcept { give_up_ = give_up; }
    void set_site_resolver(std::optional<SiteResolver> resolver) noexcept { resolver_ = resolver; }

    /// How the operation is launched: found again where one like it was launched before. Valid until the next but one
    /// call of age().
    [[nodiscard]] const Plan& plan_of(const Record& record);
    /// Plans made so far; one that is forgotten and made again counts twice.
    [[nodiscard]] std::uint64_t plans_made() const noexcept { return plans_made_; }

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

    void make_plan(Plan& plan, const Record& record);
    /// The axis to cut so many tiles along; -1 if none is long enough.
    [[nodiscard]] static int axis_for(const Plan& plan, int tiles) noexcept;
    /// Sets the tilings of the uses; those of key partitions if they may be.
    void solve(Plan& plan, const Record& record, int tiles, int axis, bool by_keys);
    /// Finds the parts of regions. False: tiles would write what others use.
    [[nodiscard]] bool cut(Plan& plan, const Record& record, int tiles);
    [[nodiscard]] const dynamic::TaskKind& kind_of(const Plan& plan);
    [[nodiscard]] LaunchSite site_of(const dynamic::TaskKind& kind, const Site& site) const;

    Runtime& runtime_;
    StoreTable& stores_;
    ViewTable& views_;
    TilingTable& tilings_;
    ValueEvents& events_;
    Tuning tuning_;
    std::optional<SiteResolver> resolver_;
    dynamic::GiveUp give_up_;
    using Plans = std::unordered_multimap<std::uint64_t, std::unique_ptr<Plan>>;
    [[nodiscard]] static Plans::iterator find(Plans& plans, const Plan::Key& key);
    std::array<const Plan*, 256> recent_{};  // of the young ones
    Plans young_;
    Plans old_;
    std::uint64_t plans_made_ = 0;
    std::map<std::vector<int>, dynamic::TaskKind> kinds_;
};

}  // namespace refrain::array
