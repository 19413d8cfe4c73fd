#include "page/site_table.hpp"

namespace refrain::page {

SiteId SiteTable::find_by_text(const LaunchSite& given) {
    const LaunchSite site = given.resolved();
    std::string text = std::string(site.name) + '\0' + site.file + '\0';
    text += std::to_string(site.line);
    SiteId id = 0;
    if (const auto known = by_text_.find(text); known != by_text_.end()) {
        id = known->second;
    } else if (sites_.size() < sites_max) {
        id = add(site);
        by_text_.emplace(std::move(text), id);
    } else {
        if (sites_.size() == sites_max) add({"all further launch sites", "", 0});
        id = static_cast<SiteId>(sites_max);
    }
    recent_[slot_of(given)] = {given, id};
    return id;
}

SiteId SiteTable::add(const LaunchSite& site) {
    sites_.emplace_back().site = site;
    held_sums_.push_back(0);
    tokens_.emplace_back();
    mismatches_.emplace_back();
    return static_cast<SiteId>(sites_.size() - 1);
}

void SiteTable::forget_counts() {
    for (SiteId id = 0; id < sites_.size(); ++id) {
        LaunchSiteReport fresh;
        fresh.site = sites_[id].site;
        sites_[id] = fresh;
        held_sums_[id] = 0;
    }
}

LaunchSiteReport SiteTable::report(SiteId id) const {
    LaunchSiteReport site = sites_[id];
    if (site.held_back != 0)
        site.held_back_mean =
            static_cast<double>(held_sums_[id]) / static_cast<double>(site.held_back);
    return site;
}

}  // namespace refrain::page
