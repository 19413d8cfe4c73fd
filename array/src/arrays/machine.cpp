#include <algorithm>
#include <cmath>
#include <cstring>

#include "arrays/compute.hpp"
#include "arrays/parts.hpp"
#include "kernels/kernels.hpp"
#include "kernels/ufunc_table.hpp"

namespace refrain::array {

namespace {

/// A small operation whose operands are pending waits for them, instead of being launched, if the
/// pending work costs at most this many times `at_once_bytes`. Otherwise every small operation after a
/// launched one would be launched too, which costs more than it computes.
constexpr std::int64_t catch_up_factor = 16;

/// What an element costs, in bytes touched.
std::int64_t weight_of(const Signature& what) {
    return what.action == Action::ufunc ? facts_of(what.function).cost : 1;
}

}  // namespace

// -- Stores and arrays

void retain(Store* store) noexcept {
    ++store->references;
}
void release(Store* store) noexcept {
    store->table->release(store);
}

DType Array::dtype() const noexcept {
    return store_->form->dtype;
}
Machine& Array::machine() const noexcept {
    return *static_cast<Machine*>(store_->table->owner());
}
std::uint64_t Array::uid() const noexcept {
    return store_->uid;
}
bool Array::is_writable() const noexcept {
    return store_->writable;
}
Array Array::view(Layout layout) const {
    retain(store_);
    return {store_, std::move(layout)};
}

// -- Parts

Machine::Parts::Parts(Machine& of, const Options& options, const Tuning& tune)
    : machine(&of),
      runtime(options),
      tuning(tune),
      stores(runtime, *this, &of),
      launcher(runtime, stores, views, tilings, events, tune),
      partitioner(of, tilings),
      work_launcher(runtime, stores),
      sink(&launcher) {}

void Machine::Parts::issue(const Operation& operation) {
    const auto count = static_cast<std::size_t>(operation.count);
    ++order;
    if (hashing) hash_operation(operation);
    // Of an operation without reduced axes, all operands have the output's shape.
    const bool one_shape = operation.what.axes == 0;
    Extent size = operation.operands[0].layout->size();
    bool empty = size == 0;
    bool exported = false;
    bool outside = false;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Operation::Operand& operand = operation.operands[i];
        if (operand.store == nullptr) continue;
        const Store& store = *operand.store;
        if (!one_shape) size = operand.layout->size();
        bytes += size * static_cast<std::int64_t>(bytes_of(store.form->dtype));
        exported = exported || store.exports != 0;
        outside = outside || store.outside;
    }
    if (empty) return;
    const std::int64_t cost = bytes * weight_of(operation.what);
    const bool is_small = cost <= tuning.at_once_bytes;
    const bool is_certain = note_certainty(operation, is_small);
    if ((is_small && catch_up(operation)) || (outside && !put_into_regions(operation))) {
        compute_now(operation, is_certain);
        return;
    }
    hand_on(operation);
    if (waits_at_once) value_alarm.store(true, std::memory_order_relaxed);
    note_cost(operation, cost);
    if (!exported) return;
    for (std::size_t i = 0; i < count; ++i) {
        Store* store = operation.operands[i].store;
        if (store != nullptr && store->exports != 0 && store->is_pending(Privilege::write))
            settle(*store, Privilege::read_write);
    }
}

bool Machine::Parts::catch_up(const Operation& operation) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(operation.count); ++i) {
        Store* store = operation.operands[i].store;
        if (store == nullptr) continue;
        if (!catch_up(*store, i == 0 ? Privilege::read_write : Privilege::read)) return false;
    }
    return true;
}

bool Machine::Parts::catch_up(Store& store, Privilege privilege) {
    if (is_settled(store, privilege)) return true;
    const bool is_known = store.pending_cost != 0;
    if (!is_known || store.pending_cost > catch_up_factor * tuning.at_once_bytes) return false;
    settle(store, privilege);
    return true;
}

void Machine::Parts::note_cost(const Operation& operation, std::int64_t cost) {
    const auto count = static_cast<std::size_t>(operation.count);
    std::int64_t before = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Store* store = operation.operands[i].store;
        if (store != nullptr) before = std::max(before, store->pending_cost);
    }
    for (std::size_t i = 0; i < count; ++i) {
        Store* store = operation.operands[i].store;
        if (store != nullptr) store->pending_cost = before + cost;
    }
}

bool Machine::Parts::note_certainty(const Operation& operation, bool is_small) {
    const auto count = static_cast<std::size_t>(operation.count);
    bool certain = is_small;
    for (std::size_t i = 0; i < count; ++i) {
        const Store* store = operation.operands[i].store;
        if (store != nullptr)
            certain = certain && !(i == 0 ? store->may_be_used : store->may_be_written);
    }
    if (certain) return true;
    for (std::size_t i = 0; i < count; ++i) {
        Store* store = operation.operands[i].store;
        if (store == nullptr) continue;
        store->may_be_used = true;
        if (i == 0) store->may_be_written = true;
    }
    return false;
}

void Machine::Parts::compute_now(const Operation& operation, bool is_certain) {
    const auto count = static_cast<std::size_t>(operation.count);
    std::array<Placed, uses_max> places;
    for (std::size_t i = 0; i < count; ++i) {
        const Operation::Operand& operand = operation.operands[i];
        if (operand.store != nullptr) {
            Store& store = *operand.store;
            const Privilege privilege = i == 0 ? Privilege::read_write : Privilege::read;
            if (store.is_pending(privilege)) settle(store, privilege);
            if (!store.is_placed()) locate(store);
            places[i] = {store.memory_for(privilege), operand.layout, store.form->dtype};
        } else {
            places[i].dtype = operation.what.action == Action::select
                                  ? operation.what.types.output
                                  : operation.what.types.inputs[i - 1];
        }
    }
    ++counts.immediate;
    const unsigned flags =
        compute(operation.what, {places.data(), count}, operation.values) & value_policy.wanted;
    if (flags == 0) [[likely]]
        return;
    events.add({order, site, warned_name_of(operation.what), flags, value_policy.tag});
    if (is_certain || waits_at_once) look_at_events();
}

bool Machine::Parts::put(Store& store, Extent at, const Scalar& value) noexcept {
    if (hashing || !store.is_placed() || store.is_pending(Privilege::write) || store.may_be_used ||
        tuning.at_once_bytes == 0)
        return false;
    const std::size_t bytes = bytes_of(value.dtype);
    std::memcpy(store.memory_for(Privilege::write) + at * static_cast<Extent>(bytes),
                value.bytes.data(), bytes);
    ++counts.immediate;
    return true;
}

bool Machine::Parts::put_into_regions(const Operation& operation) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(operation.count); ++i) {
        Store* store = operation.operands[i].store;
        if (store == nullptr || store->in_region || !store->outside) continue;
        try {
            stores.put_into_region(*store);
        } catch (const UsageError&) {
            return false;  // another store holds part of that memory
        }
    }
    return true;
}

void Machine::Parts::hand_on(const Operation& operation) {
    const auto count = static_cast<std::size_t>(operation.count);
    make_room();
    Record record;
    record.what = operation.what;
    record.use_count = static_cast<std::uint32_t>(count);
    record.policy = value_policy;
    record.fails = fail_in != 0 && --fail_in == 0;
    record.order = order;
    record.site = site;
    record.values = operation.values;
    for (std::size_t i = 0; i < count; ++i) {
        const Operation::Operand& operand = operation.operands[i];
        if (operand.store == nullptr) continue;
        StoreForm& form = *operand.store->form;
        record.uses[i] = {operand.store,
                          &views.intern(form.last_view, form.shape, *operand.layout)};
    }
    sink->operation(record);
    ++counts.operations;
}

void Machine::Parts::note_cost(RepeatedCalls::Call& known) const noexcept {
    const Extent size = known.result_layout.size();
    std::size_t bytes = bytes_of(known.result_form->dtype);
    for (const StoreForm* form : known.forms) bytes += bytes_of(form->dtype);
    known.cost = size * static_cast<std::int64_t>(bytes) * weight_of(known.record.what);
    known.is_launched = size != 0 && known.cost > tuning.at_once_bytes;
}

void Machine::Parts::launch_again(RepeatedCalls::Call& known, Store& output, Store& a, Store& b) {
    ++order;
    if (known.views_age != views.generation()) [[unlikely]] {
        known.views_age = views.generation();
        known.record.uses[0].view = &views.intern(output.form->shape, known.result_layout);
        known.record.uses[1].view = &views.intern(a.form->shape, known.layouts[0]);
        known.record.uses[2].view = &views.intern(b.form->shape, known.layouts[1]);
    }
    Record record = known.record;  // a handler of signals may make such a call before this one ends
    Store* const used[] = {&output, &a, &b};
    const std::int64_t pending = std::max(a.pending_cost, b.pending_cost) + known.cost;
    for (std::size_t i = 0; i < 3; ++i) {
        record.uses[i].store = used[i];
        used[i]->may_be_used = true;
    }
    output.may_be_written = true;
    record.policy = value_policy;
    record.fails = fail_in != 0 && --fail_in == 0;
    record.order = order;
    record.site = site;
    sink->operation(record);
    ++counts.operations;
    if (waits_at_once) value_alarm.store(true, std::memory_order_relaxed);
    for (Store* store : used) store->pending_cost = pending;
}

void Machine::Parts::hash_operation(const Operation& operation) {
    const Signature& what = operation.what;
    hash = mixed(hash, what.word(static_cast<std::uint64_t>(operation.count)));
    hash = mixed(hash, what.axes);
    for (std::size_t i = 0; i < static_cast<std::size_t>(operation.count); ++i) {
        const Operation::Operand& operand = operation.operands[i];
        if (operand.store == nullptr) {
            for (std::size_t word = 0; i > 0 && word < 2; ++word) {
                std::uint64_t bits = 0;
                std::memcpy(&bits, operation.values[i - 1].data() + 8 * word, sizeof bits);
                hash = mixed(hash, bits);
            }
            continue;
        }
        hash = mixed(hash_of(hash, *operand.layout),
                     hash_of(operand.store->slot, operand.store->form->shape));
        hash = mixed(hash, operand.store->uid);
    }
}

void Machine::Parts::released(const Store& store) {
    if (hashing) hash = mixed(mixed(hash, 0x72656c65617365), store.uid);
    sink->released(store);
}

std::byte* Machine::Parts::wait_for(Store& store, const Layout& layout, Privilege privilege) {
    if (layout.size() == store.form->size) store.may_be_written = false;
    if (store.is_pending(privilege)) {
        ++counts.waits;
        if (layout.size() == store.form->size) {
            settle(store, privilege);
        } else {
            const RegionBox box = footprint(layout, store.form->shape);
            store.place(wait_for_region(store, {.lo = box.lo, .hi = box.hi}, privilege));
        }
    }
    if (!store.is_placed()) locate(store);
    look_at_events();
    return store.memory_for(privilege);
}

std::byte* Machine::Parts::wait_for_region(Store& store, const data::Box& part,
                                           Privilege privilege) {
    try {
        return static_cast<std::byte*>(
            dynamic::wait_for(runtime, store.region, part, privilege, {give_up, give_up_context}));
    } catch (...) {
        stores.drop_spares();  // a failed task may have left its error on them
        throw;
    }
}

void Machine::Parts::settle(Store& store, Privilege privilege) {
    store.place(wait_for_region(store, store.region.bounds(), privilege));
    store.note_settled(privilege);
}

void Machine::Parts::locate(Store& store) {
    if (store.in_region)
        settle(store, Privilege::read);
    else
        stores.allocate(store);
}

bool Machine::Parts::settled_slowly(Store& store, Privilege privilege) {
    const data::Box& whole = store.region.bounds();
    if (dynamic::is_ready(runtime, store.region, whole, Privilege::read_write)) {
        settle(store, Privilege::read_write);
        return true;
    }
    if (privilege != Privilege::read) return false;
    if (!dynamic::is_ready(runtime, store.region, whole, Privilege::read)) return false;
    settle(store, Privilege::read);
    return true;
}

void Machine::Parts::wait_all() {
    if (give_up != nullptr)
        dynamic::wait_all(runtime, {give_up, give_up_context});
    else
        runtime.wait_all();
    look_at_events();
}

Array Machine::Parts::make(const Extents& shape, DType type) {
    StoreForm& form = stores.form(shape, type);
    return {stores.make(form), form.rows};
}

Array Machine::Parts::make(Layout layout, DType type) {
    return {stores.make(stores.form(root_of(layout), type)), std::move(layout)};
}

// -- The machine

Machine::Machine(const Options& options, const Tuning& tuning)
    : parts_(std::make_unique<Parts>(*this, options, tuning)) {}

Machine::Machine(int& argc, char** argv) : Machine(Options::from_arguments_or_exit(argc, argv)) {}

Machine::~Machine() {
    parts_->give_up = nullptr;
    try {
        parts_->runtime.wait_all();
    } catch (const std::exception&) {  // the runtime prints failures that nobody asked for
    }
    if (parts_->stores.live() == 0) return;
    // The last array ends what is left.
    Parts* parts = parts_.release();
    parts->stores.when_empty = [](void* context) { delete static_cast<Parts*>(context); };
    parts->stores.when_empty_context = parts;
}

Runtime& Machine::runtime() noexcept {
    return parts_->runtime;
}

Array Machine::empty(const Extents& shape, DType type, bool by_columns) {
    if (by_columns) return parts_->make(Layout::column_major(shape), type);
    return parts_->make(shape, type);
}

Array Machine::full(const Extents& shape, const Scalar& value) {
    Array array = parts_->make(shape, value.dtype);
    assign(array, value);
    return array;
}

Array Machine::zeros(const Extents& shape, DType type) {
    StoreForm& form = parts_->stores.form(shape, type);
    const auto bytes = static_cast<std::int64_t>(form.bytes);
    if (bytes == 0 || bytes > parts_->tuning.at_once_bytes || parts_->hashing)
        return full(shape, Scalar{.dtype = type});
    // What full() does, if it computes at once.
    Array array(parts_->stores.make(form), form.rows);
    parts_->stores.allocate(array.store());
    std::memset(array.store().memory_for(Privilege::write), 0, static_cast<std::size_t>(bytes));
    ++parts_->order;
    ++parts_->counts.immediate;
    return array;
}

Array Machine::arange(const Scalar& start, const Scalar& next, Extent count) {
    if (start.dtype != next.dtype)
        throw ArrayError(ErrorKind::type, "arange: start is " + std::string(name_of(start.dtype)) +
                                              ", but the next one " +
                                              std::string(name_of(next.dtype)));
    Array array = parts_->make(Extents{std::max<Extent>(count, 0)}, start.dtype);
    Operation operation;
    operation.what.action = Action::arange;
    operation.what.types = {{start.dtype, start.dtype}, start.dtype};
    operation.set_output(array);
    operation.add(start);
    operation.add(next);
    parts_->issue(operation);
    return array;
}

Array Machine::copy_of(const void* elements, const Layout& layout, DType type) {
    Array array = parts_->make(layout.shape, type);
    if (layout.size() == 0) return array;
    Store& store = array.store();
    parts_->stores.allocate(store);
    const Placed places[] = {{store.memory_for(Privilege::write), &array.layout(), type},
                             {static_cast<std::byte*>(const_cast<void*>(elements)), &layout, type}};
    Signature what;
    what.action = Action::assign;
    compute(what, places, {});
    if (parts_->hashing) parts_->hash = mixed(mixed(parts_->hash, 0x636f7079), store.uid);
    return array;
}

Array Machine::adopt(void* elements, const Extents& shape, DType type, bool writable,
                     std::function<void()> done) {
    Array array = parts_->make(shape, type);
    Store& store = array.store();
    store.place(static_cast<std::byte*>(elements));
    store.outside = true;
    store.writable = writable;
    store.exports = 1;  // the outside sees it at any time
    store.done = std::move(done);
    return array;
}

bool Machine::put(const Array& array, Extent at, const Scalar& value) noexcept {
    return parts_->put(array.store(), at, value);
}

Scalar Machine::item(const Array& array) {
    if (array.size() != 1)
        throw ArrayError(ErrorKind::value,
                         "can only convert an array of size 1 to a Python scalar; its shape is " +
                             array.shape().text());
    const DType type = array.dtype();
    const std::byte* root = parts_->wait_for(array.store(), array.layout(), Privilege::read);
    Scalar scalar{.dtype = type};
    const std::size_t bytes = bytes_of(type);
    std::memcpy(scalar.bytes.data(), root + array.layout().offset * static_cast<Extent>(bytes),
                bytes);
    return scalar;
}

void Machine::copy_to(const Array& array, void* elements) {
    if (array.size() == 0) return;
    std::byte* root = parts_->wait_for(array.store(), array.layout(), Privilege::read);
    const Layout rows = Layout::row_major(array.shape());
    const Placed places[] = {{static_cast<std::byte*>(elements), &rows, array.dtype()},
                             {root, &array.layout(), array.dtype()}};
    Signature what;
    what.action = Action::assign;
    compute(what, places, {});
}

void* Machine::begin_export(const Array& array, bool writable) {
    Store& store = array.store();
    if (writable && !store.writable)
        throw ArrayError(ErrorKind::value, "assignment destination is read-only");
    if (store.is_pending(Privilege::write)) {
        ++parts_->counts.waits;
        parts_->settle(store, Privilege::read_write);
    }
    if (!store.is_placed()) parts_->locate(store);
    parts_->look_at_events();
    ++store.exports;
    std::byte* memory = store.memory_for(store.writable ? Privilege::write : Privilege::read);
    return memory + array.layout().offset * static_cast<Extent>(bytes_of(array.dtype()));
}

void Machine::end_export(const Array& array) noexcept {
    --array.store().exports;
}

bool Machine::is_certain(const Array& array) const noexcept {
    return !array.store().may_be_written;
}

bool Machine::is_ready(const Array& array) {
    return parts_->is_settled(array.store(), Privilege::read);
}

void Machine::wait() {
    parts_->wait_all();
}
void Machine::wait_for(const Array& array) {
    if (array.size() > 0) (void)parts_->wait_for(array.store(), array.layout(), Privilege::read);
}

void Machine::set_give_up(GiveUp give_up, void* context) noexcept {
    parts_->give_up = give_up;
    parts_->give_up_context = context;
    parts_->launcher.set_give_up({give_up, context});
}

void Machine::set_site(const Site& site) noexcept {
    parts_->site = site;
}

void Machine::set_site_resolver(SiteResolver::Function resolver) noexcept {
    const std::optional<SiteResolver> asked =
        resolver != nullptr ? std::optional(SiteResolver(resolver)) : std::nullopt;
    parts_->launcher.set_site_resolver(asked);
    parts_->work_launcher.set_site_resolver(asked);
}

Machine::Counts Machine::counts() const noexcept {
    Counts counts = parts_->counts;
    counts.stores = parts_->stores.made();
    counts.bytes = parts_->stores.bytes();
    counts.plans = parts_->launcher.plans_made();
    counts.tilings = parts_->tilings.made();
    return counts;
}

void Machine::set_value_policy(const ValuePolicy& policy) noexcept {
    parts_->value_policy = policy;
}
void Machine::set_waits_at_once(bool on) noexcept {
    parts_->waits_at_once = on;
}
bool Machine::waits_at_once() const noexcept {
    return parts_->waits_at_once;
}
std::vector<ValueEvent> Machine::take_value_events() {
    parts_->value_alarm.store(false, std::memory_order_relaxed);
    return parts_->events.take();
}
const std::atomic<bool>& Machine::value_alarm() const noexcept {
    return parts_->value_alarm;
}
void Machine::fail_operation(std::uint64_t count) noexcept {
    parts_->fail_in = count;
}

void Machine::hash_stream() noexcept {
    parts_->hashing = true;
}
std::uint64_t Machine::stream_hash() const noexcept {
    return parts_->hash;
}

void Machine::discard_operations(bool on) noexcept {
    if (on)
        parts_->sink = &parts_->discard;
    else
        parts_->sink = &parts_->launcher;
}

}  // namespace refrain::array
