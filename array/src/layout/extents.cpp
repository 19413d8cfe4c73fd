#include "refrain/array/layout.hpp"

#include <algorithm>

namespace refrain::array {

Extents::Extents(std::span<const Extent> values) : count_(static_cast<int>(values.size())) {
    if (count_ > inside) outside_ = new Extent[values.size()];
    std::copy(values.begin(), values.end(), data());
}

bool Extents::equal_outside(const Extents& a, const Extents& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin());
}
void Extents::fill_outside(Extent value) {
    outside_ = new Extent[static_cast<std::size_t>(count_)];
    std::fill_n(outside_, count_, value);
}
void Extents::copy_outside(const Extents& other) {
    outside_ = new Extent[static_cast<std::size_t>(count_)];
    std::copy_n(other.outside_, count_, outside_);
}

std::string Extents::text() const {
    std::string text = "(";
    for (int i = 0; i < count_; ++i) {
        if (i > 0) text += ',';
        text += std::to_string(data()[i]);
    }
    if (count_ == 1) text += ',';
    return text + ')';
}

}  // namespace refrain::array
