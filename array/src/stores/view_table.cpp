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

ViewTable::Views::iterator ViewTable::find(Views& views, std::uint64_t hash, const Extents& root,
                                           const Layout& layout) {
    auto [it, last] = views.equal_range(hash);
    for (; it != last; ++it) {
        if (it->second->layout == layout && it->second->root == root) return it;
    }
    return views.end();
}

const View& ViewTable::intern(const Extents& root, const Layout& layout) {
    const std::uint64_t hash = hash_of(hash_of(1, root), layout);
    Recent& recent = recent_[hash >> 56];
    if (recent.hash == hash && recent.view != nullptr && recent.view->layout == layout &&
        recent.view->root == root)
        return *recent.view;
    auto found = find(young_, hash, root, layout);
    if (found == young_.end()) {
        const auto old = find(old_, hash, root, layout);
        if (old != old_.end())
            found = young_.insert(old_.extract(old));
        else
            found = young_.emplace(hash, std::make_unique<View>(View{root, layout, made_++}));
    }
    recent = {hash, found->second.get()};
    return *recent.view;
}

void ViewTable::age() noexcept {
    ++age_;
    recent_.fill({});
    old_ = std::move(young_);
    young_.clear();
}

}  // namespace refrain::array
