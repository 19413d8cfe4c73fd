#include "refrain/array/work.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "arrays/folds.hpp"
#include "arrays/parts.hpp"

namespace refrain::array {

namespace {

std::int64_t bytes_used(const Work& work) {
    std::int64_t bytes = 0;
    for (const WorkUse& use : work.uses)
        bytes += use.array->size() * static_cast<std::int64_t>(bytes_of(use.array->dtype()));
    return bytes;
}

}  // namespace

void Machine::Parts::hash_work(const Work& work) {
    for (const char* letter = work.name; *letter != 0; ++letter)
        hash = mixed(hash, static_cast<unsigned char>(*letter));
    for (std::size_t at = 0; at < work_bytes_max; at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        if (work.hashes_bytes) std::memcpy(&word, work.bytes + at, sizeof word);
        hash = mixed(hash, word);
    }
    for (const std::int64_t number : work.numbers)
        hash = mixed(hash, static_cast<std::uint64_t>(number));
    for (const WorkScalar& scalar : work.scalars)
        hash = mixed(hash, static_cast<std::uint64_t>(scalar.dtype) << 8 |
                               static_cast<std::uint64_t>(scalar.into) << 16 | scalar.at << 24);
    hash = mixed(hash, static_cast<std::uint64_t>(work.tiles));
    for (const Constraint& constraint : work.constraints) {
        hash = mixed(hash, static_cast<std::uint64_t>(constraint.kind));
        hash = mixed(hash, static_cast<std::uint64_t>(constraint.from) << 32 |
                               static_cast<std::uint64_t>(constraint.to));
        hash = mixed(hash_of(hash_of(hash, constraint.low), constraint.high), constraint.dims);
    }
    for (const WorkUse& use : work.uses) {
        const Store& store = use.array->store();
        hash = mixed(hash_of(hash, use.array->layout()), hash_of(store.slot, store.form->shape));
        hash = mixed(hash, store.uid);
        if (use.privilege == Privilege::reduce)
            hash = mixed(hash, static_cast<std::uint64_t>(use.fold));
    }
}

void Machine::Parts::issue(const Work& work) {
    if (work.uses.size() > work_uses_max)
        throw UsageError(std::string("work '") + work.name + "' uses " +
                         std::to_string(work.uses.size()) + " arrays; at most " +
                         std::to_string(work_uses_max) + " are allowed");
    ++order;
    if (hashing) hash_work(work);
    const std::int64_t bytes = bytes_used(work);
    const std::int64_t cost = std::max(work.cost, bytes);
    std::shared_ptr<const Cut> cut;
    if (!work.constraints.empty()) cut = partitioner.cut(work, launcher.tiles_for(bytes));
    const bool is_small = cost <= tuning.at_once_bytes;
    note_use(work, is_small);
    if ((is_small && catch_up(work)) || !put_into_regions(work)) {
        do_now(work);
        return;
    }
    if (give_up != nullptr) dynamic::wait_for_room(runtime, {give_up, give_up_context});
    work_launcher.launch(work, site, cut);
    ++counts.operations;
    if (waits_at_once) value_alarm.store(true, std::memory_order_relaxed);
    std::int64_t before = 0;
    for (const WorkUse& use : work.uses) before = std::max(before, use.array->store().pending_cost);
    for (const WorkUse& use : work.uses) {
        Store& store = use.array->store();
        store.pending_cost = before + cost;
        if (store.exports != 0 && store.is_pending(Privilege::write))
            settle(store, Privilege::read_write);
    }
}

void Machine::Parts::note_use(const Work& work, bool is_small) {
    bool certain = is_small;
    for (const WorkUse& use : work.uses) {
        Store& store = use.array->store();
        const bool writes = use.privilege != Privilege::read;
        certain = certain && !(writes ? store.may_be_used : store.may_be_written);
    }
    for (const WorkUse& use : work.uses) {
        if (certain) break;
        Store& store = use.array->store();
        store.may_be_used = true;
        if (use.privilege != Privilege::read) store.may_be_written = true;
    }
}

bool Machine::Parts::catch_up(const Work& work) {
    for (const WorkUse& use : work.uses) {
        Store& store = use.array->store();
        const Privilege privilege =
            use.privilege == Privilege::read ? Privilege::read : Privilege::read_write;
        if (!catch_up(store, privilege)) return false;
    }
    return true;
}

bool Machine::Parts::put_into_regions(const Work& work) {
    for (const WorkUse& use : work.uses) {
        Store& store = use.array->store();
        if (use.array->size() == 0) return false;  // regions have no parts without elements
        if (store.in_region || !store.outside) continue;
        try {
            stores.put_into_region(store);
        } catch (const UsageError&) {
            return false;  // another store holds part of that memory
        }
    }
    return true;
}

void Machine::Parts::do_now(const Work& work) {
    for (const WorkUse& use : work.uses) {
        Store& store = use.array->store();
        const Privilege privilege =
            use.privilege == Privilege::read ? Privilege::read : Privilege::read_write;
        if (store.is_pending(privilege)) settle(store, privilege);
        if (!store.is_placed()) locate(store);
    }
    ++counts.immediate;
    run_here(work);
}

namespace {

/// An array that a work folds into, if tasks cannot: a view of another shape or order than its store, or one whose
/// store the work also uses otherwise. The work folds into `values`, which start as the fold's identity.
struct Aside {
    std::size_t use;
    Array values;
};

bool is_folded_aside(const Work& work, const WorkUse& use) {
    if (!(use.array->layout() == Layout::row_major(use.array->store().form->shape))) return true;
    return std::any_of(work.uses.begin(), work.uses.end(), [&](const WorkUse& other) {
        return &other != &use && other.array->same_store(*use.array);
    });
}

}  // namespace

void Machine::Parts::issue_with_folds(const Work& work) {
    const auto folds = [](const WorkUse& use) { return use.privilege == Privilege::reduce; };
    if (std::none_of(work.uses.begin(), work.uses.end(), folds)) {
        issue(work);
        return;
    }
    std::vector<WorkUse> uses(work.uses.begin(), work.uses.end());
    std::vector<Aside> asides;
    asides.reserve(uses.size());  // so that addresses stay
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const WorkUse& use = work.uses[i];
        if (!folds(use)) continue;
        const std::string which = std::string("work '") + work.name + "': " + argument_of(work, i);
        if (!use.array->is_writable()) throw ArrayError(ErrorKind::value, which + " is read-only");
        const data::ReductionFunctions* fold = fold_of(use.fold, use.array->dtype());
        if (fold == nullptr)
            throw ArrayError(ErrorKind::type,
                             which + " of type " + std::string(name_of(use.array->dtype())) +
                                 " cannot be reduced by " + std::string(name_of(use.fold)) +
                                 "; there are add and multiply, and, but for complex numbers, "
                                 "minimum and maximum");
        if (!is_folded_aside(work, use)) continue;
        Scalar identity{.dtype = use.array->dtype()};
        fold->initialise(identity.bytes.data(), 1);
        asides.push_back({i, machine->full(use.array->shape(), identity)});
        uses[i].array = &asides.back().values;
    }
    Work folding = work;
    folding.uses = uses;
    issue(folding);
    for (const Aside& aside : asides) {
        const Array& target = *work.uses[aside.use].array;
        static_cast<void>(machine->call(work.uses[aside.use].fold,
                                        std::array<Operand, 2>{target, aside.values},
                                        {.out = &target}));
    }
}

namespace {

/// Errors: UsageError, ArrayError for a value that cannot become the parameter.
void check_scalar(const Work& work, const WorkScalar& scalar) {
    const std::string which = std::string("work '") + work.name + "': scalar " +
                              (scalar.name.empty() ? std::to_string(&scalar - work.scalars.data())
                                                   : "'" + std::string(scalar.name) + "'");
    if (scalar.array->size() != 1)
        throw ArrayError(ErrorKind::value, which + " has shape " + scalar.array->shape().text() +
                                               "; the value of a parameter has one element");
    const bool is_number = scalar.into == WorkScalar::Into::numbers;
    const DType type = is_number ? DType::int64 : scalar.dtype;
    if (!can_cast(scalar.array->dtype(), type, Casting::same_kind))
        throw ArrayError(ErrorKind::casting,
                         which + " is " + std::string(name_of(scalar.array->dtype())) +
                             ", but the parameter " + std::string(name_of(type)) +
                             "; convert it by astype");
    const std::size_t bytes = bytes_of(type);
    if (is_number ? scalar.at >= work.numbers.size()
                  : scalar.at > work_bytes_max || bytes > work_bytes_max - scalar.at)
        throw UsageError(which + " goes to " + std::to_string(scalar.at) + ", but there are " +
                         std::to_string(is_number ? work.numbers.size() : work_bytes_max) +
                         (is_number ? " numbers" : " bytes"));
}

}  // namespace

void Machine::issue(const Work& work) {
    check_constraints(work);
    if (work.scalars.empty()) {
        parts_->issue_with_folds(work);
        return;
    }
    // The task reads them as any array, which no tile cuts.
    std::vector<WorkUse> uses(work.uses.begin(), work.uses.end());
    std::vector<Constraint> constraints(work.constraints.begin(), work.constraints.end());
    for (const WorkScalar& scalar : work.scalars) {
        check_scalar(work, scalar);
        if (!constraints.empty()) constraints.push_back(broadcast(static_cast<int>(uses.size())));
        uses.push_back({.array = scalar.array, .name = scalar.name});
    }
    Work reading = work;
    reading.uses = uses;
    reading.constraints = constraints;
    parts_->issue_with_folds(reading);
}

}  // namespace refrain::array
