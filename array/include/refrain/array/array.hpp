/// Arrays on the runtime: NumPy's arrays, computed by tasks.
///
///     refrain::array::Machine machine(argc, argv);             // owns the runtime
///     auto u = machine.zeros({64, 64}, DType::float64);
///     auto inner = u.view(u.layout().slice(0, 1, 1, 62).slice(1, 1, 1, 62));
///     machine.assign(inner, 1.0);
///     double total = machine.item(machine.reduce(Ufunc::add, u)).as<double>();  // waits for u
///
/// With operators and slices: operators.hpp.
///
/// Calls check shapes and types at once, and return; reading a value waits only for what it depends
/// on. Results have NumPy's bits (docs/bits.md says where).
///
/// Errors:  ArrayError; `kind` names the exception that NumPy raises. A call that throws has no effect.
/// Threads: the thread that launches (Runtime::use_from_this_thread).
#pragma once

#include "refrain/array/dtype.hpp"
#include "refrain/array/error.hpp"
#include "refrain/array/layout.hpp"
#include "refrain/array/site.hpp"
#include "refrain/array/task.hpp"
#include "refrain/array/ufunc.hpp"
#include "refrain/array/value_event.hpp"
#include "refrain/launch_site.hpp"
#include "refrain/runtime.hpp"

#include <atomic>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace refrain::array {

class Store;
class Machine;
class Selection;
struct Key;
struct Work;

/// Adds and drops references to a store.
void retain(Store* store) noexcept;
void release(Store* store) noexcept;

/// A view of a store: a value that is cheap to copy. A default-made one is empty.
class Array {
  public:
    Array() noexcept = default;
    /// Adopts one reference.
    Array(Store* store, Layout&& layout) noexcept : store_(store), layout_(std::move(layout)) {}
    Array(Store* store, const Layout& layout) : store_(store), layout_(layout) {}
    Array(const Array& other) : store_(other.store_), layout_(other.layout_) {
        if (store_ != nullptr) retain(store_);
    }
    Array(Array&& other) noexcept
        : store_(std::exchange(other.store_, nullptr)), layout_(std::move(other.layout_)) {}
    Array& operator=(const Array& other) { return *this = Array(other); }
    Array& operator=(Array&& other) noexcept {
        if (this == &other) return *this;
        Store* before = std::exchange(store_, std::exchange(other.store_, nullptr));
        layout_ = std::move(other.layout_);
        if (before != nullptr) release(before);
        return *this;
    }
    ~Array() {
        if (store_ != nullptr) release(store_);
    }

    explicit operator bool() const noexcept { return store_ != nullptr; }
    [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
    [[nodiscard]] const Extents& shape() const noexcept { return layout_.shape; }
    [[nodiscard]] int rank() const noexcept { return layout_.rank(); }
    [[nodiscard]] Extent size() const noexcept { return layout_.size(); }
    [[nodiscard]] DType dtype() const noexcept;
    [[nodiscard]] Machine& machine() const noexcept;
    [[nodiscard]] Store& store() const noexcept { return *store_; }
    /// Names the store: never used again.
    [[nodiscard]] std::uint64_t uid() const noexcept;
    /// Whether the store may be written: false for memory from outside that is read-only.
    [[nodiscard]] bool is_writable() const noexcept;
    [[nodiscard]] bool same_store(const Array& other) const noexcept {
        return store_ == other.store_;
    }

    /// u[{1, Slice(0, -1)}] is Python's u[1, 0:-1]: operators.hpp.
    [[nodiscard]] Selection operator[](std::initializer_list<Key> keys) const;
    /// Another view of the same store; every element of `layout` must lie in the store.
    [[nodiscard]] Array view(Layout layout) const;

  private:
    Store* store_ = nullptr;
    Layout layout_;
};

/// An operand of a call: an array, or a scalar, which keeps out of promotion as in NumPy. It refers
/// to the array, which must live until the call returns.
struct Operand {
    Operand(const Array& value) noexcept : array(&value) {}
    Operand(const Scalar& value) noexcept : scalar(value) {}
    Operand(double value) noexcept : scalar(Scalar::of(value)) {}
    Operand(std::int64_t value) noexcept : scalar(Scalar::of(value)) {}
    Operand(int value) noexcept : Operand(std::int64_t{value}) {}
    Operand(bool value) noexcept : scalar(Scalar::of(value)) {}

    const Array* array = nullptr;  // null: the scalar
    Scalar scalar;
    [[nodiscard]] bool is_array() const noexcept { return array != nullptr; }
};

/// Order of the elements of a new array: row-major, column-major, or as the operands have it.
enum class Order : std::uint8_t { rows, columns, keep };

/// Optional arguments of a ufunc call.
struct UfuncOptions {
    const Array* out = nullptr;    // the result goes here, cast with `casting`
    const Array* where = nullptr;  // boolean; elements where it is false are left as they are
    std::optional<DType> dtype{};
    Casting casting = Casting::same_kind;
};

/// Optional arguments of a reduction.
struct ReduceOptions {
    std::optional<std::vector<int>> axes{};  // not given: all
    bool keepdims = false;
    std::optional<DType> dtype{};
    const Array* out = nullptr;
    const Array* where = nullptr;
    std::optional<Scalar> initial{};
};

/// What decides how an operation is run. Results do not depend on it.
struct Tuning {
    /// The most bytes that an operation may touch to be computed at once, on the calling thread, if it
    /// depends on nothing pending: a launch would cost more. 0: every operation is launched.
    std::int64_t at_once_bytes = 256 << 10;
    /// Bytes that a tile touches at least.
    std::int64_t tile_bytes = 512 << 10;
    /// Tiles of a large operation. 0: as many as workers.
    int tiles = 0;
    /// The capacity of the table of launch plans, one per distinct operation. When it is full, the plans
    /// that were not used since it was last full are forgotten.
    std::size_t plans_max = std::size_t{1} << 13;
};

/// Asks whether a wait is to be given up; called about every 50 ms.
using GiveUp = bool (*)(void* context);

/// Owns the runtime and everything that arrays need of it. One per process is usual.
class Machine {
  public:
    explicit Machine(const Options& options, const Tuning& tuning = {});
    /// With the options of the environment and of the `--refrain:` arguments, as Runtime.
    Machine(int& argc, char** argv);
    /// Waits for all operations. Arrays may live longer; then only their release is allowed.
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    [[nodiscard]] Runtime& runtime() noexcept;

    // Making arrays.
    [[nodiscard]] Array empty(const Extents& shape, DType type, bool by_columns = false);
    [[nodiscard]] Array full(const Extents& shape, const Scalar& value);  // of the value's type
    [[nodiscard]] Array zeros(const Extents& shape, DType type);
    /// start + i * step, i below count; bits as numpy.arange of the type.
    [[nodiscard]] Array arange(const Scalar& start, const Scalar& next, Extent count);
    /// A copy of memory with the given layout, strides in elements; the memory may go when it returns.
    [[nodiscard]] Array copy_of(const void* elements, const Layout& layout, DType type);
    /// An array on memory from outside, without a copy; `done` is called when it is not used any more.
    [[nodiscard]] Array adopt(void* elements, const Extents& shape, DType type, bool writable,
                              std::function<void()> done);

    // Computing.
    [[nodiscard]] Array call(Ufunc function, std::span<const Operand> inputs,
                             const UfuncOptions& options = {});
    /// Of two arrays: the same, quicker for operands like those of an earlier call.
    [[nodiscard]] Array call(Ufunc function, const Array& a, const Array& b);
    [[nodiscard]] Array reduce(Ufunc function, const Array& array,
                               const ReduceOptions& options = {});
    /// f.accumulate: the running results along an axis.
    [[nodiscard]] Array accumulate(Ufunc function, const Array& array, int axis,
                                   std::optional<DType> dtype = {}, const Array* out = nullptr);
    /// numpy.argmax or argmin, of type int64: along an axis, or of all elements row-major.
    [[nodiscard]] Array index_of_extreme(bool maximum, const Array& array,
                                         std::optional<int> axis = {}, bool keepdims = false);
    /// target[...] = value, with broadcasting and an unsafe cast, as if the value were copied first.
    void assign(const Array& target, const Operand& value, Casting casting = Casting::unsafe);
    /// Whether the value's shape is one that assign() takes.
    [[nodiscard]] static bool can_assign(const Array& target, const Array& value);
    /// assign() where a boolean array, which is broadcast, too, is true.
    void assign_where(const Array& target, const Array& mask, const Operand& value);
    [[nodiscard]] Array astype(const Array& array, DType type, Order order = Order::keep);
    [[nodiscard]] Array copy(const Array& array, Order order = Order::rows);
    [[nodiscard]] Array where(const Operand& condition, const Operand& yes, const Operand& no);
    /// Runs a task of one's own on whole arrays. Arrays of one store lie in the same memory: the body
    /// must expect it, or the caller copies first. Errors: ArrayError for a read-only array that is
    /// written; UsageError for more than `work_uses_max` (64) arrays.
    void run(const Task& task, std::span<const Array> written, std::span<const Array> read,
             std::span<const std::int64_t> numbers = {});

    // What selecting by arrays needs to know.
    /// The least and the greatest element of an array of int64; nothing if it has no element. Waits for
    /// it once per version: what is not written in between is remembered.
    [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> bounds_of(
        const Array& indices);
    /// Whether bounds_of() need not wait.
    [[nodiscard]] bool knows_bounds(const Array& indices) const noexcept;
    /// Says that all elements of a new array of int64 lie within, so that bounds_of() need not wait.
    void note_bounds(const Array& indices, std::int64_t low, std::int64_t high) noexcept;
    /// How many elements of a boolean array are true; waits.
    [[nodiscard]] Extent count_true(const Array& mask);

    /// A function over whole arrays: refrain/array/work.hpp.
    void issue(const Work& work);

    /// Writes one element of the array's type, number `at` of its store, if that needs neither a wait nor an
    /// operation; else false, and nothing is written.
    [[nodiscard]] bool put(const Array& array, Extent at, const Scalar& value) noexcept;

    // Seeing values.
    /// The element of an array of size 1. Waits for what it depends on.
    [[nodiscard]] Scalar item(const Array& array);
    /// Copies the elements to memory, row-major. Waits for what they depend on.
    void copy_to(const Array& array, void* elements);
    /// The address of the array's first element; while the export lives, operations on the store are
    /// complete before the call returns. Nested exports are counted.
    [[nodiscard]] void* begin_export(const Array& array, bool writable);
    void end_export(const Array& array) noexcept;
    /// Whether nothing that writes the array is pending.
    [[nodiscard]] bool is_ready(const Array& array);
    /// Whether item() cannot wait, as far as the program's calls alone tell: all that the elements
    /// depend on was small, or was waited for. Unlike is_ready() no function of time.
    [[nodiscard]] bool is_certain(const Array& array) const noexcept;
    /// Waits for all operations.
    void wait();
    /// Waits for those that write the array's elements.
    void wait_for(const Array& array);
    /// All waits from now on ask it, and throw WaitGivenUp if it says yes; null: none. What was waited
    /// for stays pending.
    void set_give_up(GiveUp give_up, void* context) noexcept;

    /// The site of the operations from now on.
    void set_site(const Site& site) noexcept;
    /// Finds file and line of a site when somebody asks: for reports, and the text of a TaskError. Of
    /// the second word it gets the lower half. Null: launches have no line.
    void set_site_resolver(SiteResolver::Function resolver) noexcept;

    struct Counts {
        std::uint64_t operations = 0;  // launched
        std::uint64_t immediate = 0;   // computed at once: cheaper than a launch
        std::uint64_t waits = 0;       // values read
        std::uint64_t stores = 0;      // made
        std::uint64_t bytes = 0;       // of storage now
        std::uint64_t plans = 0;       // how operations are launched, made so far
        std::uint64_t tilings = 0;     // how arrays are cut, made so far
    };
    [[nodiscard]] Counts counts() const noexcept;

    /// Which value events the operations from now on make.
    void set_value_policy(const ValuePolicy& policy) noexcept;
    /// With this, each call returns once its operation is over (value_alarm says that it has to be
    /// waited for, which is the caller's business).
    void set_waits_at_once(bool on) noexcept;
    [[nodiscard]] bool waits_at_once() const noexcept;
    /// What happened to values, of operations that are over, in program order.
    [[nodiscard]] std::vector<ValueEvent> take_value_events();
    /// Becomes true when the program should take events: at the end of a wait if there are any; of a
    /// call whose operation was computed at once, and was certain to be; of every call that launched
    /// with set_waits_at_once. take_value_events() resets it. Lives as long as the machine.
    [[nodiscard]] const std::atomic<bool>& value_alarm() const noexcept;

    /// For tests of failures: the task of the launched operation number `count` from now on, from 1,
    /// throws.
    void fail_operation(std::uint64_t count) noexcept;

    /// Hashes what shapes the stream from now on: operations, views, slots, releases; the same in every
    /// process that makes the same calls.
    void hash_stream() noexcept;
    [[nodiscard]] std::uint64_t stream_hash() const noexcept;

    /// Operations that would be launched are recorded, and dropped, as long as this is on: for measuring
    /// what recording costs. Their results are unspecified.
    void discard_operations(bool on) noexcept;

    struct Parts;

  private:
    std::unique_ptr<Parts> parts_;
};

/// The layout of a new array of that shape whose axes lie in memory as those of the operands, all
/// broadcast to that shape.
[[nodiscard]] Layout layout_like(const Extents& shape, std::span<const Layout* const> operands);
/// The layout of a copy in order K: rows or columns if the view is contiguous so, else by strides.
[[nodiscard]] Layout layout_of_copy(const Layout& view);
/// Of the view's shape, the axes by the sizes of its strides, those of broadcast axes and of one element, too.
[[nodiscard]] Layout layout_by_strides(const Layout& view);

}  // namespace refrain::array
