#pragma once

#include "page/site_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace refrain::observe {

/// The launches of a quiet stretch (quiet_loop.hpp), which are counted by launch site together, when it ends:
///
///     places in the loop    a b c                 each with the site that was launched there the last time
///     passed                  b c a b c a b       counted at once: a 2, b 3, c 2
///
/// So a site is looked up once for each place, not once for each launch. A launch of the same kind may come from another
/// site this turn; then what has passed is counted before its place gets that site.
///
/// Hot path: each launch compares its site with that of its place, counts, and goes to the next place.
/// Bounded:  an entry of 32 bytes for each launch of a loop.
/// Threads:  the launching thread only.
class PassedLaunches {
  public:
    static constexpr std::uint64_t places_max = std::uint64_t{1} << 16;
    struct Place {
        LaunchSite site;
        std::uint32_t points = 0;
        page::SiteId id = 0;
    };

    /// A stretch may begin with the launch at place `next` of the loop whose first place is position `first` of the
    /// stream. Nothing has passed since the last call of settle. Places of one loop keep what is noted, also how many
    /// points their launches have: launches that are expected at a position agree in that.
    void follow(std::uint64_t first, std::uint64_t length, std::uint64_t next) {
        if (first != first_ || length != places_.size()) {
            first_ = first;
            places_.assign(length, Place{});
        }
        at_ = begin_ = next;
    }
    /// Positions are given anew.
    void forget() { places_.clear(); }

    /// Whether the next launch is known to be of this site.
    [[nodiscard]] bool expects(const LaunchSite& site) const {
        const LaunchSite& known = places_[at_].site;
        return known.name == site.name && known.file == site.file && known.line == site.line &&
               known.resolver == site.resolver;
    }
    /// It will be, and so will those at its place in later turns. Nothing has passed since the last call of settle.
    void expect(const Place& place) { places_[at_] = place; }
    void passed() {
        ++passed_;
        if (++at_ == places_.size()) at_ = 0;
    }

    /// Calls count(place, launches) for each place with launches that have passed. Then calls latest(id, position) in
    /// the order of launches, for as many as have the two newest ones of each site among them.
    template <class Count, class Latest>
    void settle(Count&& count, Latest&& latest) {
        const std::uint64_t length = places_.size();
        const std::uint64_t passed = std::exchange(passed_, 0);
        const auto place_after = [&](std::uint64_t launches) {
            return (begin_ + launches) % length;
        };
        for (std::uint64_t i = 0; i < std::min(passed, length); ++i)
            count(places_[place_after(i)], passed / length + (i < passed % length ? 1 : 0));
        for (std::uint64_t i = passed - std::min(passed, 2 * length); i < passed; ++i)
            latest(places_[place_after(i)].id, first_ + place_after(i));
        begin_ = at_;
    }

  private:
    std::vector<Place> places_;
    std::size_t at_ = 0;        // of the next launch
    std::size_t begin_ = 0;     // of the first that has passed
    std::uint64_t passed_ = 0;  // since the last call of settle
    std::uint64_t first_ = 0;
};

}  // namespace refrain::observe
