#include "refrain/array/layout.hpp"

#include <algorithm>

namespace refrain::array {

Extents::Extents(std::span<const Extent> values) : count_(static_cast<int>(values.size())) {
    if (count_ > inside) outside_ = new Extent[values.size()];
    std::copy(values.begin(), values.end(), data());
}

Extents::Extents(int count, Extent value) : count_(count) {
    if (count_ > inside) outside_ = new Extent[static_cast<std::size_t>(count)];
    std::fill(begin(), end(), value);
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
