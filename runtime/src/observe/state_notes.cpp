#include "observe/state_notes.hpp"

#include <algorithm>

namespace refrain::observe {
namespace {

using Way = states::StateChange::How;

constexpr std::size_t cached_regions_max = 4096;
constexpr const char* other_regions = "further regions";

std::string accesses(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " access" : " accesses");
}

}  // namespace

StateNotes::Book& StateNotes::book_of(const analysis::RegionHistory& region) {
    const auto known = by_region_.find(region.serial);
    if (known != by_region_.end()) return *known->second;
    std::string name = name_of_(region);
    if (books_.size() >= regions_max && !books_.contains(name)) name = other_regions;
    Book& book = books_[name];
    book.automaton.region = name;
    if (by_region_.size() >= cached_regions_max) by_region_.clear();
    by_region_.emplace(region.serial, &book);
    return book;
}

std::uint32_t StateNotes::state_of(Book& book, const states::StateChange& change,
                                   std::uint32_t id) {
    const auto key = std::pair(change.generation, id);
    const auto known = book.states.find(key);
    if (known != book.states.end()) return known->second;
    auto& states = book.automaton.states;
    if (states.size() >= Automaton::states_max) return not_kept;
    const auto index = static_cast<std::uint32_t>(states.size());
    book.states.emplace(key, index);
    states.push_back({.what = states_.describe(id), .in_cell = change.in_cell});
    return index;
}

void StateNotes::changed(const states::StateChange& change) {
    Book& book = book_of(change.region);
    Pending pending{&book, not_kept, not_kept, change.how};
    if (change.how != Way::in_log) {
        pending.from = state_of(book, change, change.from);
        pending.to = state_of(book, change, change.to);
    }
    pending_.push_back(pending);
}

void StateNotes::operation(std::uint64_t number, page::SiteId site) {
    for (const Pending& change : pending_) note(change, number, site);
    pending_.clear();
}

void StateNotes::note(const Pending& change, std::uint64_t number, page::SiteId id) {
    if (id >= sites_.size()) sites_.resize(id + std::size_t{1});
    Site& site = sites_[id];
    Automaton& automaton = change.book->automaton;
    const auto count = [&](Automaton& all) -> std::uint64_t& {
        return change.how == Way::known   ? all.known
               : change.how == Way::found ? all.found
                                          : all.in_log;
    };
    ++count(automaton);
    ++(change.how == Way::known ? site.known : change.how == Way::found ? site.found : site.in_log);
    if (change.how == Way::found) {
        site.latest = {.operation = number,
                       .region = automaton.region,
                       .has_state = change.from != not_kept,
                       .state = {}};
        if (site.latest.has_state) site.latest.state = automaton.states[change.from];
    }
    if (change.how == Way::in_log) return;
    if (change.to != not_kept) {
        Automaton::State& state = automaton.states[change.to];
        ++state.times;
        if (state.first_operation == 0) {
            state.first_operation = number;
            state.first_site = id;
        }
    }
    if (change.from == not_kept || change.to == not_kept) {
        ++automaton.not_drawn;
        return;
    }
    const auto key = std::tuple(change.from, change.to, id);
    const auto known = change.book->arrows.find(key);
    if (known != change.book->arrows.end()) {
        ++automaton.arrows[known->second].times;
    } else if (automaton.arrows.size() < Automaton::arrows_max) {
        change.book->arrows.emplace(key, automaton.arrows.size());
        automaton.arrows.push_back({change.from, change.to, id, 1});
    } else {
        ++automaton.not_drawn;
    }
}

std::string StateNotes::detail(page::SiteId id,
                               const std::function<std::string(page::SiteId)>& describe) const {
    if (id >= sites_.size()) return {};
    const Site& site = sites_[id];
    const std::uint64_t all = site.known + site.found + site.in_log;
    if (all == 0) return {};
    std::string text = "Of its " + accesses(all) + " to regions, " + std::to_string(site.known) +
                       " took a known transition, without geometry";
    if (site.in_log != 0)
        text += ", and " + std::to_string(site.in_log) + " passed a log, since states multiply";
    text += ".";
    const Latest& latest = site.latest;
    if (latest.operation == 0) return text;
    text += " The latest that was new: operation " + std::to_string(latest.operation) + " met " +
            latest.region + " ";
    if (!latest.has_state) return text + "in a state that is not kept.";
    text += latest.state.first_operation == 0
                ? "as nothing had left it before"
                : "in the state that " + describe(latest.state.first_site) +
                      " led to first, operation " + std::to_string(latest.state.first_operation);
    return text + " (" + latest.state.what + ").";
}

std::vector<page::RegionAutomaton> StateNotes::automata() const {
    std::vector<page::RegionAutomaton> all;
    for (const auto& [name, book] : books_) all.push_back(book.automaton);
    std::stable_sort(all.begin(), all.end(), [](const Automaton& a, const Automaton& b) {
        return a.known + a.found + a.in_log > b.known + b.found + b.in_log;
    });
    return all;
}

}  // namespace refrain::observe
