/// What a Machine is made of.
#pragma once

#include "refrain/array/array.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arrays/launcher.hpp"
#include "arrays/partitioner.hpp"
#include "arrays/repeated_calls.hpp"
#include "arrays/work_launcher.hpp"
#include "stores/record.hpp"
#include "stores/store_table.hpp"
#include "stores/view_table.hpp"

namespace refrain::array {

/// A call on its way to a record: layouts still lie with the caller.
struct Operation {
    Signature what;
    int count = 0;  // of operands, values included
    struct Operand {
        Store* store = nullptr;  // null: a value
        const Layout* layout = nullptr;
    };
    std::array<Operand, uses_max> operands{};
    alignas(16) Values values{};

    void set_output(const Array& array) {
        operands[0] = {&array.store(), &array.layout()};
        if (count == 0) count = 1;
    }
    void add(Store& store, const Layout& layout) {
        operands[static_cast<std::size_t>(count++)] = {&store, &layout};
    }
    void add(const Scalar& value) {
        values[static_cast<std::size_t>(count - 1)] = value.bytes;
        operands[static_cast<std::size_t>(count++)] = {};
    }
};

struct Machine::Parts final : StoreTable::Listener {
    Parts(Machine& machine, const Options& options, const Tuning& tuning);

    /// Computes the operation at once, or hands it on.
    void issue(const Operation& operation);
    /// Of a work whose scalars are among its uses, the last ones.
    void issue(const Work& work);
    void issue_with_folds(const Work& work);
    /// Hands a call on that is launched as the one it is like; neither operand is seen from outside, and there is room.
    void launch_again(RepeatedCalls::Call& known, Store& output, Store& a, Store& b);
    /// Sets what the call costs, and whether it is launched.
    void note_cost(RepeatedCalls::Call& known) const noexcept;
    /// Makes room in the tables of plans and views.
    void make_room() {
        if (!launcher.is_full()) [[likely]]
            return;
        wait_all();
        launcher.age();
    }

    /// Whether the operands are settled, if need be after a short wait.
    [[nodiscard]] bool catch_up(const Operation& operation);
    [[nodiscard]] bool catch_up(Store& store, Privilege privilege);
    /// Notes how much work a wait for one of the operands would wait for.
    static void note_cost(const Operation& operation, std::int64_t cost);
    /// Marks the stores whose state now depends on timing. Returns whether there are none: the
    /// operation is small, and the state of each operand is known.
    bool note_certainty(const Operation& operation, bool is_small);
    void compute_now(const Operation& operation, bool is_certain);
    /// At the end of a wait.
    void look_at_events() noexcept {
        if (events.any()) value_alarm.store(true, std::memory_order_relaxed);
    }
    /// Memory from outside. False: part of it cannot lie in a region; it has to be computed at once.
    [[nodiscard]] bool put_into_regions(const Operation& operation);
    void hand_on(const Operation& operation);
    /// Writes one element if that needs neither a wait nor a launch.
    [[nodiscard]] bool put(Store& store, Extent at, const Scalar& value) noexcept;
    void hash_operation(const Operation& operation);
    void hash_work(const Work& work);
    /// The same of work.
    void note_use(const Work& work, bool is_small);
    [[nodiscard]] bool catch_up(const Work& work);
    /// False: part of it cannot lie in a region.
    [[nodiscard]] bool put_into_regions(const Work& work);
    void do_now(const Work& work);
    /// Runs a small task of the library on the calling thread, if the state of all its arrays is known and nothing
    /// of them is pending, without the work that it would otherwise be. False: nothing was done.
    [[nodiscard]] bool run_at_once(const Task& task, std::span<const Array> written,
                                   std::span<const Array> read,
                                   std::span<const std::int64_t> numbers);

    /// The address of the store's first element, once what conflicts with `privilege` on the view is
    /// over.
    std::byte* wait_for(Store& store, const Layout& layout, Privilege privilege);
    /// Whether the calling thread may use the store now.
    bool is_settled(Store& store, Privilege privilege) {
        return !store.is_pending(privilege) || settled_slowly(store, privilege);
    }
    bool settled_slowly(Store& store, Privilege privilege);
    std::byte* wait_for_region(Store& store, const data::Box& part, Privilege privilege);
    /// Waits for the whole store.
    void settle(Store& store, Privilege privilege);
    /// Finds out the address of a store of which nothing is pending; allocates it.
    void locate(Store& store);
    void wait_all();

    [[nodiscard]] Array make(const Extents& shape, DType type);
    [[nodiscard]] Array make(Layout layout, DType type);
    /// In the order in which the operands' elements lie.
    [[nodiscard]] Array make_like(const Extents& shape, std::span<const Layout* const> operands,
                                  DType type);
    /// Copies a small array in C order whose elements are there. False: nothing was done.
    [[nodiscard]] bool copy_at_once(const Array& array, Array& result);
    [[nodiscard]] Array copied(const Array& array) { return machine->copy(array, Order::keep); }

    /// Sets the types of a call; reads 0-d operands whose values decide.
    void find_types(Signature& what, std::span<const array::Operand> inputs,
                    std::optional<DType> dtype);

    void released(const Store& store) override;

    Machine* machine;
    Runtime runtime;
    Tuning tuning;
    StoreTable stores;
    ViewTable views;
    TilingTable tilings;
    ValueEvents events;
    Launcher launcher;
    Partitioner partitioner;
    WorkLauncher work_launcher;
    /// For measuring what recording costs.
    struct Discard final : Sink {
        void operation(const Record&) override {}
        void released(const Store&) override {}
    } discard;
    Sink* sink;
    Site site;
    GiveUp give_up = nullptr;
    void* give_up_context = nullptr;
    Counts counts;
    ValuePolicy value_policy;
    std::atomic<bool> value_alarm = false;
    bool waits_at_once = false;
    std::uint64_t order = 0;    // of the operation at hand
    std::uint64_t fail_in = 0;  // launched operations until one fails; 0: none does
    bool hashing = false;
    std::uint64_t hash = 0;

    struct CachedTypes {
        UfuncTypes types;
        kernels::Loop loop = nullptr;
        bool known = false;
    };
    std::vector<CachedTypes> cached_types;
    RepeatedCalls repeated_calls;
};

/// The shape of the smallest store for a layout that covers its store: the shape, with axes in the order
/// of their strides.
[[nodiscard]] Extents root_of(const Layout& layout);
}  // namespace refrain::array
