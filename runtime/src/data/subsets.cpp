#include "data/message.hpp"
#include "data/partition_checks.hpp"
#include "refrain/detail/partition_factories.hpp"
#include "refrain/error.hpp"

#include <utility>

namespace refrain::data {
namespace {

PartitionHandle make_list(const Box& space, int rank, const Box& colours, int colour_rank,
                          std::vector<BoxSet> list, std::string_view operation) {
    checked_volume(space, rank, operation, "space");
    check_list_length(list.size(), colours, colour_rank, operation);
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (space.contains(list[i].bounds())) continue;
        throw UsageError(message(operation, ": list[", i, "] is ", short_text(list[i], rank),
                                 " and reaches beyond the space ", to_string(space, rank),
                                 "; intersect it with the space"));
    }
    return std::make_shared<PartitionData>(space, rank, colours, colour_rank, std::move(list));
}

}  // namespace

PartitionHandle make_subsets(const Box& space, int rank, const Box& colours, int colour_rank,
                             std::vector<BoxSet> list) {
    return make_list(space, rank, colours, colour_rank, std::move(list), "subsets");
}

PartitionHandle make_rectangles(const Box& space, int rank, const Box& colours, int colour_rank,
                                std::span<const Box> list) {
    return make_list(space, rank, colours, colour_rank, {list.begin(), list.end()}, "rectangles");
}

PartitionHandle make_whole(const Box& space, int rank, const Box& colours, int colour_rank) {
    checked_volume(space, rank, "whole", "space");
    check_colours(colours, colour_rank, "whole");
    std::vector<BoxSet> list(static_cast<std::size_t>(colours.volume()), BoxSet(space));
    return make_list(space, rank, colours, colour_rank, std::move(list), "whole");
}

}  // namespace refrain::data
