#pragma once

#include "graph/operation_number.hpp"
#include "regions/region_root.hpp"

#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <vector>

namespace refrain::regions {

/// The regions of one runtime: creates them, names them, and recycles them once nothing uses them.
///
///     create ──▶ live ──last handle gone: destroy──▶ dead ──frontier passes: reclaim──▶ free ──▶ create
///
/// A name is free as soon as its region is destroyed, and the smallest free name is used next, so names
/// depend on the program alone. Storage and record are reused only when every operation launched before
/// the destruction has retired.
///
/// Threads:  the launching thread only.
class RegionTable {
  public:
    /// `next_operation`: where the caller keeps the number of the next operation to be launched. Both
    /// arguments outlive the table's last use.
    /// `marks_writes`: regions mark the elements that are written (Storage).
    RegionTable(data::StoragePool& pool, const graph::OperationNumber* next_operation,
                bool marks_writes = false)
        : pool_(pool), next_operation_(next_operation), marks_writes_(marks_writes) {}
    /// Regions that the program still holds stay valid as empty shells: bounds and name, no elements.
    ~RegionTable();
    RegionTable(const RegionTable&) = delete;
    RegionTable& operator=(const RegionTable&) = delete;
    RegionTable(RegionTable&&) = delete;
    RegionTable& operator=(RegionTable&&) = delete;

    /// Whether a region may be read before anything has written it.
    enum class Content : std::uint8_t { none, unspecified };
    /// The caller holds the one reference.
    [[nodiscard]] RegionRoot* create(const data::Box& bounds, int rank, std::size_t element_bytes,
                                     std::string_view name, Content content = Content::none);
    /// A region in memory from outside, which stays valid until `done` is called.
    /// Precondition: owner_of() the memory is null.
    [[nodiscard]] RegionRoot* adopt(const data::Box& bounds, int rank, std::size_t element_bytes,
                                    std::string_view name, void* memory,
                                    std::function<void()> done);
    /// A region in memory from outside that overlaps these bytes, live or not yet recycled; or null.
    [[nodiscard]] const RegionRoot* owner_of(const void* memory, std::size_t bytes) const;
    /// The last handle is gone.
    void destroy(RegionRoot* root) noexcept;
    /// All operations below `frontier` have retired: recycles the regions that only they used.
    void reclaim(graph::OperationNumber frontier) {
        while (has_dead_before(frontier)) recycle_oldest();
    }
    /// Whether reclaim(frontier) would recycle a region.
    [[nodiscard]] bool has_dead_before(graph::OperationNumber frontier) const {
        return oldest_dead_ < dead_.size() && dead_[oldest_dead_].launched_before <= frontier;
    }
    /// The host opens a view of the region (unmap ends it).
    void begin_view(RegionRoot& root, Privilege privilege) {
        root.use.begin_host_access(privilege);
        ++views_;
    }
    void end_view() { --views_; }
    /// Whether the host holds a view of any region.
    [[nodiscard]] bool has_views() const { return views_ != 0; }
    /// The region is about to be used: its memory counts from now on, until it is recycled.
    void reserve(RegionRoot& root) { reserved_bytes_ += root.storage->reserve(); }
    /// Whether a region that was reserved may find no memory. Memory beside regions, as of partial
    /// results, is not looked at.
    [[nodiscard]] bool is_overcommitted() const { return reserved_bytes_ > pool_.limit_bytes(); }
    /// Bytes of regions that were destroyed and not yet reclaimed.
    [[nodiscard]] std::size_t dead_bytes() const { return dead_bytes_; }
    /// How many taints the regions have (taint.hpp). Call `remove_taint` before a taint is erased.
    [[nodiscard]] std::size_t taints() const { return taints_; }
    void add_taint() { ++taints_; }
    void remove_taint(const RegionRoot::Taint& taint) {
        --taint.failure->references;
        --taints_;
    }
    /// Forgets what the analysis knows of every region.
    void reset_histories();

    /// Where the elements of its regions come from.
    [[nodiscard]] data::StoragePool& pool() const { return pool_; }
    [[nodiscard]] std::uint64_t created() const { return created_; }
    /// Calls f(region) for each region that the program holds.
    template <class F>
    void for_each_live(F&& f) const {
        for (const RegionRoot* root : live_) f(*root);
    }

  private:
    struct Dead {
        graph::OperationNumber launched_before;  // only operations below this use it
        RegionRoot* root;
    };
    [[nodiscard]] RegionRoot* take_record();
    [[nodiscard]] std::uint32_t take_name();
    /// Equal numbers mean equal bounds and ranks.
    struct Space {
        data::SharedSpace bounds;
        int rank;
        std::uint32_t number;
    };
    [[nodiscard]] const Space& space_of(const data::Box& bounds, int rank);
    void recycle_oldest();
    void recycle(RegionRoot* root);
    static void erase(RegionRoot* root) noexcept;

    data::StoragePool& pool_;
    const graph::OperationNumber* next_operation_;
    bool marks_writes_;
    std::vector<RegionRoot*> live_;
    std::vector<Dead> dead_;  // in the order of their destruction
    std::size_t oldest_dead_ = 0;
    std::size_t dead_bytes_ = 0;
    std::size_t reserved_bytes_ = 0;
    std::size_t taints_ = 0;
    std::size_t views_ = 0;
    std::vector<RegionRoot*> free_;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free_names_;
    std::uint32_t names_ = 0;
    std::vector<Space> recent_spaces_;  // by number, at most 64
    struct Adopted {
        std::uintptr_t end;
        RegionRoot* root;
    };
    std::map<std::uintptr_t, Adopted> adopted_;  // by the first byte; not yet recycled
    std::uint32_t spaces_ = 0;
    std::uint64_t created_ = 0;
};

}  // namespace refrain::regions
