#include "recorder/handles.hpp"

namespace refrain::proxy {

Requests::Request& Requests::add(Value value, Address address) {
    Request request;
    request.number = numbers_.take();
    request.value = value;
    request.address = address;
    by_value_.emplace(value, request.number);
    return live_[request.number] = request;
}

Requests::Request* Requests::find(Value value, Address address) {
    const auto [begin, end] = by_value_.equal_range(value);
    Request* oldest = nullptr;
    for (auto each = begin; each != end; ++each) {
        Request& request = live_.at(each->second);
        if (request.address == address) return &request;
        if (oldest == nullptr || request.number < oldest->number) oldest = &request;
    }
    return oldest;
}

Requests::Request* Requests::by_number(std::int64_t number) {
    const auto found = live_.find(number);
    return found == live_.end() ? nullptr : &found->second;
}

void Requests::remove(std::int64_t number) {
    const auto found = live_.find(number);
    if (found == live_.end()) return;
    const auto [begin, end] = by_value_.equal_range(found->second.value);
    for (auto each = begin; each != end; ++each) {
        if (each->second != number) continue;
        by_value_.erase(each);
        break;
    }
    live_.erase(found);
    numbers_.give_back(number);
}

std::int64_t Slots::acquire(std::uintptr_t address) {
    Use& use = live_[address];
    if (use.users++ == 0) {
        use.slot = numbers_.take();
        address_[use.slot] = address;
    }
    return use.slot;
}

void Slots::release(std::int64_t slot) {
    const auto known = address_.find(slot);
    if (known == address_.end()) return;
    const auto use = live_.find(known->second);
    if (--use->second.users != 0) return;
    live_.erase(use);
    address_.erase(known);
    numbers_.give_back(slot);
}

}  // namespace refrain::proxy
