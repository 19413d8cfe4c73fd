#include "recorder/handles.hpp"

namespace refrain::proxy {

Requests::Request& Requests::add(Value value, Address address, bool recorded) {
    Request& request = (recorded ? live_[thread_] : unrecorded_).add(key_of(value, address));
    request.value = value;
    request.address = address;
    request.recorded = recorded;
    request.unnumbered = !recorded;
    if (indexed_) by_value_.emplace(value, name_of(request));
    return request;
}

Requests::Request* Requests::find_exact(NumberedTable<Request>& table, Value value,
                                        Address address) {
    if (table.size() == 0) return nullptr;
    Request* const own =
        table.find(key_of(value, address), [&](const Request& a, const Request& b) {
            const bool a_fits = a.value == value && a.address == address;
            const bool b_fits = b.value == value && b.address == address;
            return a_fits != b_fits ? a_fits : a.number < b.number;
        });
    return own != nullptr && own->value == value && own->address == address ? own : nullptr;
}

Requests::Request* Requests::find_exact(Value value, Address address) {
    if (Request* const own = find_exact(live_[thread_], value, address)) return own;
    for (std::size_t other = 0; live_.size() > 1 && other < live_.size(); ++other)
        if (Request* const one = find_exact(live_[other], value, address)) return one;
    return find_exact(unrecorded_, value, address);
}

Requests::Request* Requests::find(Value value, Address address) {
    if (Request* const own = find_exact(value, address)) return own;
    // A copy that is out of date has another value, or its request is gone.
    if (const auto copy = copies_.find(address); copy != copies_.end())
        if (Request* const own = by_name(copy->second); own != nullptr && own->value == value)
            return own;
    return find_moved(value);
}

void Requests::copied(Value value, Address from, Address to) {
    if (const Request* const own = find(value, from)) copies_[to] = name_of(*own);
}

Requests::Request* Requests::find_moved(Value value) {
    if (!indexed_) {
        const auto index = [this](const Request& each) {
            by_value_.emplace(each.value, name_of(each));
            return false;
        };
        for (NumberedTable<Request>& own : live_) (void)own.first(index);
        (void)unrecorded_.first(index);
        indexed_ = true;
    }
    // Recorded ones have names from 0 on, of this thread from its first on.
    auto found = by_value_.lower_bound({value, first_number_of(thread_)});
    if (found == by_value_.end() || found->first != value)
        found = by_value_.lower_bound({value, 0});
    if (found == by_value_.end() || found->first != value)
        found = by_value_.lower_bound({value, INT64_MIN});
    return found == by_value_.end() || found->first != value ? nullptr : by_name(found->second);
}

void Requests::remove(std::int64_t name) {
    Request* const found = by_name(name);
    if (found == nullptr) return;
    if (indexed_) by_value_.erase({found->value, name});
    if (found->unnumbered)
        unrecorded_.remove(found->number);
    else if (thread_of(name) == thread_)
        live_[thread_].remove(name);
    else
        live_[thread_of(name)].retire(name);
}

std::int64_t Slots::acquire(std::uintptr_t address) {
    NumberedTable<Use>& own = live_[thread_];
    Use* use = own.find(address, [](const Use&, const Use&) { return false; });
    if (use == nullptr) use = &own.add(address);
    ++use->users;
    return use->number;
}

void Slots::release(std::int64_t slot) {
    if (slot < 0 || thread_of(slot) >= live_.size()) return;
    NumberedTable<Use>& own = live_[thread_of(slot)];
    Use* const use = own.by_number(slot);
    if (use == nullptr || --use->users != 0) return;
    if (thread_of(slot) == thread_)
        own.remove(slot);
    else
        own.retire(slot);
}

}  // namespace refrain::proxy
