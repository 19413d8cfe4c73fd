#include "recorder/handles.hpp"

#include <algorithm>
#include <bit>

namespace refrain::proxy {

std::int64_t Numbers::take() {
    while (full_ < taken_.size() && taken_[full_] == ~std::uint64_t{0}) ++full_;
    if (full_ == taken_.size()) taken_.push_back(0);
    const int bit = std::countr_one(taken_[full_]);
    taken_[full_] |= std::uint64_t{1} << bit;
    return first_ + static_cast<std::int64_t>(64 * full_) + bit;
}

void Numbers::give_back(std::int64_t number) {
    const auto place = static_cast<std::size_t>(number - first_);
    taken_[place / 64] &= ~(std::uint64_t{1} << place % 64);
    full_ = std::min(full_, place / 64);
}

Requests::Request& Requests::add(Value value, Address address) {
    Request& request = live_.add(key_of(value, address));
    request.value = value;
    request.address = address;
    return request;
}

Requests::Request* Requests::find(Value value, Address address) {
    Request* const own =
        live_.find(key_of(value, address), [&](const Request& a, const Request& b) {
            const bool a_fits = a.value == value && a.address == address;
            const bool b_fits = b.value == value && b.address == address;
            return a_fits != b_fits ? a_fits : a.number < b.number;
        });
    if (own != nullptr && own->value == value && own->address == address) return own;
    return live_.first([&](const Request& each) { return each.value == value; });
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
