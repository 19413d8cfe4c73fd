#include "recorder/handles.hpp"

#include <algorithm>
#include <functional>

namespace refrain::proxy {

std::int64_t Numbers::take() {
    if (free_.empty()) return next_++;
    std::pop_heap(free_.begin(), free_.end(), std::greater<>());
    const std::int64_t number = free_.back();
    free_.pop_back();
    return number;
}

void Numbers::give_back(std::int64_t number) {
    free_.push_back(number);
    std::push_heap(free_.begin(), free_.end(), std::greater<>());
}

Requests::Request& Requests::add(Value value, Address address) {
    Request& request = live_.add(value);
    request.address = address;
    return request;
}

Requests::Request* Requests::find(Value value, Address address) {
    return live_.find(value, [&](const Request& a, const Request& b) {
        if ((a.address == address) != (b.address == address)) return a.address == address;
        return a.number < b.number;
    });
}

void Requests::remove(std::int64_t number) {
    if (live_.by_number(number) != nullptr) live_.remove(number);
}

std::int64_t Slots::acquire(std::uintptr_t address) {
    Use* use = live_.find(address, [](const Use&, const Use&) { return false; });
    if (use == nullptr) use = &live_.add(address);
    ++use->users;
    return use->number;
}

void Slots::release(std::int64_t slot) {
    Use* const use = live_.by_number(slot);
    if (use != nullptr && --use->users == 0) live_.remove(slot);
}

}  // namespace refrain::proxy
