#include "recorder/handles.hpp"

namespace refrain::proxy {

Requests::Request& Requests::add(Value value, Address address, bool recorded) {
    Request& request = (recorded ? live_.own() : unrecorded_).add(key_of(value, address));
    request.value = value;
    request.address = address;
    request.recorded = recorded;
    request.unnumbered = !recorded;
    if (indexed_) by_value_.emplace(value, name_of(request));
    return request;
}

Requests::Request* Requests::find_exact(NumberedTable<Request>& table, Value value,
                                        Address address) {
    return table.find(key_of(value, address), [&](const Request& request) {
        return request.value == value && request.address == address;
    });
}

Requests::Request* Requests::find(Value value, Address address) {
    if (Request* const own = find_exact(live_.own(), value, address)) return own;
    return find_elsewhere(value, address);
}

Requests::Request* Requests::find_elsewhere(Value value, Address address) {
    for (NumberedTable<Request>& other : live_.all())
        if (Request* const one = find_exact(other, value, address)) return one;
    if (Request* const one = find_exact(unrecorded_, value, address)) return one;
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
        for (NumberedTable<Request>& own : live_.all()) (void)own.first(index);
        (void)unrecorded_.first(index);
        indexed_ = true;
    }
    // Recorded ones have names from 0 on, of this thread from its first on.
    auto found = by_value_.lower_bound({value, first_number_of(live_.all().thread())});
    if (found == by_value_.end() || found->first != value)
        found = by_value_.lower_bound({value, 0});
    if (found == by_value_.end() || found->first != value)
        found = by_value_.lower_bound({value, INT64_MIN});
    return found == by_value_.end() || found->first != value ? nullptr : by_name(found->second);
}

void Requests::remove_carefully(Request& request) {
    if (indexed_) by_value_.erase({request.value, name_of(request)});
    if (request.unnumbered)
        unrecorded_.remove(request);
    else
        live_.remove(request);
}

}  // namespace refrain::proxy
