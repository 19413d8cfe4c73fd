#include "merge/attached.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace refrain::proxy {
namespace {

struct Place {
    std::int64_t slot = 0, offset = 0;
};

/// The memory of one rank that was attached, as slots from `first` on in the order of attachment.
class Blocks {
  public:
    Blocks(const std::vector<Attached>& attached, std::size_t first) {
        std::vector<std::size_t> order(attached.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return attached[a].address < attached[b].address;
        });
        std::vector<Block> blocks;
        for (const std::size_t i : order) {
            const std::uint64_t begin = attached[i].address, end = begin + attached[i].bytes;
            if (blocks.empty() || begin >= blocks.back().end) blocks.push_back({begin, end, i});
            blocks.back().end = std::max(blocks.back().end, end);
            blocks.back().attached = std::min(blocks.back().attached, i);
        }
        std::sort(blocks.begin(), blocks.end(),
                  [](const Block& a, const Block& b) { return a.attached < b.attached; });
        for (const Block& block : blocks) {
            extents_.push_back({0, static_cast<std::int64_t>(block.end - block.begin),
                                static_cast<std::int64_t>(block.begin % SlotExtent::lines)});
            by_begin_[block.begin] = {block.end, static_cast<std::int64_t>(first++)};
        }
    }
    [[nodiscard]] std::optional<Place> find(std::uint64_t address) const {
        auto behind = by_begin_.upper_bound(address);
        if (behind == by_begin_.begin()) return std::nullopt;
        const auto& [begin, block] = *--behind;
        if (address >= block.first) return std::nullopt;
        return Place{block.second, static_cast<std::int64_t>(address - begin)};
    }
    /// Of the slots from the first on.
    [[nodiscard]] const std::vector<SlotExtent>& extents() const { return extents_; }

  private:
    struct Block {
        std::uint64_t begin, end;
        std::size_t attached;  // which of all was the first
    };
    std::map<std::uint64_t, std::pair<std::uint64_t, std::int64_t>> by_begin_;  // end and slot
    std::vector<SlotExtent> extents_;
};

void resolve(Event& event, const std::vector<Blocks>& owners) {
    if (event.function == Function::by_name) return;
    for (const Argument& each : arguments_of(event)) {
        if (each.parameter == nullptr ||
            (each.parameter->kind != Kind::disp_ && each.parameter->kind != Kind::wbase_))
            continue;
        std::int64_t& buffer = event.values[each.begin];
        std::int64_t& offset = event.values[each.begin + 1];
        if (buffer > buffer_of_rank(0)) continue;  // a slot, or a code
        const std::int64_t owner = rank_of_buffer(buffer);
        std::optional<Place> found;
        if (static_cast<std::size_t>(owner) < owners.size())
            found =
                owners[static_cast<std::size_t>(owner)].find(static_cast<std::uint64_t>(offset));
        const Place place = found.value_or(Place{buffer_unattached, 0});
        buffer = place.slot;
        offset = place.offset;
    }
}

}  // namespace

void resolve_attached(std::vector<RankRecording>& ranks) {
    // Also where nothing was attached: no address of a run must stay in its recording.
    const bool any = std::any_of(ranks.begin(), ranks.end(), [](const RankRecording& rank) {
        return !rank.attached.empty() ||
               std::any_of(rank.events.begin(), rank.events.end(), [](const Event& event) {
                   return event.function == Function::Win_create_dynamic_;
               });
    });
    if (!any) return;
    std::size_t first = 0;
    for (const RankRecording& rank : ranks) first = std::max(first, rank.slots.size());
    std::vector<Blocks> owners;
    for (RankRecording& rank : ranks) {
        owners.emplace_back(rank.attached, first);
        rank.slots.resize(first);
        rank.slots.insert(rank.slots.end(), owners.back().extents().begin(),
                          owners.back().extents().end());
    }
    for (RankRecording& rank : ranks)
        for (Event& event : rank.events) resolve(event, owners);
}

}  // namespace refrain::proxy
