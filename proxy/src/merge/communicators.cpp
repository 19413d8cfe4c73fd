#include "merge/communicators.hpp"

#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace refrain::proxy {
namespace {

/// By event: whether it makes or frees a communicator.
std::vector<bool> changes_communicators(const std::vector<Event>& events) {
    std::vector<bool> all;
    for (const Event& event : events) {
        bool found = false;
        for (const Parameter& parameter : info(event.function).parameters)
            found = found || parameter.kind == Kind::newcomm_ || parameter.kind == Kind::freecomm_;
        all.push_back(found);
    }
    return all;
}

/// A call of a rank that makes communicators.
struct Making {
    RankStep step;
    int parent_group = no_group;
    std::size_t parent = 0;   // of its own makings, where there is no parent_group yet
    std::size_t ordinal = 0;  // among those on its parent
    bool told = false;
    int group = no_group;
    std::vector<std::size_t> children{};  // own makings whose parent this is
};

std::vector<Making> makings_of(const Recording& recording, std::uint32_t rank) {
    const std::vector<bool> changes = changes_communicators(recording.events);
    std::vector<Making> makings;
    struct Live {
        std::optional<std::size_t> making;  // nothing: MPI_COMM_WORLD or MPI_COMM_SELF
        std::size_t makings_on_it = 0;
    };
    std::map<std::int64_t, Live> live{{0, {}}, {1, {}}};
    CommunicatorBook book(rank, recording.size());
    const strings::Grammar grammar = recording.grammar_of(rank);
    for (strings::GrammarCursor at(grammar); !at.done(); at.next())
        for (std::uint64_t i = 0; changes[at.terminal()] && i < at.count(); ++i) {
            const RankStep step = read_step(book.resolve(recording.events[at.terminal()]));
            if (step.frees_comm) {
                live.erase(step.comm);
                continue;
            }
            Making making{step};
            if (const auto parent = live.find(step.comm); step.collective && parent != live.end()) {
                making.told = true;
                making.ordinal = parent->second.makings_on_it++;
                if (parent->second.making)
                    making.parent = *parent->second.making;
                else
                    making.parent_group = step.comm == 0 ? 0 : 1 + static_cast<int>(rank);
            }
            if (step.new_comm >= 0) live[step.new_comm] = {makings.size(), 0};
            makings.push_back(std::move(making));
        }
    return makings;
}

/// Finds the groups of all makings: each is looked at once, when that of its parent is known.
class Settling {
  public:
    Settling(std::vector<std::vector<Making>>& all, Groups& groups) : all_(all), groups_(groups) {
        for (std::uint32_t rank = 0; rank < all_.size(); ++rank)
            for (std::size_t i = 0; i < all_[rank].size(); ++i) {
                const Making& making = all_[rank][i];
                if (!making.told) continue;
                if (making.parent_group != no_group)
                    placeable_.push_back({rank, i});
                else
                    all_[rank][making.parent].children.push_back(i);
            }
    }
    void run() {
        for (; !placeable_.empty(); placeable_.pop_front()) place(placeable_.front());
    }

  private:
    struct Place {
        std::uint32_t rank;
        std::size_t index;
    };

    [[nodiscard]] Making& at(const Place& place) { return all_[place.rank][place.index]; }

    void place(const Place& here) {
        const Making& making = at(here);
        Group& parent = groups_.at(making.parent_group);
        const std::size_t members = parent.world.size();
        if (making.step.me < 0 || making.step.me >= static_cast<std::int64_t>(members)) return;
        if (parent.calls.size() <= making.ordinal) parent.calls.resize(making.ordinal + 1);
        Group::Call& call = parent.calls[making.ordinal];
        call.makers.push_back({making.step.me, &making.step});
        ++call.arrived;
        const std::pair key(making.parent_group, making.ordinal);
        waiting_[key].push_back(here);
        if (call.arrived != members) return;
        // All ranks of the parent have made it.
        const auto makers = waiting_.extract(key);
        for (const Place& each : makers.mapped()) settle(each);
    }
    void settle(const Place& here) {
        Making& making = at(here);
        if (making.step.new_comm < 0) return;
        making.group = groups_.made_by(making.parent_group, making.ordinal, making.step.me);
        if (making.group == no_group) return;
        for (const std::size_t child : making.children) {
            all_[here.rank][child].parent_group = making.group;
            placeable_.push_back({here.rank, child});
        }
    }

    std::vector<std::vector<Making>>& all_;
    Groups& groups_;
    std::deque<Place> placeable_;
    std::map<std::pair<int, std::size_t>, std::vector<Place>> waiting_;  // by parent and ordinal
};

}  // namespace

Communicators::Communicators(const Recording& recording) {
    std::vector<std::uint32_t> everybody(recording.size());
    std::iota(everybody.begin(), everybody.end(), 0u);
    (void)groups_.add(everybody);
    for (const std::uint32_t rank : everybody) (void)groups_.add({rank});
    std::vector<std::vector<Making>> makings;
    for (const std::uint32_t rank : everybody) makings.push_back(makings_of(recording, rank));
    Settling(makings, groups_).run();
    for (const std::vector<Making>& mine : makings) {
        std::vector<int>& got = got_.emplace_back();
        for (const Making& making : mine)
            if (making.step.new_comm >= 0) got.push_back(making.group);
    }
}

}  // namespace refrain::proxy
