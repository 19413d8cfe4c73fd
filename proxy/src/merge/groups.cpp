#include "merge/groups.hpp"

#include <map>
#include <utility>

namespace refrain::proxy {
namespace {

/// Cart_sub: the coordinates that do not remain tell the new communicators apart.
std::vector<std::int64_t> key_of(const Group& group, const Group::Maker& maker) {
    if (maker.step->function != Function::Cart_sub_) return maker.step->key;
    std::vector<std::int64_t> key;
    std::int64_t rest = maker.member;
    const auto& remain = maker.step->dimensions;
    for (std::size_t i = group.dimensions.size(); i-- > 0 && remain.size() > i;) {
        if (group.dimensions[i] <= 0) break;
        if (remain[i] == 0) key.push_back(rest % group.dimensions[i]);
        rest /= group.dimensions[i];
    }
    return key;
}

}  // namespace

int Groups::made_by(int parent, std::size_t call_number, std::int64_t member) {
    if (at(parent).calls[call_number].made.empty()) {
        const Group& group = at(parent);
        std::vector<int> made(group.world.size(), no_group);
        std::map<std::vector<std::int64_t>, std::vector<Group::Maker>> together;
        for (const Group::Maker& maker : group.calls[call_number].makers)
            if (maker.step->new_comm >= 0) together[key_of(group, maker)].push_back(maker);
        std::vector<std::pair<std::vector<std::uint32_t>, std::vector<Group::Maker>>> found;
        for (const auto& [key, makers] : together) {
            std::vector<std::uint32_t> world(makers.size(), ~std::uint32_t{0});
            bool fits = true;
            for (const Group::Maker& maker : makers) {
                const auto rank = static_cast<std::size_t>(maker.step->new_rank);
                fits = fits && static_cast<std::size_t>(maker.step->new_size) == makers.size() &&
                       rank < world.size() && world[rank] == ~std::uint32_t{0};
                if (fits) world[rank] = group.world[static_cast<std::size_t>(maker.member)];
            }
            if (fits) found.emplace_back(std::move(world), makers);
        }
        for (auto& [world, makers] : found) {
            const bool grid = makers[0].step->function == Function::Cart_create_;
            const int number =
                add(world, grid ? makers[0].step->dimensions : std::vector<std::int64_t>());
            for (const Group::Maker& maker : makers)
                made[static_cast<std::size_t>(maker.member)] = number;
        }
        at(parent).calls[call_number].made = std::move(made);
    }
    return at(parent).calls[call_number].made[static_cast<std::size_t>(member)];
}

}  // namespace refrain::proxy
