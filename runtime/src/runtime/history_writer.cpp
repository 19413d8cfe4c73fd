#include "runtime/history_writer.hpp"

#include "base/hash.hpp"
#include "trace/description.hpp"

#include <algorithm>
#include <set>

namespace refrain::runtime {

using trace::Describer;
using trace::SavedHistory;

std::size_t HistoryWriter::WordsHash::operator()(const Words& words) const noexcept {
    base::Hasher hasher;
    for (const std::uint64_t word : words) hasher.add(word);
    return hasher.finish().low;
}

SavedHistory HistoryWriter::write() {
    history_ = {};
    history_.program = image_.mark();
    for (const ProgramImage::Module& module : image_.modules())
        history_.modules.push_back({module.name, module.mark});
    const std::uint64_t end = recogniser_.end();
    const std::uint64_t kept = std::min<std::uint64_t>(end, recogniser_.capacity() / 2);
    for (std::uint64_t position = end - kept; position < end; ++position) {
        const auto description = recogniser_.description(position);
        history_.sequence.push_back(description ? operation(*description) : SavedHistory::gap);
    }
    keep_each_part_once();
    return std::move(history_);
}

std::uint32_t HistoryWriter::operation(std::span<const std::uint64_t> description) {
    key_.assign(description.begin(), description.end());
    const auto known = operations_.find(key_);
    if (known != operations_.end()) return known->second;
    return operations_[key_] = make_operation(description);
}

std::uint32_t HistoryWriter::make_operation(std::span<const std::uint64_t> description) {
    SavedHistory::Operation made;
    const std::size_t count = Describer::requirements_in(description);
    const void* function = Describer::task_in(description);
    made.points = Describer::points_in(description);
    if (count > SavedHistory::Limits::requirements || made.points > SavedHistory::Limits::points)
        return SavedHistory::gap;
    if (function != nullptr) {
        const auto known = task(function);
        if (!known) return SavedHistory::gap;
        made.task = *known;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const analysis::RequirementShape shape = Describer::shape_in(description, i);
        const auto known = footprint(shape.footprint);
        if (!known) return SavedHistory::gap;
        made.requirements.push_back(
            {*known, shape.privilege, shape.reduction, Describer::link_in(description, i)});
    }
    history_.operations.push_back(std::move(made));
    return static_cast<std::uint32_t>(history_.operations.size() - 1);
}

std::optional<std::uint32_t> HistoryWriter::task(const void* function) {
    const auto [entry, is_new] = tasks_.try_emplace(function);
    if (!is_new) return entry->second;
    const auto place = image_.place_of(function);
    if (!place) return std::nullopt;
    history_.tasks.push_back({place->module, place->offset});
    return entry->second = static_cast<std::uint32_t>(history_.tasks.size() - 1);
}

std::optional<std::uint32_t> HistoryWriter::footprint(analysis::FootprintId id) {
    const auto [entry, is_new] = known_footprints_.try_emplace(static_cast<std::uint32_t>(id));
    if (!is_new) return entry->second;
    const std::vector<data::BoxSet>& subsets = footprints_.get(id).subsets;
    if (!trace::can_be_saved(subsets)) return std::nullopt;
    std::size_t boxes = 0;
    for (const data::BoxSet& subset : subsets) boxes += subset.boxes().size();
    boxes = std::max(boxes, subsets.size());
    if (boxes > boxes_left_) return std::nullopt;
    boxes_left_ -= boxes;
    history_.footprints.push_back(subsets);
    return entry->second = static_cast<std::uint32_t>(history_.footprints.size() - 1);
}

/// The newest one of those that are equal; one gap behind each.
void HistoryWriter::keep_each_part_once() {
    std::set<std::vector<std::uint32_t>> known;
    std::vector<std::uint32_t> kept;  // backwards
    const std::vector<std::uint32_t>& all = history_.sequence;
    for (std::size_t end = all.size(); end > 0;) {
        std::size_t begin = end;
        while (begin > 0 && all[begin - 1] != SavedHistory::gap) --begin;
        const auto at = [&](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
        if (begin < end && known.emplace(at(begin), at(end)).second) {
            if (!kept.empty()) kept.push_back(SavedHistory::gap);
            kept.insert(kept.end(), std::make_reverse_iterator(at(end)),
                        std::make_reverse_iterator(at(begin)));
        }
        end = begin == 0 ? 0 : begin - 1;
    }
    std::reverse(kept.begin(), kept.end());
    history_.sequence = std::move(kept);
}

}  // namespace refrain::runtime
