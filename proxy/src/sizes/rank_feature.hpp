#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sizes/number.hpp"

namespace refrain::proxy {

/// What distinguishes ranks that do different things.
struct RankFeature {
    enum class Kind : std::uint8_t { first, last, odd, low_edge, high_edge } kind = Kind::first;
    int dims = 0, axis = 0;

    [[nodiscard]] bool holds(std::int64_t rank, std::int64_t ranks) const;
    [[nodiscard]] std::string text() const;
};

/// Which of them hold for a rank, as bits.
[[nodiscard]] unsigned key_of(const std::vector<RankFeature>& features, const Setting& at);

}  // namespace refrain::proxy
