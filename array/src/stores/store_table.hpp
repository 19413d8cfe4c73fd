/// Stores by their three names.
///
///     uid      64 bits, never used again: references and messages
///     slot     the lowest one free per shape and type, taken back when the program releases the store
///     storage  memory, or a region once a task needs one; late
///
/// All three are functions of the program's calls alone.
///
/// The region of a released store serves the next one of its shape and type, although tasks that use it
/// may be pending: a program that runs ahead of its tasks needs the memory of its live arrays, not of
/// all that it has issued. Such spare regions are never more than what is live.
///
/// Hot path: making and releasing a store of a shape seen before allocates nothing.
/// Threads: the launching thread.
#pragma once

#include "refrain/array/dtype.hpp"
#include "refrain/array/layout.hpp"
#include "refrain/dynamic.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "stores/block_pool.hpp"
#include "stores/view_table.hpp"

namespace refrain::array {

class StoreTable;
struct Tiling;

/// The stores of one shape and type.
struct StoreForm {
    Extents shape;
    Layout rows;     // of the shape, in C order
    Extents region;  // extents of the region that holds it
    DType dtype = DType::float64;
    Extent size = 0;
    std::size_t bytes = 0;
    std::string name;  // for messages: "array of shape (3,4) and type float64"

    /// The lowest slot that is free, now taken.
    [[nodiscard]] std::uint32_t take_slot();
    void give_slot(std::uint32_t slot) noexcept {
        taken[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
        if (slot / 64 < first_with_free) first_with_free = slot / 64;
    }
    std::vector<std::uint64_t> taken;       // a bit per slot
    std::size_t first_with_free = 0;        // no word before it has a free slot
    std::vector<dynamic::AnyRegion> spare;  // of released stores, the newest last
    ViewTable::Last last_view;
};

/// An array's elements. There are two ways to them, memory_for() and note_launch(): either one forgets what
/// is known of the elements if they may be written, so that nobody else has to.
class Store {
  public:
    std::uint64_t uid = 0;
    StoreForm* form = nullptr;
    StoreTable* table = nullptr;
    std::uint32_t references = 1;
    std::uint32_t slot = 0;
    std::uint32_t exports = 0;
    std::int64_t pending_cost =
        0;  // of the longest chain of operations that ends here; 0: not known
    bool may_be_written =
        false;                 // such an operation may be pending, whatever the time; the program
    bool may_be_used = false;  //   has not waited since
    bool in_region = false;    // `region` holds it
    bool outside = false;      // memory from outside; `done` is called at the end
    bool writable = true;
    dynamic::AnyRegion region;
    std::function<void()> done;
    Store* next_free = nullptr;         // while it is not in use
    std::shared_ptr<const Tiling> key;  // how the last launch that wrote all of it in tiles was cut

    /// Where the first element is, for that use on the calling thread; null if that is not known.
    [[nodiscard]] std::byte* memory_for(Privilege privilege) noexcept {
        if (privilege != Privilege::read) note_write();
        return memory_;
    }
    [[nodiscard]] bool is_placed() const noexcept { return memory_ != nullptr; }
    void place(std::byte* memory) noexcept { memory_ = memory; }

    /// Of a launched operation that uses the elements.
    void note_launch(Privilege privilege) noexcept {
        pending_ = true;
        if (privilege == Privilege::read) return;
        pending_write_ = true;
        note_write();
    }
    /// What conflicts with such a use is over.
    void note_settled(Privilege privilege) noexcept {
        pending_write_ = false;
        if (privilege == Privilege::read) return;
        pending_ = false;
        pending_cost = 0;
    }
    /// Whether a launched operation that conflicts with such a use may not be over.
    [[nodiscard]] bool is_pending(Privilege privilege) const noexcept {
        return privilege == Privilege::read ? pending_write_ : pending_;
    }

    /// The least and the greatest element, of int64, if they are known.
    struct Bounds {
        std::int64_t low;
        std::int64_t high;
    };
    /// Whether others, who see its memory, may write to it at any time.
    [[nodiscard]] bool is_open() const noexcept { return exports != 0 && writable; }
    /// Equal ones of one store mean equal elements, unless it is open.
    [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
    [[nodiscard]] const std::optional<Bounds>& bounds() const noexcept { return bounds_; }
    void note_bounds(Bounds bounds) noexcept {
        if (!is_open()) bounds_ = bounds;
    }

    /// Before it is used again, as another one.
    void clear() noexcept;

  private:
    void note_write() noexcept {
        bounds_.reset();
        ++version_;
    }

    std::byte* memory_ = nullptr;
    std::uint64_t version_ = 0;
    bool pending_ = false;
    bool pending_write_ = false;
    std::optional<Bounds> bounds_;
};

class StoreTable {
  public:
    /// What happens to stores besides.
    class Listener {
      public:
        virtual void released(const Store& store) = 0;

      protected:
        ~Listener() = default;
    };

    StoreTable(Runtime& runtime, Listener& listener, void* owner)
        : runtime_(runtime), listener_(listener), owner_(owner) {}
    ~StoreTable();
    StoreTable(const StoreTable&) = delete;
    StoreTable& operator=(const StoreTable&) = delete;

    /// The form of that shape and type; stays where it is.
    [[nodiscard]] StoreForm& form(const Extents& shape, DType dtype);
    /// A new store with one reference.
    [[nodiscard]] Store* make(StoreForm& form);
    void release(Store* store) noexcept {
        if (--store->references == 0) destroy(store);
    }

    /// Gives the store memory for use on this thread. `store` must have none and no region.
    /// Errors: ArrayError of kind memory.
    void allocate(Store& store);
    /// Puts the store into a region.
    void put_into_region(Store& store);
    /// Gives the spare regions back to the runtime.
    void drop_spares() noexcept;

    /// A number that changes when forms go; never 0.
    [[nodiscard]] std::uint64_t forms_age() const noexcept { return forms_age_; }
    [[nodiscard]] std::uint64_t live() const noexcept { return live_; }
    [[nodiscard]] std::uint64_t made() const noexcept { return next_uid_ - 1; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
    /// What owns the table.
    [[nodiscard]] void* owner() const noexcept { return owner_; }
    /// Called when the last store has gone, if it is set.
    void (*when_empty)(void* context) = nullptr;
    void* when_empty_context = nullptr;

  private:
    void destroy(Store* store) noexcept;
    void keep_spare(StoreForm& form, dynamic::AnyRegion region) noexcept;
    void forget_unused_forms();

    struct FormKey {
        Extents shape;
        DType dtype;
        friend bool operator==(const FormKey&, const FormKey&) = default;
    };
    struct FormHash {
        std::size_t operator()(const FormKey& key) const noexcept;
    };

    Runtime& runtime_;
    Listener& listener_;
    void* owner_;
    BlockPool pool_;
    std::unordered_map<FormKey, StoreForm, FormHash> forms_;
    std::array<StoreForm*, 64> recent_{};  // by hash
    static constexpr std::size_t forms_max = std::size_t{1} << 16;
    std::size_t forms_max_ = forms_max;
    std::uint64_t forms_age_ = 1;
    std::deque<Store> stores_;
    Store* free_ = nullptr;
    std::uint64_t next_uid_ = 1;
    std::uint64_t live_ = 0;
    std::uint64_t bytes_ = 0;
    std::deque<StoreForm*> spares_;  // the forms of spare regions, the oldest first
    std::uint64_t spare_bytes_ = 0;
};

}  // namespace refrain::array
