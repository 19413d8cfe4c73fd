#pragma once

#include "page/region_automaton.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "states/region_states.hpp"

namespace refrain::observe {

/// Notes which states regions are in and what leads from one to the other: for the report's automata,
/// and to say at each launch site which access met a new transition.
///
/// Bounded: regions beyond `regions_max` names share one automaton.
///
/// Threads:     the launching thread only.
class StateNotes final : public states::StateWatch {
  public:
    static constexpr std::size_t regions_max = 32;
    using NameOf = std::string (*)(const analysis::RegionHistory& region);

    StateNotes(const states::RegionStates& states, NameOf name_of)
        : states_(states), name_of_(name_of) {}

    void changed(const states::StateChange& change) override;
    /// All changes since the last call belong to this operation.
    void operation(std::uint64_t number, page::SiteId site);

    /// Sentences about the accesses of a site; empty if there were none. `describe` says where a site
    /// is.
    [[nodiscard]] std::string detail(
        page::SiteId site, const std::function<std::string(page::SiteId)>& describe) const;
    /// The region with most accesses first.
    [[nodiscard]] std::vector<page::RegionAutomaton> automata() const;

  private:
    using Automaton = page::RegionAutomaton;
    static constexpr std::uint32_t not_kept = ~std::uint32_t{0};
    /// The automaton of regions with one name, and what finds its parts.
    struct Book {
        Automaton automaton;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
            states;  // by generation, id
        std::map<std::tuple<std::uint32_t, std::uint32_t, page::SiteId>, std::size_t> arrows;
    };
    struct Pending {
        Book* book;
        std::uint32_t from, to;  // in the automaton's states; not_kept: no room, or no state
        states::StateChange::How how;
    };
    /// The latest access of a site that met a new transition.
    struct Latest {
        std::uint64_t operation = 0;  // 0: none
        std::string region;
        bool has_state = false;  // there was room for it
        Automaton::State state;  // that the region was in
    };
    struct Site {
        std::uint64_t known = 0, found = 0, in_log = 0;
        Latest latest;
    };
    [[nodiscard]] Book& book_of(const analysis::RegionHistory& region);
    [[nodiscard]] std::uint32_t state_of(Book& book, const states::StateChange& change,
                                         std::uint32_t id);
    void note(const Pending& change, std::uint64_t number, page::SiteId id);

    const states::RegionStates& states_;
    NameOf name_of_;
    std::map<std::string, Book> books_;                   // by the region's name
    std::unordered_map<std::uint64_t, Book*> by_region_;  // by serial; a cache
    std::vector<Pending> pending_;
    std::vector<Site> sites_;  // by id
};

}  // namespace refrain::observe
