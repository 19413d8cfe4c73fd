/// Launches functions over whole arrays (refrain/array/work.hpp).
///
/// Each use is a requirement of its own: whole, or a box per tile, equal ones or those of a cut.
///
/// Threads: the launching thread.
#pragma once

#include "refrain/array/work.hpp"
#include "refrain/dynamic.hpp"

#include <map>
#include <optional>
#include <vector>

#include "arrays/partitioner.hpp"

namespace refrain::array {

class WorkLauncher {
  public:
    WorkLauncher(Runtime& runtime, StoreTable& stores) : runtime_(runtime), stores_(stores) {}

    /// Stores from outside must lie in regions already. `cut` is of a work with constraints; else null.
    void launch(const Work& work, const Site& site, const std::shared_ptr<const Cut>& cut);
    void set_site_resolver(std::optional<SiteResolver> resolver) noexcept { resolver_ = resolver; }

  private:
    [[nodiscard]] const dynamic::TaskKind& kind_of(const Work& work, bool tiled,
                                                   std::span<const Privilege> privileges);

    Runtime& runtime_;
    StoreTable& stores_;
    std::optional<SiteResolver> resolver_;
    std::map<std::vector<std::uintptr_t>, dynamic::TaskKind> kinds_;
};

/// Calls the function on this thread, tile by tile; the stores' memory is known.
void run_here(const Work& work);

}  // namespace refrain::array
