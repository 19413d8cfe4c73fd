#pragma once

#include "runtime/region_root.hpp"

#include <functional>
#include <memory>
#include <queue>
#include <vector>

namespace refrain::runtime {

/// The regions of a runtime: makes them, names them, and takes them apart when nobody uses them any
/// more.
///
/// A name is free again as soon as its region is destroyed, and the smallest free one is used next:
/// names are a function of the program alone. Storage and record are reused only once all
/// operations launched before the destruction have retired.
///
/// Threads:  the launching thread only.
class RegionTable {
  public:
    RegionTable(Core& core, data::StoragePool& pool) : core_(core), pool_(pool) {}
    /// Regions that the program still holds live on as empty shells.
    ~RegionTable();
    RegionTable(const RegionTable&) = delete;
    RegionTable& operator=(const RegionTable&) = delete;
    RegionTable(RegionTable&&) = delete;
    RegionTable& operator=(RegionTable&&) = delete;

    [[nodiscard]] RegionRoot* create(const data::Box& bounds, int rank, std::size_t element_bytes,
                                     const char* name);
    /// The last handle is gone.
    void destroy(RegionRoot* root) noexcept;
    /// Operations below `frontier` have retired.
    void reclaim(std::uint64_t frontier) {
        while (oldest_dead_ < dead_.size() && dead_[oldest_dead_].launched_before <= frontier)
            recycle_oldest();
    }
    /// Of regions that are dead and not yet reclaimed.
    [[nodiscard]] std::size_t dead_bytes() const { return dead_bytes_; }
    /// Forgets what the analysis knows of every region.
    void reset_histories();

    [[nodiscard]] std::uint64_t created() const { return created_; }
    [[nodiscard]] Core& core() const { return core_; }

  private:
    struct Dead {
        std::uint64_t launched_before;
        RegionRoot* root;
    };
    [[nodiscard]] RegionRoot* take_record();
    [[nodiscard]] std::uint32_t take_name();
    [[nodiscard]] std::uint32_t number_of(const data::Box& bounds);
    void recycle_oldest();
    void recycle(RegionRoot* root);

    Core& core_;
    data::StoragePool& pool_;
    std::vector<RegionRoot*> live_;
    std::vector<Dead> dead_;  // in the order of their destruction
    std::size_t oldest_dead_ = 0;
    std::size_t dead_bytes_ = 0;
    std::vector<RegionRoot*> free_;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free_names_;
    std::uint32_t names_ = 0;
    std::vector<data::Box> recent_spaces_;  // bounds of the newest numbers
    std::uint32_t spaces_ = 0;
    std::uint64_t created_ = 0;
};

}  // namespace refrain::runtime
