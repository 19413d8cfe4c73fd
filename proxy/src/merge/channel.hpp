#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::proxy {

/// Messages of one sender to one receiver with one tag.
struct Channel {
    std::uint64_t sent = 0;
    std::uint64_t posted = 0;              // receives; each has a place, from 0 on
    std::vector<std::uint64_t> cancelled;  // places of those that take no message, ascending
    std::size_t receiver = 0;
    bool awaited = false;  // the receiver waits for more
    /// By message: the receiver's first call that needs it to have been sent.
    std::vector<std::uint64_t> needed_at;

    static constexpr std::uint64_t never = ~std::uint64_t{0};

    /// Which message the receive at a place takes: those before it that were cancelled take none.
    [[nodiscard]] std::uint64_t message_of(std::uint64_t place) const {
        const auto below = std::lower_bound(cancelled.begin(), cancelled.end(), place);
        return place - static_cast<std::uint64_t>(below - cancelled.begin());
    }
    [[nodiscard]] std::uint64_t taken() const { return posted - cancelled.size(); }
    void cancel(std::uint64_t place) {
        const auto at = std::lower_bound(cancelled.begin(), cancelled.end(), place);
        if (at == cancelled.end() || *at != place) cancelled.insert(at, place);
    }
    /// The receive took a message after all.
    void cancel_came_too_late(std::uint64_t place) {
        const auto at = std::lower_bound(cancelled.begin(), cancelled.end(), place);
        if (at != cancelled.end() && *at == place) cancelled.erase(at);
    }
};

}  // namespace refrain::proxy
