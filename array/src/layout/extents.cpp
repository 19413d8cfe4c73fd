#include "refrain/array/layout.hpp"

#include <algorithm>
#include <utility>

namespace refrain::array {

Extents::Extents(std::span<const Extent> values) : count_(static_cast<int>(values.size())) {
    if (count_ > inside) outside_ = new Extent[values.size()];
    std::copy(values.begin(), values.end(), data());
}

Extents::Extents(int count, Extent value) : count_(count) {
    if (count_ > inside) outside_ = new Extent[static_cast<std::size_t>(count)];
    std::fill(begin(), end(), value);
}

Extents::Extents(Extents&& other) noexcept : count_(std::exchange(other.count_, 0)) {
    if (count_ > inside)
        outside_ = other.outside_;
    else
        std::copy_n(other.inside_, count_, inside_);
}

Extents& Extents::operator=(Extents other) noexcept {
    if (count_ > inside) delete[] outside_;
    count_ = std::exchange(other.count_, 0);
    if (count_ > inside)
        outside_ = other.outside_;
    else
        std::copy_n(other.inside_, count_, inside_);
    return *this;
}

bool operator==(const Extents& a, const Extents& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

std::string Extents::text() const {
    std::string text = "(";
    for (int i = 0; i < count_; ++i) {
        if (i > 0) text += ", ";
        text += std::to_string(data()[i]);
    }
    if (count_ == 1) text += ',';
    return text + ')';
}

}  // namespace refrain::array
