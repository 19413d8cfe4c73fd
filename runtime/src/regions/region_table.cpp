#include "regions/region_table.hpp"

#include "refrain/error.hpp"
#include "refrain/host_view.hpp"
#include "refrain/region.hpp"

#include <algorithm>

namespace refrain::regions {

RegionRoot* RegionTable::create(const data::Box& bounds, int rank, std::size_t element_bytes,
                                std::string_view name, Content content) {
    const Space& space = space_of(bounds, rank);
    ShortText given_name(name);
    if (live_.size() == live_.capacity())
        live_.reserve(std::max<std::size_t>(64, 2 * live_.size()));
    RegionRoot* root = take_record();  // nothing throws after this
    root->table = this;
    root->references = 1;
    root->name = take_name();
    root->rank = static_cast<std::uint8_t>(rank);
    root->space = space.number;
    root->bounds = space.bounds;
    root->given_name = std::move(given_name);
    root->serial = ++created_;
    root->live_index = static_cast<std::uint32_t>(live_.size());
    live_.emplace_back(root);
    root->storage->open(*root, root->bounds, element_bytes,
                        marks_writes_ && content == Content::none);
    if (content == Content::unspecified) root->use.mark_written();
    return root;
}

RegionRoot* RegionTable::adopt(const data::Box& bounds, int rank, std::size_t element_bytes,
                               std::string_view name, void* memory, std::function<void()> done) {
    RegionRoot* root = create(bounds, rank, element_bytes, name, Content::unspecified);
    const auto first = reinterpret_cast<std::uintptr_t>(memory);
    try {
        adopted_.emplace(first, Adopted{first + root->storage->bytes(), root});
        root->storage->adopt(memory, std::move(done));
    } catch (...) {
        adopted_.erase(first);
        release(root);
        throw;
    }
    return root;
}

const RegionRoot* RegionTable::owner_of(const void* memory, std::size_t bytes) const {
    const auto first = reinterpret_cast<std::uintptr_t>(memory);
    const auto behind = adopted_.lower_bound(first + bytes);
    if (behind == adopted_.begin()) return nullptr;
    const Adopted& before = std::prev(behind)->second;
    return before.end > first ? before.root : nullptr;
}

RegionRoot* RegionTable::take_record() {
    if (free_.empty()) {
        auto root = std::make_unique<RegionRoot>();
        root->storage = new Storage;
        return root.release();
    }
    RegionRoot* root = free_.back();
    free_.pop_back();
    return root;
}

/// Equal bounds and ranks may have several numbers: only the newest 64 spaces are searched.
const RegionTable::Space& RegionTable::space_of(const data::Box& bounds, int rank) {
    constexpr std::size_t recent_max = 64;
    for (const Space& space : recent_spaces_)
        if (space.rank == rank && space.bounds.box() == bounds) return space;
    if (recent_spaces_.size() == recent_max) recent_spaces_.erase(recent_spaces_.begin());
    recent_spaces_.push_back({data::SharedSpace(bounds), rank, ++spaces_});
    return recent_spaces_.back();
}

std::uint32_t RegionTable::take_name() {
    if (free_names_.empty()) return names_++;
    const std::uint32_t name = free_names_.top();
    free_names_.pop();
    return name;
}

/// Without memory for the lists, the region lives on until the table ends, or its name is not given
/// again.
void RegionTable::destroy(RegionRoot* root) noexcept {
    try {
        dead_.push_back({*next_operation_, root});
    } catch (const std::bad_alloc&) {
        return;
    }
    live_[root->live_index] = live_.back();
    live_[root->live_index]->live_index = root->live_index;
    live_.pop_back();
    dead_bytes_ += root->storage->bytes();
    try {
        free_names_.push(root->name);
    } catch (const std::bad_alloc&) {
    }
}

void RegionTable::recycle_oldest() {
    RegionRoot* root = dead_[oldest_dead_].root;
    if (free_.size() == free_.capacity())  // the only step that may throw
        free_.reserve(std::max<std::size_t>(64, 2 * free_.size()));
    ++oldest_dead_;
    dead_bytes_ -= root->storage->bytes();
    reserved_bytes_ -= root->storage->reserved_bytes();
    recycle(root);
    if (2 * oldest_dead_ < dead_.size()) return;
    dead_.erase(dead_.begin(), dead_.begin() + static_cast<std::ptrdiff_t>(oldest_dead_));
    oldest_dead_ = 0;
}

void RegionTable::recycle(RegionRoot* root) {
    if (!adopted_.empty())
        adopted_.erase(reinterpret_cast<std::uintptr_t>(root->storage->elements()));
    root->storage->reset();
    for (const RegionRoot::Taint& taint : root->taints) remove_taint(taint);
    root->taints.clear();
    root->forget_accesses();
    root->long_walks = 0;
    root->bound_by = 0;
    root->seen_at = 0;
    root->use = {};
    root->last_use = 0;
    root->host_wrote_before = 0;
    root->whole_footprints = {};
    free_.push_back(root);
}

void RegionTable::erase(RegionRoot* root) noexcept {
    root->storage->reset();
    root->taints.clear();  // their failures are gone already
    delete root->storage;
    delete root;
}

void RegionTable::reset_histories() {
    for (RegionRoot* root : live_) root->forget_all();
    for (RegionRoot* root : free_) root->forget_all();
    for (std::size_t i = oldest_dead_; i < dead_.size(); ++i) dead_[i].root->forget_all();
}

RegionTable::~RegionTable() {
    for (; oldest_dead_ < dead_.size(); ++oldest_dead_) erase(dead_[oldest_dead_].root);
    std::vector<std::unique_ptr<std::function<void()>>> endings;
    for (RegionRoot* root : live_) {
        if (auto done = root->storage->take_done()) endings.push_back(std::move(done));
        if (root->references == 0) {  // destroy() had no memory
            erase(root);
            continue;
        }
        root->storage->reset();
        root->table = nullptr;
    }
    for (RegionRoot* root : free_) erase(root);
    for (const auto& done : endings)  // last: they may release handles
        if (*done) (*done)();
}

void retain(RegionRoot* region) noexcept {
    if (region != nullptr) ++region->references;
}

void release(RegionRoot* region) noexcept {
    if (region == nullptr || --region->references != 0) return;
    if (region->table != nullptr) return region->table->destroy(region);
    delete region->storage;
    delete region;
}

void unmap(RegionRoot* region, Privilege privilege) noexcept {
    region->use.end_host_access(privilege);
    if (region->table != nullptr) region->table->end_view();
    release(region);
}

const data::Box& bounds_of(const RegionRoot& region) noexcept {
    return region.bounds;
}

std::string name_of(const RegionRoot& region) {
    std::string name = "region" + std::to_string(region.name);
    if (!region.given_name.empty()) name += " '" + std::string(region.given_name.view()) + "'";
    return name;
}

void refuse_empty_region(const char* question) {
    throw UsageError(std::string(question) +
                     "() of an empty Region handle: it refers to no region; assign one made by "
                     "create_region first");
}

}  // namespace refrain::regions
