#pragma once

#include "merge/step.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace refrain::proxy {

inline constexpr int no_group = -1;

/// A communicator. Ranks in it are found by all of its members.
struct Group {
    /// What a member says of the communicator that it makes with others.
    struct Maker {
        std::int64_t member = 0;
        const RankStep* step = nullptr;
    };
    /// A rank that got out of the call, and its own call that says so.
    struct Passed {
        std::size_t rank = 0;
        std::uint64_t at = 0;
    };
    struct Call {
        std::uint64_t arrived = 0;
        std::vector<Maker> makers;
        std::vector<int> made;  // by member, as soon as somebody asks
        std::vector<std::size_t> waiting;
        std::vector<Passed> passed;
    };

    std::vector<std::uint32_t> world;      // by member
    std::vector<std::int64_t> dimensions;  // of a Cartesian one
    std::vector<std::uint64_t> calls_of;   // collective calls of each member
    std::vector<Call> calls;
};

struct Groups {
    std::vector<std::unique_ptr<Group>> all;

    int add(std::vector<std::uint32_t> world, std::vector<std::int64_t> dimensions = {}) {
        all.push_back(std::make_unique<Group>());
        all.back()->calls_of.assign(world.size(), 0);
        all.back()->world = std::move(world);
        all.back()->dimensions = std::move(dimensions);
        return static_cast<int>(all.size()) - 1;
    }
    [[nodiscard]] Group& at(int group) { return *all[static_cast<std::size_t>(group)]; }
    /// The communicator that a member got from a call; no_group if the calls do not tell who else is in it.
    int made_by(int parent, std::size_t call, std::int64_t member);
};

}  // namespace refrain::proxy
