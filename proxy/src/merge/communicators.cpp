#include "merge/communicators.hpp"

#include <map>
#include <numeric>
#include <optional>

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
    bool told = false, placed = false, settled = false;
    int group = no_group;
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
            if (step.function == Function::Comm_free_) {
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

/// Whether there was one whose parent is known by now.
bool place(std::vector<std::vector<Making>>& all, Groups& groups) {
    bool any = false;
    for (std::vector<Making>& makings : all)
        for (Making& making : makings) {
            if (!making.told || making.placed) continue;
            if (making.parent_group == no_group) making.parent_group = makings[making.parent].group;
            if (making.parent_group == no_group) continue;
            Group& parent = groups.at(making.parent_group);
            if (making.step.me < 0 ||
                making.step.me >= static_cast<std::int64_t>(parent.world.size()))
                continue;
            if (parent.calls.size() <= making.ordinal) parent.calls.resize(making.ordinal + 1);
            Group::Call& call = parent.calls[making.ordinal];
            call.makers.push_back({making.step.me, &making.step});
            ++call.arrived;
            any = making.placed = true;
        }
    return any;
}

/// What all ranks of the parent have made by now.
void settle(std::vector<std::vector<Making>>& all, Groups& groups) {
    for (std::vector<Making>& makings : all)
        for (Making& making : makings) {
            if (!making.placed || making.settled || making.step.new_comm < 0) continue;
            const Group& parent = groups.at(making.parent_group);
            if (parent.calls[making.ordinal].arrived != parent.world.size()) continue;
            making.group = groups.made_by(making.parent_group, making.ordinal, making.step.me);
            making.settled = true;
        }
}

}  // namespace

Communicators::Communicators(const Recording& recording) {
    std::vector<std::uint32_t> everybody(recording.size());
    std::iota(everybody.begin(), everybody.end(), 0u);
    (void)groups_.add(everybody);
    for (const std::uint32_t rank : everybody) (void)groups_.add({rank});
    std::vector<std::vector<Making>> makings;
    for (const std::uint32_t rank : everybody) makings.push_back(makings_of(recording, rank));
    // Those whose parent is known make more parents known.
    while (place(makings, groups_)) settle(makings, groups_);
    for (const std::vector<Making>& mine : makings) {
        std::vector<int>& got = got_.emplace_back();
        for (const Making& making : mine)
            if (making.step.new_comm >= 0) got.push_back(making.group);
    }
}

}  // namespace refrain::proxy
