#include "sizes/findings.hpp"

#include "events/event.hpp"

namespace refrain::proxy {

std::string setting_words(const Setting& at) {
    return "rank " + std::to_string(at.rank) + " of " + std::to_string(at.ranks) +
           (at.size != 0 ? ", size " + std::to_string(at.size) : "");
}

std::string value_words(std::int64_t value) {
    return value == rank_null ? "nobody" : std::to_string(value);
}

}  // namespace refrain::proxy
