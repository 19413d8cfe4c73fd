#include "stores/view_table.hpp"

namespace refrain::array {

std::uint64_t hash_of(std::uint64_t hash, const Extents& extents) noexcept {
    hash = mixed(hash, static_cast<std::uint64_t>(extents.size()));
    for (const Extent extent : extents) hash = mixed(hash, static_cast<std::uint64_t>(extent));
    return hash;
}

std::uint64_t hash_of(std::uint64_t hash, const Layout& layout) noexcept {
    return hash_of(hash_of(mixed(hash, static_cast<std::uint64_t>(layout.offset)), layout.shape),
                   layout.strides);
}

const View& ViewTable::intern(const Extents& root, const Layout& layout) {
    const std::uint64_t hash = hash_of(hash_of(1, root), layout);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto it = first; it != last; ++it) {
        if (it->second->layout == layout && it->second->root == root) return *it->second;
    }
    views_.push_back({root, layout, views_.size()});
    by_hash_.emplace(hash, &views_.back());
    return views_.back();
}

void ViewTable::clear() noexcept {
    by_hash_.clear();
    views_.clear();
}

}  // namespace refrain::array
