#include "engine/causal_order.hpp"

#include <algorithm>

namespace refrain::script::engine {

void CausalOrder::learn(const Count& count) {
    const auto [place, is_new] = places_.try_emplace({count.from, count.to}, known_.end());
    if (is_new)
        place->second = known_.insert(known_.begin(), {count, now_});
    else if (place->second->count.messages < count.messages)
        known_.splice(known_.begin(), known_, place->second);
    else
        return;
    *place->second = {count, now_};
}

void CausalOrder::send(const std::vector<Rank>& to) {
    ++now_;
    for (const Rank each : to) {
        const auto known = places_.find({rank_, each});
        learn({rank_, each, known == places_.end() ? 1 : known->second->count.messages + 1});
    }
}

std::vector<CausalOrder::Count> CausalOrder::stamp(Rank to) {
    std::vector<Count> made;
    std::uint64_t& told = told_[to];
    for (const Known& each : known_) {
        if (each.changed <= told) break;
        made.push_back(each.count);
    }
    told = now_;
    return made;
}

/// All that its sender knew of, and that is for this rank, has been handled. The parcel counts itself.
bool CausalOrder::may_be_handled(Rank from, const Parcel& parcel) const {
    return std::ranges::all_of(parcel.stamp, [&](const Count& each) {
        if (each.to != rank_ || each.from == from) return true;
        const auto handled = handled_.find(each.from);
        return handled != handled_.end() && handled->second >= each.messages;
    });
}

std::optional<std::pair<Rank, CausalOrder::Parcel>> CausalOrder::take() {
    for (auto& [from, held] : held_) {
        if (held.empty() || !may_be_handled(from, held.front())) continue;
        std::pair<Rank, Parcel> next{from, std::move(held.front())};
        held.pop_front();
        ++handled_[from];
        ++now_;
        for (const Count& each : next.second.stamp) learn(each);
        return next;
    }
    return std::nullopt;
}

}  // namespace refrain::script::engine
