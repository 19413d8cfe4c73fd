#include "stores/store_table.hpp"

#include "refrain/array/error.hpp"

#include <algorithm>

namespace refrain::array {

std::uint32_t StoreForm::take_slot() {
    while (first_with_free < taken.size() && ~taken[first_with_free] == 0) ++first_with_free;
    if (first_with_free == taken.size()) taken.push_back(0);
    const int bit = __builtin_ctzll(~taken[first_with_free]);
    taken[first_with_free] |= std::uint64_t{1} << bit;
    return static_cast<std::uint32_t>(first_with_free * 64 + static_cast<std::size_t>(bit));
}

std::size_t StoreTable::FormHash::operator()(const FormKey& key) const noexcept {
    std::uint64_t hash = static_cast<std::uint64_t>(key.dtype) + 1;
    for (const Extent extent : key.shape)
        hash = (hash ^ static_cast<std::uint64_t>(extent)) * 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>(hash ^ (hash >> 29));
}

void Store::clear() noexcept {
    memory_ = nullptr;
    exports = 0;
    note_settled(Privilege::write);
    note_write();
    key.reset();
    may_be_written = false;
    may_be_used = false;
    outside = false;
    writable = true;
}

StoreTable::~StoreTable() = default;

StoreForm& StoreTable::form(const Extents& shape, DType dtype) {
    std::uint64_t hash = static_cast<std::uint64_t>(dtype);
    for (const Extent extent : shape)
        hash = (hash + static_cast<std::uint64_t>(extent)) * 0x9e3779b97f4a7c15;
    StoreForm*& recent = recent_[hash >> 58];
    if (recent != nullptr && recent->dtype == dtype && recent->shape == shape) return *recent;
    FormKey key{shape, dtype};
    auto found = forms_.find(key);
    if (found == forms_.end()) {
        std::int64_t bytes = static_cast<std::int64_t>(bytes_of(dtype));
        Extent size = 1;
        bool empty = false;
        for (const Extent extent : shape) empty = empty || extent == 0;
        for (const Extent extent : shape) {
            if (extent < 0)
                throw ArrayError(ErrorKind::value, "negative dimensions are not allowed");
            if (extent != 0 && __builtin_mul_overflow(bytes, extent, &bytes))
                throw ArrayError(ErrorKind::value, "array is too big; the shape " + shape.text() +
                                                       " of " + std::string(name_of(dtype)) +
                                                       " exceeds the address space");
            size *= empty ? 0 : extent;
        }
        forget_unused_forms();
        found = forms_.try_emplace(std::move(key)).first;
        StoreForm& form = found->second;
        form.shape = shape;
        form.rows = Layout::row_major(shape);
        form.region = region_shape(shape);
        form.dtype = dtype;
        form.size = size;
        form.bytes = static_cast<std::size_t>(size) * bytes_of(dtype);
        form.name = "array of shape " + shape.text() + " and type " + std::string(name_of(dtype));
    }
    recent = &found->second;
    return found->second;
}

void StoreTable::forget_unused_forms() {
    if (forms_.size() < forms_max_) return;
    ++forms_age_;
    recent_.fill(nullptr);
    drop_spares();
    std::erase_if(forms_, [](const auto& entry) {
        return std::ranges::all_of(entry.second.taken,
                                   [](std::uint64_t word) { return word == 0; });
    });
    forms_max_ = std::max(forms_max, 2 * forms_.size());
}

Store* StoreTable::make(StoreForm& form) {
    Store* store = free_;
    if (store != nullptr) {
        free_ = store->next_free;
    } else {
        store = &stores_.emplace_back();
        store->table = this;
    }
    store->uid = next_uid_++;
    store->form = &form;
    store->references = 1;
    store->slot = form.take_slot();
    ++live_;
    return store;
}

void StoreTable::allocate(Store& store) {
    const std::size_t wanted = std::max<std::size_t>(store.form->bytes, 1);
    store.place(pool_.take(wanted));
    if (!store.is_placed()) {
        drop_spares();
        store.place(pool_.take(wanted));
    }
    if (!store.is_placed())
        throw ArrayError(ErrorKind::memory,
                         "Unable to allocate " + std::to_string(store.form->bytes) +
                             " bytes for an array with shape " + store.form->shape.text() +
                             " and data type " + std::string(name_of(store.form->dtype)));
    bytes_ += store.form->bytes;
}

void StoreTable::put_into_region(Store& store) {
    StoreForm& form = *store.form;
    data::Box bounds{.lo = {0, 0, 0}, .hi = {1, 1, 1}};
    const int rank = std::max(form.region.size(), 1);
    for (int d = 0; d < form.region.size(); ++d)
        bounds.hi[static_cast<std::size_t>(d)] = form.region[d];
    const std::size_t bytes = bytes_of(form.dtype);
    std::byte* memory = store.memory_for(Privilege::read);
    if (memory == nullptr && !form.spare.empty()) {
        store.region = std::move(form.spare.back());
        form.spare.pop_back();
        spares_.erase(std::find(spares_.rbegin(), spares_.rend(), &form).base() - 1);
        spare_bytes_ -= form.bytes;
        bytes_ += form.bytes;
    } else if (memory == nullptr) {
        store.region = dynamic::create_region(runtime_, bounds, rank, bytes, 64, form.name);
        bytes_ += form.bytes;
    } else if (store.outside) {
        store.region =
            dynamic::adopt_memory(runtime_, bounds, rank, bytes, 1, memory, store.done, form.name);
        store.done = nullptr;
    } else {
        store.region = dynamic::adopt_memory(
            runtime_, bounds, rank, bytes, 64, memory,
            [memory] { BlockPool::free_anywhere(memory); }, form.name);
    }
    store.in_region = true;
}

void StoreTable::keep_spare(StoreForm& form, dynamic::AnyRegion region) noexcept {
    form.spare.push_back(std::move(region));
    spares_.push_back(&form);
    spare_bytes_ += form.bytes;
    while (spare_bytes_ > bytes_ && !spares_.empty()) {
        StoreForm& oldest = *spares_.front();
        spares_.pop_front();
        oldest.spare.erase(oldest.spare.begin());
        spare_bytes_ -= oldest.bytes;
    }
}

void StoreTable::drop_spares() noexcept {
    for (StoreForm* form : spares_) form->spare.clear();
    spares_.clear();
    spare_bytes_ = 0;
}

void StoreTable::destroy(Store* store) noexcept {
    listener_.released(*store);
    StoreForm& form = *store->form;
    form.give_slot(store->slot);
    if (store->in_region) {
        if (!store->outside) {
            bytes_ -= form.bytes;
            keep_spare(form, std::move(store->region));
        }
        store->region = {};
        store->in_region = false;
    } else if (store->outside) {
        if (store->done) std::exchange(store->done, nullptr)();
    } else if (store->is_placed()) {
        pool_.give(store->memory_for(Privilege::write), std::max<std::size_t>(form.bytes, 1));
        bytes_ -= form.bytes;
    }
    store->clear();
    store->next_free = free_;
    free_ = store;
    if (--live_ == 0 && when_empty != nullptr) when_empty(when_empty_context);
}

}  // namespace refrain::array
